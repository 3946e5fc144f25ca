export { clearAttempts, createSso, defineSsoJobs } from './service.ts';
