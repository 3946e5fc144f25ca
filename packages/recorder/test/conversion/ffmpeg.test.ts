import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSps, type Vp8Frame } from '@rmeet/rtp';
import { until } from '@rmeet/testkit';
import { afterAll, expect, test } from 'vitest';
import { Conversions } from '../../src/conversion/conversions.ts';
import { Converter } from '../../src/conversion/converter.ts';
import { Ffmpeg } from '../../src/conversion/ffmpeg.ts';
import type { CodedPicture } from '../../src/switch.ts';
import { missing, skipped } from '../film.ts';

const folder = mkdtempSync(join(tmpdir(), 'rmeet-conversion-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The frames of a prepared clip. */
function framesOf(clip: string): Vp8Frame[] {
  const file = readFileSync(join(import.meta.dirname, '..', '..', '..', 'participant', 'media', `${clip}.vp8`));
  const frames: Vp8Frame[] = [];
  for (let at = 32; at < file.length;) {
    const end = at + 12 + file.readUInt32LE(at);
    const data = file.subarray(at + 12, end);
    const isKey = (data[0]! & 1) === 0;
    const [width, height] = isKey ? [data.readUInt16LE(6), data.readUInt16LE(8)] : [0, 0];
    frames.push({ data, timestamp: frames.length * 3_000, isKey, width, height });
    at = end;
  }
  return frames;
}

/** A program that does this instead of converting. */
function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test.skipIf(missing !== undefined)(
  `each VP8 frame becomes a picture with its time, at once, and key frames stay key frames${skipped}`,
  async () => {
    const frames = framesOf('yellow.720').slice(0, 45);
    const pictures: (CodedPicture & { at: number })[] = [];
    let failure = '';
    const ffmpeg = new Ffmpeg('ffmpeg', {
      onPicture: (picture, at) => pictures.push({ ...picture, at }),
      onFailed: (reason) => {
        failure = reason;
      },
    });
    const times = frames.map((_, n) => 5_000.25 + n * 33.4);
    for (const [n, frame] of frames.entries()) {
      ffmpeg.add(frame, times[n]!, performance.now());
      // The first one needs no second one.
      if (n === 0) await until('the first picture', () => pictures.length === 1);
    }
    await until('all pictures', () => pictures.length === frames.length);
    ffmpeg.close();
    expect(failure).toBe('');
    expect(pictures.map(({ at }) => at)).toEqual(times);
    expect(pictures.map(({ isKey }) => isKey)).toEqual(frames.map(({ isKey }) => isKey));
    const sps = readSps(pictures[0]!.units[0]!);
    expect(sps).toMatchObject({ profile: 66, width: 1_280, height: 720 });
    const stream = pictures.flatMap(({ units }) => units.flatMap((unit) => [Buffer.from([0, 0, 0, 1]), unit]));
    const path = join(folder, 'yellow.h264');
    writeFileSync(path, Buffer.concat(stream));
    const decode = ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-vf', 'scale=8:8', 'pipe:1'];
    expect(execFileSync('ffmpeg', decode).length).toBe(frames.length * 8 * 8 * 3);
  },
  20_000,
);

test.skipIf(missing !== undefined)(
  `another size is another stream, which begins with a key frame${skipped}`,
  async () => {
    const conversions = new Conversions('ffmpeg', 1);
    const pictures: CodedPicture[] = [];
    const converter = Converter.start(conversions, {
      onPicture: (picture) => pictures.push(picture),
      onFailed: (reason) => {
        throw new Error(reason);
      },
    })!;
    const [large, small] = [framesOf('red.720'), framesOf('red.360')];
    // In the middle of a stream, there is nothing to begin with.
    converter.add(large[1]!, 0, performance.now());
    for (const [n, frame] of [...large.slice(0, 5), ...small.slice(0, 5)].entries()) {
      converter.add(frame, 100 + n * 33, performance.now());
      if (n === 4) await until('the large ones', () => pictures.length === 5);
    }
    await until('the small ones', () => pictures.length === 10);
    const sizes = pictures.flatMap(({ units, isKey }) => (isKey ? [readSps(units[0]!)!.height] : []));
    expect(sizes).toEqual([720, 360]);
    converter.close();
    expect(conversions.count).toBe(0);
  },
  20_000,
);

test('an ffmpeg that ends, hangs or is missing fails, and its place is free', async () => {
  const [frame] = framesOf('red.180');
  const failed = (name: string, run?: (converter: Converter) => void): Promise<string> =>
    new Promise((resolve) => {
      const conversions = new Conversions(name, 1);
      const converter = Converter.start(conversions, {
        onPicture: () => undefined,
        onFailed: (reason) => resolve(`${reason}, ${conversions.count}`),
      })!;
      expect(Converter.start(conversions, { onPicture: () => undefined, onFailed: () => undefined })).toBe(undefined);
      converter.add(frame!, 0, 0);
      run?.(converter);
    });
  expect(await failed(program('ends', 'echo no libx264 >&2; exit 7'))).toBe('ffmpeg ended (7) no libx264, 0');
  expect(await failed(join(folder, 'none'))).toContain('ffmpeg cannot be started');
  expect(await failed(program('wrong', 'echo This is not FLV at all'))).toContain('something else than pictures');
  const hangs = await failed(program('hangs', 'exec sleep 60'), (converter) => {
    for (let now = 0; now < 4_000; now += 20) converter.tick(now);
  });
  expect(hangs).toBe('ffmpeg is too slow, 0');
});

test('what was found is said once, and 0 turns it off', async () => {
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  expect(await Conversions.find(0, log)).toBe(undefined);
  expect(await Conversions.find(2, log, join(folder, 'none'))).toBe(undefined);
  expect(lines).toEqual([expect.stringContaining('shown as name cards: ffmpeg cannot be started')]);
  if (missing !== undefined) return;
  expect(await Conversions.find(2, log)).toBeInstanceOf(Conversions);
  expect(lines.slice(1)).toEqual([
    'Cameras that send VP8 are converted to H.264 by ffmpeg while they are on air, 2 at once',
  ]);
});
