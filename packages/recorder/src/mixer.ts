import { BLOCK, CHANNELS, type Voice } from './voice.ts';

/** Peak level of the mix, relative to full scale. */
const CEILING = 0.95;
/** The limiter releases by this factor per block: 6 dB in 0.7 s. */
const RELEASE = 1.02;

/** The gain of a voice at a sample of the recording, 0 to 1. */
export type GainAt = (voice: Voice, position: number) => number;

/** Sums voices to blocks of 20 ms, without gaps from the recording's first sample on. */
export class Mixer {
  #gainAt: GainAt;
  #take: (block: Float32Array, position: number) => void;
  /** Each with the gain at the end of its last block. */
  #voices = new Map<Voice, number>();
  #position = 0;
  #limit = 1;

  /** `take` gets interleaved samples and the number of the first one; the array is reused. */
  constructor(gainAt: GainAt, take: (block: Float32Array, position: number) => void) {
    this.#gainAt = gainAt;
    this.#take = take;
  }

  add(voice: Voice): void {
    voice.beginAt(this.#position);
    this.#voices.set(voice, this.#gainAt(voice, this.#position));
  }

  remove(voice: Voice): void {
    this.#voices.delete(voice);
  }

  /** Mixes all whole blocks before a sample. */
  advance(to: number): void {
    const block = new Float32Array(BLOCK * CHANNELS);
    for (; this.#position + BLOCK <= to; this.#position += BLOCK) {
      block.fill(0);
      for (const [voice, before] of this.#voices) {
        const after = this.#gainAt(voice, this.#position + BLOCK);
        voice.mixInto(block, this.#position, before, after);
        this.#voices.set(voice, after);
      }
      this.#limit = limit(block, this.#limit);
      this.#take(block, this.#position);
    }
  }
}

/**
 * Attenuates a block if it is too loud; `before` is the gain at the end of the previous block, the result is this
 * one's. Many concurrent voices must not clip, and a single voice is not changed.
 */
export function limit(block: Float32Array, before: number): number {
  let peak = 0;
  for (const sample of block) peak = Math.max(peak, Math.abs(sample));
  const after = Math.min(before * RELEASE, peak > CEILING ? CEILING / peak : 1, 1);
  if (before === 1 && after === 1) return 1;
  for (let n = 0; n < block.length; n += 1) {
    const gain = before + ((after - before) * n) / block.length;
    block[n] = Math.max(-1, Math.min(1, block[n]! * gain));
  }
  return after;
}
