import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Colour } from '@rmeet/participant';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinMp4, NothingRecorded } from '../../src/packager/join-mp4.ts';
import { vodPlaylist } from '../../src/packager/playlist.ts';
import { SegmentFolder } from '../../src/packager/segment-folder.ts';
import { segmentsIn } from '../../src/packager/segments.ts';
import { LOOKS, missing, picturesOf, probe, skipped, tonesOf } from '../film.ts';
import { inPlayer } from '../player.ts';
import { BEGAN, play, type Stretch } from './stretches.ts';

/** Between sizes, and to a card and back. */
const STRETCHES: Stretch[] = [
  { colour: 'red', height: 180, seconds: 3 },
  { colour: 'green', height: 720, seconds: 4.4 },
  { colour: null, height: 720, seconds: 2.6 },
  { colour: 'blue', height: 180, seconds: 2 },
];
const SECONDS = 12;
/** Largest difference of picture and sound, seconds. */
const TOLERANCE = 0.08;

let root: string;
let folder: string;
let mp4: string;
let playlist: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'rmeet-packager-'));
  folder = join(root, 'segments');
  const output = new SegmentFolder(folder);
  await play(STRETCHES, output);
  await output.close();
  mp4 = join(root, 'film.mp4');
  await joinMp4(folder, mp4);
  playlist = join(folder, 'index.m3u8');
  writeFileSync(playlist, vodPlaylist(await segmentsIn(folder)));
});
afterAll(() => rmSync(root, { recursive: true }));

test('the playlist has a segment every two seconds, and a discontinuity where the pictures change their format', () => {
  const date = (second: number): string => new Date(BEGAN + second * 1_000).toISOString();
  const segment = (init: number, number: number, seconds: number): string[] => [
    `#EXTINF:${seconds.toFixed(5)},`,
    `segment-${init}-${number}.m4s`,
  ];
  const change = (init: number, second: number): string[] => [
    ...(init > 1 ? ['#EXT-X-DISCONTINUITY'] : []),
    `#EXT-X-MAP:URI="init-${init}.mp4"`,
    `#EXT-X-PROGRAM-DATE-TIME:${date(second)}`,
  ];
  expect(readFileSync(playlist, 'utf8').split('\n')).toEqual([
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-TARGETDURATION:2',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...change(1, 0),
    ...segment(1, 1, 2),
    ...segment(1, 2, 1),
    ...change(2, 3),
    ...segment(2, 3, 2),
    ...segment(2, 4, 2),
    ...segment(2, 5, 0.4),
    ...change(3, 7.4),
    ...segment(3, 6, 2),
    ...segment(3, 7, 0.6),
    ...change(4, 10),
    ...segment(4, 8, 2),
    '#EXT-X-ENDLIST',
    '',
  ]);
});

describe.skipIf(missing !== undefined)(`by ffmpeg${skipped}`, () => {
  test.each(['the playlist', 'the MP4'])('%s is whole, and shows and plays everything in time', async (what) => {
    const path = what === 'the MP4' ? mp4 : playlist;
    const { streams, seconds, complaints } = await probe(path);
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac']);
    expect(complaints).toBe('');
    expect(seconds).toBeCloseTo(SECONDS, 1);
    const pictures = await picturesOf(path);
    expect(pictures.length).toBe(SECONDS * LOOKS);
    // Where it changes, either may be seen.
    const mayBeSeen = (at: number): unknown[] => [at - 1 / LOOKS, at, at + 1 / LOOKS].map(colourAt);
    expect(pictures.filter(({ at, colour }) => !mayBeSeen(at).includes(colour))).toEqual([]);
    const beginnings = (await tonesOf(path, 0.02)).filter(
      ({ tones }, n, all) => n > 0 && tones.length > 0 && all[n - 1]!.tones.length === 0,
    );
    expect(beginnings.length).toBe(SECONDS / 2);
    for (const [n, { at }] of beginnings.entries()) expect(Math.abs(at - (n * 2 + 1))).toBeLessThan(TOLERANCE);
  });
});

function colourAt(second: number): Colour | null | undefined {
  let end = 0;
  return STRETCHES.find(({ seconds }) => {
    end += seconds;
    return second < end - 1e-6;
  })?.colour;
}

describe('in Chromium', () => {
  /** Seconds well within each stretch, from the last one back to the first. */
  const places = [0.2, 2.9, 3.1, 7.3, 7.5, 9.9, 10.1, 11.9].toReversed();

  test('the MP4 plays to its end, and every position can be reached', async () => {
    await inPlayer(mp4, async (player) => {
      expect(player.duration).toBeCloseTo(SECONDS, 1);
      for (const at of places) expect(await player.colourAt(at), `at ${at} s`).toBe(colourAt(at));
      expect(await player.playedTo()).toBeCloseTo(SECONDS, 1);
    });
  });

  test('the segments play through a source buffer without a gap', async () => {
    const names = (await segmentsIn(folder)).flatMap(({ init, initName, name }, n, all) =>
      init === all[n - 1]?.init ? [name] : [initName, name],
    );
    await inPlayer(
      folder,
      async (player) => {
        expect(player.duration).toBeCloseTo(SECONDS, 1);
        for (const at of places) expect(await player.colourAt(at), `at ${at} s`).toBe(colourAt(at));
        expect(await player.playedTo()).toBeCloseTo(SECONDS, 1);
      },
      { names, mimeType: 'video/mp4; codecs="avc1.42c01f, mp4a.40.2"' },
    );
  });
});

describe('joining', () => {
  test('does not replace a file', async () => {
    const path = join(root, 'kept.mp4');
    writeFileSync(path, 'kept');
    await expect(joinMp4(folder, path)).rejects.toThrow('EEXIST');
    expect(readFileSync(path, 'utf8')).toBe('kept');
  });

  test.skipIf(missing !== undefined)(`leaves out what is cut, up to the next key frame${skipped}`, async () => {
    const path = join(root, 'cut.mp4');
    const shares: number[] = [];
    await joinMp4(folder, path, {
      cuts: [
        { from: 1_000, to: 4_000 },
        { from: 11_000, to: Number.POSITIVE_INFINITY },
      ],
      onProgress: (share) => shares.push(share),
    });
    // The key frames are at 3, 5 and 7 s: from 1 to 5 s is left out.
    expect(await probe(path)).toMatchObject({ complaints: '', seconds: expect.closeTo(7, 1) as number });
    const pictures = await picturesOf(path);
    const seen = (at: number) => pictures.find((one) => one.at >= at)?.colour;
    expect([0, 0.9, 1.1, 3.3, 3.5, 5.9, 6.1, 6.9].map(seen)).toEqual([
      'red',
      'red',
      'green',
      'green',
      null,
      null,
      'blue',
      'blue',
    ]);
    const heard = (await tonesOf(path, 0.1))
      .filter(({ tones }) => tones.length > 0)
      .map(({ at }) => Math.floor(at + 1e-6));
    expect([...new Set(heard)]).toEqual([1, 3, 5]);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  test('ends when it is cancelled, and leaves no file', async () => {
    const path = join(root, 'cancelled.mp4');
    const cancel = new AbortController();
    const onProgress = (share: number): void => {
      if (share > 0.7) cancel.abort(new Error('cancelled'));
    };
    await expect(joinMp4(folder, path, { signal: cancel.signal, onProgress })).rejects.toThrow('cancelled');
    expect(existsSync(path)).toBe(false);
  });

  test('nothing is refused, and leaves no file', async () => {
    const empty = join(root, 'empty');
    await new SegmentFolder(empty).close();
    await expect(joinMp4(empty, join(empty, 'film.mp4'))).rejects.toThrow(NothingRecorded);
    expect(readdirSync(empty)).toEqual([]);
  });
});

test('a missing segment is a discontinuity of the playlist', async () => {
  const segments = await segmentsIn(folder);
  const lines = vodPlaylist(segments.filter(({ number }) => number !== 4)).split('\n');
  expect(lines.slice(lines.indexOf('segment-2-3.m4s') + 1, lines.indexOf('segment-2-5.m4s'))).toEqual([
    '#EXT-X-DISCONTINUITY',
    `#EXT-X-PROGRAM-DATE-TIME:${new Date(BEGAN + 7_000).toISOString()}`,
    '#EXTINF:0.40000,',
  ]);
});

test.skipIf(missing !== undefined)(
  `a recording that was continued later is one film without the pause${skipped}`,
  async () => {
    const continued = join(root, 'continued');
    const film = join(root, 'continued.mp4');
    for (const [n, colour] of (['red', 'blue'] as const).entries()) {
      const output = new SegmentFolder(continued);
      await play([{ colour, height: 180, seconds: 2 }], output, {
        startsAt: BEGAN + n * 60_000,
        firstSegment: n + 1,
        firstInit: n + 1,
      });
      await output.close();
    }
    await joinMp4(continued, film);
    expect(await probe(film)).toMatchObject({ complaints: '', seconds: expect.closeTo(4, 1) as number });
    const pictures = await picturesOf(film);
    expect([0, 1.9, 2.1, 3.9].map((at) => pictures.find((seen) => seen.at >= at)?.colour)).toEqual([
      'red',
      'red',
      'blue',
      'blue',
    ]);
    expect(vodPlaylist(await segmentsIn(continued)).split('\n')).toEqual(
      expect.arrayContaining(['#EXT-X-DISCONTINUITY', '#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:05:05.000Z']),
    );
  },
);

test('after a failure nothing more is written, and the end reports it', async () => {
  const broken = join(root, 'broken');
  mkdirSync(join(broken, 'init-1.mp4'), { recursive: true });
  const output = new SegmentFolder(broken);
  await play([{ colour: 'red', height: 180, seconds: 1 }], output);
  await expect(output.close()).rejects.toThrow('EISDIR');
  expect(output.failure).toBeInstanceOf(Error);
  expect(readdirSync(broken)).toEqual(['init-1.mp4']);
});
