export { createAcknowledgements, type Acknowledgements } from './acks.ts';
export { createControl, type Control, type ControlDeps, type Executed } from './control.ts';
export { rzEngine, type ConferenceEngine, type ConferenceRef } from './engine.ts';
export { awaitsHost, createLetIn, type LetIn } from './let-in.ts';
export { createPeople, type People } from './people.ts';
export { clearBanners } from './banners.ts';
export { createPolling, type Polling } from './polling.ts';
export { controlRoutes, type ControlRoutesDeps } from './routes.ts';
export {
  BELONGING,
  partsOutside,
  standingIn,
  type ControlCaller,
  type ControlContext,
  type Standing,
} from './standing.ts';
