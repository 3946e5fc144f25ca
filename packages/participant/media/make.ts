/**
 * Creates the committed clips of this folder with ffmpeg (Debian package ffmpeg): `node
 * packages/participant/media/make.ts`.
 *
 * Each video is two seconds at 15 frames/s of one flat colour with a counter 00 to 29 in its middle, encoded once per
 * simulcast layer, so that a viewer can tell whose picture it is and that it moves. Each tone is one second of a sine,
 * so that a listener can tell whose voice it is. Flat pictures have small frames; Participant pads them to the bitrate
 * of a load test.
 *
 * The clap is a picture and a sound of two seconds that are sent by the time of day: in the first fifth of a second the
 * field of the counter is white, and there is a second tone. Each of its pictures is a key frame, so it needs no jump
 * to the first one on request. Names of files as arguments create only those.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLAP, COLOURS, FRAMES_PER_SECOND, LAYERS, PHONE, TONES, type Colour } from '../src/catalogue.ts';
import { readIvf, writeIvf } from '../src/ivf.ts';

const FRAMES = 30;
const folder = import.meta.dirname;
const scratch = mkdtempSync(join(tmpdir(), 'rmeet-clips-'));

/** Which of the seven segments (top, upper left, upper right, middle, lower left, lower right, bottom) a digit uses. */
const SEGMENTS = [
  0b1110111, 0b0010010, 0b1011101, 0b1011011, 0b0111010, 0b1101011, 0b1101111, 0b1010010, 0b1111111, 0b1111011,
];

function rectangle(
  frame: Buffer,
  width: number,
  x: number,
  y: number,
  w: number,
  h: number,
  rgb: readonly number[],
): void {
  for (let row = y; row < y + h; row++) {
    for (let column = x; column < x + w; column++) frame.set(rgb, (row * width + column) * 3);
  }
}

function digit(frame: Buffer, width: number, value: number, x: number, y: number, size: number): void {
  const lit = SEGMENTS[value] ?? 0;
  const thick = size >> 2;
  const places = [
    [0, 0, size, thick],
    [0, 0, thick, size],
    [size - thick, 0, thick, size],
    [0, size - (thick >> 1), size, thick],
    [0, size, thick, size],
    [size - thick, size, thick, size],
    [0, 2 * size - thick, size, thick],
  ] as const;
  places.forEach(([dx, dy, w, h], i) => {
    if (lit & (1 << (6 - i))) rectangle(frame, width, x + dx, y + dy, w, h, [255, 255, 255]);
  });
}

/** Raw RGB frames of one clip; the field of the counter is white in the first `flashes` frames. */
function draw(colour: Colour, width: number, height: number, flashes = 0): Buffer {
  const frames = Array.from({ length: FRAMES }, (_, n) => {
    const frame = Buffer.alloc(width * height * 3);
    rectangle(frame, width, 0, 0, width, height, COLOURS[colour]);
    const size = (Math.min(width, height) / 8) & ~7;
    const left = ((width >> 1) - ((size * 3) >> 1)) & ~7;
    const top = ((height >> 1) - size) & ~7;
    const field = n < flashes ? [255, 255, 255] : [0, 0, 0];
    rectangle(frame, width, left - 8, top - 8, size * 3 + 16, size * 2 + 16, field);
    digit(frame, width, Math.floor(n / 10), left, top, size);
    digit(frame, width, n % 10, left + size * 2, top, size);
    return frame;
  });
  return Buffer.concat(frames);
}

function ffmpeg(args: string[], input?: Buffer): void {
  execFileSync('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...args], {
    input,
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
}

/**
 * Splits an Annex B stream (start codes as x264 writes them) before each access unit delimiter (ITU-T H.264,
 * 7.4.1.2.3).
 */
function accessUnits(stream: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = stream.indexOf('0000000109', 0, 'hex'); at >= 0; at = stream.indexOf('0000000109', at + 5, 'hex'))
    starts.push(at);
  return starts.map((start, i) => stream.subarray(start, starts[i + 1] ?? stream.length));
}

/** The audio packets of an Ogg file holding one logical stream (RFC 3533), without the two Opus headers (RFC 7845). */
function oggPackets(file: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  let pending: Buffer[] = [];
  for (let at = 0; at < file.length;) {
    const count = file.readUInt8(at + 26);
    let body = at + 27 + count;
    for (const length of file.subarray(at + 27, at + 27 + count)) {
      pending.push(file.subarray(body, body + length));
      body += length;
      if (length < 255) {
        packets.push(Buffer.concat(pending));
        pending = [];
      }
    }
    at = body;
  }
  return packets.slice(2);
}

const VP8_OPTIONS = [
  '-c:v libvpx -deadline good -cpu-used 2 -lag-in-frames 0 -auto-alt-ref 0 -error-resilient 1',
  '-g 300 -qmin 8 -qmax 40 -b:v 300k -threads 1',
];
const H264_OPTIONS = [
  '-c:v libx264 -profile:v baseline -level 3.1 -preset slow -crf 28 -threads 1',
  '-x264-params',
  'aud=1:keyint=300:scenecut=0:bframes=0:repeat-headers=1:sliced-threads=0:rc-lookahead=0:sync-lookahead=0',
  '-f h264',
];
const words = (lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '));

/** What is to be made: the files named as arguments, or all. */
const wanted = (name: string): boolean => process.argv.length === 2 || process.argv.includes(name);

const rawInput = (width: number, height: number): string[] =>
  words([`-f rawvideo -pix_fmt rgb24 -s ${width}x${height} -r ${FRAMES_PER_SECOND} -i pipe:0 -pix_fmt yuv420p`]);

/** `interval`: from one key frame to the next. */
function h264(name: string, raw: Buffer, width: number, height: number, interval = 300): void {
  const path = join(scratch, 'v.h264');
  const options = words(H264_OPTIONS).map((word) => word.replace('keyint=300', `keyint=${interval}`));
  ffmpeg([...rawInput(width, height), ...options, path], raw);
  const frames = accessUnits(readFileSync(path));
  writeFileSync(join(folder, name), writeIvf({ codec: 'H264', width, height, frameRate: FRAMES_PER_SECOND, frames }));
}

function video(colour: Colour): void {
  for (const { width, height } of LAYERS) {
    const raw = draw(colour, width, height);
    if (wanted(`${colour}.${height}.vp8`)) {
      const vp8 = join(scratch, 'v.ivf');
      ffmpeg([...rawInput(width, height), ...words(VP8_OPTIONS), vp8], raw);
      writeFileSync(
        join(folder, `${colour}.${height}.vp8`),
        writeIvf({ ...readIvf(readFileSync(vp8)), frameRate: FRAMES_PER_SECOND }),
      );
    }
    if (wanted(`${colour}.${height}.h264`)) h264(`${colour}.${height}.h264`, raw, width, height);
  }
}

/**
 * A sound is encoded three times in a row and the middle one is kept: the encoder has settled, and a whole number of
 * periods lets it loop.
 */
function sound(name: string, input: readonly string[], seconds: number, bitrate: string): void {
  const ogg = join(scratch, 'a.ogg');
  ffmpeg([
    ...input,
    ...words([`-ac 1 -c:a libopus -b:a ${bitrate} -vbr on -frame_duration 20 -application audio`]),
    ogg,
  ]);
  const frames = oggPackets(readFileSync(ogg)).slice(seconds * 50, seconds * 100);
  writeFileSync(join(folder, name), writeIvf({ codec: 'Opus', width: 0, height: 0, frameRate: 50, frames }));
}

function tone(hertz: number): void {
  sound(`${hertz}.opus`, ['-f', 'lavfi', '-i', `sine=frequency=${hertz}:sample_rate=48000:duration=3`], 1, '20k');
}

function clap(): void {
  const { colour, tone: steady, hertz, seconds, everySeconds } = CLAP;
  const flashes = Math.round(seconds * FRAMES_PER_SECOND);
  if (wanted('clap.h264')) h264('clap.h264', draw(colour, 1280, 720, flashes), 1280, 720, 1);
  const sine = (frequency: number): string => `0.125*sin(2*PI*${frequency}*t)`;
  const samples = `${sine(steady)}+lt(mod(t,${everySeconds}),${seconds})*${sine(hertz)}`;
  const input = ['-f', 'lavfi', '-i', `aevalsrc=exprs='${samples}':sample_rate=48000:duration=${everySeconds * 3}`];
  if (wanted('clap.opus')) sound('clap.opus', input, everySeconds, '40k');
}

for (const colour of Object.keys(COLOURS) as Colour[]) video(colour);
for (const hertz of TONES) if (wanted(`${hertz}.opus`)) tone(hertz);
if (wanted('phone.h264')) h264('phone.h264', draw(PHONE.colour, PHONE.width, PHONE.height), PHONE.width, PHONE.height);
clap();
rmSync(scratch, { recursive: true });
