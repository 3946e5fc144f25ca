import { describe, expect, test } from 'vitest';
import type { CallEnd } from '../../src/call/index.ts';
import { NOT_STARTED, rowsOf, type Progress } from '../../src/features/conferences/join/connection-check.ts';
import { waysAfter } from '../../src/features/conferences/join/end-ways.ts';
import { createHearing } from '../../src/features/conferences/join/hearing.ts';

describe('a microphone', () => {
  /** What is said after so many seconds of a level. */
  const after = (judge: (level: number) => string, seconds: number, level: number): string => {
    let said = '';
    for (let report = 0; report < seconds * 15; report += 1) said = judge(level);
    return said;
  };

  test('is silent after five seconds without a sound, and heard from the first sound on', () => {
    const judge = createHearing();
    expect(after(judge, 4.9, 0)).toBe('listening');
    expect(after(judge, 0.2, 0.05)).toBe('silent');
    expect(judge(0.4)).toBe('heard');
    expect(after(judge, 60, 0)).toBe('heard');
  });
});

describe('the connection check shows', () => {
  const said = (progress: Partial<Progress>) =>
    rowsOf({ ...NOT_STARTED, ...progress }).map(({ state, words }) => `${state} ${words}`);
  const udp = { way: 'udp', port: 7882, ms: 12 } as const;

  test('what runs, and what comes next', () => {
    expect(said({})).toEqual(['running running', 'waiting waiting', 'waiting waiting']);
    expect(said({ signalled: true })).toEqual(['ok serverOk', 'running running', 'waiting waiting']);
    expect(said({ signalled: true, reach: udp })).toEqual(['ok serverOk', 'ok mediaUdp', 'running running']);
  });

  test.each([
    [{ ms: 12, lost: 0 }, 'ok qualityGood'],
    [{ ms: 300, lost: 0.03 }, 'ok qualityGood'],
    [{ ms: 301, lost: null }, 'warning qualitySlow'],
    [{ ms: 900, lost: 0.031 }, 'warning qualityLossy'],
    [{ ms: null, lost: null }, 'warning qualityUnknown'],
  ])('of %j: %s', (delivery, quality) => {
    expect(said({ signalled: true, reach: udp, delivery })[2]).toBe(quality);
  });

  test.each([
    [{ way: 'tcp' }, 'warning mediaTcp'],
    [{ way: 'relay' }, 'warning mediaRelay'],
    [{ way: 'relay', relayBy: 'udp' }, 'warning mediaRelayUdp'],
    [{ way: 'relay', relayBy: 'tcp' }, 'warning mediaRelayTcp'],
    [{ way: 'relay', relayBy: 'tls' }, 'warning mediaRelayTls'],
  ] as const)('that media use another path: %j', (path, media) => {
    expect(said({ signalled: true, reach: { ...udp, ...path } })[1]).toBe(media);
  });

  test('which step failed, and that the later ones were not tried', () => {
    const skipped = 'waiting skipped';
    expect(said({ refused: 'busy' })).toEqual(['failed serverBusy', skipped, skipped]);
    expect(said({ refused: 'unavailable' })[0]).toBe('failed serverUnavailable');
    expect(said({ refused: 'unreachable' })[0]).toBe('failed serverUnreachable');
    expect(said({ reach: { way: null, failedAt: 'signalling' } })).toEqual([
      'failed signallingBlocked',
      skipped,
      skipped,
    ]);
    expect(said({ signalled: true, reach: { way: null, failedAt: 'media' } })).toEqual([
      'ok serverOk',
      'failed mediaBlocked',
      skipped,
    ]);
  });
});

describe('after a call', () => {
  const ways = (end: CallEnd, signedIn: boolean, canReturn = true, wasInside = false) =>
    waysAfter({ end, signedIn, canReturn, wasInside });

  test('the first way on is the likeliest: back after a loss, home after leaving', () => {
    expect(ways('gone', true)).toEqual(['again', 'home']);
    expect(ways('refused', true)).toEqual(['again', 'home']);
    for (const end of ['left', 'removed', 'elsewhere'] as const) expect(ways(end, true)).toEqual(['home', 'again']);
  });

  test('a guest, who has no home page, can return first', () => {
    expect(ways('left', false)).toEqual(['again', 'other']);
    expect(ways('time', false)).toEqual(['other']);
  });

  test('a member who was inside is offered the record of a meeting that is over', () => {
    for (const end of ['ended', 'endedByHost', 'endedByMe', 'time', 'closed'] as const) {
      expect(ways(end, true, true, true)).toEqual(['home', 'record']);
      expect(ways(end, false, true, true)).toEqual(['other']);
    }
    expect(ways('left', true, true, true)).toEqual(['home', 'again']);
  });

  test('a meeting that is over or closed to the person is not offered', () => {
    for (const end of ['ended', 'endedByHost', 'endedByMe', 'time', 'empty', 'closed', 'cancelled', 'early'] as const)
      expect(ways(end, true)).toEqual(['home']);
    expect(ways('removed', true, false)).toEqual(['home']);
    expect(ways('removed', false, false)).toEqual(['other']);
  });
});
