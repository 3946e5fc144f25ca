import { expect, it } from 'vitest';
import { AudioLevel } from '../src/forwarding/audio-level.ts';

const WINDOW_MS = 400;

function observe(level: AudioLevel, frames: number, dBov: number): number {
  for (let i = 0; i < frames; i += 1) level.observe(dBov);
  return level.take(WINDOW_MS);
}

it('takes lasting loudness for speech, not clicks and not noise; and fades', () => {
  const level = new AudioLevel();
  expect(observe(level, 20, 60)).toBe(0);
  expect(observe(level, 3, 5)).toBe(0);
  const loud = observe(level, 20, 20);
  expect(loud).toBeCloseTo(0.05, 2);
  expect(observe(level, 20, 20)).toBeGreaterThan(loud);
  let fading = 1;
  for (let i = 0; i < 10; i += 1) fading = level.take(WINDOW_MS);
  expect(fading).toBe(0);
});
