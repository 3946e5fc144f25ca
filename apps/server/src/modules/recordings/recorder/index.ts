export { freeFromDead } from './dead-holders.ts';
export { dropLeftovers } from './leftovers.ts';
export { Recorders } from './recorders.ts';
export type { StartWriter } from './run.ts';
