export { MediaConnections } from './media-connections.ts';
export { dropClosedChecks, isOpenCheck, openCheckRoom } from './check-rooms.ts';
export type { AdmissionGuard } from './front-admission.ts';
export { startFront, type MediaFront } from './front.ts';
export { createMedia, OWN_ZONE, type MediaClient } from './media.ts';
export { MediaProcesses } from './processes.ts';
export { joinZones } from './zones.ts';
export {
  MEDIA_SOURCES,
  type Media,
  type MediaParticipant,
  type MediaPermission,
  type MediaRoom,
  type MediaServer,
  type MediaSource,
  type MediaTrack,
  type ParticipantChange,
  type TokenOptions,
} from './types.ts';
