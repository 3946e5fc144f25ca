export {
  countFailure,
  countOnLimit,
  forgetFailures,
  limitWait,
  standingOf,
  takeOneBack,
  unknownSecret,
  type Guesser,
  type RateLimit,
} from './attempts.ts';
export { createInvitedEntrance } from './invitations.ts';
export { suspendFactorOf } from './factors/repo.ts';
export { createFactorSignIn } from './factors/service.ts';
export { createOwnFactors } from './factors/own.ts';
export { createOutside, postByJobs, postNow } from './messages.ts';
export type { Outside } from './outside.ts';
export { clearExpired, defineAuthJobs } from './jobs.ts';
export { createModes } from './modes.ts';
export { asCaller, openSession, unlessRefused } from './open-session.ts';
export { createOwnPasskeys } from './passkeys/own.ts';
export { passkeysOfOtherNames } from './passkeys/repo.ts';
export { createPasskeySignIn } from './passkeys/sign-in.ts';
export { createPasswordGuesses } from './password-guesses.ts';
export { authRoutes } from './routes.ts';
export { createPhoneCodes } from './phone-codes.ts';
export { createScanService } from './scan.ts';
export { createAuthService, type AuthService } from './service.ts';
export { createSessions, openSessions, SESSION_LIFETIME, type Sessions } from './sessions.ts';
export { declareUserTopics } from './topics.ts';
export { loadTransitKeys } from './transit.ts';
