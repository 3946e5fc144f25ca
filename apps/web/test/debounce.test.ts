import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DebouncedCall } from '../src/lib/debounce.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A slider that moves from 1 to 5, one step every 100 ms. */
function slide(): { steps: DebouncedCall; called: number[] } {
  const called: number[] = [];
  const steps = new DebouncedCall(300);
  for (const step of [1, 2, 3, 4, 5]) {
    steps.next(() => called.push(step));
    vi.advanceTimersByTime(100);
  }
  return { steps, called };
}

test('only the last of several calls in a row is executed, after a pause', () => {
  const { called } = slide();
  vi.advanceTimersByTime(199);
  expect(called).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(called).toEqual([5]);
});

test('a flush executes the pending call at once, and not again', () => {
  const { steps, called } = slide();
  steps.flush();
  expect(called).toEqual([5]);
  steps.flush();
  vi.advanceTimersByTime(1_000);
  expect(called).toEqual([5]);
});

test('a forgotten call is not executed', () => {
  const { steps, called } = slide();
  steps.forget();
  vi.advanceTimersByTime(1_000);
  expect(called).toEqual([]);
});
