/**
 * Packet indices and replay windows of the SSRCs of one direction (RFC 3711 sections 3.3.1 and 3.3.2).
 *
 * A packet index is kept as two numbers, `high` (the rollover counter of RTP) and the 16 bits of `low` (its sequence
 * number). All state is in one typed array that grows with the number of SSRCs.
 */
const FIRST_CAPACITY = 2;
/** Words of a source: its SSRC, the two parts of its highest index, when it was used last, and its window. */
const SSRC = 0;
const HIGH = 1;
const LOW = 2;
const USED = 3;
const WINDOW = 4;
const NONE = -1;
/** Sequence numbers that differ by more are on both sides of a rollover. */
const HALF = 32_768;
const CYCLE = 65_536;
const LAST_ROLLOVER = 0xffff_ffff;
const LAST_CLOCK = 2 ** 30 - 1;

export interface SourceLimits {
  /** Packets behind the highest index that are still accepted; a power of two, at least 32. */
  readonly window: number;
  readonly maxSources: number;
  /**
   * When there are too many: true forgets the source that was silent longest; false accepts no further one, as a sender
   * must, who would use an index again otherwise.
   */
  readonly forgets: boolean;
}

export class SrtpSources {
  /** Result of the last `find`: 32 bits above those of the sequence number. */
  high = 0;
  readonly #limits: SourceLimits;
  /** Words of one source in `#words`. */
  readonly #stride: number;
  /** By SSRC: where the words of a source begin. */
  readonly #places = new Map<number, number>();
  #lastSsrc = 0;
  #lastPlace = NONE;
  #words: Uint32Array;
  /** Counts packets, for the age of sources; starts again after 2^30, which costs at most a wrong choice of one. */
  #clock = 0;

  constructor(limits: SourceLimits) {
    this.#limits = limits;
    this.#stride = WINDOW + limits.window / 32;
    this.#words = new Uint32Array(FIRST_CAPACITY * this.#stride);
  }

  get size(): number {
    return this.#places.size;
  }

  /**
   * Guesses the rollover counter of an RTP packet into `high`.
   *
   * @returns false for a packet that was there already or is older than the window, or of one source too many
   */
  find(ssrc: number, low: number): boolean {
    const place = this.#placeOf(ssrc);
    if (place === NONE) {
      this.high = 0;
      return this.#accepts();
    }
    const last = this.#words[place + LOW]!;
    const high = this.#words[place + HIGH]!;
    let turn = 0;
    if (last < HALF) {
      // Before the first rollover there is no earlier one: the packet is far ahead.
      if (low - last > HALF && high > 0) turn = -1;
    } else if (last - HALF > low) turn = 1;
    if (turn === 1 && high === LAST_ROLLOVER) return false;
    this.high = high + turn;
    return this.#isNew(place, low, low - last + turn * CYCLE);
  }

  /** As `find`, for a packet that brings its whole index (SRTCP). */
  check(ssrc: number, high: number, low: number): boolean {
    const place = this.#placeOf(ssrc);
    if (place === NONE) return this.#accepts();
    return this.#isNew(place, low, this.#ahead(place, high, low));
  }

  /** Remembers a packet that `find` or `check` accepted and, when receiving, that is authentic. */
  mark(ssrc: number, high: number, low: number): void {
    const known = this.#placeOf(ssrc);
    const place = known === NONE ? this.#add(ssrc, high, low) : known;
    const words = this.#words;
    const mask = this.#limits.window - 1;
    const from = place + WINDOW;
    const ahead = this.#ahead(place, high, low);
    if (ahead > 0) {
      if (ahead >= this.#limits.window) words.fill(0, from, place + this.#stride);
      else {
        for (let back = ahead - 1; back > 0; back--) {
          const bit = (low - back) & mask;
          words[from + (bit >>> 5)]! &= ~(1 << (bit & 31));
        }
      }
      words[place + HIGH] = high;
      words[place + LOW] = low;
    }
    const bit = low & mask;
    words[from + (bit >>> 5)]! |= 1 << (bit & 31);
    this.#clock = (this.#clock + 1) & LAST_CLOCK;
    words[place + USED] = this.#clock;
  }

  /** How far an index is ahead of the highest one of a source; negative: behind. */
  #ahead(place: number, high: number, low: number): number {
    return (high - this.#words[place + HIGH]!) * CYCLE + low - this.#words[place + LOW]!;
  }

  #isNew(place: number, low: number, ahead: number): boolean {
    if (ahead > 0) return true;
    if (-ahead >= this.#limits.window) return false;
    const bit = low & (this.#limits.window - 1);
    return ((this.#words[place + WINDOW + (bit >>> 5)]! >>> (bit & 31)) & 1) === 0;
  }

  #accepts(): boolean {
    return this.#limits.forgets || this.#places.size < this.#limits.maxSources;
  }

  #placeOf(ssrc: number): number {
    if (this.#lastPlace !== NONE && ssrc === this.#lastSsrc) return this.#lastPlace;
    const place = this.#places.get(ssrc) ?? NONE;
    if (place !== NONE) {
      this.#lastSsrc = ssrc;
      this.#lastPlace = place;
    }
    return place;
  }

  #add(ssrc: number, high: number, low: number): number {
    let place = this.#places.size * this.#stride;
    if (this.#places.size === this.#limits.maxSources) {
      place = this.#silentLongest();
      this.#places.delete(this.#words[place + SSRC]! | 0);
    } else if (place === this.#words.length) {
      const grown = new Uint32Array(Math.min(this.#limits.maxSources * this.#stride, 2 * place));
      grown.set(this.#words);
      this.#words = grown;
    }
    this.#places.set(ssrc, place);
    this.#words.fill(0, place, place + this.#stride);
    this.#words[place + SSRC] = ssrc;
    this.#words[place + HIGH] = high;
    this.#words[place + LOW] = low;
    this.#lastSsrc = ssrc;
    this.#lastPlace = place;
    return place;
  }

  #silentLongest(): number {
    let oldest = 0;
    for (let place = 0; place < this.#words.length; place += this.#stride) {
      if (this.#words[place + USED]! < this.#words[oldest + USED]!) oldest = place;
    }
    return oldest;
  }
}
