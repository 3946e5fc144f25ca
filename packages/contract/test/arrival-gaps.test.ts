import { expect, test } from 'vitest';
import { ArrivalGaps } from '@rmeet/contract';

const one = (counter: string, count: number, stream = 'alice camera') => ({ stream, counter, count });

test('a stream that arrives over another connection in time has no gap', () => {
  const gaps = new ArrivalGaps();
  gaps.see(0, [one('old', 5)]);
  gaps.see(100, [one('old', 10)]);
  gaps.see(200, [one('old', 15), one('new', 0)]);
  gaps.see(300, [one('old', 15), one('new', 4)]);
  gaps.see(400, [one('new', 9)]);
  expect(gaps.longest(400)).toBe(100);
});

test('the longest silence of any stream counts, even while it lasts', () => {
  const gaps = new ArrivalGaps();
  for (const at of [0, 100, 200]) gaps.see(at, [one('a', at), one('b', at, 'bob microphone')]);
  gaps.see(900, [one('a', 900), one('b', 200, 'bob microphone')]);
  expect(gaps.longest(1_500)).toBe(1_300);
  expect(gaps.longest(1_500, (stream) => stream === 'bob microphone')).toBe(700);
});

test('without any arrival there is no gap', () => {
  const gaps = new ArrivalGaps();
  gaps.see(0, [one('a', 0)]);
  gaps.see(1_000, [one('a', 0)]);
  expect(gaps.longest(2_000)).toBeUndefined();
  expect(gaps.streams).toEqual([]);
});
