import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scene } from './support/virtual-link.ts';

const LAYERS = [150_000, 500_000, 2_500_000];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function trace(scene: Scene, seconds: number, name: string): void {
  if (process.env['PRINT'] === undefined) return void scene.run(seconds);
  scene.run(seconds, (second) => {
    if (Math.round(second * 10) % 5 !== 0) return;
    const { estimate } = scene.bandwidth;
    const kbit = (bits: number) => Math.round(bits / 1000);
    process.stderr.write(`${name} ${second.toFixed(1)} est ${kbit(estimate.bitrate)} ack ${kbit(estimate.acknowledgedBitrate)} queue ${Math.round(estimate.queueMs)} loss ${estimate.loss.toFixed(2)} lost ${scene.lost} ceil ${scene.streams.map((s) => s.ceiling).join()}\n`);
  });
}

describe('the estimate', () => {
  it.each([300_000, 600_000, 1_500_000])('settles near a link of %d bit/s', (capacity) => {
    const scene = new Scene({ capacity });
    scene.addAudio();
    scene.addVideo(LAYERS);
    trace(scene, 10, String(capacity));
    scene.clear();
    trace(scene, 20, String(capacity));
    expect(scene.estimate).toBeLessThan(capacity * 1.1);
    expect(scene.estimate).toBeGreaterThan(capacity * 0.5);
    expect(scene.lost).toBeLessThan(20);
  });

  it('finds a fast link within seconds', () => {
    const scene = new Scene({ capacity: 20_000_000 });
    scene.addAudio();
    const video = scene.addVideo(LAYERS);
    trace(scene, 3, 'fast');
    expect(video.ceiling).toBe(2);
  });

  it('follows 4 Mbit/s to 500 kbit/s and back', () => {
    const scene = new Scene({ capacity: 4_000_000, queueMs: 200 });
    scene.addAudio();
    const video = scene.addVideo(LAYERS);
    trace(scene, 10, '4M');
    expect(video.ceiling).toBe(2);
    scene.link.capacity = 500_000;
    trace(scene, 20, '500k');
    expect(video.ceiling).toBeLessThan(2);
    scene.link.capacity = 4_000_000;
    trace(scene, 10, '4M again');
    expect(video.ceiling).toBe(2);
  });

  it('does not take a radio that stalls for a full link', () => {
    const scene = new Scene({ capacity: 8_000_000, stalls: 2, stallMs: 80, jitterMs: 8 });
    scene.addAudio();
    const video = scene.addVideo(LAYERS);
    trace(scene, 5, 'stalls');
    let best = 0;
    scene.run(20, () => (best += video.ceiling === 2 ? 1 : 0));
    trace(scene, 5, 'stalls');
    expect(best).toBeGreaterThan(190);
  });

  it.each([0.02, 0.05, 0.1])('does not take %d random loss for a full link', (loss) => {
    const scene = new Scene({ capacity: 6_000_000, loss });
    scene.addAudio();
    const video = scene.addVideo(LAYERS);
    trace(scene, 30, `loss ${loss}`);
    expect(video.ceiling).toBe(2);
  });
});
