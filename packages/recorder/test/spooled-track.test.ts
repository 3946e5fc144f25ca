import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordingIndex, RecordingTrack } from '@rmeet/contract';
import { annexBUnits } from '@rmeet/rtp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { videoClip } from '../../participant/src/clips.ts';
import { recoverSpool } from '../src/spool.ts';
import { SpooledTrack, type SpooledFile, type SpooledTrackOptions } from '../src/spooled-track.ts';

const frames = videoClip('h264', 'red', 180).frames.map(annexBUnits);
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rmeet-track-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** A camera's track, and a function that gives it pictures for some seconds. */
function scene({ live, segments = [] }: Partial<Pick<SpooledTrackOptions, 'live'> & RecordingTrack> = {}) {
  const entry: RecordingTrack = { id: 'camera-a', kind: 'camera', termId: 'a', name: 'alice', segments };
  const files: SpooledFile[] = [];
  const failures: unknown[] = [];
  const track = new SpooledTrack({
    folder: root,
    startsAt: 0,
    entry,
    hasPicture: true,
    sound: undefined,
    segmentMs: 2_000,
    live,
    onFile: (file) => files.push(file),
    onFailure: (error) => failures.push(error),
  });
  const film = (from: number, to: number): void => {
    for (let second = from; second < to; second += 2) {
      for (let n = 0; n < 30; n += 1) track.addPicture(frames[n]!, n === 0, second * 1_000 + (n * 1_000) / 15);
      track.advance(second * 1_000 + 1_900);
    }
  };
  return { entry, files, failures, track, film, names: () => files.map(({ name }) => name) };
}

test('stretches continue the numbers, and each file is named once it is complete', async () => {
  const { entry, track, film, names } = scene();
  track.begin();
  film(0, 4);
  await track.close(4_000);
  film(4, 6);
  track.begin();
  film(10, 12);
  await track.close(12_000);
  // Two files of one stretch may be complete in another order.
  expect(names().toSorted()).toEqual([
    'init-1.mp4',
    'init-2.mp4',
    'segment-1-1.m4s',
    'segment-1-2.m4s',
    'segment-2-3.m4s',
  ]);
  expect(entry.segments.map(({ number, init, at, duration }) => [number, init, at, Math.round(duration)])).toEqual([
    [1, 1, 0, 2_000],
    [2, 1, 2_000, 2_000],
    [3, 2, 10_000, 2_000],
  ]);
});

test('segments that have left the spool are known after a crash, and holes are named', async () => {
  const { entry, files, track, film } = scene();
  track.begin();
  film(0, 4);
  await track.close(4_000);
  const index: RecordingIndex = {
    version: 1,
    startsAt: 0,
    isComplete: false,
    tracks: [{ ...entry, kind: 'programme', segments: [] }],
    onAir: [],
    speaking: [],
    // It was paused when the index was stored.
    gaps: [{ from: 4_000, to: 5_000, reason: 'paused' }],
  };
  for (const second of [7, 12]) {
    track.begin();
    film(second, second + 2);
    await track.close((second + 2) * 1_000);
  }
  for (const { path } of files) rmSync(path);
  const left = await recoverSpool(root, index);
  expect(left.files).toEqual([]);
  expect(left.index?.tracks[0]?.segments).toEqual(entry.segments);
  expect(left.index?.gaps).toEqual([
    { from: 4_000, to: 7_000, reason: 'paused' },
    { from: 9_000, to: 12_000, reason: 'recorder' },
  ]);
});

test('a stretch that begins while the one before it is being completed has other numbers', async () => {
  const { entry, track, film } = scene();
  track.begin();
  film(0, 4);
  const closing = track.close(4_000);
  track.begin();
  film(4, 6);
  await Promise.all([closing, track.close(6_000)]);
  const numbers = entry.segments.map(({ number }) => number);
  expect(numbers.length).toBe(3);
  expect(new Set(numbers).size).toBe(3);
  expect(new Set(entry.segments.map(({ init }) => init)).size).toBe(2);
});

test('a failure is reported once; what was written stays, and a later stretch follows', async () => {
  const { entry, failures, track, film } = scene();
  mkdirSync(join(root, 'camera-a', 'segment-1-2.m4s'), { recursive: true });
  track.begin();
  film(0, 6);
  await track.close(6_000);
  expect(failures).toEqual([expect.objectContaining({ code: 'EISDIR' })]);
  track.begin();
  film(8, 10);
  await track.close(10_000);
  expect(entry.segments.map(({ number, at }) => [number, at])).toEqual([
    [1, 0],
    [4, 8_000],
  ]);
  expect(readdirSync(join(root, 'camera-a')).toSorted()).toEqual([
    'init-1.mp4',
    'init-2.mp4',
    'segment-1-1.m4s',
    'segment-1-2.m4s',
    'segment-2-4.m4s',
    'segments.jsonl',
    'track.json',
  ]);
});

/** Takes what is live, as `init 1` and `1-1:0`. */
function liveOutput(): { live: NonNullable<SpooledTrackOptions['live']>; taken: string[] } {
  const taken: string[] = [];
  const live = {
    takeInit: (number: number): void => void taken.push(`init ${number}`),
    takePart: ({ init, segment, at }: { init: number; segment: number; at: number }): void =>
      void taken.push(`${init}-${segment}:${Math.round(at)}`),
  };
  return { live, taken };
}

test('what is live comes at once, also when the disk fails', async () => {
  const { live, taken } = liveOutput();
  const { track, film, failures } = scene({ live });
  rmSync(root, { recursive: true });
  writeFileSync(root, '');
  track.begin();
  film(0, 4);
  expect(taken.slice(0, 3)).toEqual(['init 1', '1-1:0', '1-1:333']);
  expect(taken).toContain('1-2:2000');
  await track.close(4_000);
  expect(failures.length).toBeGreaterThan(0);
});

test('who continues a live track leaves out numbers that may have been sent', async () => {
  const { live, taken } = liveOutput();
  const segments = [{ number: 7, init: 2, at: 0, duration: 2_000, bytes: 1 }];
  const { track, film } = scene({ live, segments });
  track.begin();
  film(4, 6);
  await track.close(6_000);
  expect(taken.slice(0, 2)).toEqual(['init 4', '4-9:4000']);
});
