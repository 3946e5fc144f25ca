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

test('of many in a row the last one is called, once it has rested', () => {
  const { called } = slide();
  vi.advanceTimersByTime(199);
  expect(called).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(called).toEqual([5]);
});

test('who goes on to something else has it called at once, and not again', () => {
  const { steps, called } = slide();
  steps.flush();
  expect(called).toEqual([5]);
  steps.flush();
  vi.advanceTimersByTime(1_000);
  expect(called).toEqual([5]);
});

test('what is forgotten is not called', () => {
  const { steps, called } = slide();
  steps.forget();
  vi.advanceTimersByTime(1_000);
  expect(called).toEqual([]);
});
