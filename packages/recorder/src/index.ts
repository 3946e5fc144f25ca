/** Records conferences: the programme and each terminal's media, as CMAF segments. */
export { accessByAccount, accessByLink } from './access.ts';
export { ConferenceRecorder, type RecorderOptions } from './conference-recorder.ts';
export { Conversions } from './conversion/conversions.ts';
export { sizeOf, type GapReason, type RecordingSize } from './index-book.ts';
export { EncoderStream } from './encoder-stream.ts';
export { ProgrammePushes, type PushTarget } from './programme-pushes.ts';
export { recoverSpool, type RecoveredSpool } from './spool.ts';
export { TRACK_FILE, type SpooledFile } from './spooled-track.ts';
export * from './files.ts';
export { WhipEndpoint, type WhipEndpointOptions } from './whip/endpoint.ts';
export type { WhipNetwork } from './whip/session.ts';
