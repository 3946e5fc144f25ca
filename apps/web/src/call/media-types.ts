import type { LayerHeight } from '@rmeet/conference';
import type { CameraCodec, MediaStream as ReportedStream } from '@rmeet/contract';

/** A video that a view can show; the same object as long as the picture is the same one. */
export interface VideoHandle {
  readonly id: string;
  /** A person expects their own camera as in a mirror. */
  readonly mirrored: boolean;
  attach(element: HTMLVideoElement): void;
  detach(element: HTMLVideoElement): void;
}

export type LinkQuality = 'unknown' | 'good' | 'poor' | 'lost';

/** What one terminal sends, as the media engine tells it. */
export interface MediaParticipant {
  termId: string;
  name: string;
  camera: VideoHandle | null;
  screen: VideoHandle | null;
  /** A screen is shared, though its picture may not be there. */
  sharing: boolean;
  microphoneOn: boolean;
  quality: LinkQuality;
}

export type MediaSource = 'camera' | 'microphone' | 'screen' | 'screenAudio';

/** The tracks to publish; null takes the source off the air. */
export type Outgoing = Record<MediaSource, MediaStreamTrack | null>;

/**
 * Why a media session is over. `lost` asks for a new one, and so does `removed` where the server still lets us in: the
 * engine has cut us off.
 */
export type MediaEnd = 'lost' | 'removed' | 'elsewhere' | 'stopped';

/** The engine muted the source; the token does not allow it; publishing did not work out. */
export type Refusal = 'muted' | 'notAllowed' | 'failed';

export interface MediaEvents {
  /** Somebody came, went, or changed what they send. */
  onChange(): void;
  /** Who speaks, loudest first. */
  onSpeakers(termIds: string[]): void;
  /** The connection works, or is being mended by the client itself. */
  onState(state: 'connected' | 'reconnecting'): void;
  /** The browser lets no sound out before the person clicks. */
  onAudioBlocked(blocked: boolean): void;
  /** One of our sources is off the air without our doing. */
  onRefused(source: MediaSource, why: Refusal): void;
}

/** What the browser measured of a connection at one time. */
export interface MediaSample {
  /** Entries of getStats, of every peer connection. */
  stats: readonly RTCStats[];
  /** Whose each track is, by the id of its MediaStreamTrack; `peer` is null for our own. */
  tracks: ReadonlyMap<string, { source: ReportedStream['source']; peer: string | null }>;
  /** Our sources that are published and not muted, and what the engine makes of them. */
  onAir: ReadonlyMap<MediaSource, Taken>;
  /** Somebody else is there who could receive them. */
  hasCompany: boolean;
}

/**
 * `refused`: its answer takes nothing of it. `received`: it has told that somebody receives it. Else it has not told
 * anything.
 */
export type Taken = 'refused' | 'received' | 'unknown';

/** How a move went: ms for which nothing arrived of something that had been arriving; missing where nothing had. */
export interface Moved {
  gap?: number;
}

/** A session on the media engine, which may go from one room to another. */
export interface MediaSession extends MediaStay {
  /**
   * Goes over to the room of another token: connects there first, and leaves the old one when everything is there. Null
   * where that does not work out.
   */
  goOver(url: string, token: string): Promise<Moved | null>;
}

/** One stay in the media engine's room. */
export interface MediaStay {
  /** Connects, and resolves when the stay is over; it never rejects. */
  run(url: string, token: string): Promise<MediaEnd>;
  /** Brings what is published in line with `outgoing`. */
  publish(outgoing: Outgoing): void;
  /**
   * Resolves when the source is sent, or off, as `publish` wants it; false when `signal` ends the wait, or the stay
   * does.
   */
  whenMet(source: MediaSource, signal: AbortSignal): Promise<boolean>;
  /** Keeps the layers of our camera to this many lines; null for no limit. */
  limit(maxHeight: number | null): Promise<void>;
  /** How loud each other terminal is played, 0-1; asked anew for whoever comes. */
  setVolumes(volumeOf: (termId: string) => number): void;
  /** Takes pictures in these sizes, by key: termId, or termId and `-screen`. A watcher takes no others. */
  ask(layers: ReadonlyMap<string, LayerHeight>): void;
  /** Whether a watcher hears; everybody else always does. */
  listen(on: boolean): void;
  sample(): Promise<MediaSample>;
  participants(): MediaParticipant[];
  ownQuality(): LinkQuality;
  startAudio(): Promise<void>;
  setSpeaker(deviceId: string | null): Promise<void>;
  /** Leaves; `run` resolves with `stopped`. */
  stop(): Promise<void>;
}

export interface MediaOptions {
  /** Takes only what is asked for, and sends nothing. */
  watching?: boolean;
  /** What our camera sends at most, kbit/s; the product's standard when missing. */
  camera?: CameraOptions;
}

export interface CameraOptions {
  codec: CameraCodec;
  bitrate: number;
}

export type OpenMediaStay = (events: MediaEvents, options?: MediaOptions) => MediaStay;
export type OpenMediaSession = (events: MediaEvents, options?: MediaOptions) => MediaSession;
