import { describe, expect, it } from 'vitest';
import { ReceiveEstimate } from '../src/bandwidth/receive-estimate.ts';

describe('receive estimate', () => {
  it('rises while it is used, falls to the received bitrate under loss', () => {
    const estimate = new ReceiveEstimate();
    const start = estimate.bitrate;
    estimate.update(start, 0);
    expect(estimate.bitrate).toBeGreaterThan(start);
    estimate.update(1_000_000, 0.3);
    expect(estimate.bitrate).toBe(950_000);
    for (let i = 0; i < 100; i += 1) estimate.update(100_000, 0);
    expect(estimate.bitrate).toBe(start);
  });
});
