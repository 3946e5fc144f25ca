import { describe, expect, it } from 'vitest';
import { RtpPacket } from '../src/packet.ts';
import { arrivals, MissingPackets } from '../src/receiving/missing-packets.ts';
import { ReceivedStream } from '../src/receiving/received-stream.ts';
import { rtpPacket } from './support/packets.ts';

describe('missing packets', () => {
  it('requests at once, repeats after growing intervals, and gives up', () => {
    const missing = new MissingPackets();
    expect(missing.received(65_534, 0)).toBe(arrivals.next);
    expect(missing.received(1, 0)).toBe(arrivals.afterGap);
    expect(missing.due(0)).toEqual([65_535, 0]);
    expect(missing.due(30)).toEqual([]);
    expect(missing.received(0, 80)).toBe(arrivals.late);
    expect(missing.received(0, 80)).toBe(arrivals.repeated);
    expect(missing.due(100)).toEqual([65_535]);
    let asked = 2;
    for (let now = 101; now < 10_000; now += 10) asked += missing.due(now).length;
    expect(asked).toBe(10);
    expect(missing.any).toBe(false);
  });

  it('repeats requests sooner on a short path', () => {
    const missing = new MissingPackets();
    missing.received(0, 0);
    for (let i = 1; i <= 30; i += 1) {
      missing.received(i * 2, i * 100);
      missing.due(i * 100);
      missing.received(i * 2 - 1, i * 100 + 20);
    }
    expect(missing.roundTripMs).toBeGreaterThan(19);
    expect(missing.roundTripMs).toBeLessThan(23);
    missing.received(62, 4000);
    expect(missing.due(4000)).toEqual([61]);
    expect(missing.due(4020)).toEqual([]);
    expect(missing.due(4030)).toEqual([61]);
  });

  it('treats a far jump as a restart', () => {
    const missing = new MissingPackets();
    missing.received(10, 0);
    expect(missing.received(5000, 0)).toBe(arrivals.next);
    expect(missing.any).toBe(false);
    expect(missing.received(5002, 0)).toBe(arrivals.afterGap);
    expect(missing.received(40_000, 0)).toBe(arrivals.next);
    expect(missing.any).toBe(false);
  });
});

describe('received stream', () => {
  const packet = new RtpPacket();
  const feed = (stream: ReceivedStream, sequence: number, timestamp: number, nowMs: number) => {
    packet.parse(rtpPacket({ sequence, timestamp }));
    stream.received(packet, nowMs);
  };

  it('reports loss per interval and in all, and the extended sequence number', () => {
    const stream = new ReceivedStream(1, 90_000);
    for (let i = 0; i < 100; i += 1) if (i % 10 !== 5) feed(stream, (65_500 + i) & 0xffff, i * 900, i * 10);
    const first = stream.reportBlock(1000);
    expect(first).toMatchObject({ cumulativeLost: 10, highestSequence: 65_536 + 63, fractionLost: 25, jitter: 0 });
    for (let i = 100; i < 110; i += 1) feed(stream, (65_500 + i) & 0xffff, i * 900, i * 10);
    expect(stream.reportBlock(2000)).toMatchObject({ cumulativeLost: 10, fractionLost: 0 });
  });

  it("maps its timestamps to the sender's clock and back", () => {
    const stream = new ReceivedStream(1, 90_000);
    expect(stream.senderTime(0)).toBeUndefined();
    const unixMs = 1_700_000_000_500;
    stream.handleSenderReport(
      { ssrc: 1, ntpHigh: 1_700_000_000 + 2_208_988_800, ntpLow: 2 ** 31, rtpTimestamp: 0xffffff00 },
      50,
    );
    expect(stream.senderTime(0xffffff00)).toBeCloseTo(unixMs, 3);
    expect(stream.senderTime((0xffffff00 + 90_000) >>> 0)).toBeCloseTo(unixMs + 1000, 3);
    expect(stream.timestampAt(unixMs + 1000)).toBe((0xffffff00 + 90_000) >>> 0);
    const block = stream.reportBlock(150);
    expect(block.delaySinceLastSenderReport).toBe(6554);
    expect(block.lastSenderReport >>> 0).toBe((((1_700_000_000 + 2_208_988_800) & 0xffff) * 65_536 + 32_768) >>> 0);
  });
});
