import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, setOptions, type types } from 'hls-parser';
import { expect, test } from 'vitest';
import { LiveView, LiveWindow, type Span } from '../src/index.ts';
import { missing, skipped } from '../../recorder/test/film.ts';
import { addPart, camera, filler, STARTS_AT, unix } from './media.ts';

// What breaks a rule is an error.
setOptions({ strictMode: true });
const always: Span[] = [{ from: unix(0), until: null }];

function viewOf(window: LiveWindow, spans: readonly Span[] = always, isOver = false): LiveView {
  const view = new LiveView(window, { waitMs: 60_000 });
  view.update(spans, isOver);
  return view;
}

function textOf(view: LiveView, plain = false): string {
  return view.playlist({ plain, query: 'sign=a' }) ?? '';
}

function listOf(view: LiveView, plain = false): types.MediaPlaylist {
  const playlist = parse(textOf(view, plain));
  if (playlist.isMasterPlaylist) throw new Error('This is a master playlist.');
  return playlist;
}

/** The numbers of what is listed; missing segments in brackets. */
const numbersOf = (playlist: types.MediaPlaylist): string =>
  playlist.segments
    .filter(({ uri }) => uri)
    .map(({ uri, gap }) => (gap ? `(${uri.split('-')[2]!.split('.')[0]})` : uri.split('-')[2]!.split('.')[0]))
    .join(' ');

test('real media: low-latency and plain playlists', () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  camera(window).film(0, 9.1);
  const view = viewOf(window);
  expect(textOf(view).split('\n').slice(0, 12)).toEqual([
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-TARGETDURATION:3',
    '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.17,HOLD-BACK=9',
    '#EXT-X-PART-INF:PART-TARGET=0.39',
    '#EXT-X-MEDIA-SEQUENCE:1',
    '#EXT-X-DISCONTINUITY-SEQUENCE:1',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MAP:URI="init-1.mp4?sign=a"',
    '#EXT-X-PROGRAM-DATE-TIME:2026-11-20T09:00:00.000Z',
    '#EXTINF:2.00000,',
    'segment-1-1.m4s?sign=a',
  ]);
  expect(
    textOf(view)
      .match(/#EXT-X-PART:.*/g)!
      .slice(0, 2),
  ).toEqual([
    '#EXT-X-PART:DURATION=0.33333,URI="part-1-3-0.m4s?sign=a",INDEPENDENT=YES',
    '#EXT-X-PART:DURATION=0.33333,URI="part-1-3-1.m4s?sign=a"',
  ]);
  const low = listOf(view);
  expect(numbersOf(low)).toBe('1 2 3 4');
  const { hint, ...part } = low.segments.at(-1)!.parts.at(-1)!;
  expect([hint, part.uri]).toEqual([true, 'part-1-5-3.m4s?sign=a']);
  expect(low.segments.at(-1)!.parts).toHaveLength(4);
  const plain = listOf(view, true);
  expect([numbersOf(plain), plain.lowLatencyCompatibility?.holdBack ?? 9]).toEqual(['1 2 3 4', 9]);
  expect(textOf(view, true)).not.toContain('PART');
});

test('no part is longer than PART-TARGET, and only the last one of a segment shorter than 85 % of it', () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  const { film } = camera(window);
  film(0, 20, 3);
  film(21, 30.1, 1);
  expect(window.partTarget).toBe(0.39);
  for (const { parts } of window.segments.slice(0, -1)) {
    expect(Math.max(...parts.map(({ duration }) => duration))).toBeLessThanOrEqual(390);
    for (const { duration } of parts.slice(0, -1)) expect(duration).toBeGreaterThanOrEqual(0.85 * 390);
  }
});

test('a late key frame makes a segment longer, and the target duration holds', () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  camera(window).film(0, 11.5, 5);
  expect(window.segments.map(({ duration }) => Math.round(duration / 1_000))).toEqual([5, 5, 1]);
  expect(listOf(viewOf(window)).targetDuration).toBe(5);
});

test.skipIf(missing !== undefined)(`what the plain playlist lists plays${skipped}`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-live-'));
  const window = new LiveWindow({ startsAt: STARTS_AT });
  const { film, finish } = camera(window);
  film(0, 8);
  finish(8);
  window.end();
  const view = viewOf(window);
  writeFileSync(join(folder, 'index.m3u8'), textOf(view, true).replaceAll('?sign=a', ''));
  for (const name of ['init-1.mp4', ...[1, 2, 3, 4].map((n) => `segment-1-${n}.m4s`)])
    writeFileSync(join(folder, name), (await view.file(name))!);
  const args = ['-v', 'error', '-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'];
  const count = execFileSync('ffprobe', [...args, join(folder, 'index.m3u8')], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(Number(count.trim().split('\n')[0])).toBe(120);
});

test('the parts of a segment are the segment', async () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  camera(window).film(0, 5);
  const view = viewOf(window);
  const parts = await Promise.all(window.segments[0]!.parts.map((_, n) => view.file(`part-1-1-${n}.m4s`)));
  expect(Buffer.concat(parts.map((part) => part!))).toEqual(await view.file('segment-1-1.m4s'));
});

test('only what begins on air is listed and served', async () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  filler(window, { from: 1, to: 20 });
  // Segment n begins at second 2 n.
  const view = viewOf(window, [
    { from: unix(9), until: unix(14) },
    { from: unix(17), until: unix(31) },
  ]);
  const low = listOf(view);
  expect([low.mediaSequenceBase, numbersOf(low)]).toEqual([5, '5 6 (7) (8) 9 10 11 12 13 14 15']);
  expect(low.segments.find(({ uri }) => uri.startsWith('segment-1-9.'))!.discontinuity).toBe(true);
  expect(textOf(view)).not.toContain('PRELOAD-HINT');
  const names = [4, 5, 7, 8, 9, 15, 16].map((n) => `segment-1-${n}.m4s`);
  const served = await Promise.all(names.map(async (name) => (await view.file(name)) !== undefined));
  expect(served).toEqual([false, true, false, false, true, true, false]);
  expect(await view.file('part-1-8-0.m4s')).toBeUndefined();
  expect(await viewOf(window, []).file('init-1.mp4')).toBeUndefined();
  expect(viewOf(window, []).playlist({ plain: false, query: '' })).toBeUndefined();
});

test('after a long time off air the playlist begins behind it', () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  filler(window, { from: 1, to: 18 });
  const spans = [
    { from: unix(0), until: unix(13) },
    { from: unix(25), until: null },
  ];
  expect(numbersOf(listOf(viewOf(window, spans.slice(0, 1))))).toBe('1 2 3 4 5 6');
  const low = listOf(viewOf(window, spans));
  expect([low.mediaSequenceBase, low.discontinuitySequenceBase]).toEqual([13, 2]);
});

test('discontinuities are counted the same, whether their segments are still listed or not', () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  filler(window, { from: 1, to: 4 });
  window.takeInit(2, Buffer.from('init 2'));
  window.takeInit(3, Buffer.from('init 3'));
  filler(window, { from: 4, to: 6, init: 3 });
  const text = textOf(viewOf(window));
  expect(text).toContain('#EXT-X-DISCONTINUITY-SEQUENCE:1\n');
  expect(text.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(2);
  expect(text.indexOf('init-3.mp4')).toBeGreaterThan(text.indexOf('segment-1-3.m4s'));
  filler(window, { from: 6, to: 20, init: 3 });
  expect(textOf(viewOf(window))).toContain('#EXT-X-DISCONTINUITY-SEQUENCE:3\n');
});

test('a gap in time is a discontinuity, also without a new initialization segment', () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  filler(window, { from: 1, to: 3 });
  filler(window, { from: 5, to: 7 });
  const low = listOf(viewOf(window));
  expect(numbersOf(low)).toBe('1 2 (3) (4) 5');
  expect(textOf(viewOf(window)).match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1);
});

test('the end: all is listed, and nothing is announced', () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  filler(window, { from: 1, to: 5 });
  window.end();
  expect(textOf(viewOf(window)).endsWith('segment-1-4.m4s?sign=a\n#EXT-X-ENDLIST\n')).toBe(true);
  expect(textOf(viewOf(window), true)).toContain('#EXT-X-ENDLIST');
  // The broadcast is over while its conference goes on.
  const running = new LiveWindow({ startsAt: STARTS_AT });
  filler(running, { from: 1, to: 9 });
  const spans = [{ from: unix(0), until: unix(11) }];
  expect(textOf(viewOf(running, spans, true)).endsWith('segment-1-5.m4s?sign=a\n#EXT-X-ENDLIST\n')).toBe(true);
  expect(textOf(viewOf(running, spans, false))).not.toContain('ENDLIST');
});

test('near its usual length, the first part of the next segment is announced', () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  filler(window, { from: 1, to: 3 });
  expect(textOf(viewOf(window))).toContain('PRELOAD-HINT:TYPE=PART,URI="part-1-3-0.m4s?sign=a"');
  addPart(window, { segment: 3, part: 0 });
  expect(textOf(viewOf(window))).toContain('PRELOAD-HINT:TYPE=PART,URI="part-1-3-1.m4s?sign=a"');
});

test('a playlist is some kB', () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  filler(window, { from: 1, to: 40 });
  const view = viewOf(window);
  expect(textOf(view).length).toBeLessThan(4_000);
  expect(numbersOf(listOf(view, true)).split(' ')).toHaveLength(15);
});
