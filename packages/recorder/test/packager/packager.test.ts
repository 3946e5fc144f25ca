import { annexBUnits } from '@rmeet/rtp';
import { expect, test } from 'vitest';
import { videoClip } from '../../../participant/src/clips.ts';
import { AUDIO_TRACK, readSegment, VIDEO_TRACK } from '../../src/packager/fragments.ts';
import { Packager, type PackagerOptions, type Part } from '../../src/packager/packager.ts';
import { STEREO } from '../../src/packager/sample-entries.ts';

const small = videoClip('h264', 'red', 180).frames.map(annexBUnits);
const large = videoClip('h264', 'red', 720).frames.map(annexBUnits);
const FRAME = Buffer.alloc(50);

function packaged(options: Partial<PackagerOptions> = {}) {
  const parts: Part[] = [];
  const inits: number[] = [];
  const packager = new Packager(
    { startsAt: 0, hasPicture: true, sound: STEREO, ...options },
    { takeInit: (number) => inits.push(number), takePart: (part) => parts.push(part) },
  );
  /** A key frame, and others until `to`, ms. */
  const pictures = (from: number, to: number, clip = small, step = 1_000 / 15): void => {
    for (let n = 0; from + n * step < to - 1e-6; n += 1)
      packager.addPicture(clip[Math.min(n, 1)]!, n === 0, from + n * step);
  };
  const sound = (from: number, to: number): void => {
    for (let n = Math.ceil((from * 48) / 1_024); n * 1_024 < to * 48; n += 1) packager.addSound(FRAME, n * 1_024);
  };
  /** Beginnings and ends of the samples of a track, in order. */
  const samples = (id: number): { time: number; end: number; isKey: boolean }[] =>
    parts
      .flatMap(({ data }) => readSegment(data).parts)
      .flatMap(({ tracks }) => tracks.filter((track) => track.id === id))
      .flatMap((track) => track.samples.map(({ time, duration, isKey }) => ({ time, end: time + duration, isKey })));
  return { packager, parts, inits, pictures, sound, samples };
}

/** Each sample begins where the one before it ends. */
function expectContinuous(samples: readonly { time: number; end: number }[]): void {
  expect(samples.slice(1).filter(({ time }, n) => time !== samples[n]!.end)).toEqual([]);
}

test('parts have a third of a second, follow each other, and each segment begins with a key frame', () => {
  const { packager, parts, inits, pictures, sound, samples } = packaged();
  for (const start of [0, 2_000, 4_000]) pictures(start, start + 2_000);
  sound(0, 6_000);
  packager.finish(6_000);
  expect(inits).toEqual([1]);
  expect(parts.map(({ segment }) => segment)).toEqual([1, 2, 3].flatMap((n) => Array.from({ length: 6 }, () => n)));
  for (const { duration, startsSegment, data } of parts) {
    expect(duration).toBeCloseTo(1_000 / 3, 3);
    const [part] = readSegment(data).parts;
    expect(part?.tracks.map(({ id }) => id)).toEqual([VIDEO_TRACK, AUDIO_TRACK]);
    if (startsSegment) expect(part!.tracks[0]!.samples[0]!.isKey).toBe(true);
  }
  expectContinuous(parts.map(({ at, duration }) => ({ time: Math.round(at), end: Math.round(at + duration) })));
  expectContinuous(samples(VIDEO_TRACK));
  expectContinuous(samples(AUDIO_TRACK));
  expect(samples(VIDEO_TRACK).length).toBe(90);
  expect(samples(VIDEO_TRACK).at(-1)!.end).toBe(6 * 90_000);
});

test('a part comes as soon as all before its end has been added', () => {
  const { packager, parts, pictures } = packaged();
  pictures(0, 2_000);
  packager.advance(333);
  expect(parts.length).toBe(0);
  packager.advance(334);
  expect(parts.length).toBe(1);
  packager.advance(1_000);
  expect(parts.length).toBe(3);
});

test('a segment begins with its key frame, whatever the rounding of its time', () => {
  for (let ticks = 200_000; ticks < 201_000; ticks += 1) {
    const { packager, parts, pictures } = packaged();
    pictures(0, ticks / 90 - 20);
    // In another size: with another initialization segment.
    pictures(ticks / 90, 3_000, large);
    packager.finish(3_000);
    const begins = parts.findLast(({ startsSegment }) => startsSegment)!;
    const [first] = readSegment(begins.data).parts[0]!.tracks.find(({ id }) => id === VIDEO_TRACK)!.samples;
    expect(first, `at ${ticks}`).toMatchObject({ time: ticks, isKey: true });
  }
});

test('key frames that come late begin the segment late, and the next one on time', () => {
  const { packager, parts, pictures } = packaged();
  pictures(0, 2_150);
  pictures(2_150, 4_080);
  pictures(4_080, 6_000);
  packager.finish(6_000);
  expect(parts.filter(({ startsSegment }) => startsSegment).map(({ at }) => Math.round(at))).toEqual([0, 2_150, 4_080]);
  expect(Math.max(...parts.map(({ duration }) => duration))).toBeLessThanOrEqual(500);
});

test('other key frames begin none, unless they change the format', () => {
  const { packager, parts, inits, pictures } = packaged();
  pictures(0, 700);
  pictures(700, 1_400);
  pictures(1_400, 2_000, large);
  packager.finish(2_000);
  expect(parts.filter(({ startsSegment }) => startsSegment).map(({ at, init }) => [Math.round(at), init])).toEqual([
    [0, 1],
    [1_400, 2],
  ]);
  expect(inits).toEqual([1, 2]);
});

test('a picture that stays lasts until the next one, however long that takes', () => {
  const { packager, parts, pictures, sound, samples } = packaged();
  pictures(0, 900);
  sound(0, 4_000);
  packager.advance(4_000);
  // The picture of 867 ms waits for its end; its sound does not.
  expect(samples(VIDEO_TRACK).at(-1)!.end).toBe(78_000);
  expect(parts.at(-1)!.at).toBeGreaterThan(3_000);
  pictures(4_000, 5_000);
  packager.finish(5_000);
  expectContinuous(samples(VIDEO_TRACK));
  expect(Math.max(...samples(VIDEO_TRACK).map(({ time, end }) => end - time))).toBe(282_000);
});

test('pictures whose times are disordered or too late ascend all the same', () => {
  const { packager, samples } = packaged();
  packager.addPicture(small[0]!, true, 0);
  packager.addPicture(small[1]!, false, 100);
  packager.addPicture(small[2]!, false, 90);
  packager.advance(700);
  packager.addPicture(small[3]!, false, 400);
  packager.finish(1_000);
  expectContinuous(samples(VIDEO_TRACK));
  expect(samples(VIDEO_TRACK).map(({ time }) => time)).toEqual([0, 9_000, 9_090, 60_000]);
});

test('media begins with the first key frame', () => {
  const { packager, parts, pictures, sound, samples } = packaged();
  sound(0, 3_000);
  packager.addPicture(small[1]!, false, 100);
  packager.advance(900);
  expect(parts).toEqual([]);
  pictures(1_000, 3_000);
  packager.finish(3_000);
  expect(samples(VIDEO_TRACK)[0]).toMatchObject({ time: 90_000, isKey: true });
  expect(samples(AUDIO_TRACK)[0]!.time).toBeGreaterThanOrEqual(48_000);
  expect(samples(AUDIO_TRACK)[0]!.time).toBeLessThan(48_000 + 1_024);
});

test('sound alone has segments of two seconds', () => {
  const { packager, parts, sound, samples } = packaged({ hasPicture: false });
  sound(0, 5_000);
  packager.finish(5_000);
  expect(parts.filter(({ startsSegment }) => startsSegment).map(({ at }) => at)).toEqual([0, 2_000, 4_000]);
  expectContinuous(samples(AUDIO_TRACK));
});

test('pictures alone need no sound', () => {
  const { packager, parts, pictures, samples } = packaged({ sound: undefined });
  pictures(0, 3_000);
  packager.finish(3_000);
  expect(parts.at(-1)!.at + parts.at(-1)!.duration).toBe(3_000);
  expect(samples(AUDIO_TRACK)).toEqual([]);
});

test('another packager continues the numbers', () => {
  const { packager, parts, inits, pictures } = packaged({ firstSegment: 7, firstInit: 3 });
  pictures(0, 1_000);
  packager.finish(1_000);
  expect([parts[0]!.segment, inits]).toEqual([7, [3]]);
});
