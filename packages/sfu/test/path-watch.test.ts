import { beforeEach, describe, expect, it } from 'vitest';
import { PathWatch } from '../src/connection/path-watch.ts';

const out = { sentPackets: 0 };
let path: PathWatch;
beforeEach(() => {
  out.sentPackets = 0;
  path = new PathWatch(out);
});

/**
 * A minute of media at 50 packets a second, in steps of a second; `each` simulates the peer. Returns when the path
 * counts as dead, in seconds.
 */
function deadAfter(each: (second: number, nowMs: number) => void): number | undefined {
  for (let second = 1; second <= 60; second += 1) {
    out.sentPackets += 50;
    each(second, second * 1000);
    if (path.isDead(second * 1000)) return second;
  }
  return undefined;
}

describe('a peer', () => {
  it('that reports arrivals, however seldom, is alive', () => {
    expect(
      deadAfter((second, nowMs) => {
        path.heard(nowMs);
        if (second % 7 === 0) path.handleReport(1, second * 50, nowMs);
      }),
    ).toBeUndefined();
  });

  it('whose reports do not advance has lost its path after eight seconds', () => {
    expect(
      deadAfter((second, nowMs) => {
        path.heard(nowMs);
        path.handleReport(1, Math.min(second, 10) * 50, nowMs);
      }),
    ).toBe(19);
  });

  it('with one advancing stream is alive', () => {
    expect(
      deadAfter((second, nowMs) => {
        path.heard(nowMs);
        path.handleReport(1, 50, nowMs);
        path.handleReport(2, second, nowMs);
      }),
    ).toBeUndefined();
  });

  it('whose feedback per packet ends has lost its path after five seconds', () => {
    expect(
      deadAfter((second, nowMs) => {
        path.heard(nowMs);
        if (second <= 10) path.handleFeedback(nowMs);
      }),
    ).toBe(16);
  });

  it('that sends nothing may be asleep, and is left to ICE', () => {
    expect(
      deadAfter((second, nowMs) => {
        if (second > 10) return;
        path.heard(nowMs);
        path.handleFeedback(nowMs);
      }),
    ).toBeUndefined();
    expect(path.isDeadAtRestart(60_000)).toBe(true);
  });

  it('that receives hardly anything is not judged', () => {
    path.heard(1000);
    path.handleFeedback(1000);
    out.sentPackets += 20;
    path.heard(20_000);
    expect([path.isDead(20_000), path.isDeadAtRestart(20_000)]).toEqual([false, false]);
  });

  it('that never reported anything is not judged', () => {
    expect(deadAfter((_, nowMs) => path.heard(nowMs))).toBeUndefined();
  });
});
