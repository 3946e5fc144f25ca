import { describe, expect, it } from 'vitest';
import { WantedQuality } from '../src/tracks/wanted-quality.ts';

describe('the quality that a publisher is asked to send', () => {
  it('goes up at once, down to nothing after five seconds, and ignores short wishes', () => {
    const quality = new WantedQuality();
    expect(quality.review(2, 0)).toBe(2);
    expect(quality.review(2, 100)).toBeUndefined();
    expect(quality.review(0, 1000)).toBeUndefined();
    expect(quality.review(2, 3000)).toBeUndefined();
    expect(quality.review(0, 4000)).toBeUndefined();
    expect(quality.review(0, 8999)).toBeUndefined();
    expect(quality.review(0, 9000)).toBe(0);
    expect(quality.review(-1, 10_000)).toBeUndefined();
    expect(quality.review(-1, 15_000)).toBe(-1);
    expect(quality.review(1, 15_050)).toBe(1);
  });

  it('leaves a new track time for its first subscriber', () => {
    const quality = new WantedQuality();
    expect(quality.review(-1, 0)).toBeUndefined();
    expect(quality.review(1, 4000)).toBeUndefined();
    expect(quality.review(1, 5000)).toBe(1);
  });

  it('asks for a backup codec only while it is wanted', () => {
    const quality = new WantedQuality({ isBackup: true });
    expect(quality.review(-1, 0)).toBeUndefined();
    expect(quality.review(1, 100)).toBe(1);
    expect(quality.review(-1, 200)).toBeUndefined();
    expect(quality.review(-1, 5200)).toBe(-1);
  });

  it('is repeated after the signalling was away', () => {
    const quality = new WantedQuality();
    quality.review(2, 0);
    quality.forget();
    expect(quality.review(2, 100)).toBe(2);
    expect(quality.review(0, 200)).toBeUndefined();
    expect(quality.review(0, 5200)).toBe(0);
    quality.forget();
    expect(quality.review(0, 5300)).toBe(0);
  });
});
