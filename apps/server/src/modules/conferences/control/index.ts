export { createAcknowledgements, type Acknowledgements } from './acknowledgements.ts';
export { createControl, type Control, type ControlDeps, type Executed } from './control.ts';
export { rzEngine, type ConferenceEngine, type ConferenceRef } from './engine.ts';
export { awaitsHost, createLetIn, type LetIn } from './waiting-room.ts';
export { createPeople, type People } from './moderation.ts';
export { clearBanners } from './banners.ts';
export { createPolling, type Polling } from './polling.ts';
export { controlRoutes, type ControlHandlers } from './routes.ts';
export {
  BELONGING,
  partsOutside,
  standingIn,
  type ControlCaller,
  type ControlContext,
  type Standing,
} from './authorization.ts';
