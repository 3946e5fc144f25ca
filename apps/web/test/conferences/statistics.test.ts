import type { TerminalReport } from '@rmeet/contract';
import { expect, test } from 'vitest';
import { connectionOf } from '../../src/features/conferences/settings/statistics.ts';

type Stream = TerminalReport['streams'][number];

const stream = (change: Partial<Stream>): Stream => ({
  direction: 'up',
  source: 'camera',
  peer: null,
  end: 'terminal',
  codec: 'VP8',
  width: null,
  height: null,
  frames: null,
  bitrate: null,
  loss: null,
  jitter: null,
  roundTrip: null,
  layers: [],
  ...change,
});

const report = (change: Partial<TerminalReport> = {}): TerminalReport => ({
  quality: 'good',
  speaking: false,
  estimateUp: null,
  estimateDown: null,
  roundTrip: 30,
  limitedBy: 'none',
  streams: [
    stream({ width: 1_280, height: 720, frames: 29.6, bitrate: 1_400_000 }),
    stream({ source: 'microphone', bitrate: 40_000 }),
    stream({ end: 'engine', loss: 0.5 }),
    stream({ direction: 'down', peer: 'T1', width: 640, height: 360, frames: 25, bitrate: 500_000, loss: 0 }),
    stream({ direction: 'down', peer: 'T2', width: 320, height: 180, frames: 15, bitrate: 130_000, loss: 1 }),
  ],
  ...change,
});

test('sums the flowing streams and finds the largest picture', () => {
  expect(connectionOf(report())).toEqual({
    verdict: 'good',
    roundTrip: 30,
    lossUp: 0.5,
    lossDown: 1,
    sent: { rate: 1_440, picture: { width: 1_280, height: 720, frames: 30 } },
    received: { rate: 630, picture: { width: 640, height: 360, frames: 25 } },
    limitedBy: null,
  });
});

test.each([
  ['good', {}],
  ['fair', { roundTrip: 200 }],
  ['fair', { streams: [stream({ end: 'engine', loss: 3 })] }],
  ['poor', { roundTrip: 500 }],
  ['poor', { quality: 'lost' }],
  ['poor', { streams: [stream({ direction: 'down', loss: 10 })] }],
] as const)('is %s with %o', (verdict, change) => {
  expect(connectionOf(report(change as Partial<TerminalReport>)).verdict).toBe(verdict);
});
