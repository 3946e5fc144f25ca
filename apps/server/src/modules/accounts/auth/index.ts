export { countFailure, forgetFailures, standingOf, takeOneBack, unknownSecret, type Guesser } from './attempts.ts';
export { clearExpired, defineAuthJobs } from './jobs.ts';
export { createPasswordGuesses } from './password-guesses.ts';
export { authRoutes } from './routes.ts';
export { createScanService } from './scan.ts';
export { createAuthService, type AuthService } from './service.ts';
export { createSessions, openSessions, type Sessions } from './sessions.ts';
export { declareUserTopics } from './topics.ts';
export { loadTransitKeys } from './transit.ts';
