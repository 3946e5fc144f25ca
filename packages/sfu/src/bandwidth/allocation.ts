import { allocate, type Demand, type Level } from './allocator.ts';

/** Reserve for RTCP and for the uneven bitrate of video. */
const USABLE = 0.95;
/** Minimum for each audio stream: a silent one may start at any time. */
const AUDIO_BITRATE = 24_000;

/** A stream to a subscriber, for the allocation of its bandwidth. */
export interface Stream {
  readonly isVideo: boolean;
  readonly isScreen: boolean;
  /** 1 is the highest, 0 unset. */
  readonly priority: number;
  /** The displayed size. */
  readonly pixels: number;
  /** Whether it is paused for lack of bandwidth; set by the allocation. */
  paused: boolean;
  /** How many layers it is below the wanted one; set by the allocation. */
  missing: number;
  /**
   * Its bitrates, from the lowest level to the wanted one; empty if nothing is wanted or received. For audio, the first
   * one counts.
   */
  levels(nowMs: number): readonly Level[];
  /** See Forwarder. */
  setCeiling(quality: number, atOnce: boolean, nowMs: number): void;
  /** Sends about this many bytes without content; returns the bytes sent. */
  sendProbe(bytes: number): number;
}

interface Entry extends Demand {
  stream: Stream;
}

/** The current allocation of one subscriber's bandwidth to its streams. */
export class Allocation<S extends Stream = Stream> {
  /** True while any stream gets less than wanted. */
  lacking = false;
  /** The bitrate of all streams at their wanted levels, bits per second. */
  wanted = 0;
  #audio = 0;
  #entries: Array<Entry & { stream: S }> = [];
  /** The quality last granted to each stream, -1: paused. */
  #granted = new Map<S, number>();

  /** Updates the streams' wanted levels and bitrates. */
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
   * Allocates this many bits per second, which are unconfirmed if `guessed`. With `congested`, streams that no longer
   * fit stop at once. Returns the streams paused or resumed.
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

  /** Sends padding on any suitable stream; returns the bytes sent. */
  sendProbe(bytes: number): number {
    for (const { stream } of this.#entries) {
      const sent = stream.sendProbe(bytes);
      if (sent > 0) return sent;
    }
    return 0;
  }

  /**
   * By the subscriber's own priorities, then by size. First: streams with a priority, screens, and the largest picture.
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
