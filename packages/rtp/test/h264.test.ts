import { describe, expect, test } from 'vitest';
import { annexBUnits, readSps } from '../src/codecs/h264.ts';
import { SPS } from './support/h264.ts';

describe('a sequence parameter set', () => {
  test('tells profile, level and size', () => {
    expect(readSps(SPS)).toMatchObject({ profile: 66, constraints: 0xc0, level: 31, width: 1280, height: 720 });
  });

  test('of 1080 lines is cropped', () => {
    // x264, High profile, 1920 x 1080: 68 rows of macroblocks.
    const high = Buffer.from('67640028acd940780227e5c044000003000400000300f03c60c658', 'hex');
    expect(readSps(high)).toMatchObject({ profile: 100, chromaFormat: 1, bitDepthLuma: 8, width: 1920, height: 1080 });
  });

  test('that is cut or something else is not read', () => {
    expect(readSps(SPS.subarray(0, 6))).toBeUndefined();
    expect(readSps(Buffer.from([0x68, 0xce, 0x3c, 0x80]))).toBeUndefined();
    expect(readSps(Buffer.alloc(0))).toBeUndefined();
    // Whatever the bytes are, reading them ends.
    for (let n = 0; n < SPS.length * 8; n += 1) {
      const damaged = Buffer.from(SPS);
      damaged[n >> 3]! ^= 0x80 >> (n & 7);
      const sps = readSps(damaged);
      expect(sps === undefined || (sps.width > 0 && sps.height > 0)).toBe(true);
    }
  });
});

test('an access unit is split at start codes of three and four bytes', () => {
  const stream = Buffer.from([0, 0, 0, 1, 9, 0xf0, 0, 0, 1, 0x67, 1, 0, 0, 3, 0, 0, 0, 1, 0x65, 7, 0]);
  expect(annexBUnits(stream).map((unit) => unit.toString('hex'))).toEqual(['09f0', '6701000003', '650700']);
});
