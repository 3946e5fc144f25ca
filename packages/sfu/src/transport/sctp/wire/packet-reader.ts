import { CHUNK_HEADER, PACKET_HEADER } from './chunk-types.ts';
import { packetChecksum } from './crc32c.ts';

/**
 * Checks a received packet as a whole, so that it is used either completely or not at all: its length, the CRC32c, and
 * that every chunk lies within it. Only the padding of the last chunk may be missing.
 */
export function isIntactPacket(packet: Buffer): boolean {
  const size = packet.length;
  if (size < PACKET_HEADER + CHUNK_HEADER || size > 65_535) return false;
  for (let at = PACKET_HEADER; at < size;) {
    if (size - at < CHUNK_HEADER) return false;
    const length = packet.readUInt16BE(at + 2);
    if (length < CHUNK_HEADER || length > size - at) return false;
    at += (length + 3) & ~3;
  }
  return packet.readInt32LE(8) === packetChecksum(packet, size);
}
