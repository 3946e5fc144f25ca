import type { MediaStream as ReportedStream } from '@rmeet/contract';
import { expect, test } from 'vitest';
import type { MediaSource, Reception } from '../../src/call/media-types.ts';
import { DeliveryCheck } from '../../src/call/delivery-check.ts';

type Sent = 'sent' | 'reported' | null;

/** A camera sample: the data of its report, and what the engine receives; null if it is not on air. */
interface Look {
  camera?: Sent;
  taken?: Reception | null;
  hasCompany?: boolean;
}

function looker() {
  const check = new DeliveryCheck();
  return (times: number, { camera = 'sent', taken = 'unknown', hasCompany = true }: Look): MediaSource[] => {
    const stream = (end: ReportedStream['end']): ReportedStream => ({
      direction: 'up',
      source: 'camera',
      peer: null,
      end,
      codec: 'VP8',
      bitrate: 1,
      loss: 0,
      jitter: 0,
      roundTrip: 0,
      width: 1,
      height: 1,
      frames: 1,
      layers: [],
    });
    const streams = camera === null ? [] : [stream('terminal'), ...(camera === 'reported' ? [stream('engine')] : [])];
    const onAir = new Map<MediaSource, Reception>(taken === null ? [] : [['camera', taken]]);
    return Array.from({ length: times }, () => check.look({ streams }, { onAir, hasCompany })).at(-1) ?? [];
  };
}

test('a source that the engine refuses or never reports reaches no one, which shows after ten seconds', () => {
  for (const vain of [{ camera: null, taken: 'refused' }, { taken: 'unknown' }] satisfies Look[]) {
    const look = looker();
    expect(look(4, vain)).toEqual([]);
    expect(look(1, vain)).toEqual(['camera']);
    expect(look(20, vain)).toEqual(['camera']);
  }
});

test.each<[string, Look]>([
  ['the engine reports its packets', { camera: 'reported' }],
  ['a participant receives it', { taken: 'received' }],
  ['no other participant is there', { hasCompany: false }],
  ['nothing is sent because no one watches', { camera: null }],
  ['it is muted', { taken: null }],
])('no failure is reported if %s', (_, look) => {
  expect(looker()(50, look)).toEqual([]);
});

test('a report ends with the first sign of a receiver, and with the source; short pauses do not end it', () => {
  for (const end of [{ camera: 'reported' }, { taken: 'received' }, { taken: null }] satisfies Look[]) {
    const look = looker();
    expect(look(5, {})).toEqual(['camera']);
    expect(look(3, { camera: null })).toEqual(['camera']);
    expect(look(1, end)).toEqual([]);
    expect(look(4, {})).toEqual([]);
  }
});
