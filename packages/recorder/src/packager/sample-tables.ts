import { fullBox, u32, u32Table, u64Table } from './boxes.ts';
import type { Sample } from './fragments.ts';

/** Runs of equal values, as pairs of their length and value. */
function runsOf(values: readonly number[]): number[] {
  const pairs: number[] = [];
  let length = 0;
  values.forEach((value, n) => {
    length += 1;
    if (value === values[n + 1]) return;
    pairs.push(length, value);
    length = 0;
  });
  return pairs;
}

/** The samples of a track of a file: sizes, durations and positions (ISO/IEC 14496-12, 8.6 and 8.7). */
export class SampleTables {
  #sizes: number[] = [];
  #durations: number[] = [];
  /** Numbers of the samples that are key frames, from 1 on. */
  #keys: number[] = [];
  /** Of each chunk: its position in the media data. */
  #positions: number[] = [];
  /** First chunk, samples per chunk and sample entry: one triple wherever one of the last two changes. */
  #chunks: number[] = [];
  #duration = 0;

  /** Sum of the durations, in ticks. */
  get duration(): number {
    return this.#duration;
  }

  /** Adds samples that lie one after the other from `position` on; `entry` counts the sample entries from 1. */
  addChunk(samples: readonly Sample[], position: number, entry: number): void {
    this.#positions.push(position);
    const [count, lastEntry] = this.#chunks.slice(-2);
    if (count !== samples.length || lastEntry !== entry)
      this.#chunks.push(this.#positions.length, samples.length, entry);
    for (const { size, duration, isKey } of samples) {
      this.#sizes.push(size);
      this.#durations.push(duration);
      this.#duration += duration;
      if (isKey) this.#keys.push(this.#sizes.length);
    }
  }

  /** Makes the last sample last longer. */
  extend(ticks: number): void {
    const last = this.#durations.length - 1;
    if (last < 0) return;
    this.#durations[last]! += ticks;
    this.#duration += ticks;
  }

  /** The boxes of the tables. `dataStart`: the position of the media data in the file. */
  boxes(dataStart: number): Buffer[] {
    const durations = runsOf(this.#durations);
    const isAllKeys = this.#keys.length === this.#sizes.length;
    return [
      fullBox('stts', 0, 0, u32(durations.length / 2), u32Table(durations)),
      ...(isAllKeys ? [] : [fullBox('stss', 0, 0, u32(this.#keys.length), u32Table(this.#keys))]),
      fullBox('stsc', 0, 0, u32(this.#chunks.length / 3), u32Table(this.#chunks)),
      fullBox('stsz', 0, 0, u32(0, this.#sizes.length), u32Table(this.#sizes)),
      fullBox('co64', 0, 0, u32(this.#positions.length), u64Table(this.#positions.map((at) => at + dataStart))),
    ];
  }
}
