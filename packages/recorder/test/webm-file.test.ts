import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BLANK } from '../src/blank.ts';
import { FileTaken, WebmFile } from '../src/webm-file.ts';
import { toneClip, videoClip } from '../../participant/src/clips.ts';
import { missing, picturesOf, probe, skipped, tonesOf } from './film.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rmeet-recorder-'));
  path = join(folder, 'film.webm');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Two seconds blank, then two seconds of each of two sizes, with a tone; with unmodified clips. */
async function film(): Promise<void> {
  const file = await WebmFile.create(path);
  file.addVideo(BLANK, true, 0);
  for (const [nth, height] of ([180, 720] as const).entries()) {
    videoClip('vp8', nth === 0 ? 'red' : 'green', height).frames.forEach((frame, n) =>
      file.addVideo(frame, n === 0, 2_000 + nth * 2_000 + (n * 1_000) / 15),
    );
  }
  const { frames } = toneClip(700);
  for (let n = 0; n < 300; n += 1) file.addAudio(frames[n % 50]!, n * 20, 20);
  expect(readdirSync(folder)).toEqual(['film.webm.part']);
  await file.finish();
  expect(readdirSync(folder)).toEqual(['film.webm']);
}

test.skipIf(missing !== undefined)(
  `is complete, as long as its sound, and changes its size in the middle${skipped}`,
  async () => {
    await film();
    const { streams, seconds, complaints } = await probe(path);
    expect(streams.map(({ codec_type, codec_name }) => [codec_type, codec_name])).toEqual([
      ['video', 'vp8'],
      ['audio', 'opus'],
    ]);
    expect(seconds).toBeCloseTo(6, 1);
    expect(complaints).toBe('');
    const pictures = await picturesOf(path);
    expect([0.5, 1.8, 2.2, 3.8, 4.2, 5.7].map((at) => pictures.find((seen) => seen.at === at)?.colour)).toEqual([
      null,
      null,
      'red',
      'red',
      'green',
      'green',
    ]);
    expect((await tonesOf(path)).slice(1, -1).every(({ tones }) => tones.join() === '700')).toBe(true);
  },
);

test('refuses a name that is taken by a film or by an unfinished one', async () => {
  writeFileSync(path, 'kept');
  await expect(WebmFile.create(path)).rejects.toThrow(FileTaken);
  rmSync(path);
  writeFileSync(`${path}.part`, 'kept');
  await expect(WebmFile.create(path)).rejects.toThrow(`${path}.part is there already`);
  expect(readdirSync(folder)).toEqual(['film.webm.part']);
});

test('a missing folder is reported, and a discarded file leaves nothing', async () => {
  await expect(WebmFile.create(join(folder, 'none', 'film.webm'))).rejects.toThrow('ENOENT');
  const file = await WebmFile.create(path);
  file.addVideo(BLANK, true, 0);
  await file.discard();
  expect(readdirSync(folder)).toEqual([]);
});

test('does not replace a film that appeared meanwhile', async () => {
  const file = await WebmFile.create(path);
  file.addVideo(BLANK, true, 0);
  file.addAudio(toneClip(700).frames[0]!, 0, 20);
  writeFileSync(path, 'kept');
  await expect(file.finish()).rejects.toThrow(FileTaken);
  expect(existsSync(`${path}.part`)).toBe(true);
});
