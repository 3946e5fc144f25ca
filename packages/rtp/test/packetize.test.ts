import { describe, expect, it } from 'vitest';
import { packetizeH264, packetizeVp8 } from '../src/codecs/packetize.ts';
import { Vp8Descriptor } from '../src/codecs/vp8-descriptor.ts';
import { writeHeader } from '../src/header.ts';
import { RtpPacket } from '../src/packet.ts';

describe('packetizing', () => {
  it('splits an H.264 unit that is too long into fragments that give the unit again', () => {
    const unit = Buffer.concat([Buffer.from([0x65]), Buffer.alloc(3_000, 7)]);
    const delimiter = Buffer.from([0, 0, 0, 1, 9, 0xf0]);
    const payloads = packetizeH264(Buffer.concat([delimiter, Buffer.from([0, 0, 0, 1]), unit]), 1_100);
    expect(payloads.map((payload) => [payload[0]! & 0x1f, payload[1]! >> 6])).toEqual([
      [28, 2],
      [28, 0],
      [28, 1],
    ]);
    const header = (payloads[0]![0]! & 0xe0) | (payloads[0]![1]! & 0x1f);
    expect(Buffer.concat([Buffer.from([header]), ...payloads.map((payload) => payload.subarray(2))])).toEqual(unit);
  });

  it('keeps short H.264 units whole', () => {
    const unit = Buffer.from([0x67, 1, 2, 3]);
    expect(packetizeH264(Buffer.concat([Buffer.from([0, 0, 1]), unit, Buffer.from([0, 0, 0, 1]), unit]), 10)).toEqual([
      unit,
      unit,
    ]);
  });

  it('splits a VP8 frame into payloads of which the first starts the frame', () => {
    const frame = Buffer.alloc(250, 7);
    const descriptor = new Vp8Descriptor();
    const parts = packetizeVp8(frame, 100).map((payload) => {
      expect(descriptor.parse(payload, 0, payload.length)).toBe(true);
      return [descriptor.startsFrame, descriptor.longPictureId, payload.length - descriptor.length];
    });
    expect(parts).toEqual([
      [true, true, 100],
      [false, true, 100],
      [false, true, 50],
    ]);
  });
});

describe('RTP header', () => {
  it('has twelve bytes without extensions', () => {
    expect(writeHeader(96, true, 1, [])).toEqual(Buffer.from([0x80, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]));
  });

  it('is read back with its extensions', () => {
    const extensions = [
      { id: 1, value: Buffer.from('mid') },
      { id: 4, value: Buffer.from([7, 8]) },
    ];
    const packet = new RtpPacket();
    expect(packet.parse(Buffer.concat([writeHeader(111, false, 9, extensions), Buffer.from([1])]))).toBe(true);
    expect(packet).toMatchObject({ payloadType: 111, marker: false, ssrc: 9 });
    expect([1, 4, 5].map((id) => packet.extensionText(id))).toEqual(['mid', '\x07\x08', undefined]);
    expect(packet.payloadEnd - packet.payloadOffset).toBe(1);
  });
});
