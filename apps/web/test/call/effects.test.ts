import { describe, expect, test } from 'vitest';
import { sizeWithin } from '../../src/call/effects/background.ts';
import { audioConstraints, DEFAULT_PROCESSING } from '../../src/call/effects/choices.ts';
import { DarkDetector, luminanceOf } from '../../src/call/effects/light.ts';
import { SpeechDetector } from '../../src/call/effects/speech.ts';
import { SpeedGuard } from '../../src/call/effects/speed-guard.ts';
import { picturesIn, sentHeight } from '../../src/call/data-mode.ts';

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

describe('the speed of an effect', () => {
  test('suffices although single frames are slow', () => {
    const guard = new SpeedGuard(30);
    expect(times(100, (at) => guard.isTooSlow(at % 5 === 0 ? 200 : 10))).not.toContain(true);
    expect(guard.median).toBe(10);
  });

  test('is too low if most frames are slow, which shows within seconds on a very slow machine', () => {
    const guard = new SpeedGuard(30);
    const costs = times(20, () => 500);
    expect(costs.findIndex((cost) => guard.isTooSlow(cost))).toBeLessThan(12);
  });

  test('is measured again from the start after a change', () => {
    const guard = new SpeedGuard(30);
    times(40, () => guard.isTooSlow(29));
    guard.reset();
    expect(times(34, () => guard.isTooSlow(40))).not.toContain(true);
    expect(guard.isTooSlow(40)).toBe(true);
  });
});

describe('speech while muted', () => {
  const hears = (levels: readonly number[]) => {
    const detector = new SpeechDetector();
    return levels.some((level) => detector.isSpeech(level));
  };

  test('is loud with short pauses', () => {
    expect(hears(times(60, (at) => (at % 5 === 4 ? 0.2 : 0.7)))).toBe(true);
  });

  test.each([
    ['silence', () => 0],
    ['a fan or a tone', (at: number) => 0.7 + (at % 3) * 0.02],
    ['quiet talk of others', (at: number) => (at % 5 === 4 ? 0.1 : 0.4)],
    ['a cough', (at: number) => (at > 30 && at < 36 ? 0.9 : 0.1)],
  ])('is not %s', (_, level) => {
    expect(hears(times(80, level))).toBe(false);
  });
});

describe('low light', () => {
  test('is reported once, after several dark pictures', () => {
    const detector = new DarkDetector();
    expect([10, 10, 90, 10, 10, 10, 10, 10].map((luminance) => detector.isDark(luminance))).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
      false,
    ]);
  });

  test('weighs green most', () => {
    expect(luminanceOf(new Uint8ClampedArray([255, 255, 255, 255]))).toBeCloseTo(255);
    expect(luminanceOf(new Uint8ClampedArray([0, 255, 0, 255]))).toBeCloseTo(149.7, 1);
  });
});

test('a picture keeps its shape within a number of lines', () => {
  expect(sizeWithin(1_920, 1_080, 720)).toEqual({ width: 1_280, height: 720 });
  expect(sizeWithin(720, 1_280, 360)).toEqual({ width: 360, height: 640 });
  expect(sizeWithin(320, 181, 720)).toEqual({ width: 320, height: 182 });
});

test("the browser's filter is off while RNNoise filters", () => {
  expect(audioConstraints(DEFAULT_PROCESSING).noiseSuppression).toBe(true);
  expect(audioConstraints({ ...DEFAULT_PROCESSING, noise: 'enhanced' }).noiseSuppression).toBe(false);
});

describe('a mode to save data', () => {
  const wanted = new Map([
    ['alice', 360],
    ['bob', 720],
    ['carol', 720],
    ['bob-screen', 720],
  ] as const);

  test('low: screens, and of the largest cameras the last speaker, small', () => {
    expect([...picturesIn('low', wanted, ['carol'])]).toEqual([
      ['bob-screen', 720],
      ['carol', 180],
    ]);
    expect(picturesIn('low', wanted, ['alice']).has('bob')).toBe(true);
  });

  test('audio: nothing', () => {
    expect(picturesIn('audio', wanted, []).size).toBe(0);
    expect(picturesIn('full', wanted, [])).toBe(wanted);
  });

  test('respects a lower limit of the chair for the own camera', () => {
    expect(sentHeight('full', null)).toBeNull();
    expect(sentHeight('low', 720)).toBe(180);
    expect(sentHeight('low', 0)).toBe(0);
  });
});
