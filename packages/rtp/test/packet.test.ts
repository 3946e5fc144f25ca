import { describe, expect, it } from 'vitest';
import { RtpPacket, sequenceDistance, timestampDistance } from '../src/packet.ts';
import { rtpPacket } from './support/packets.ts';

describe('RTP header', () => {
  it('reads the fixed part, skips contributing sources and finds where the payload ends', () => {
    const packet = new RtpPacket();
    const buffer = rtpPacket({
      sequence: 0xfffe,
      timestamp: 0xfffffff0,
      ssrc: 0xdeadbeef,
      payloadType: 111,
      marker: true,
      csrcs: 2,
      padding: 5,
    });
    expect(packet.parse(buffer)).toBe(true);
    expect(packet).toMatchObject({
      sequenceNumber: 0xfffe,
      timestamp: 0xfffffff0,
      ssrc: 0xdeadbeef,
      payloadType: 111,
      marker: true,
    });
    expect([...buffer.subarray(packet.payloadOffset, packet.payloadEnd)]).toEqual([1, 2, 3, 4]);
  });

  it.each([false, true])('finds header extensions (two-byte form: %s)', (twoByte) => {
    const packet = new RtpPacket();
    packet.parse(
      rtpPacket({ twoByte, extensions: { 1: Buffer.from([0x8f]), 4: Buffer.from('mid7'), 10: Buffer.from('q') } }),
    );
    expect(packet.extensionText(4)).toBe('mid7');
    expect(packet.extensionText(10)).toBe('q');
    expect(packet.extensionText(3)).toBeUndefined();
    expect(packet.findExtension(1)).toBe(true);
    expect(packet.buffer[packet.extensionOffset]).toBe(0x8f);
  });

  it('rejects truncated and inconsistent packets, at every length', () => {
    const packet = new RtpPacket();
    const whole = rtpPacket({ extensions: { 1: Buffer.from([1, 2, 3]) }, csrcs: 1 });
    for (let length = 0; length < whole.length - 4; length += 1)
      expect(packet.parse(whole.subarray(0, length))).toBe(false);
    const padded = rtpPacket({ padding: 3 });
    padded[padded.length - 1] = 200;
    expect(packet.parse(padded)).toBe(false);
    expect(packet.parse(Buffer.alloc(40))).toBe(false);
  });

  it('measures distances across the wrap', () => {
    expect(sequenceDistance(0xffff, 2)).toBe(3);
    expect(sequenceDistance(2, 0xffff)).toBe(-3);
    expect(timestampDistance(0xffffffff, 4)).toBe(5);
  });
});
