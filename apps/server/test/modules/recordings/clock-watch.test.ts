import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClockWatch } from '../../../src/modules/recordings/control/clock-watch.ts';
import { LEASE } from '../../../src/modules/recordings/control/leases.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }));
afterEach(() => void vi.useRealTimers());

test.each([600_000, -600_000])(
  'after a clock was set by %i ms, leases are not trusted until they are renewed',
  (ms) => {
    let ahead = 0;
    const watch = new ClockWatch(() => new Date(Date.now() + ahead));
    expect(watch.isSettled()).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(watch.isSettled()).toBe(true);
    ahead = ms;
    expect(watch.isSettled()).toBe(false);
    vi.advanceTimersByTime(LEASE - 1);
    expect(watch.isSettled()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(watch.isSettled()).toBe(true);
  },
);
