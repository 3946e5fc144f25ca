/** RTP packets as bytes (RFC 3550, section 5.1) and their one-byte header extensions (RFC 8285). */

export const SEQUENCE_AT = 2;
export const TIMESTAMP_AT = 4;
export const SSRC_AT = 8;

/** Tells RTCP from RTP on one port by the second byte (RFC 5761, section 4). */
export function isRtcp(packet: Buffer): boolean {
  const type = packet[1]! & 0x7f;
  return type >= 64 && type <= 95;
}

export interface HeaderExtension {
  id: number;
  value: Buffer;
}

/** A header with empty sequence number and timestamp, extensions included. */
export function rtpHeader(
  payloadType: number,
  marker: boolean,
  ssrc: number,
  extensions: readonly HeaderExtension[],
): Buffer {
  const fixed = Buffer.alloc(12);
  fixed[0] = extensions.length > 0 ? 0x90 : 0x80;
  fixed[1] = (marker ? 0x80 : 0) | payloadType;
  fixed.writeUInt32BE(ssrc, SSRC_AT);
  if (extensions.length === 0) return fixed;
  const body = Buffer.concat(
    extensions.map(({ id, value }) => Buffer.concat([Buffer.from([(id << 4) | (value.length - 1)]), value])),
  );
  const words = Math.ceil(body.length / 4);
  const extension = Buffer.alloc(4 + words * 4);
  extension.writeUInt16BE(0xbede, 0);
  extension.writeUInt16BE(words, 2);
  body.copy(extension, 4);
  return Buffer.concat([fixed, extension]);
}

/** Where the payload starts. */
export function payloadOffset(packet: Buffer): number {
  const first = packet[0]!;
  const fixed = 12 + (first & 15) * 4;
  return (first & 0x10) !== 0 && packet.length >= fixed + 4 ? fixed + 4 + packet.readUInt16BE(fixed + 2) * 4 : fixed;
}

/** How many bytes of padding end the packet. */
export function paddingLength(packet: Buffer): number {
  return (packet[0]! & 0x20) !== 0 ? packet[packet.length - 1]! : 0;
}

/** The value of one header extension, one-byte or two-byte form; undefined when it is not there. */
export function readExtension(packet: Buffer, id: number): Buffer | undefined {
  const at = extensionAt(packet, id);
  return at < 0 ? undefined : packet.subarray(at, at + foundLength);
}

/** Length of the value `extensionAt` found last. */
let foundLength = 0;

/** Where the value of one header extension starts; -1 when it is not there. */
export function extensionAt(packet: Buffer, id: number): number {
  if ((packet[0]! & 0x10) === 0) return -1;
  const start = 12 + (packet[0]! & 15) * 4;
  const end = payloadOffset(packet);
  const twoByte = (packet.readUInt16BE(start) & 0xfff0) === 0x1000;
  for (let at = start + 4; at + 1 < end;) {
    const first = packet[at]!;
    if (first === 0) {
      at++;
      continue;
    }
    const found = twoByte ? first : first >> 4;
    const length = twoByte ? packet[at + 1]! : (first & 15) + 1;
    const value = at + (twoByte ? 2 : 1);
    if (found === id) {
      foundLength = length;
      return value;
    }
    at = value + length;
  }
  return -1;
}

/**
 * Whether a packet starts a key frame: VP8 (RFC 7741) or H.264 (RFC 6184, an SPS or IDR in a single, aggregated or
 * first fragment unit).
 */
export function startsKeyFrame(mimeType: string, packet: Buffer, payloadAt: number): boolean {
  const first = packet[payloadAt];
  if (first === undefined) return false;
  if (/vp8/i.test(mimeType)) {
    const startsFirstPartition = (first & 0x10) !== 0 && (first & 0x07) === 0;
    if (!startsFirstPartition) return false;
    let at = payloadAt + 1;
    if (first & 0x80) {
      const extended = packet[at++]!;
      if (extended & 0x80) at += packet[at]! & 0x80 ? 2 : 1;
      if (extended & 0x40) at++;
      if (extended & 0x30) at++;
    }
    return at < packet.length && (packet[at]! & 1) === 0;
  }
  if (/h264/i.test(mimeType)) {
    const type = first & 0x1f;
    if (type === 24) return [5, 7].includes(packet[payloadAt + 3]! & 0x1f);
    if (type === 28) return (packet[payloadAt + 1]! & 0x80) !== 0 && (packet[payloadAt + 1]! & 0x1f) === 5;
    return type === 5 || type === 7;
  }
  return false;
}
