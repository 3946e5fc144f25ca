import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { COLOURS, TONES, type Colour, type Tone } from '@rmeet/participant';
import { levelOf } from './tones.ts';

/** Why films cannot be analysed on this machine; undefined if they can. */
export const missing = ((): string | undefined => {
  try {
    for (const program of ['ffprobe', 'ffmpeg']) execFileSync(program, ['-version'], { stdio: 'ignore' });
  } catch {
    return 'ffmpeg and ffprobe are not installed (Debian package ffmpeg)';
  }
  return undefined;
})();
/** For the names of skipped tests. */
export const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;

const run = promisify(execFile);
const RATE = 48_000;
/** Level from which a tone counts as heard, relative to full scale; prepared ones have 0.125. */
export const HEARD = 0.02;

/** One of its streams as reported by ffprobe. */
export interface FilmStream {
  codec_type: 'video' | 'audio';
  codec_name: string;
}

/** ffprobe's description of a film, and its warnings. */
export async function probe(path: string): Promise<{ streams: FilmStream[]; seconds: number; complaints: string }> {
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_streams',
    '-show_format',
    path,
  ]);
  const { streams, format } = JSON.parse(stdout) as { streams: FilmStream[]; format: { duration: string } };
  // Decodes the whole file, each picture at its own time.
  const { stderr } = await run('ffmpeg', [
    '-v',
    'error',
    '-i',
    path,
    '-fps_mode',
    'passthrough',
    '-enc_time_base',
    '1:1000',
    '-f',
    'null',
    '-',
  ]);
  return { streams, seconds: Number(format.duration), complaints: stderr };
}

/** What is visible or audible at a moment. */
export interface Seen {
  /** Seconds. */
  at: number;
  /** Null if none of the prepared ones, such as the blank picture. */
  colour: Colour | null;
}

const SMALL = { width: 32, height: 18 };

/** The prepared colour of a picture's corner, which does not contain the counter; null for none of them. */
export function nearest(corner: readonly number[]): Colour | null {
  const distance = (colour: Colour): number =>
    Math.max(...COLOURS[colour].map((value, channel) => Math.abs(value - (corner[channel] ?? 0))));
  const [closest] = (Object.keys(COLOURS) as Colour[]).toSorted((a, b) => distance(a) - distance(b));
  return closest !== undefined && distance(closest) <= 40 ? closest : null;
}

/** Pictures checked per second. */
export const LOOKS = 20;

/** The tones of a stretch of audio. */
export interface Heard {
  /** Its beginning, seconds. */
  at: number;
  tones: Tone[];
}

/** How raw pictures and samples are read below: the pictures of this size as RGB, samples as 32-bit floats. */
export const RAW = { ...SMALL, looks: LOOKS, rate: RATE };

/** The picture at every twentieth of a second, as a player shows it. */
export async function picturesOf(path: string): Promise<Seen[]> {
  const filter = `fps=${LOOKS}:round=up,scale=${SMALL.width}:${SMALL.height}`;
  return coloursIn(await output(['-i', path, '-vf', filter, '-f', 'rawvideo', '-pix_fmt', 'rgb24']));
}

/** The tones in a film's audio, by intervals of `step` seconds. */
export async function tonesOf(path: string, step = 0.1): Promise<Heard[]> {
  return tonesIn(await samplesOf(path), step);
}

/** The audio of a film in one channel. */
export async function samplesOf(path: string): Promise<Float32Array> {
  return floatsIn(await output(['-i', path, '-f', 'f32le', '-ac', '1', '-ar', String(RATE)]));
}

async function output(args: string[]): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: 1 << 28 } as const;
  return (await run('ffmpeg', ['-v', 'error', ...args, 'pipe:1'], options)).stdout;
}

export function floatsIn(bytes: Buffer): Float32Array {
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - (bytes.length % 4)));
}

/** The colours of raw pictures, one after the other. */
export function coloursIn(raw: Buffer): Seen[] {
  const size = SMALL.width * SMALL.height * 3;
  const corner = (SMALL.width * 2 + 2) * 3;
  return Array.from({ length: Math.floor(raw.length / size) }, (_, n) => ({
    at: n / LOOKS,
    colour: nearest([...raw.subarray(n * size + corner, n * size + corner + 3)]),
  }));
}

/** The tones in samples, by intervals of `step` seconds. */
export function tonesIn(samples: Float32Array, step: number): Heard[] {
  const length = Math.round(step * RATE);
  return Array.from({ length: Math.floor(samples.length / length) }, (_, n) => {
    const stretch = samples.subarray(n * length, (n + 1) * length);
    return { at: n * step, tones: TONES.filter((tone) => levelOf(stretch, tone, RATE) > HEARD) };
  });
}
