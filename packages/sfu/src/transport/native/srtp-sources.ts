/**
 * Packet indices and replay windows of the SSRCs of one direction (RFC 3711 sections 3.3.1 and 3.3.2).
 *
 * A packet index is kept as two numbers, `high` (the rollover counter of RTP) and the 16 bits of `low` (its sequence
 * number). All state is in typed arrays that grow with the number of SSRCs.
 */
const FIRST_CAPACITY = 4;
const NONE = -1;
/** Sequence numbers that differ by more are on both sides of a rollover. */
const HALF = 32_768;
const CYCLE = 65_536;
const LAST_ROLLOVER = 0xffff_ffff;

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
  readonly #wordsEach: number;
  readonly #slots = new Map<number, number>();
  #lastSsrc = 0;
  #lastSlot = NONE;
  #capacity = 0;
  #ssrcs = new Int32Array(0);
  #highs = new Uint32Array(0);
  #lows = new Uint16Array(0);
  #used = new Uint32Array(0);
  #bits = new Uint32Array(0);
  /** Counts packets, for the age of sources; wraps after 2^32, which costs at most a wrong choice of whom to forget. */
  readonly #clock = new Uint32Array(1);

  constructor(limits: SourceLimits) {
    this.#limits = limits;
    this.#wordsEach = limits.window / 32;
    this.#grow();
  }

  get size(): number {
    return this.#slots.size;
  }

  /**
   * Guesses the rollover counter of an RTP packet into `high`.
   *
   * @returns false for a packet that was there already or is older than the window, or of one source too many
   */
  find(ssrc: number, low: number): boolean {
    const slot = this.#slotOf(ssrc);
    if (slot === NONE) {
      this.high = 0;
      return this.#accepts();
    }
    const last = this.#lows[slot] ?? 0;
    const high = this.#highs[slot] ?? 0;
    let turn = 0;
    if (last < HALF) {
      // Before the first rollover there is no earlier one: the packet is far ahead.
      if (low - last > HALF && high > 0) turn = -1;
    } else if (last - HALF > low) turn = 1;
    if (turn === 1 && high === LAST_ROLLOVER) return false;
    this.high = high + turn;
    return this.#isNew(slot, low, low - last + turn * CYCLE);
  }

  /** As `find`, for a packet that brings its whole index (SRTCP). */
  check(ssrc: number, high: number, low: number): boolean {
    const slot = this.#slotOf(ssrc);
    if (slot === NONE) return this.#accepts();
    return this.#isNew(slot, low, this.#ahead(slot, high, low));
  }

  /** Remembers a packet that `find` or `check` accepted and, when receiving, that is authentic. */
  mark(ssrc: number, high: number, low: number): void {
    const known = this.#slotOf(ssrc);
    const slot = known === NONE ? this.#add(ssrc, high, low) : known;
    const mask = this.#limits.window - 1;
    const from = slot * this.#wordsEach;
    const ahead = this.#ahead(slot, high, low);
    if (ahead > 0) {
      if (ahead >= this.#limits.window) this.#bits.fill(0, from, from + this.#wordsEach);
      else {
        for (let back = ahead - 1; back > 0; back--) {
          const bit = (low - back) & mask;
          this.#bits[from + (bit >>> 5)]! &= ~(1 << (bit & 31));
        }
      }
      this.#highs[slot] = high;
      this.#lows[slot] = low;
    }
    const bit = low & mask;
    this.#bits[from + (bit >>> 5)]! |= 1 << (bit & 31);
    this.#clock[0]!++;
    this.#used[slot] = this.#clock[0]!;
  }

  /** How far an index is ahead of the highest one of a source; negative: behind. */
  #ahead(slot: number, high: number, low: number): number {
    return (high - (this.#highs[slot] ?? 0)) * CYCLE + low - (this.#lows[slot] ?? 0);
  }

  #isNew(slot: number, low: number, ahead: number): boolean {
    if (ahead > 0) return true;
    if (-ahead >= this.#limits.window) return false;
    const bit = low & (this.#limits.window - 1);
    return (((this.#bits[slot * this.#wordsEach + (bit >>> 5)] ?? 0) >>> (bit & 31)) & 1) === 0;
  }

  #accepts(): boolean {
    return this.#limits.forgets || this.#slots.size < this.#limits.maxSources;
  }

  #slotOf(ssrc: number): number {
    if (this.#lastSlot !== NONE && ssrc === this.#lastSsrc) return this.#lastSlot;
    const slot = this.#slots.get(ssrc) ?? NONE;
    if (slot !== NONE) {
      this.#lastSsrc = ssrc;
      this.#lastSlot = slot;
    }
    return slot;
  }

  #add(ssrc: number, high: number, low: number): number {
    let slot = this.#slots.size;
    if (slot === this.#limits.maxSources) {
      slot = this.#silentLongest();
      this.#slots.delete(this.#ssrcs[slot] ?? 0);
    } else if (slot === this.#capacity) this.#grow();
    this.#slots.set(ssrc, slot);
    this.#ssrcs[slot] = ssrc;
    this.#highs[slot] = high;
    this.#lows[slot] = low;
    this.#bits.fill(0, slot * this.#wordsEach, (slot + 1) * this.#wordsEach);
    this.#lastSsrc = ssrc;
    this.#lastSlot = slot;
    return slot;
  }

  #silentLongest(): number {
    let oldest = 0;
    for (let slot = 1; slot < this.#slots.size; slot++) {
      if (this.#used[slot]! < this.#used[oldest]!) oldest = slot;
    }
    return oldest;
  }

  #grow(): void {
    this.#capacity = Math.min(this.#limits.maxSources, Math.max(FIRST_CAPACITY, this.#capacity * 2));
    const grown = <T extends Int32Array | Uint32Array | Uint16Array>(to: T, from: T): T => {
      to.set(from);
      return to;
    };
    this.#ssrcs = grown(new Int32Array(this.#capacity), this.#ssrcs);
    this.#highs = grown(new Uint32Array(this.#capacity), this.#highs);
    this.#lows = grown(new Uint16Array(this.#capacity), this.#lows);
    this.#used = grown(new Uint32Array(this.#capacity), this.#used);
    this.#bits = grown(new Uint32Array(this.#capacity * this.#wordsEach), this.#bits);
  }
}
