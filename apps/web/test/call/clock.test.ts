import { expect, test } from 'vitest';
import { clockAhead } from '../../src/call/clock.ts';

const START = '2026-11-20T09:00:00.000Z';
const now = Date.parse(START);

test('an immediate answer shows the difference of the clocks, in either direction', () => {
  expect(clockAhead(null, START, now - 5_000)).toBe(5_000);
  expect(clockAhead(null, START, now + 5_040)).toBe(-5_040);
});

test('a late answer does not change a better estimate', () => {
  const known = clockAhead(null, START, now + 20);
  expect(clockAhead(known, START, now + 30_000)).toBe(-20);
  expect(clockAhead(known, START, now + 5)).toBe(-5);
});
