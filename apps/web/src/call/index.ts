export { Call } from './call.ts';
export { DATA_MODES, type DataMode } from './data-mode.ts';
export type { CallEnd, CallNotice, CallPorts, CallSnapshot, LinkState, OutgoingMessage, Stay } from './call-types.ts';
export type { DeviceError } from './device-errors.ts';
export { BACKGROUNDS, type AudioProcessing, type Background, type NoiseSuppression } from './effects/choices.ts';
export { LEVEL_RATE, watchLevel } from './level-meter.ts';
export type { ShownReaction } from './reactions.ts';
export { isOnAir, type Held } from './moderation.ts';
export {
  LocalMedia,
  type Capture,
  type CaptureKind,
  type DeviceNotice,
  type LocalMediaState,
  type MediaPreferences,
} from './local-media.ts';
export type { LinkQuality, MediaSource, VideoHandle } from './media-types.ts';
export type { PictureRequests, PictureWish } from './pictures.ts';
export type { SpeakerState } from '@rmeet/conference';
export { SHARE_DEFAULTS, SHARE_HINTS, SHARE_RATES, type ShareOptions, type ShareSurface } from './share.ts';
export type { ReadableStore } from './store.ts';
export type { Tile } from './tiles.ts';
export { watchConference, type Watch, type WatchPorts, type WatchSnapshot, type WatchedConference } from './watch.ts';
export { isEncryptionSupported } from './encryption-support.ts';
export { securityCode } from './chat-cipher.ts';
export type { ReadableMessage } from './sealed-messages.ts';
export { warmUpPeerConnection } from './warm-up.ts';

/** Loads the media client. */
export const loadMedia = () => import('./livekit-session.ts').then((module) => module.openLivekitSession);
