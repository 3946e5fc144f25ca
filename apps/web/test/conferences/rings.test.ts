import { describe, expect, test } from 'vitest';
import {
  isInMeeting,
  isThere,
  withAnswer,
  withEvent,
  without,
  withoutSpent,
  type Ring,
} from '../../src/features/conferences/ring/rings.ts';

const now = Date.parse('2026-11-20T09:00:00.000Z');
const meetId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const other = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d12';
const call = (id = meetId, until = '2026-11-20T09:00:45.000Z') => ({
  type: 'ring' as const,
  meetId: id,
  numericId: '482913057',
  subject: 'Ward round',
  from: 'Chair',
  until,
});
const ring: Ring = {
  meetId,
  numericId: '482913057',
  subject: 'Ward round',
  from: 'Chair',
  until: '2026-11-20T09:00:45.000Z',
  endsAt: now + 45_000,
};

describe('the list of rings', () => {
  test('begins with a call, and ends when the server says so or its time is over', () => {
    const rings = withEvent([], call(), now);
    expect(rings).toEqual([ring]);
    expect(withEvent(rings, { type: 'ringOver', meetId: other }, now)).toBe(rings);
    expect(withEvent(rings, { type: 'ringOver', meetId }, now)).toEqual([]);
    expect(withoutSpent(rings, now + 44_999)).toBe(rings);
    expect(withoutSpent(rings, now + 45_000)).toEqual([]);
    expect(withEvent(rings, { type: 'accessChanged' }, now)).toBe(rings);
    expect(without(rings, meetId)).toEqual([]);
  });

  test('queues calls, one per meeting', () => {
    const rings = [call(), call(other), call()].reduce(
      (before, event) => withEvent(before, event, now),
      [] as readonly Ring[],
    );
    expect(rings.map((one) => one.meetId)).toEqual([other, meetId]);
  });

  test('combines the answer of the server with later events', () => {
    const { type: _, ...answer } = call();
    expect(withAnswer([answer], [], now)).toEqual([ring]);
    expect(withAnswer([answer], [call(other), { type: 'ringOver', meetId }], now).map((one) => one.meetId)).toEqual([
      other,
    ]);
    expect(withAnswer([answer], [call()], now)).toEqual([ring]);
  });

  test('rings for a minute if the local clock is wrong', () => {
    for (const until of ['2026-11-20T08:55:00.000Z', '2026-11-20T09:30:00.000Z'])
      expect(withEvent([], call(meetId, until), now)).toMatchObject([{ endsAt: now + 60_000 }]);
  });
});

describe('where a called person is', () => {
  const at = (path: string, state: unknown = null) => {
    const { pathname, search } = new URL(path, 'http://x');
    return { pathname, search, state };
  };

  test('decides whether they need no call', () => {
    expect(isThere(at('/join?number=482913057', { joined: true }), ring)).toBe(true);
    expect(isThere(at('/join?number=482913057&pwd=4821'), ring)).toBe(true);
    expect(isThere(at('/join?number=111111111', { joined: true }), ring)).toBe(false);
    expect(isThere(at('/myMeeting?number=482913057'), ring)).toBe(false);
  });

  test('decides whether they would leave another meeting', () => {
    expect(isInMeeting(at('/join?number=111111111', { joined: true }))).toBe(true);
    expect(isInMeeting(at('/join?number=111111111'))).toBe(false);
    expect(isInMeeting(at('/myMeeting', { joined: true }))).toBe(false);
  });
});
