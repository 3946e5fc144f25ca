import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { allocate, type Demand } from '../src/bandwidth/allocator.ts';
import { Scene } from './support/virtual-link.ts';

const LAYERS = [150, 450, 1700];

function demand(bitrates: number[], options: { first?: boolean; granted?: number } = {}): Demand {
  const { first = false, granted = bitrates.length - 1 } = options;
  return { levels: bitrates.map((bitrate, quality) => ({ quality, bitrate })), first, granted };
}

function grants(demands: Demand[], budget: number): number[] {
  allocate(demands, budget);
  return demands.map(({ granted }) => granted);
}

describe('sharing among video streams', () => {
  it('grants every stream what it wants if it fits', () => {
    expect(grants([demand(LAYERS), demand(LAYERS), demand([150])], 4000)).toEqual([2, 2, 0]);
  });

  it('serves first streams before the rest, and each of the rest a little before any gets more', () => {
    const streams = [demand(LAYERS, { first: true }), demand(LAYERS), demand(LAYERS), demand(LAYERS)];
    expect(grants(streams, 1000)).toEqual([1, 0, 0, 0]);
    expect(grants(streams, 400)).toEqual([0, 0, -1, -1]);
    expect(grants(streams, 100)).toEqual([-1, -1, -1, -1]);
  });

  it('goes up only with spare bandwidth, and stays if there is just enough', () => {
    expect(grants([demand(LAYERS, { granted: 0 })], 460)).toEqual([0]);
    expect(grants([demand(LAYERS, { granted: 1 })], 460)).toEqual([1]);
    expect(grants([demand(LAYERS, { granted: 0 })], 500)).toEqual([1]);
    expect(grants([demand(LAYERS, { granted: -1 })], 160)).toEqual([-1]);
  });

  it('sends the very first stream while the budget is a guess, even above it', () => {
    const guess = (demands: Demand[], budget: number): number[] => {
      allocate(demands, budget, true);
      return demands.map(({ granted }) => granted);
    };
    expect(guess([demand([9000])], 2000)).toEqual([0]);
    expect(guess([demand([150]), demand([9000], { first: true }), demand([150])], 2000)).toEqual([-1, 0, -1]);
    expect(guess([demand(LAYERS), demand(LAYERS)], 1000)).toEqual([1, 1]);
    expect(guess([], 2000)).toEqual([]);
  });

  it('skips a stream that is too large in favour of a smaller one', () => {
    expect(grants([demand([900]), demand([150])], 500)).toEqual([-1, 0]);
  });
});

describe('a subscriber', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('of ten videos at 1 Mbit/s gets all sound, the video on air first, and a notice of paused ones', () => {
    const scene = new Scene({ capacity: 1_000_000 });
    const audio = scene.addAudio();
    const videos = Array.from({ length: 10 }, (_, index) =>
      scene.addVideo([150_000, 450_000, 1_700_000], { pixels: index === 4 ? 900_000 : 57_600 }),
    );
    scene.run(5);
    scene.clear();
    scene.run(10);
    expect(videos[4]!.ceiling).toBe(1);
    expect(audio.ceiling).toBe(2);
    expect(videos.filter(({ paused }) => paused).length).toBeGreaterThanOrEqual(5);
    expect(videos.every(({ paused, ceiling }) => paused === ceiling < 0)).toBe(true);
    expect(scene.lost).toBe(0);
    scene.link.capacity = 40_000_000;
    scene.runUntil(() => videos.every(({ ceiling }) => ceiling === 2), 15);
    expect(scene.pauses.at(-1)![1]).toBe(false);
  });

  it('is served by its own priorities, then screens and sizes', () => {
    const scene = new Scene({ capacity: 800_000 });
    const [large, chosen] = [
      scene.addVideo([150_000, 450_000], { pixels: 900_000 }),
      scene.addVideo([150_000, 450_000], { pixels: 100, priority: 1 }),
    ];
    scene.run(10);
    expect([large.ceiling, chosen.ceiling]).toEqual([0, 1]);
  });

  it('that sends no feedback is not limited', () => {
    const scene = new Scene({ capacity: 10_000_000 }, { numbered: false });
    const video = scene.addVideo([150_000, 450_000, 5_000_000]);
    scene.run(3);
    expect(video.ceiling).toBe(2);
    expect(scene.bandwidth.bitrate).toBe(Number.POSITIVE_INFINITY);
    scene.bandwidth.handleReceiverEstimate(600_000);
    scene.run(1);
    expect(video.ceiling).toBe(1);
  });
});
