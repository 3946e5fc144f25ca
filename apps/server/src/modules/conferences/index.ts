export { createConferences, type Conferences } from './create.ts';
export { clearDesks, defineDeskJobs } from './desk/index.ts';
export { isVisibleTo } from './chat/parties.ts';
export { findMessageOfFile, findMessages } from './repo.ts';
export { presentMessages } from './state.ts';
