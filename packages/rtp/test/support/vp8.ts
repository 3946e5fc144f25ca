import { rtpPacket } from './packets.ts';

/** The packets of a frame, with at most `size` coded bytes each and the shortest payload descriptor. */
export function vp8Packets(frame: Buffer, options: { sequence: number; timestamp: number; size?: number }): Buffer[] {
  const { sequence, timestamp, size = 40 } = options;
  const count = Math.ceil(frame.length / size);
  return Array.from({ length: count }, (_, n) =>
    rtpPacket({
      sequence: sequence + n,
      timestamp,
      ssrc: 7,
      marker: n === count - 1,
      payload: Buffer.concat([Buffer.from([n === 0 ? 0x10 : 0x00]), frame.subarray(n * size, (n + 1) * size)]),
    }),
  );
}

/** A frame with the header of a key frame of this size; the rest is not decodable. */
export function keyFrame(width: number, height: number, length = 100): Buffer {
  const frame = Buffer.alloc(length, 0x55);
  frame.set([0x10, 0, 0, 0x9d, 0x01, 0x2a, width & 0xff, width >> 8, height & 0xff, height >> 8]);
  return frame;
}

export function deltaFrame(length = 60): Buffer {
  const frame = Buffer.alloc(length, 0xaa);
  frame[0] = 0x11;
  return frame;
}
