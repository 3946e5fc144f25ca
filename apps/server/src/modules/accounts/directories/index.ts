export { createRounds, defineDirectoryJobs } from './rounds.ts';
export { createScimRoutes } from './scim/routes.ts';
export { mountScim } from './scim/server.ts';
export { createDirectoryRoutes } from './service.ts';
export { createDirectoryPasswords } from './sign-in.ts';
