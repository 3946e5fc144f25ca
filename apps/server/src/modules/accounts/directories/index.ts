export { createRounds, defineDirectoryJobs } from './rounds.ts';
export { createDirectoryRoutes } from './service.ts';
export { createDirectoryPasswords } from './sign-in.ts';
