export { createJobs, type JobRunner } from './jobs.ts';
export type { Jobs, SendOptions } from './types.ts';
