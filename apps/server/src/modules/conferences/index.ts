export { createConferences, type Conferences } from './create.ts';
export { clearDesks, defineDeskJobs } from './desk/index.ts';
