import { isAfter } from '../wire/serial.ts';

const FEWEST = 256;
/** A TSN further ahead than this is dropped. */
const MOST = 8192;

/** Which TSNs arrived: all up to the cumulative one, and marks for those after it, in a ring that grows to a bound. */
export class TsnTracker {
  /** Signed 32 bits. */
  cumulative: number;
  /** The highest that arrived; the cumulative one if there is no gap. */
  #highest: number;
  #marks = new Uint8Array(FEWEST);

  constructor(cumulative: number) {
    this.cumulative = cumulative | 0;
    this.#highest = this.cumulative;
  }

  get hasGap(): boolean {
    return this.#highest !== this.cumulative;
  }

  isTooFar(tsn: number): boolean {
    return ((tsn - this.cumulative) | 0) > MOST;
  }

  has(tsn: number): boolean {
    if (!isAfter(tsn, this.cumulative)) return true;
    return !isAfter(tsn, this.#highest) && this.#marks[tsn & (this.#marks.length - 1)] === 1;
  }

  /** Marks a TSN that has not arrived before and is not too far. */
  add(tsn: number): void {
    while (((tsn - this.cumulative) | 0) > this.#marks.length) this.#enlarge();
    if (isAfter(tsn, this.#highest)) this.#highest = tsn;
    this.#marks[tsn & (this.#marks.length - 1)] = 1;
    this.#advance();
  }

  /** All up to `tsn`, which is not too far, counts as arrived. */
  skipTo(tsn: number): void {
    while (isAfter(tsn, this.cumulative)) {
      this.cumulative = (this.cumulative + 1) | 0;
      this.#marks[this.cumulative & (this.#marks.length - 1)] = 0;
    }
    if (isAfter(this.cumulative, this.#highest)) this.#highest = this.cumulative;
    this.#advance();
  }

  /**
   * Writes gap blocks (first and last TSN of each, as distances from the cumulative one) to `bytes`; at most `most`.
   *
   * @returns how many
   */
  writeGaps(bytes: Buffer, at: number, most: number): number {
    const mask = this.#marks.length - 1;
    const span = (this.#highest - this.cumulative) | 0;
    let count = 0;
    for (let offset = 1; offset <= span && count < most; offset++) {
      if (this.#marks[(this.cumulative + offset) & mask] === 0) continue;
      const start = offset;
      while (offset < span && this.#marks[(this.cumulative + offset + 1) & mask] === 1) offset++;
      bytes.writeUInt16BE(start, at + 4 * count);
      bytes.writeUInt16BE(offset, at + 4 * count + 2);
      count++;
    }
    return count;
  }

  /** How many gap blocks there are, at most `most`. */
  countGaps(most: number): number {
    const mask = this.#marks.length - 1;
    const span = (this.#highest - this.cumulative) | 0;
    let count = 0;
    let before = 0;
    for (let offset = 1; offset <= span && count < most; offset++) {
      const mark = this.#marks[(this.cumulative + offset) & mask]!;
      if (mark === 1 && before === 0) count++;
      before = mark;
    }
    return count;
  }

  #advance(): void {
    const mask = this.#marks.length - 1;
    while (this.cumulative !== this.#highest) {
      const next = (this.cumulative + 1) | 0;
      if (this.#marks[next & mask] === 0) return;
      this.#marks[next & mask] = 0;
      this.cumulative = next;
    }
  }

  #enlarge(): void {
    const old = this.#marks;
    this.#marks = new Uint8Array(2 * old.length);
    const span = (this.#highest - this.cumulative) | 0;
    for (let offset = 1; offset <= span; offset++) {
      const tsn = (this.cumulative + offset) | 0;
      this.#marks[tsn & (this.#marks.length - 1)] = old[tsn & (old.length - 1)]!;
    }
  }
}
