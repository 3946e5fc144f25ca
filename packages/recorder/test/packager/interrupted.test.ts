import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@rmeet/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSegment, VIDEO_TRACK } from '../../src/packager/fragments.ts';
import { joinMp4 } from '../../src/packager/join-mp4.ts';
import { vodPlaylist } from '../../src/packager/playlist.ts';
import { SegmentFolder } from '../../src/packager/segment-folder.ts';
import { segmentsIn } from '../../src/packager/segments.ts';
import { missing, probe, skipped } from '../film.ts';
import { play } from './stretches.ts';

let root: string;
let folder: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'rmeet-interrupted-'));
  folder = join(root, 'segments');
  const output = new SegmentFolder(folder);
  await play([{ colour: 'red', height: 180, seconds: 6 }], output);
  await output.close();
});
afterAll(() => rmSync(root, { recursive: true }));

test('of a segment that was cut at any byte, all parts are read that are complete', () => {
  const whole = readFileSync(join(folder, 'segment-1-3.m4s'));
  const ends = readSegment(whole).parts.map(({ end }) => end);
  expect([ends.length, ends.at(-1)]).toEqual([6, whole.length]);
  for (let length = 0; length <= whole.length; length += 1) {
    const { parts } = readSegment(whole.subarray(0, length));
    expect(parts.length, `${length} bytes`).toBe(ends.filter((end) => end <= length).length);
  }
});

test('zeros after the last part, as power losses leave them, are no part', () => {
  const whole = readFileSync(join(folder, 'segment-1-3.m4s'));
  expect(readSegment(Buffer.concat([whole, Buffer.alloc(5_000)]))).toEqual(readSegment(whole));
});

test.skipIf(missing !== undefined)(`playlist and MP4 of what is left are whole${skipped}`, async () => {
  const left = join(root, 'left');
  cpSync(folder, left, { recursive: true });
  const last = join(left, 'segment-1-3.m4s');
  const { parts } = readSegment(readFileSync(last));
  // In the middle of the fourth of six parts.
  truncateSync(last, (parts[2]!.end + parts[3]!.end) >> 1);
  const film = join(root, 'left.mp4');
  await joinMp4(left, film);
  expect(await probe(film)).toMatchObject({ complaints: '' });
  expect((await probe(film)).seconds).toBeCloseTo(5, 1);
  expect((await segmentsIn(left)).map(({ duration }) => Math.round(duration / 100))).toEqual([20, 20, 10]);
  // A segment of which nothing is complete is left out.
  truncateSync(last, parts[0]!.end - 1);
  writeFileSync(join(left, 'index.m3u8'), vodPlaylist(await segmentsIn(left)));
  expect(readFileSync(join(left, 'index.m3u8'), 'utf8')).not.toContain('segment-1-3.m4s');
});

test('a process that is killed loses only its current part', async () => {
  const killed = join(root, 'killed');
  const child = spawn(process.execPath, [join(import.meta.dirname, 'writer.ts'), killed], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until('ten parts are made', () => said.split('\n').length > 10);
  child.kill('SIGKILL');
  await once(child, 'close');
  /** The parts of which the process said that they were written, each a line with its end in ms. */
  const written = Number(said.split('\n').at(-2));
  const segments = await segmentsIn(killed);
  const ends = segments.flatMap(({ name }) =>
    readSegment(readFileSync(join(killed, name))).parts.flatMap(({ tracks }) =>
      tracks.filter(({ id }) => id === VIDEO_TRACK).flatMap(({ samples }) => samples.map((s) => s.time + s.duration)),
    ),
  );
  expect(readdirSync(killed).length).toBeGreaterThan(2);
  expect(Math.max(...ends) / 90).toBeGreaterThanOrEqual(written - 1);
});
