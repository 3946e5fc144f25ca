/** RTP packets for tests, as LiveKit's engines send them. */

export interface PacketOptions {
  sequence: number;
  timestamp: number;
  payload: Buffer;
  marker?: boolean;
  ssrc?: number;
  /** Bytes of padding at the end. */
  padding?: number;
}

export function packet({ sequence, timestamp, payload, marker = false, ssrc = 7, padding = 0 }: PacketOptions): Buffer {
  const header = Buffer.alloc(12);
  header[0] = 0x80 | (padding > 0 ? 0x20 : 0);
  header[1] = (marker ? 0x80 : 0) | 96;
  header.writeUInt16BE(sequence & 0xffff, 2);
  header.writeUInt32BE(timestamp >>> 0, 4);
  header.writeUInt32BE(ssrc, 8);
  const filler = Buffer.alloc(padding);
  if (padding > 0) filler[padding - 1] = padding;
  return Buffer.concat([header, payload, filler]);
}

/** A frame cut into packets of at most `size` coded bytes, with the descriptor's smallest form. */
export function vp8Packets(frame: Buffer, options: { sequence: number; timestamp: number; size?: number }): Buffer[] {
  const { sequence, timestamp, size = 40 } = options;
  const count = Math.ceil(frame.length / size);
  return Array.from({ length: count }, (_, n) =>
    packet({
      sequence: sequence + n,
      timestamp,
      marker: n === count - 1,
      payload: Buffer.concat([Buffer.from([n === 0 ? 0x10 : 0x00]), frame.subarray(n * size, (n + 1) * size)]),
    }),
  );
}

/** The beginning of a key frame of this size, and something behind it. */
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
