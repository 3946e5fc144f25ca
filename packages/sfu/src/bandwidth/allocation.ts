import { allocate, type Demand, type Level } from './allocator.ts';

/** Kept back for RTCP and the unevenness of video. */
const USABLE = 0.95;
/** Minimum for each audio stream: a silent one may start at any time. */
const AUDIO_BITRATE = 24_000;

/** A stream to a subscriber, as its bandwidth is shared out. */
export interface Stream {
  readonly isVideo: boolean;
  readonly isScreen: boolean;
  /** 1 is the highest, 0 unset. */
  readonly priority: number;
  /** How large it is shown. */
  readonly pixels: number;
  /** Whether it is paused for want of bandwidth; written by the allocation. */
  paused: boolean;
  /** How many layers it gets less than is wanted; written by the allocation. */
  missing: number;
  /**
   * What it takes, from the least to what is wanted; empty where nothing is wanted or comes in. For sound the first
   * counts.
   */
  levels(nowMs: number): readonly Level[];
  /** See Forwarder. */
  setCeiling(quality: number, atOnce: boolean, nowMs: number): void;
  /** Sends about so many bytes that carry nothing; gives the bytes sent. */
  sendProbe(bytes: number): number;
}

interface Entry extends Demand {
  stream: Stream;
}

/** How the bandwidth of one subscriber is shared among its streams now. */
export class Allocation<S extends Stream = Stream> {
  /** True while some stream gets less than is wanted of it. */
  lacking = false;
  /** The bitrate of all streams at their wanted levels, bits per second. */
  wanted = 0;
  #audio = 0;
  #entries: Array<Entry & { stream: S }> = [];
  /** The quality each stream was granted last, -1: paused. */
  #granted = new Map<S, number>();

  /** Reads again what the streams want and need. */
  measure(streams: readonly S[], nowMs: number): void {
    this.#audio = 0;
    this.#entries = [];
    for (const stream of streams) {
      const levels = stream.levels(nowMs);
      if (levels.length === 0) continue;
      if (!stream.isVideo) {
        this.#audio += Math.max(AUDIO_BITRATE, levels[0]!.bitrate);
        continue;
      }
      const before = this.#granted.get(stream);
      const granted =
        before === undefined ? levels.length - 1 : levels.findLastIndex(({ quality }) => quality <= before);
      this.#entries.push({ stream, levels, granted, first: false });
    }
    this.#rank();
    this.wanted = this.#audio + this.#entries.reduce((sum, { levels }) => sum + levels.at(-1)!.bitrate, 0);
  }

  /**
   * Shares out so many bits per second, which nothing has confirmed yet where `guessed`. With `congested` what no
   * longer fits stops at once. Gives the streams paused or resumed.
   */
  share(bitrate: number, { congested, guessed }: { congested: boolean; guessed: boolean }, nowMs: number): S[] {
    allocate(this.#entries, bitrate * USABLE - this.#audio, guessed);
    this.lacking = false;
    const changed: S[] = [];
    const granted = new Map<S, number>();
    for (const { stream, levels, granted: index } of this.#entries) {
      const quality = index < 0 ? -1 : levels[index]!.quality;
      granted.set(stream, quality);
      if (index < levels.length - 1) this.lacking = true;
      stream.setCeiling(quality, congested, nowMs);
      stream.missing = levels.length - 1 - index;
      if (stream.paused === index < 0) continue;
      stream.paused = index < 0;
      changed.push(stream);
    }
    this.#granted = granted;
    return changed;
  }

  /** Sends padding on whatever stream takes it; the bytes sent. */
  sendProbe(bytes: number): number {
    for (const { stream } of this.#entries) {
      const sent = stream.sendProbe(bytes);
      if (sent > 0) return sent;
    }
    return 0;
  }

  /**
   * By the subscriber's own priorities, then by size. First: those with a priority, screens, and the one largest
   * picture.
   */
  #rank(): void {
    const order = ({ stream }: Entry) => (stream.priority === 0 ? Number.MAX_SAFE_INTEGER : stream.priority);
    const entries = this.#entries.sort((a, b) => order(a) - order(b) || b.stream.pixels - a.stream.pixels);
    const [largest, second] = entries
      .filter(({ stream }) => !stream.isScreen)
      .sort((a, b) => b.stream.pixels - a.stream.pixels);
    for (const entry of entries) {
      const onAir = entry === largest && entry.stream.pixels > (second?.stream.pixels ?? 0);
      entry.first = onAir || entry.stream.isScreen || entry.stream.priority > 0;
    }
  }
}
