export { dropLeftovers } from './leftovers.ts';
export { Recorders, type RecordersOptions } from './recorders.ts';
export type { StartWriter } from './run.ts';
