import { expect, it } from 'vitest';
import { TransportFeedback } from '../src/feedback.ts';

/**
 * What a packet of transport-wide feedback says: numbers with their arrival in ms from the first one's, undefined where
 * missing.
 */
function read(packet: Buffer): { base: number; arrivals: (number | undefined)[] } {
  const [base, count] = [packet.readUInt16BE(12), packet.readUInt16BE(14)];
  const statuses: number[] = [];
  let at = 20;
  for (; statuses.length < count; at += 2) {
    const chunk = packet.readUInt16BE(at);
    if ((chunk & 0x8000) === 0) statuses.push(...Array.from({ length: chunk & 0x1fff }, () => (chunk >> 13) & 3));
    else statuses.push(...Array.from({ length: 7 }, (_, i) => (chunk >> (12 - 2 * i)) & 3));
  }
  let clock = packet.readUIntBE(16, 3) * 64;
  const arrivals = statuses.slice(0, count).map((status) => {
    if (status === 0) return undefined;
    clock += (status === 1 ? packet.readUInt8(at) : packet.readInt16BE(at)) / 4;
    at += status;
    return clock;
  });
  return { base, arrivals };
}

it('tells which packets came when, missing ones and the number after 65,535 included', () => {
  const feedback = new TransportFeedback(() => undefined);
  expect(feedback.report()).toBeUndefined();
  feedback.received(65_534, 1_000);
  feedback.received(65_535, 1_003.5);
  feedback.received(2, 1_200);
  feedback.received(1, 1_201);
  const { base, arrivals } = read(feedback.report()!);
  expect(base).toBe(65_534);
  expect(arrivals).toEqual([1_000, 1_003.5, undefined, 1_201, 1_200]);
  expect(feedback.report()).toBeUndefined();
  for (let n = 3; n < 103; n++) feedback.received(n, 1_300 + n);
  const next = read(feedback.report()!);
  expect(next.base).toBe(3);
  expect(next.arrivals).toEqual(Array.from({ length: 100 }, (_, n) => 1_303 + n));
  feedback.close();
});
