import { BLOCK, CHANNELS, type Voice } from './voice.ts';

/** Peak level of the mix, relative to full scale. */
const CEILING = 0.95;
/** The limiter releases by this factor per block: 6 dB in 0.7 s. */
const RELEASE = 1.02;

/** The gain of a voice at a sample of the recording, 0 to 1. */
export type GainAt = (voice: Voice, position: number) => number;

export interface MixerOutput {
  /** Interleaved samples and the number of the first one; undefined for silence. The array is reused. */
  takeMix: (block: Float32Array | undefined, position: number) => void;
  /** The same of each voice, before the mix. */
  takeVoice?: (voice: Voice, block: Float32Array | undefined, position: number) => void;
}

/** Sums voices to blocks of 20 ms, without gaps. */
export class Mixer {
  #gainAt: GainAt;
  #output: MixerOutput;
  /** Each with the gain at the end of its last block. */
  #voices = new Map<Voice, number>();
  #position: number;
  #limit = 1;
  #block = new Float32Array(BLOCK * CHANNELS);

  /** `position`: of the first block. */
  constructor(gainAt: GainAt, output: MixerOutput, position = 0) {
    this.#gainAt = gainAt;
    this.#output = output;
    this.#position = position;
  }

  add(voice: Voice): void {
    voice.beginAt(this.#position);
    this.#voices.set(voice, this.#gainAt(voice, this.#position));
  }

  remove(voice: Voice): void {
    this.#voices.delete(voice);
  }

  /** Leaves out everything before a sample. */
  skipTo(position: number): void {
    if (position <= this.#position) return;
    this.#position = position;
    for (const voice of this.#voices.keys()) voice.beginAt(position);
  }

  /** Mixes all whole blocks before a sample. */
  advance(to: number): void {
    for (; this.#position + BLOCK <= to; this.#position += BLOCK) {
      const position = this.#position;
      this.#block.fill(0);
      let isSilent = true;
      for (const [voice, before] of this.#voices) {
        const after = this.#gainAt(voice, position + BLOCK);
        const block = voice.take(position);
        this.#output.takeVoice?.(voice, block, position);
        if (block && before + after > 0) {
          addTo(this.#block, block, before, after);
          isSilent = false;
        }
        this.#voices.set(voice, after);
      }
      this.#limit = isSilent ? 1 : limit(this.#block, this.#limit);
      this.#output.takeMix(isSilent ? undefined : this.#block, position);
    }
  }
}

/** Adds a block with the gain changing from `before` to `after` within it. */
function addTo(sum: Float32Array, block: Float32Array, before: number, after: number): void {
  if (before === 1 && after === 1) {
    for (let n = 0; n < sum.length; n += 1) sum[n]! += block[n]!;
    return;
  }
  for (let n = 0; n < sum.length; n += 1) sum[n]! += block[n]! * (before + ((after - before) * n) / sum.length);
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
