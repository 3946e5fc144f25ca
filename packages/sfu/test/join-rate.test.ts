import { expect, it } from 'vitest';
import { JoinRate } from '../src/signalling/join-rate.ts';

it('limits joins per identity and room: thirty at once, then one a second', () => {
  const rate = new JoinRate();
  const allowed = (count: number, identity: string, room: string, nowMs: number): number =>
    Array.from({ length: count }, () => rate.allows(room, identity, nowMs)).filter(Boolean).length;
  expect(allowed(100, 'mallory', 'a', 0)).toBe(30);
  expect(allowed(1, 'alice', 'a', 0)).toBe(1);
  expect(allowed(1, 'mallory', 'b', 0)).toBe(1);
  expect(allowed(100, 'mallory', 'a', 5_000)).toBe(5);
  expect(rate.size).toBe(3);
  expect(allowed(100, 'mallory', 'a', 60_000)).toBe(30);
  expect(rate.size).toBe(1);
});

it('remembers an identity that keeps joining', () => {
  const rate = new JoinRate();
  const allowed = (nowMs: number): number =>
    Array.from({ length: 100 }, () => rate.allows('a', 'mallory', nowMs)).filter(Boolean).length;
  expect([allowed(0), allowed(20_000), allowed(31_000), allowed(51_000)]).toEqual([30, 20, 11, 20]);
});
