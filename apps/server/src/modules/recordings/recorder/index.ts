export { freeFromDead } from './dead-holders.ts';
export { dropLeftovers } from './leftovers.ts';
export { startLive } from './live.ts';
export { Recorders } from './recorders.ts';
export type { StartWriter } from './run.ts';
