/** A headless LiveKit participant for Node: the base for load tests, recorder and gateways. */
export {
  CLAP,
  COLOURS,
  FRAMES_PER_SECOND,
  LAYERS,
  TONES,
  type Colour,
  type LayerHeight,
  type Tone,
  type VideoCodec,
} from './catalogue.ts';
export { republish } from './room-migration.ts';
export type { LocalTrack } from './local-track.ts';
export { Participant } from './participant.ts';
export type { ConnectOptions, Left, ReceivedData } from './participant-types.ts';
export { PushConnection, type AckOutcome, type PushEvent, type PushOptions } from './push.ts';
export type { AudioOptions, RawOptions, VideoOptions } from './publication.ts';
export { PublishRefused } from './publisher.ts';
export type { ReceiveCounters, RemoteTrack, SenderTime } from './remote-track.ts';
export type { SendCounters } from './rtp-stream.ts';
export { SignalError } from './signal.ts';
