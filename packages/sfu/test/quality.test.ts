import { ConnectionQuality } from '@livekit/protocol';
import { describe, expect, it } from 'vitest';
import { lossWeights, opinionOf, QualityScore, qualityOf, shortfallOf } from '../src/tracks/quality.ts';

interface Conditions {
  loss?: number;
  roundTripMs?: number;
  jitterMs?: number;
  missing?: number;
  dry?: boolean;
  weight?: number;
}

function after(windows: number, conditions: Conditions = {}): QualityScore {
  const { loss = 0, roundTripMs = 0, jitterMs = 0, missing = 0, dry = false, weight = lossWeights.video } = conditions;
  const score = new QualityScore();
  for (let window = 0; window < windows; window += 1) {
    for (let second = 0; second < 5; second += 1) score.sample(loss, roundTripMs, jitterMs);
    score.update(weight, missing, dry);
  }
  return score;
}

describe('connection quality', () => {
  it.each([
    ['nothing lost', {}, ConnectionQuality.EXCELLENT],
    ['1 % of video', { loss: 0.01 }, ConnectionQuality.EXCELLENT],
    ['4 % of video', { loss: 0.04 }, ConnectionQuality.GOOD],
    ['9 % of video', { loss: 0.09 }, ConnectionQuality.POOR],
    ['9 % of sound', { loss: 0.09, weight: lossWeights.audio }, ConnectionQuality.GOOD],
    ['9 % of sound with redundancy', { loss: 0.09, weight: lossWeights.audioWithRedundancy }, ConnectionQuality.GOOD],
    ['a round trip of 200 ms', { roundTripMs: 200 }, ConnectionQuality.EXCELLENT],
    ['a round trip of 900 ms', { roundTripMs: 900 }, ConnectionQuality.GOOD],
    ['jitter of 30 ms', { jitterMs: 30 }, ConnectionQuality.EXCELLENT],
    ['one layer less', { missing: 1 }, ConnectionQuality.GOOD],
    ['two layers less', { missing: 2 }, ConnectionQuality.POOR],
    ['nothing comes', { dry: true }, ConnectionQuality.POOR],
  ])('with %s', (_what, conditions, quality) => {
    expect(qualityOf(after(10, conditions).score)).toBe(quality);
  });

  it.each([
    [
      'nobody wants the picture, and its sender rests',
      {
        isVideo: true,
        wanted: -1,
        layers: [
          { quality: 0, isLive: false },
          { quality: 2, isLive: false },
        ],
      },
      null,
    ],
    [
      'the best layer wanted comes, others rest',
      {
        isVideo: true,
        wanted: 0,
        layers: [
          { quality: 0, isLive: true },
          { quality: 2, isLive: false },
        ],
      },
      { missing: 0, isDry: false },
    ],
    [
      'more is wanted than its sender has',
      { isVideo: true, wanted: 2, layers: [{ quality: 0, isLive: true }] },
      { missing: 0, isDry: false },
    ],
    [
      'the best layer wanted does not come',
      {
        isVideo: true,
        wanted: 2,
        layers: [
          { quality: 0, isLive: true },
          { quality: 2, isLive: false },
        ],
      },
      { missing: 2, isDry: false },
    ],
    [
      'a picture that is wanted does not come',
      { isVideo: true, wanted: 0, layers: [{ quality: 0, isLive: false }] },
      { missing: 0, isDry: true },
    ],
    [
      'no sound comes',
      { isVideo: false, wanted: -1, layers: [{ quality: 0, isLive: false }] },
      { missing: 0, isDry: true },
    ],
    ['nothing was sent yet', { isVideo: true, wanted: 2, layers: [] }, null],
  ])('counts expected packets that do not arrive: %s', (_what, publication, shortfall) => {
    expect(shortfallOf(publication)).toEqual(shortfall);
  });

  it('falls faster than it rises, and is reset by a mute', () => {
    const score = after(1, { loss: 0.09 });
    expect(score.score).toBeLessThan(50);
    score.update(lossWeights.video, 0, false);
    expect(qualityOf(score.score)).toBe(ConnectionQuality.GOOD);
    score.reset();
    expect(qualityOf(score.score)).toBe(ConnectionQuality.EXCELLENT);
  });

  it('gives opinion scores from 1 to 4.5, in rising order', () => {
    const scores = [0, 20, 40, 60, 80, 100].map(opinionOf);
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect([scores[0], scores.at(-1)]).toEqual([1, 4.5]);
  });
});
