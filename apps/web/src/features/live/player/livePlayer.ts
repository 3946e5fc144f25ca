import { openStream, type Quality, type Stream } from './stream.ts';

/**
 * `connecting`: nothing is shown yet; `blocked`: the browser wants a press first; `failed`: given up, the viewer may
 * try again.
 */
type Status = 'connecting' | 'ready' | 'blocked' | 'failed';

export interface LiveState {
  status: Status;
  isPlaying: boolean;
  /** It waits for more of it. */
  isStalled: boolean;
  /** It is on air, and nothing of it has come for a while. */
  isAwaited: boolean;
  isEnded: boolean;
  isMuted: boolean;
  volume: number;
  /** Seconds behind the broadcast; null if it is not known. */
  behind: number | null;
  /** The browser lets pages choose the quality. */
  canChoose: boolean;
  /** The chosen one; null: the one that the network carries. */
  quality: Quality | null;
  /** Of a replay, seconds. */
  position: number;
  length: number;
}

const FIRST: LiveState = {
  status: 'connecting',
  isPlaying: false,
  isStalled: false,
  isAwaited: false,
  isEnded: false,
  isMuted: true,
  volume: 1,
  behind: null,
  canChoose: false,
  quality: null,
  position: 0,
  length: 0,
};

/** Between two looks at how far it is behind; ms. */
const LOOK_EVERY = 500;
/** Attempts to open it again, and the time before the first and before the last ones; ms. */
const MOST_TRIES = 6;
const AGAIN = 2_000;
const MOST_AGAIN = 15_000;
/** Without anything new for so long, the picture is awaited; ms. */
const AWAITED_AFTER = 5_000;

interface LiveOptions {
  address: string;
  qualities: string | null;
  sign: () => string;
  isLive: boolean;
}

/** Plays a broadcast, muted at first as browsers demand, or its replay. */
export class LivePlayer {
  readonly #options: LiveOptions;
  #state: LiveState;
  #video: HTMLVideoElement | null = null;
  #stream: Stream | null = null;
  #closed = new AbortController();
  #tries = 0;
  /** Counts the openings; only the last one counts. */
  #opening = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #stalledAt: number | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#state = { ...FIRST, isMuted: options.isLive };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly get = (): LiveState => this.#state;

  /** Begins in a media element. Returns a function that ends it. */
  open(video: HTMLVideoElement): () => void {
    this.#video = video;
    this.#closed = new AbortController();
    video.muted = this.#state.isMuted;
    this.#listen(video, this.#closed.signal);
    const look = setInterval(() => this.#look(), LOOK_EVERY);
    this.#tries = 0;
    this.#connect();
    return () => {
      clearInterval(look);
      this.#close();
      this.#video = null;
    };
  }

  toggle(): void {
    if (this.#state.isPlaying) this.#video?.pause();
    else this.play();
  }

  play(): void {
    if (this.#state.status === 'failed') this.tryAgain();
    else this.#play();
  }

  tryAgain(): void {
    this.#tries = 0;
    this.#connect();
  }

  toLive(): void {
    this.#stream?.toLive();
    this.#play();
  }

  seek(position: number): void {
    if (this.#video) this.#video.currentTime = position;
  }

  /** Plays a quality; null: the one that the network carries. */
  choose(quality: Quality | null): void {
    this.#stream?.choose?.(quality);
    this.#set({ quality });
  }

  setMuted(isMuted: boolean): void {
    if (!this.#video) return;
    this.#video.muted = isMuted;
    if (!isMuted && this.#video.volume === 0) this.#video.volume = 1;
  }

  setVolume(volume: number): void {
    if (!this.#video) return;
    this.#video.volume = volume;
    this.#video.muted = volume === 0;
  }

  #connect(): void {
    this.#stream?.close();
    this.#stream = null;
    clearTimeout(this.#again);
    const { signal } = this.#closed;
    const video = this.#video;
    if (video === null) return;
    if (this.#state.status === 'failed') this.#set({ status: 'connecting' });
    const opening = (this.#opening += 1);
    const isOver = () => signal.aborted || opening !== this.#opening;
    const failed = (isMissing: boolean) => {
      if (!isOver()) this.#failed(isMissing);
    };
    const run = async () => {
      const stream = await openStream(video, { ...this.#options, onFailure: failed });
      if (isOver()) {
        stream.close();
        return;
      }
      this.#stream = stream;
      this.#set({ canChoose: stream.choose !== undefined, quality: null });
      if (this.#options.isLive) this.#play();
    };
    run().catch(() => failed(false));
  }

  /** Tries again after a while, each time later; a live picture that has not come yet is awaited without end. */
  #failed(isMissing: boolean): void {
    this.#opening += 1;
    this.#stream = null;
    if (isMissing && this.#options.isLive) {
      this.#set({ isAwaited: true, isPlaying: false, isStalled: false });
      this.#again = setTimeout(() => this.#connect(), AGAIN);
      return;
    }
    this.#tries += 1;
    if (this.#tries > MOST_TRIES) {
      this.#set({ status: 'failed', isPlaying: false, isStalled: false });
      return;
    }
    this.#set({ isStalled: this.#state.status === 'ready' });
    this.#again = setTimeout(() => this.#connect(), Math.min(MOST_AGAIN, AGAIN * 2 ** (this.#tries - 1)));
  }

  #play(): void {
    this.#video?.play().catch((error: unknown) => {
      // Others come from an element that was closed meanwhile.
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.#set({ status: 'blocked' });
    });
  }

  #listen(video: HTMLVideoElement, signal: AbortSignal): void {
    const on = (name: keyof HTMLMediaElementEventMap, change: () => Partial<LiveState>) =>
      video.addEventListener(name, () => this.#set(change()), { signal });
    on('playing', () => {
      this.#tries = 0;
      this.#stalledAt = null;
      return { status: 'ready', isPlaying: true, isStalled: false, isAwaited: false, isEnded: false };
    });
    on('pause', () => ({ isPlaying: false, isStalled: false }));
    on('waiting', () => {
      this.#stalledAt = performance.now();
      return { isStalled: true };
    });
    on('ended', () => ({ isEnded: true, isPlaying: false }));
    on('volumechange', () => ({ isMuted: video.muted || video.volume === 0, volume: video.volume }));
    on('durationchange', () => ({ length: Number.isFinite(video.duration) ? video.duration : 0 }));
    on('timeupdate', () => (this.#options.isLive ? {} : { position: video.currentTime }));
    // A replay waits for a press, with its first picture.
    on('loadeddata', () => (this.#options.isLive ? { isAwaited: false } : { status: 'ready' }));
  }

  #look(): void {
    if (!this.#options.isLive) return;
    const behind = this.#stream?.behind() ?? null;
    const shown = behind === null ? null : Math.round(behind * 10) / 10;
    if (shown !== this.#state.behind) this.#set({ behind: shown });
    const stalledAt = this.#state.isStalled ? this.#stalledAt : null;
    if (stalledAt !== null && performance.now() - stalledAt > AWAITED_AFTER) this.#set({ isAwaited: true });
  }

  #close(): void {
    clearTimeout(this.#again);
    this.#closed.abort();
    this.#stream?.close();
    this.#stream = null;
  }

  #set(change: Partial<LiveState>): void {
    const entries = Object.entries(change) as [keyof LiveState, unknown][];
    if (entries.every(([name, value]) => this.#state[name] === value)) return;
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
