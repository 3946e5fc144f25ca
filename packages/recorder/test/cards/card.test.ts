import { execFileSync } from 'node:child_process';
import { readSps } from '@rmeet/rtp';
import { expect, test } from 'vitest';
import { nameCard } from '../../src/cards/card.ts';
import { Picture } from '../../src/cards/picture.ts';
import { Still } from '../../src/cards/still.ts';
import { glyphsOf } from '../../src/cards/typeface.ts';
import { missing, skipped } from '../film.ts';

const START = Buffer.from([0, 0, 0, 1]);

/** Brightness and colour of each frame, as ffmpeg decodes them. */
function decode(...frames: (readonly Buffer[])[]): Buffer {
  return execFileSync(
    'ffmpeg',
    ['-v', 'error', '-xerror', '-f', 'h264', '-i', 'pipe:0', '-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1'],
    { input: Buffer.concat(frames.flat().flatMap((unit) => [START, unit])), maxBuffer: 1 << 28 },
  );
}

/** The planes of a picture without what lies outside it. */
function planesOf({ luma, chroma, width, height }: Picture): Buffer {
  const rows = (data: Uint8Array, stride: number, count: number, length: number): Buffer[] =>
    Array.from({ length: count }, (_, row) => Buffer.from(data.subarray(row * stride, row * stride + length)));
  return Buffer.concat([
    ...rows(luma.data, luma.stride, height, width),
    ...chroma.flatMap(({ data, stride }) => rows(data, stride, height / 2, width / 2)),
  ]);
}

/** Pixels of a card that are brighter than its background, by their columns and rows. */
function inkOf(decoded: Buffer, width: number, height: number): { left: number; right: number; count: number } {
  let [left, right, count] = [width, 0, 0];
  for (let at = 0; at < width * height; at += 1) {
    if (decoded[at]! < 80) continue;
    left = Math.min(left, at % width);
    right = Math.max(right, at % width);
    count += 1;
  }
  return { left, right, count };
}

const bytesOf = (units: readonly Buffer[]): number => units.reduce((sum, { length }) => sum + length, 0);

test.skipIf(missing !== undefined)(`a still is decoded exactly, and repeated exactly${skipped}`, () => {
  // Odd numbers of macroblocks, cut off at the right and at the bottom; noise beside flat areas.
  const picture = new Picture(328, 180, [200, 30, 60]);
  const noise = Float32Array.from({ length: 90 * 50 }, (_, n) => ((n * 7_919) % 101) / 100);
  picture.paint(noise, 90, 60, 42, [0, 0, 0]);
  picture.paint(noise, 90, 270, 150, [255, 255, 255]);
  const still = new Still(picture);
  const expected = planesOf(picture);
  const decoded = decode(still.keyFrame, still.repeat(1), still.repeat(2), still.keyFrame);
  expect(decoded.length).toBe(expected.length * 4);
  for (let n = 0; n < 4; n += 1)
    expect(decoded.subarray(n * expected.length, (n + 1) * expected.length).equals(expected), `frame ${n}`).toBe(true);
});

test.each([
  ['王小明', '摄像头已关闭', 1280, 720],
  ['陳大文（主會場）', undefined, 640, 360],
  ['Alexandra Hernández-Müller', 'Camera off', 1280, 720],
  ['Ольга', undefined, 360, 640],
  ['北京市海淀区人民政府办公厅第一会议室（主会场）远程视频会议终端设备编号0001', '会议暂停', 320, 180],
] as const)('the card of %s is small, and its text fits', async (title, note, width, height) => {
  const card = await nameCard(note === undefined ? { title } : { title, note }, width, height);
  expect(readSps(card.keyFrame[0]!)).toMatchObject({ width, height });
  expect(bytesOf(card.keyFrame)).toBeLessThan(110_000);
  expect(bytesOf(card.repeat(1))).toBeLessThan(30);
  if (missing !== undefined) return;
  const { left, right, count } = inkOf(decode(card.keyFrame), width, height);
  expect(count).toBeGreaterThan(height);
  expect(left).toBeGreaterThan(width * 0.05);
  expect(right).toBeLessThan(width * 0.95);
  expect(Math.abs(left + right - width)).toBeLessThan(width * 0.05);
});

test('a card is made once', async () => {
  const first = nameCard({ title: 'alice' }, 320, 180);
  expect(nameCard({ title: 'alice' }, 320, 180)).toBe(first);
  expect(nameCard({ title: 'alice' }, 640, 360)).not.toBe(first);
  await first;
});

test('a name without any character that can be drawn gives an empty card', async () => {
  const card = await nameCard({ title: '' }, 320, 180);
  expect(bytesOf(card.keyFrame)).toBeLessThan(1_500);
});

test.each([
  '王小明',
  '陳大文',
  '爨龘喆堃',
  'さとう',
  'Łukasz Gößwein',
  'Nguyễn',
  'Ольга Їжак',
  'Αλέξανδρος',
  'Jose\u0301',
])('the typeface has all of %s', async (name) => {
  expect((await glyphsOf(name)).length).toBe(name.normalize('NFC').length);
});

test('what the typeface lacks is left out', async () => {
  expect((await glyphsOf('A한😀B')).length).toBe(2);
});
