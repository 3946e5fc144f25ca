/** Live broadcasts by low-latency HLS (RFC 8216 bis): what viewers may see of a recording that runs. */
export { mayAccess, signAccess } from './access.ts';
export type { Span } from './listing.ts';
export { initName, segmentName } from './names.ts';
export { ACCESS_HEADER, LiveOrigin, originPath, type LiveOriginOptions, type OriginHandler } from './origin.ts';
export {
  heightOf,
  multivariantPlaylist,
  QUALITIES,
  renditionOf,
  windowId,
  type Quality,
  type Rendition,
} from './rendition.ts';
export { LiveRelay, type LiveRelayOptions, type OriginAddress } from './relay.ts';
export { LiveView, type Waited } from './view.ts';
export { LiveWindow, type LiveOutput, type LivePart, type LiveSegment, type LiveWindowOptions } from './window.ts';
