import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scene } from './support/virtual-link.ts';

const LAYERS = [150_000, 500_000, 2_500_000];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the estimate', () => {
  it.each([300_000, 600_000, 1_500_000])('settles near a link of %d bit/s', (capacity) => {
    const scene = new Scene({ capacity });
    scene.addAudio();
    scene.addVideo(LAYERS);
    scene.run(10);
    scene.clear();
    scene.run(20);
    expect(scene.estimate).toBeLessThan(capacity * 1.1);
    expect(scene.estimate).toBeGreaterThan(capacity * 0.5);
    expect(scene.lost).toBeLessThan(20);
  });

  it('neither grows nor falls while little is sent, and all that is wanted passes', () => {
    const scene = new Scene({ capacity: 3_000_000, jitterMs: 15 });
    scene.addAudio();
    const before = scene.estimate;
    scene.run(60);
    expect(scene.estimate).toBe(before);
  });

  it('does not mistake lags of this process for a full link', () => {
    const scene = new Scene({ capacity: 8_000_000 });
    scene.addAudio();
    scene.addVideo(LAYERS);
    scene.run(5);
    const before = scene.estimate;
    for (let lag = 0; lag < 20; lag += 1) {
      scene.run(0.9);
      scene.hold(100);
    }
    expect(scene.estimate).toBeGreaterThanOrEqual(before * 0.95);
  });

  it('finds a fast link within seconds', () => {
    const scene = new Scene({ capacity: 20_000_000 });
    scene.addAudio();
    const video = scene.addVideo(LAYERS);
    scene.run(3);
    expect(video.ceiling).toBe(2);
  });

  it('follows 4 Mbit/s to 500 kbit/s and back', () => {
    const scene = new Scene({ capacity: 4_000_000, queueMs: 200 });
    scene.addAudio();
    const video = scene.addVideo(LAYERS);
    scene.run(10);
    expect(video.ceiling).toBe(2);
    scene.clear();
    scene.link.capacity = 500_000;
    scene.run(1);
    expect(video.ceiling).toBeLessThan(1);
    // at most half a second of it is queued or lost
    expect(scene.lost).toBeLessThan(150);
    scene.run(19);
    expect(video.ceiling).toBeLessThan(2);
    scene.link.capacity = 4_000_000;
    scene.run(10);
    expect(video.ceiling).toBe(2);
  });

  it('finds bandwidth again for a picture that was paused without sound beside it', () => {
    const scene = new Scene({ capacity: 3_000_000 });
    const video = scene.addVideo([8_800_000]);
    scene.runUntil(() => video.paused, 5);
    // nothing is sent, so there is no feedback
    scene.run(10);
    expect(video.paused).toBe(true);
    scene.link.capacity = 20_000_000;
    scene.runUntil(() => !video.paused, 10);
    scene.run(5);
    expect(video.paused).toBe(false);
  });

  it('does not mistake a stalling radio for a full link', () => {
    const scene = new Scene({ capacity: 8_000_000, stalls: 2, stallMs: 80, jitterMs: 8 });
    scene.addAudio();
    const video = scene.addVideo(LAYERS);
    scene.run(5);
    let best = 0;
    scene.run(20, () => (best += video.ceiling === 2 ? 1 : 0));
    expect(best).toBeGreaterThan(190);
  });

  it.each([0.02, 0.05, 0.1])('does not mistake %d random loss for a full link', (loss) => {
    const scene = new Scene({ capacity: 6_000_000, loss });
    scene.addAudio();
    const video = scene.addVideo(LAYERS);
    scene.run(30);
    expect(video.ceiling).toBe(2);
  });

  // a few packets lose more or less than their share by chance
  it.each([0.02, 0.05, 0.1])('does not mistake %d random loss of a small picture for a full link', (loss) => {
    const scene = new Scene({ capacity: 6_000_000, loss });
    scene.addAudio();
    const video = scene.addVideo([100_000]);
    scene.run(300);
    expect(scene.pauses).toEqual([]);
    expect(video.ceiling).toBe(0);
  });

  it('does not assume a queue if lags of this process leave no measurement', () => {
    const scene = new Scene({ capacity: 6_000_000, loss: 0.05 });
    scene.addAudio();
    scene.addVideo([100_000]);
    for (let lag = 0; lag < 300; lag += 1) {
      scene.run(0.7);
      scene.hold(100);
    }
    expect(scene.pauses).toEqual([]);
  });
});
