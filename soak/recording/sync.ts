import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CLAP } from '@rmeet/participant';
import { RAW, samplesOf } from '../../packages/recorder/test/film.ts';
import { levelOf } from '../../packages/recorder/test/tones.ts';

const run = promisify(execFile);

const PICTURES_PER_SECOND = 100;
/** In this window the tones of the cast, multiples of 100 Hz apart from the clap's, add nothing to its level. */
const WINDOW = RAW.rate / 100;
const HOP = WINDOW / 4;
/** Half of the level that the limiter leaves. */
const LOUD = 0.045;

/** Seconds at which the picture of the clap becomes white in its middle. */
export async function flashesIn(path: string): Promise<number[]> {
  const filter = [
    `fps=${PICTURES_PER_SECOND}:round=up`,
    'crop=iw/16:ih/9:iw/2-iw/32:ih/2-ih/18',
    'scale=1:1,format=gray',
  ].join(',');
  const args = ['-v', 'error', '-i', path, '-an', '-vf', filter, '-f', 'rawvideo', 'pipe:1'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 1 << 28 });
  return risesIn([...stdout], 128).map((n) => n / PICTURES_PER_SECOND);
}

/** Seconds at which the tone of the clap begins. */
export async function beepsIn(path: string): Promise<number[]> {
  const samples = await samplesOf(path);
  const levels = Array.from({ length: Math.max(0, Math.floor((samples.length - WINDOW) / HOP)) }, (_, n) =>
    levelOf(samples.subarray(n * HOP, n * HOP + WINDOW), CLAP.hertz, RAW.rate),
  );
  return risesIn(levels, LOUD).map((n) => (n * HOP + WINDOW / 2) / RAW.rate);
}

/** Indexes at which values rise above a limit, and were below it for a while. */
function risesIn(values: readonly number[], limit: number): number[] {
  const rises: number[] = [];
  for (const [n, value] of values.entries()) if (n > 0 && value > limit && values[n - 1]! <= limit) rises.push(n);
  return rises;
}

/** How much later each sound came than its picture, ms; both in seconds. Pictures without a sound within 0.5 s: NaN. */
export function skewsOf(flashes: readonly number[], beeps: readonly number[]): number[] {
  return flashes.map((flash) => {
    const [closest] = beeps.map((beep) => beep - flash).toSorted((a, b) => Math.abs(a) - Math.abs(b));
    return closest === undefined || Math.abs(closest) > 0.5 ? Number.NaN : Math.round(closest * 1_000);
  });
}

/** How far each moment is from the clap's own, ms: `unixMs` of claps that were recorded. */
export function offsetsOf(unixMs: readonly number[]): number[] {
  const period = CLAP.everySeconds * 1_000;
  return unixMs.map((ms) => {
    const late = ((ms % period) + period) % period;
    return Math.round(late > period / 2 ? late - period : late);
  });
}
