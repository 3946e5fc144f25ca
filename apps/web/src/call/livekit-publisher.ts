import {
  AudioPresets,
  LocalAudioTrack,
  ParticipantEvent,
  PublishTrackError,
  Track,
  type LocalParticipant,
  type LocalTrack,
} from 'livekit-client';
import type { MediaSource, Outgoing, Refusal, Reception } from './media-types.ts';
import { CappedVideoTrack, SentVideoTrack } from './sent-video-track.ts';

/** The client opens an AudioContext for each published track, to warn if it is silent; LocalMedia knows the level. */
class UncheckedAudioTrack extends LocalAudioTrack {
  override checkForSilence(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** Wraps one of our tracks; the client neither stops nor restarts it, because LocalMedia owns the capture. */
type Wrap = (track: MediaStreamTrack) => LocalTrack;
const camera: Wrap = (track) => new CappedVideoTrack(track, undefined, true);
const video: Wrap = (track) => new SentVideoTrack(track, undefined, true);
// The cast is for exactOptionalPropertyTypes, which the client's own type of audio tracks does not pass.
const audio: Wrap = (track) => new UncheckedAudioTrack(track, undefined, true) as LocalTrack;

const SOURCES: Record<MediaSource, { source: Track.Source; wrap: Wrap }> = {
  camera: { source: Track.Source.Camera, wrap: camera },
  microphone: { source: Track.Source.Microphone, wrap: audio },
  screen: { source: Track.Source.ScreenShare, wrap: video },
  screenAudio: { source: Track.Source.ScreenShareAudio, wrap: audio },
};
/** The client's own bits per second for speech and music. */
const USUAL_AUDIO = AudioPresets.music.maxBitrate;
const NOTHING: Outgoing = { camera: null, microphone: null, screen: null, screenAudio: null };

/**
 * Reconciles the published tracks with the wanted ones, one step at a time per source. Camera and microphone stay
 * published but muted while off, because unmuting is faster than publishing; screens are unpublished. A track that the
 * engine unpublishes because its source is no longer permitted is published again once permitted.
 */
export class LivekitPublisher {
  readonly #participant: LocalParticipant;
  readonly #onRefused: (source: MediaSource, why: Refusal) => void;
  readonly #published = new Map<MediaSource, LocalTrack>();
  /** Sids of tracks that the engine has unpublished. */
  readonly #withdrawn = new Set<string>();
  /** Tracks that have a subscriber according to the engine. */
  readonly #received = new WeakSet<Track>();
  readonly #busy = new Set<MediaSource>();
  readonly #waiting = new Set<() => void>();
  #wanted: Outgoing = NOTHING;
  #maxHeight: number | null = null;
  #audioBitrate: number | null = null;
  #running = false;

  constructor(participant: LocalParticipant, onRefused: (source: MediaSource, why: Refusal) => void) {
    this.#participant = participant;
    this.#onRefused = onRefused;
    participant
      .on(ParticipantEvent.ParticipantPermissionsChanged, () => this.#syncAll())
      .on(ParticipantEvent.LocalTrackSubscribed, ({ track }) => track && this.#received.add(track));
  }

  /** Starts publishing; called when the signalling connection is ready, and again after each reconnect. */
  start(): void {
    this.#running = true;
    // After a reconnect only the client knows which tracks are still published.
    for (const [source, local] of this.#published) if (!this.#isKnown(local)) this.#published.delete(source);
    this.#syncAll();
  }

  stop(): void {
    this.#running = false;
    this.#notifyWaiting();
  }

  set(outgoing: Outgoing): void {
    this.#wanted = outgoing;
    this.#syncAll();
  }

  /** Limits the camera's layers to `maxHeight` lines; null for no limit. */
  async limit(maxHeight: number | null): Promise<void> {
    this.#maxHeight = maxHeight;
    const local = this.#published.get('camera');
    if (local instanceof CappedVideoTrack) await local.cap(maxHeight);
  }

  /** Limits the microphone to these bits per second; null for the usual ones. */
  setAudioBitrate(bitrate: number | null): void {
    this.#audioBitrate = bitrate;
    void this.#limitAudio();
  }

  async #limitAudio(): Promise<void> {
    const sender = this.#published.get('microphone')?.sender;
    const parameters = sender?.getParameters();
    const [encoding] = parameters?.encodings ?? [];
    const wanted = this.#audioBitrate ?? USUAL_AUDIO;
    if (sender === undefined || parameters === undefined || encoding === undefined || encoding.maxBitrate === wanted)
      return;
    encoding.maxBitrate = wanted;
    // Refused while the connection is set up again; the next publication sets it.
    await sender.setParameters(parameters).catch(() => undefined);
  }

  /** Resolves when the source is sent or off as wanted; false if `signal` is aborted or the session ends. */
  async whenMet(source: MediaSource, signal: AbortSignal): Promise<boolean> {
    while (!this.#isMet(source)) {
      if (signal.aborted || !this.#running) return false;
      await this.#nextChange(signal);
    }
    return true;
  }

  /** The source of an own track that is muted although wanted; null for any other track. */
  unexpectedlyMuted(track: Track | undefined): MediaSource | null {
    for (const [source, local] of this.#published) {
      if (local === track && !this.#busy.has(source) && this.#wanted[source] !== null) return source;
    }
    return null;
  }

  /** Handles a track that the engine unpublished, possibly before its publication completed here. */
  withdrawn(trackSid: string): void {
    this.#withdrawn.add(trackSid);
    for (const [source, local] of this.#published) {
      if (local.sid !== trackSid) continue;
      this.#published.delete(source);
      void this.#sync(source);
    }
  }

  /** The source of each own track, by the id of its MediaStreamTrack. */
  sources(): ReadonlyMap<string, MediaSource> {
    return new Map([...this.#published].map(([source, local]) => [local.mediaStreamTrack.id, source]));
  }

  /**
   * Our sources that are sent as wanted, with their reception by the engine; `transceivers` belong to the publishing
   * connection.
   */
  onAir(transceivers: readonly RTCRtpTransceiver[]): ReadonlyMap<MediaSource, Reception> {
    const sources = [...this.#published].filter(
      ([source]) => !this.#busy.has(source) && this.#wanted[source] !== null && this.#isMet(source),
    );
    return new Map(
      sources.map(([source, local]) => {
        const direction = transceivers.find(({ sender }) => sender === local.sender)?.currentDirection;
        if (direction === 'inactive' || direction === 'recvonly' || direction === 'stopped') return [source, 'refused'];
        return [source, this.#received.has(local) ? 'received' : 'unknown'];
      }),
    );
  }

  #isKnown(local: LocalTrack): boolean {
    return this.#participant.getTrackPublications().some((each) => each.track === local);
  }

  #isMet(source: MediaSource): boolean {
    const [wanted, local] = [this.#wanted[source], this.#published.get(source)];
    if (wanted === null) return local === undefined ? !this.#busy.has(source) : local.isMuted;
    return local !== undefined && local.mediaStreamTrack === wanted && !local.isMuted;
  }

  /**
   * As far as the client knows. A screen that may not be shared is refused by the engine, so that the user sees the
   * error.
   */
  #isPermitted(source: MediaSource): boolean {
    const { permissions } = this.#participant;
    if (permissions === undefined || source === 'screen') return true;
    const { canPublish, canPublishSources } = permissions;
    return (
      canPublish &&
      (canPublishSources.length === 0 || canPublishSources.includes(Track.sourceToProto(SOURCES[source].source)))
    );
  }

  #nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        this.#waiting.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      this.#waiting.add(finish);
      signal.addEventListener('abort', finish);
    });
  }

  #notifyWaiting(): void {
    for (const resume of this.#waiting) resume();
  }

  #syncAll(): void {
    for (const source of Object.keys(SOURCES) as MediaSource[]) void this.#sync(source);
  }

  async #sync(source: MediaSource): Promise<void> {
    if (!this.#running || this.#busy.has(source)) return;
    this.#busy.add(source);
    try {
      // Changes that arrive during a step are handled by the next iteration.
      while (this.#running && (await this.#step(source, this.#wanted[source])));
    } catch (error) {
      const isForbidden = error instanceof PublishTrackError && error.status === 403;
      // Nothing can be published while reconnecting; `start` retries afterwards.
      if (this.#running && (!isForbidden || this.#isPermitted(source)))
        this.#onRefused(source, isForbidden ? 'notAllowed' : 'failed');
    } finally {
      this.#busy.delete(source);
      this.#notifyWaiting();
    }
  }

  /** Takes one step towards the wanted state; false if there is nothing to do. */
  async #step(source: MediaSource, wanted: MediaStreamTrack | null): Promise<boolean> {
    const current = this.#published.get(source);
    if (current === undefined) {
      if (wanted === null || !this.#isPermitted(source)) return false;
      await this.#publish(source, wanted);
      return true;
    }
    if (wanted === null && (source === 'screen' || source === 'screenAudio')) {
      this.#published.delete(source);
      if (current instanceof SentVideoTrack) current.stopClones();
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

  async #publish(source: MediaSource, wanted: MediaStreamTrack): Promise<void> {
    // Muting its last publication disabled it.
    wanted.enabled = true;
    const local = SOURCES[source].wrap(wanted);
    const { trackSid } = await this.#participant.publishTrack(local, {
      source: SOURCES[source].source,
      simulcast: source === 'camera',
    });
    if (this.#withdrawn.has(trackSid)) {
      await this.#participant.unpublishTrack(local, false);
      return;
    }
    this.#published.set(source, local);
    if (local instanceof CappedVideoTrack) await local.cap(this.#maxHeight);
    if (source === 'microphone' && this.#audioBitrate !== null) await this.#limitAudio();
  }
}
