import { execFileSync } from 'node:child_process';
import type { Claps } from './clapper.ts';

/** Length of what is looked at, seconds. */
const STRETCH = 60;
const LOOK_MS = 10;
const LISTEN_MS = 2;
const RATE = 8_000;
const LOUD = 1_500;
/** A clap of the film belongs to one that was sent within this time, ms. */
const SAME_MS = 900;

/** How much later than they were sent claps are in the film, ms: the middle ones. */
interface Lateness {
  claps: number;
  picture: number;
  sound: number;
}

function ffmpeg(film: string, from: number, ...args: string[]): Buffer {
  const all = ['-v', 'error', '-ss', String(from), '-t', String(STRETCH), '-i', film, ...args, 'pipe:1'];
  return execFileSync('ffmpeg', all, { maxBuffer: 1 << 28 });
}

/** Ms at which values change from false to true. */
function beginnings(values: readonly boolean[], step: number): number[] {
  return values.flatMap((value, n) => (n > 0 && value && !values[n - 1] ? [n * step] : []));
}

/** The middle one of the differences to the nearest that was sent. */
function lateness(found: readonly number[], sent: readonly number[]): { count: number; middle: number } {
  const differences = found.flatMap((at) => {
    const [nearest] = sent.map((one) => at - one).toSorted((a, b) => Math.abs(a) - Math.abs(b));
    return nearest !== undefined && Math.abs(nearest) < SAME_MS ? [nearest] : [];
  });
  const sorted = differences.toSorted((a, b) => a - b);
  return { count: sorted.length, middle: sorted[sorted.length >> 1] ?? Number.NaN };
}

/** Compares a minute of a film with what was sent. `from`: seconds of the film; `began`: Unix time of its beginning. */
export function compare(film: string, from: number, began: number, claps: Claps): Lateness {
  const pixels = ffmpeg(film, from, '-vf', 'fps=100:round=up,scale=1:1', '-f', 'rawvideo', '-pix_fmt', 'rgb24');
  const looks = Array.from({ length: pixels.length / 3 }, (_, n) => pixels[n * 3 + 1]! > pixels[n * 3]!);
  const samples = ffmpeg(film, from, '-f', 's16le', '-ac', '1', '-ar', String(RATE));
  const size = (RATE * LISTEN_MS) / 1_000;
  const isLoud = Array.from({ length: Math.floor(samples.length / 2 / size) }, (_, n) =>
    Array.from({ length: size }, (__, i) => samples.readInt16LE((n * size + i) * 2)).some((one) => one > LOUD),
  );
  // A tone crosses zero: what is quiet for less than 100 ms is no silence.
  const calm = isLoud.map((loud, n) => loud || isLoud.slice(Math.max(0, n - 50), n).includes(true));
  const at = (found: number[]): number[] => found.map((one) => began + from * 1_000 + one);
  const seen = lateness(at(beginnings(looks, LOOK_MS)), claps.seen);
  const heard = lateness(at(beginnings(calm, LISTEN_MS)), claps.heard);
  return { claps: Math.min(seen.count, heard.count), picture: seen.middle, sound: heard.middle };
}
