import { terminalReport, type MediaStream as ReportedStream } from '@rmeet/contract';
import { expect, test } from 'vitest';
import type { MediaSample } from '../../src/call/media-types.ts';
import { reportOf } from '../../src/call/reports.ts';
import recorded from './fixtures/chromium-stats.json' with { type: 'json' };

/**
 * Two samples of Chromium's getStats, two seconds apart: microphone and camera in two layers to the engine, two
 * participants from it; the chair has held and released both.
 */
const [MICROPHONE, CAMERA] = recorded.now
  .filter(({ type }) => type === 'media-source')
  .map(({ trackIdentifier = '' }) => trackIdentifier);
const inbound = recorded.now.filter(({ type }) => type === 'inbound-rtp');
const tracks: MediaSample['tracks'] = new Map<string, { source: 'microphone' | 'camera'; peer: string | null }>([
  [MICROPHONE ?? '', { source: 'microphone', peer: null }],
  [CAMERA ?? '', { source: 'camera', peer: null }],
  ...inbound.map(
    ({ kind, trackIdentifier = '' }, at) =>
      [
        trackIdentifier,
        { source: kind === 'audio' ? 'microphone' : 'camera', peer: at % 2 === 0 ? 'alice' : 'bob' },
      ] as const,
  ),
]);
const sampleOf = (entries: object[]): MediaSample => ({
  stats: entries as RTCStats[],
  tracks,
  onAir: new Map(),
  hasCompany: true,
});
const condition = { quality: 'good', speaking: true } as const;
const [before, now] = [sampleOf(recorded.before), sampleOf(recorded.now)];
const report = reportOf(before, now, condition);
const find = (wanted: Partial<ReportedStream>) =>
  report.streams.filter((stream) =>
    Object.entries(wanted).every(([key, value]) => stream[key as keyof ReportedStream] === value),
  );

/** The recording with fields of one entry replaced. */
const changed = (sample: readonly object[], id: string, more: object) =>
  sampleOf(sample.map((entry) => ('id' in entry && entry.id === id ? { ...entry, ...more } : entry)));
const idOf = (wanted: Record<string, unknown>): string =>
  recorded.now.find((entry) =>
    Object.entries(wanted).every(([key, value]) => (entry as Record<string, unknown>)[key] === value),
  )?.id ?? '';

test('is valid by the contract', () => {
  expect(terminalReport.parse(report)).toEqual(report);
  expect(report).toMatchObject({ quality: 'good', speaking: true, limitedBy: 'none' });
});

test('the path in use gives estimates and round trip', () => {
  expect(report.estimateUp).toBe(4_000_000);
  expect(report.estimateDown).toBe(278_287);
  expect(report.roundTrip).toBe(2);
});

test('the camera is sent in two layers, seen from both ends; stopped streams are not listed', () => {
  const [camera, ...others] = find({ direction: 'up', source: 'camera', end: 'terminal' });
  expect(others).toEqual([]);
  expect(camera).toMatchObject({ codec: 'VP8', width: 640, height: 360, peer: null, loss: null });
  expect(camera?.layers.map(({ rid, width, height, active }) => ({ rid, width, height, active }))).toEqual([
    { rid: 'q', width: 320, height: 180, active: true },
    { rid: 'h', width: 640, height: 360, active: true },
  ]);
  expect(camera?.bitrate).toBe(camera?.layers.reduce((sum, { bitrate }) => sum + bitrate, 0));
  expect(find({ direction: 'up', source: 'camera', end: 'engine' })).toMatchObject([
    { loss: 0, jitter: 15.1, roundTrip: 8.2, bitrate: null, layers: [] },
  ]);
});

test('a layer that rests keeps no old figures', () => {
  const [low, high] = [
    idOf({ type: 'outbound-rtp', rid: 'q', frameHeight: 180 }),
    idOf({ type: 'outbound-rtp', rid: 'h', frameHeight: 360 }),
  ];
  const { packetsSent = 0 } = recorded.before.find(({ id }) => id === high) ?? {};
  const receiver = idOf({ type: 'remote-inbound-rtp', localId: high });
  const rests = recorded.now.map((entry) =>
    entry.id === high ? { ...entry, packetsSent } : entry.id === receiver ? { ...entry, jitter: 0.4 } : entry,
  );
  const up = reportOf(before, sampleOf(rests), condition).streams.find(
    ({ source, end, direction }) => source === 'camera' && end === 'engine' && direction === 'up',
  );
  const jitter =
    recorded.now.find((entry) => entry.type === 'remote-inbound-rtp' && entry.localId === low)?.jitter ?? -1;
  expect(up?.jitter).toBeCloseTo(jitter * 1_000, 1);
});

test('the microphone is sent', () => {
  expect(find({ direction: 'up', source: 'microphone', end: 'terminal' })).toMatchObject([
    { codec: 'opus', width: null, frames: null, layers: [] },
  ]);
});

test('two people are received with sound and picture, seen from both ends', () => {
  const down = find({ direction: 'down', end: 'terminal' });
  expect(down.map(({ source, peer }) => `${source} ${peer}`)).toEqual([
    'microphone alice',
    'microphone bob',
    'camera alice',
    'camera bob',
  ]);
  expect(down.every(({ loss, jitter, bitrate }) => loss === 0 && (jitter ?? 0) > 0 && (bitrate ?? 0) > 10_000)).toBe(
    true,
  );
  expect(find({ direction: 'down', end: 'engine' })).toHaveLength(4);
});

/** By how much a counter grew in the recording. */
function grown(id: string, counter: 'packetsSent' | 'packetsReceived'): number {
  const [earlier, later] = [recorded.before, recorded.now].map(
    (sample) => sample.find((entry) => entry.id === id)?.[counter] ?? 0,
  );
  return (later ?? 0) - (earlier ?? 0);
}

test('loss counts the last interval', () => {
  const [low, high] = [
    idOf({ type: 'outbound-rtp', rid: 'q', frameHeight: 180 }),
    idOf({ type: 'outbound-rtp', rid: 'h', frameHeight: 360 }),
  ];
  const receiver = idOf({ type: 'remote-inbound-rtp', localId: high });
  const lossy = reportOf(
    changed(recorded.before, receiver, { packetsLost: 1_000 }),
    changed(recorded.now, receiver, { packetsLost: 1_010 }),
    condition,
  );
  const up = lossy.streams.find(
    ({ source, end, direction }) => source === 'camera' && end === 'engine' && direction === 'up',
  );
  expect(up?.loss).toBeCloseTo((10 / (grown(low, 'packetsSent') + grown(high, 'packetsSent'))) * 100, 1);

  const sound = idOf({ type: 'inbound-rtp', kind: 'audio' });
  const heard = reportOf(before, changed(recorded.now, sound, { packetsLost: 25 }), condition);
  expect(heard.streams.find(({ direction }) => direction === 'down')?.loss).toBeCloseTo(
    (25 / (25 + grown(sound, 'packetsReceived'))) * 100,
    1,
  );
});

test('what limits the encoder is reported while the layer is sent', () => {
  const layer = idOf({ type: 'outbound-rtp', rid: 'h', frameHeight: 360 });
  expect(
    reportOf(before, changed(recorded.now, layer, { qualityLimitationReason: 'bandwidth' }), condition).limitedBy,
  ).toBe('bandwidth');
  const old = idOf({ type: 'outbound-rtp', mediaSourceId: 'SV0' });
  expect(reportOf(before, changed(recorded.now, old, { qualityLimitationReason: 'cpu' }), condition).limitedBy).toBe(
    'none',
  );
});

test('streams that do not flow are not listed, and an unknown track is labelled so', () => {
  expect(reportOf(now, now, condition).streams).toEqual([]);
  expect(reportOf(before, { ...now, tracks: new Map() }, condition).streams).toMatchObject(
    Array.from({ length: 8 }, () => ({ direction: 'down', source: 'unknown', peer: null })),
  );
});

test('a report about a hundred people has at most 80 streams', () => {
  const inAPlace = (entry: Record<string, unknown>, place: number) => ({
    ...entry,
    id: `${String(entry['id'])} ${place}`,
  });
  const crowd = (sample: readonly Record<string, unknown>[]) =>
    sampleOf(
      Array.from({ length: 100 }, (_, place) =>
        sample.filter(({ type }) => type === 'inbound-rtp').map((entry) => inAPlace(entry, place)),
      ).flat(),
    );
  expect(reportOf(crowd(recorded.before), crowd(recorded.now), condition).streams).toHaveLength(80);
});
