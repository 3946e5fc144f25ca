import type { RtpPacket } from './packet.ts';

/**
 * Turns a retransmission into the packet it repeats, in place (RFC 4588 section 4): `ssrc` and `payloadType` are those
 * of the media stream. False when it repeats nothing: padding, as senders use it to probe.
 */
export function unwrapRtx(packet: RtpPacket, ssrc: number, payloadType: number): boolean {
  const { buffer, payloadOffset, payloadEnd } = packet;
  if (payloadEnd - payloadOffset < 2) return false;
  const high = buffer[payloadOffset]!;
  const low = buffer[payloadOffset + 1]!;
  buffer.copyWithin(2, 0, payloadOffset);
  const repeated = buffer.subarray(2);
  repeated[1] = (repeated[1]! & 0x80) | payloadType;
  repeated[2] = high;
  repeated[3] = low;
  repeated.writeUInt32BE(ssrc, 8);
  return packet.parse(repeated);
}
