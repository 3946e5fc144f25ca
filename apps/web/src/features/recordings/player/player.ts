import { clockTimeOf, positionOf, type RecordingDetail, type Stretch } from '@rmeet/contract';
import { keptOf, lengthOf, nextKept } from './line.ts';
import { clockOf, mediaTimeOf, type Placed } from './placed.ts';
import type { Signer } from './signer.ts';
import { openStream, type StreamFailure } from './stream.ts';

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;
/** Seconds of the programme that are loaded ahead. */
const AHEAD = 30;
/** A picture; ms. */
const FRAME = 40;
/** Media elements round the times they are sent to; ms. */
const ROUNDING = 25;

export interface PlayerState {
  status: 'loading' | 'ready' | 'empty' | StreamFailure;
  isPlaying: boolean;
  /** Plays as soon as more has been loaded. */
  isWaiting: boolean;
  isEnded: boolean;
  /** Ms by the clock since the start of the recording. */
  clock: number;
  /** Loaded up to here, by the clock. */
  loaded: number;
  rate: number;
  /** 0 to 1. */
  volume: number;
  isMuted: boolean;
}

export interface Played {
  recording: Pick<RecordingDetail, 'id' | 'tracks' | 'edit'>;
  signer: Signer;
  /** Plays what the edit leaves out, too. */
  whole: boolean;
  /** Where it begins, by the clock. */
  startAt: number;
}

const INITIAL: PlayerState = {
  status: 'loading',
  isPlaying: false,
  isWaiting: false,
  isEnded: false,
  clock: 0,
  loaded: 0,
  rate: 1,
  volume: 1,
  isMuted: false,
};

/**
 * Plays the programme of a recording in a media element. Its positions are those of the edited recording: pauses, gaps
 * and cuts are passed over, to the picture.
 */
export class Player {
  readonly played: Played;
  readonly kept: readonly Stretch[];
  /** Ms that are played. */
  readonly length: number;
  readonly #listeners = new Set<() => void>();
  #state: PlayerState;
  #video: HTMLVideoElement | null = null;
  #placed: readonly Placed[] = [];

  constructor(played: Played) {
    this.played = played;
    const programme = played.recording.tracks.find(({ kind }) => kind === 'programme');
    this.kept = keptOf(programme?.segments ?? [], played.whole ? null : played.recording.edit);
    this.length = lengthOf(this.kept);
    const clock = nextKept(this.kept, played.startAt) ?? this.kept[0]?.at ?? 0;
    this.#state = { ...INITIAL, clock, loaded: clock, status: this.kept.length === 0 ? 'empty' : 'loading' };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly get = (): PlayerState => this.#state;

  get position(): number {
    return positionOf(this.kept, this.#state.clock);
  }

  /** Exactly now; the state is a quarter of a second old. */
  get clockNow(): number {
    const { status, clock } = this.#state;
    return status !== 'ready' || this.#video === null ? clock : clockOf(this.#placed, this.#video.currentTime * 1_000);
  }

  /** Plays in this element until the returned function is called. */
  open(video: HTMLVideoElement): () => void {
    const track = this.played.recording.tracks.find(({ kind }) => kind === 'programme');
    if (track === undefined || this.kept.length === 0) return () => undefined;
    this.#video = video;
    const over = new AbortController();
    const on = (names: string, act: () => void) => {
      for (const name of names.split(' ')) video.addEventListener(name, act, { signal: over.signal });
    };
    on('timeupdate seeking seeked progress', () => this.#follow());
    on('play playing pause ended waiting canplay ratechange volumechange', () => this.#follow());
    on('loadedmetadata', () => this.#set({ status: 'ready' }));
    on('waiting seeking', () => this.#set({ isWaiting: true }));
    on('playing canplay seeked', () => this.#set({ isWaiting: false }));
    on('playing', () => this.#watch(over.signal));
    // Its speed outlives the player: this one may only play another cut of the same.
    this.#set({ rate: video.defaultPlaybackRate });
    const close = openStream(video, {
      recordingId: this.played.recording.id,
      track,
      whole: this.played.whole,
      signer: this.played.signer,
      ahead: AHEAD,
      startAt: () => mediaTimeOf(this.#placed, this.#state.clock),
      onPlaced: (placed) => (this.#placed = placed),
      onFailure: (status) => {
        video.pause();
        this.#set({ status, isPlaying: false, isWaiting: false });
      },
    });
    return () => {
      over.abort();
      close();
      this.#video = null;
      this.#placed = [];
      this.#set({ status: 'loading', isPlaying: false });
    };
  }

  toggle(): void {
    if (this.#state.isPlaying) this.#video?.pause();
    else this.play();
  }

  play(): void {
    if (this.#state.isEnded) this.seek(0);
    // Refused without a gesture of the user: the button stays.
    this.#video?.play().catch(() => undefined);
  }

  pause(): void {
    this.#video?.pause();
  }

  /** Goes to a position; ms of what is played. */
  seek(position: number): void {
    this.seekTo(clockTimeOf(this.kept, Math.max(0, Math.min(position, this.length - 1))));
  }

  /** Goes to a time by the clock, or to what is played next. */
  seekTo(time: number): void {
    const last = this.kept.at(-1);
    const clock = nextKept(this.kept, time) ?? (last === undefined ? 0 : last.at + last.duration - FRAME);
    if (this.#video !== null && this.#placed.length > 0)
      this.#video.currentTime = mediaTimeOf(this.#placed, clock) / 1_000;
    this.#set({ clock, isEnded: false });
  }

  skip(ms: number): void {
    this.seek(positionOf(this.kept, this.clockNow) + ms);
  }

  /** To the next or the previous picture. */
  step(frames: number): void {
    this.pause();
    this.skip(frames * FRAME);
  }

  setRate(rate: number): void {
    this.#set({ rate });
    if (this.#video === null) return;
    this.#video.playbackRate = rate;
    // Applies from the next load on.
    this.#video.defaultPlaybackRate = rate;
  }

  /** The next slower or faster one. */
  changeRate(by: 1 | -1): void {
    const at = RATES.findIndex((rate) => rate >= this.#state.rate);
    this.setRate(RATES[Math.max(0, Math.min(at + by, RATES.length - 1))] ?? 1);
  }

  setVolume(volume: number): void {
    if (this.#video === null) return;
    this.#video.volume = Math.max(0, Math.min(volume, 1));
    this.#video.muted = volume <= 0;
  }

  toggleMuted(): void {
    if (this.#video !== null) this.#video.muted = !this.#video.muted;
  }

  /** While it plays, looks at every picture for the end of a stretch. */
  #watch(signal: AbortSignal): void {
    if (signal.aborted || this.#video === null || this.#video.paused) return;
    this.#pass();
    requestAnimationFrame(() => this.#watch(signal));
  }

  /** Passes over what is left out. */
  #pass(): void {
    const video = this.#video;
    if (video === null || video.seeking || this.#placed.length === 0) return;
    const now = this.clockNow;
    const next = nextKept(this.kept, now, ROUNDING);
    if (next === null) {
      video.pause();
      this.#set({ isEnded: true });
    } else if (next > now + ROUNDING) video.currentTime = mediaTimeOf(this.#placed, next) / 1_000;
  }

  #follow(): void {
    const video = this.#video;
    if (video === null || this.#state.status === 'loading') return;
    this.#pass();
    const { buffered } = video;
    const clock = this.clockNow;
    this.#set({
      clock,
      loaded: buffered.length === 0 ? clock : clockOf(this.#placed, buffered.end(buffered.length - 1) * 1_000),
      isPlaying: !video.paused && !video.ended,
      isEnded: video.ended || (video.paused && this.#state.isEnded),
      volume: video.volume,
      isMuted: video.muted,
    });
  }

  #set(change: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
