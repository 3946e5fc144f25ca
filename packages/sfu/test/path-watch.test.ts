import { beforeEach, describe, expect, it } from 'vitest';
import { PathWatch } from '../src/connection/path-watch.ts';
import { TokenBucket } from '../src/limits.ts';

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

describe('silence', () => {
  /** Ticks of 50 ms until the path falls silent, at 30 packets a second; undefined if it does not within 5 s. */
  function silentAfter(each: (tick: number) => void, fromMs = 0): number | undefined {
    for (let tick = 1; tick <= 100; tick += 1) {
      out.sentPackets += 1.5;
      each(tick);
      if (path.fallsSilent(fromMs + tick * 50)) return tick;
    }
    return undefined;
  }
  const everyFifth = (tick: number): void => {
    if (tick % 5 === 0) path.handleFeedback(tick * 50);
  };

  it('is not seen while feedback comes four times a second', () => {
    expect(silentAfter(everyFifth)).toBeUndefined();
  });

  it('is seen 400 ms after the last feedback, and once', () => {
    const untilTen = (tick: number): void => {
      if (tick <= 10) everyFifth(tick);
    };
    expect(silentAfter(untilTen)).toBe(17);
    expect(silentAfter(() => undefined, 5000)).toBeUndefined();
  });

  it('ends with the next feedback; the next one is seen after two seconds at the earliest', () => {
    path.handleFeedback(0);
    expect(silentAfter(() => undefined)).toBe(8);
    expect(path.handleFeedback(450)).toBe(true);
    expect(path.handleFeedback(500)).toBe(false);
    expect(silentAfter(() => undefined, 500)).toBe(38);
  });

  it('that comes again and again is acted on once a minute in the end, and as at first after a calm time', () => {
    /** The peer reports once after each restart. Seconds between the restarts. */
    const intervals = (count: number, fromMs: number): number[] => {
      const restarts: number[] = [];
      path.handleFeedback(fromMs);
      for (let nowMs = fromMs; restarts.length <= count; nowMs += 50) {
        out.sentPackets += 1.5;
        if (!path.fallsSilent(nowMs)) continue;
        restarts.push(nowMs);
        path.handleFeedback(nowMs);
      }
      return restarts.slice(1).map((at, index) => (at - restarts[index]!) / 1000);
    };
    expect(intervals(7, 0)).toEqual([2, 4, 8, 16, 32, 60, 60]);
    expect(intervals(2, 400_000)).toEqual([2, 4]);
  });

  it('of many peers at once is acted on twenty times a second', () => {
    const restarts = new TokenBucket(20, 20, 0);
    const sent = Array.from({ length: 50 }, () => ({ sentPackets: 0 }));
    const watches = sent.map((counted) => new PathWatch(counted, restarts));
    for (const watch of watches) watch.handleFeedback(0);
    for (const counted of sent) counted.sentPackets = 30;
    const silent: number[] = [];
    for (let tick = 1; tick <= 28; tick += 1)
      silent.push(watches.filter((watch) => watch.fallsSilent(tick * 50)).length);
    expect(silent.slice(0, 8)).toEqual([0, 0, 0, 0, 0, 0, 0, 20]);
    expect(silent.reduce((sum, count) => sum + count)).toBe(40);
  });

  it('is not assumed of a peer without feedback, nor of one that is sent nothing', () => {
    expect(silentAfter(() => path.handleReport(1, 1, 0))).toBeUndefined();
    path.handleFeedback(0);
    expect(Array.from({ length: 20 }, (_, tick) => path.fallsSilent(tick * 50))).not.toContain(true);
  });
});
