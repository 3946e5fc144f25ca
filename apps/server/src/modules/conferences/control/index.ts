export { createAcknowledgements, type Acknowledgements } from './acknowledgements.ts';
export { Admitter } from './admitter.ts';
export {
  authorize,
  CURRENT_STATES,
  insideTerminal,
  partsOfCaller,
  type Authorization,
  type ControlCaller,
  type ControlContext,
} from './authorization.ts';
export { clearBanners } from './banners.ts';
export { createControl, type Control } from './control.ts';
export { knownEngine, rzEngine, type ConferenceEngine, type ConferenceRef } from './engine.ts';
export { Moderation } from './moderation.ts';
export { createPolling, type Polling } from './polling.ts';
export { controlRoutes, type ControlHandlers } from './routes.ts';
