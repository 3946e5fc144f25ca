import type { RtpPacket } from './packet.ts';

/**
 * Restores the original packet from a retransmission, in place (RFC 4588 section 4). `ssrc` and `payloadType` are those
 * of the media stream. Returns false for a packet without payload: padding, which senders use for probing.
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
