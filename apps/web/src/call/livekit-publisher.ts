import { LocalAudioTrack, LocalVideoTrack, PublishTrackError, Track, type LocalParticipant, type LocalTrack } from 'livekit-client';
import type { MediaSource, Outgoing, Refusal } from './media-types.ts';

/** Wraps one of our tracks; the client neither stops nor restarts it, its capture is not the client's business. */
type Wrap = (track: MediaStreamTrack) => LocalTrack;
// The cast is for exactOptionalPropertyTypes, which the client's own type of audio tracks does not pass.
const video: Wrap = (track) => new LocalVideoTrack(track, undefined, true);
const audio: Wrap = (track) => new LocalAudioTrack(track, undefined, true) as LocalTrack;

const SOURCES: Record<MediaSource, { source: Track.Source; wrap: Wrap }> = {
  camera: { source: Track.Source.Camera, wrap: video },
  microphone: { source: Track.Source.Microphone, wrap: audio },
  screen: { source: Track.Source.ScreenShare, wrap: video },
  screenAudio: { source: Track.Source.ScreenShareAudio, wrap: audio },
};
const NOTHING: Outgoing = { camera: null, microphone: null, screen: null, screenAudio: null };

/**
 * Brings what a participant publishes in line with the tracks wanted, one step at a time per source.
 * Camera and microphone stay published but muted while off, because unmuting is quicker than publishing; screens go.
 */
export class LivekitPublisher {
  readonly #participant: LocalParticipant;
  readonly #onRefused: (source: MediaSource, why: Refusal) => void;
  readonly #published = new Map<MediaSource, LocalTrack>();
  readonly #busy = new Set<MediaSource>();
  #wanted: Outgoing = NOTHING;
  #running = false;

  constructor(participant: LocalParticipant, onRefused: (source: MediaSource, why: Refusal) => void) {
    this.#participant = participant;
    this.#onRefused = onRefused;
  }

  /** Nothing is sent before; called as soon as the signalling connection can take tracks, and when it can again. */
  start(): void {
    this.#running = true;
    this.#syncAll();
  }

  stop(): void {
    this.#running = false;
  }

  set(outgoing: Outgoing): void {
    this.#wanted = outgoing;
    this.#syncAll();
  }

  /** The source of one of our tracks that is muted though wanted; null for any other track. */
  unexpectedlyMuted(track: Track | undefined): MediaSource | null {
    for (const [source, local] of this.#published) {
      if (local === track && !this.#busy.has(source) && this.#wanted[source] !== null) return source;
    }
    return null;
  }

  #syncAll(): void {
    for (const source of Object.keys(SOURCES) as MediaSource[]) void this.#sync(source);
  }

  async #sync(source: MediaSource): Promise<void> {
    if (!this.#running || this.#busy.has(source)) return;
    this.#busy.add(source);
    try {
      // Wishes that come in while a step is under way are met by the next round.
      while (this.#running && (await this.#step(source, this.#wanted[source])));
    } catch (error) {
      // While the connection is being mended nothing can be published; `start` tries again after that.
      if (this.#running) this.#onRefused(source, error instanceof PublishTrackError && error.status === 403 ? 'notAllowed' : 'failed');
    } finally {
      this.#busy.delete(source);
    }
  }

  /** Does one thing towards the wish; false when there is nothing to do. */
  async #step(source: MediaSource, wanted: MediaStreamTrack | null): Promise<boolean> {
    const current = this.#published.get(source);
    if (current === undefined) {
      if (wanted === null) return false;
      const local = SOURCES[source].wrap(wanted);
      await this.#participant.publishTrack(local, { source: SOURCES[source].source, simulcast: source === 'camera' });
      this.#published.set(source, local);
      return true;
    }
    if (wanted === null && (source === 'screen' || source === 'screenAudio')) {
      this.#published.delete(source);
      await this.#participant.unpublishTrack(current, false);
      return true;
    }
    if (wanted === null) {
      if (current.isMuted) return false;
      await current.mute();
      return true;
    }
    if (current.mediaStreamTrack !== wanted) {
      await current.replaceTrack(wanted, true);
      return true;
    }
    if (!current.isMuted) return false;
    await current.unmute();
    return true;
  }
}
