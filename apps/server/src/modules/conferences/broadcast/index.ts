export type { BroadcastPort } from './port.ts';
export { createStage, type Stage } from './stage.ts';
