import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Colour } from '@rmeet/participant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinMp4 } from '../../src/packager/join-mp4.ts';
import { vodPlaylist } from '../../src/packager/playlist.ts';
import { SegmentFolder, segmentsIn } from '../../src/packager/segment-folder.ts';
import { inPlayer } from '../player.ts';
import { missing, picturesOf, probe, skipped, tonesOf } from '../film.ts';
import { play, type Stretch } from './stretches.ts';

const STRETCHES: Stretch[] = [
  { colour: 'red', height: 180, seconds: 3 },
  { colour: 'green', height: 720, seconds: 4.4 },
  { colour: 'blue', height: 180, seconds: 2.6 },
];

let root: string;
let folder: string;
let mp4: string;
let playlist: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'rmeet-packager-'));
  folder = join(root, 'segments');
  const output = await SegmentFolder.open(folder);
  await play(STRETCHES, output);
  await output.close();
  mp4 = join(root, 'film.mp4');
  await joinMp4(folder, mp4);
  playlist = join(folder, 'index.m3u8');
  writeFileSync(playlist, vodPlaylist(await segmentsIn(folder)));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Seconds well within each stretch, from the last one back to the first. */
function places(): { at: number; colour: Colour | null }[] {
  let start = 0;
  return STRETCHES.flatMap(({ colour, seconds }) => {
    start += seconds;
    return [
      { at: start - seconds + 0.1, colour },
      { at: start - 0.1, colour },
    ];
  }).toReversed();
}

describe('in Chromium', () => {
  test('the MP4 plays to its end, and every position can be reached', async () => {
    await inPlayer(mp4, async ({ duration, colourAt, playedTo }) => {
      expect(duration).toBeCloseTo(10, 1);
      for (const { at, colour } of places()) expect(await colourAt(at), `at ${at} s`).toBe(colour);
      expect(await playedTo()).toBeCloseTo(10, 1);
    });
  });

  test('the segments play through a source buffer without a gap', async () => {
    const names = (await segmentsIn(folder)).flatMap(({ init, initName, name }, n, all) =>
      init === all[n - 1]?.init ? [name] : [initName, name],
    );
    await inPlayer(
      folder,
      async ({ duration, colourAt, playedTo }) => {
        expect(duration).toBeCloseTo(10, 1);
        for (const { at, colour } of places()) expect(await colourAt(at), `at ${at} s`).toBe(colour);
        expect(await playedTo()).toBeCloseTo(10, 1);
      },
      { names, mimeType: 'video/mp4; codecs="avc1.42c01f, mp4a.40.2"' },
    );
  });
});
