import type { LayerHeight } from '@rmeet/conference';
import type { CameraCodec, MediaStream as ReportedStream } from '@rmeet/contract';
import type { DataMode } from './data-mode.ts';

/** A video that a view can show; the same object for the same track. */
export interface VideoHandle {
  readonly id: string;
  /** Users expect a mirror image of their own camera. */
  readonly mirrored: boolean;
  attach(element: HTMLVideoElement): void;
  detach(element: HTMLVideoElement): void;
}

export type LinkQuality = 'unknown' | 'good' | 'poor' | 'lost';

/** What one terminal sends, as reported by the media engine. */
export interface MediaParticipant {
  termId: string;
  name: string;
  camera: VideoHandle | null;
  screen: VideoHandle | null;
  /** A screen is shared, even if its video has not arrived. */
  sharing: boolean;
  microphoneOn: boolean;
  quality: LinkQuality;
  /** Its media arrive, but are encrypted with another key than ours. */
  undecryptable?: boolean;
}

export type MediaSource = 'camera' | 'microphone' | 'screen' | 'screenAudio';

/** The tracks to publish; null stops the source. */
export type Outgoing = Record<MediaSource, MediaStreamTrack | null>;

/**
 * Why a media session is over. `lost` requires a new one, and so does `removed` if the server still admits us: the
 * engine disconnected us.
 */
export type MediaEnd = 'lost' | 'removed' | 'elsewhere' | 'stopped';

/** The engine muted the source; the token does not allow it; publishing failed. */
export type Refusal = 'muted' | 'notAllowed' | 'failed';

export interface MediaEvents {
  /** A participant joined, left, or changed what it sends. */
  onChange(): void;
  /** Current speakers, loudest first. */
  onSpeakers(termIds: string[]): void;
  /** The connection works, or the client is reconnecting. */
  onState(state: 'connected' | 'reconnecting'): void;
  /** The browser blocks audio until the user clicks. */
  onAudioBlocked(blocked: boolean): void;
  /** One of our sources stopped without our doing. */
  onRefused(source: MediaSource, why: Refusal): void;
}

/** One measurement of a connection by the browser. */
export interface MediaSample {
  /** Entries of getStats, of every peer connection. */
  stats: readonly RTCStats[];
  /** Owner of each track, by the id of its MediaStreamTrack; `peer` is null for our own. */
  tracks: ReadonlyMap<string, { source: ReportedStream['source']; peer: string | null }>;
  /** Our sources that are published and not muted, and their reception by the engine. */
  onAir: ReadonlyMap<MediaSource, Reception>;
  /** Another participant is present who could receive them. */
  hasCompany: boolean;
}

/** `refused`: the engine's SDP answer rejects it. `received`: the engine reports a subscriber. Otherwise `unknown`. */
export type Reception = 'refused' | 'received' | 'unknown';

/** Result of a migration. `gap`: the longest interruption of a stream, ms; missing if no stream was flowing. */
export interface MigrationResult {
  gap?: number;
}

/** A session on the media engine that can migrate from one room to another. */
export interface MediaSession extends RoomConnection {
  /**
   * Migrates to the room of another token: connects there first, and leaves the old room when all media has arrived.
   * Null if that fails.
   */
  migrate(url: string, token: string): Promise<MigrationResult | null>;
}

/** One connection to a room of the media engine. */
export interface RoomConnection {
  /** Connects, and resolves when the connection is over; never rejects. */
  run(url: string, token: string): Promise<MediaEnd>;
  /** Publishes exactly `outgoing`. */
  publish(outgoing: Outgoing): void;
  /**
   * Resolves when the source is sent or off, as given to `publish`; false if `signal` is aborted or the connection
   * ends.
   */
  whenMet(source: MediaSource, signal: AbortSignal): Promise<boolean>;
  /** Limits the layers of our camera to this many lines; null for no limit. */
  limit(maxHeight: number | null): Promise<void>;
  /** Outside of `full`, a terminal receives only the pictures asked for, and its microphone takes less. */
  economise(mode: DataMode): void;
  /** Sets the playback volume of each other terminal, 0-1; also called for later joins. */
  setVolumes(volumeOf: (termId: string) => number): void;
  /** Requests pictures in these sizes, by key: termId, or termId and `-screen`. A watcher receives no others. */
  ask(layers: ReadonlyMap<string, LayerHeight>): void;
  /** Switches audio for a watcher; other terminals always receive audio. */
  listen(on: boolean): void;
  sample(): Promise<MediaSample>;
  participants(): MediaParticipant[];
  ownQuality(): LinkQuality;
  startAudio(): Promise<void>;
  setSpeaker(deviceId: string | null): Promise<void>;
  /** Encrypts and decrypts with another key; only for connections that were opened with one. */
  rekey(key: string): void;
  /** Leaves; `run` resolves with `stopped`. */
  stop(): Promise<void>;
}

export interface MediaOptions {
  /** Receives only requested media, and sends nothing. */
  watching?: boolean;
  /** Codec and maximum bitrate of our camera, kbit/s; the default if missing. */
  camera?: CameraOptions;
  /** The key of an end-to-end encrypted conference: everything sent is encrypted, and nothing else is played. */
  encryptionKey?: string | undefined;
}

export interface CameraOptions {
  codec: CameraCodec;
  bitrate: number;
}

export type OpenRoomConnection = (events: MediaEvents, options?: MediaOptions) => RoomConnection;
export type OpenMediaSession = (events: MediaEvents, options?: MediaOptions) => MediaSession;
