/** Eight tables of 256 entries ("slicing by 8"): table k advances a byte by k further zero bytes. */
const tables = ((): Int32Array => {
  const all = new Int32Array(8 * 256);
  for (let index = 0; index < 256; index++) {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
    all[index] = value;
  }
  for (let index = 256; index < all.length; index++) {
    const previous = all[index - 256]!;
    all[index] = (previous >>> 8) ^ all[previous & 255]!;
  }
  return all;
})();

/** Advances `state` over the bytes [start, end). The caller checks the bounds. */
function advance(bytes: Uint8Array, start: number, end: number, state: number): number {
  let crc = state;
  let at = start;
  for (const last = end - 8; at <= last; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      tables[1792 + (crc & 255)]! ^
      tables[1536 + ((crc >>> 8) & 255)]! ^
      tables[1280 + ((crc >>> 16) & 255)]! ^
      tables[1024 + (crc >>> 24)]! ^
      tables[768 + bytes[at + 4]!]! ^
      tables[512 + bytes[at + 5]!]! ^
      tables[256 + bytes[at + 6]!]! ^
      tables[bytes[at + 7]!]!;
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ tables[(crc ^ bytes[at]!) & 255]!;
  return crc;
}

/**
 * The CRC32c of one SCTP packet, whose checksum field counts as zero (RFC 9260 section 6.8), as a signed 32-bit
 * number. It goes to the wire in little-endian order (appendix A).
 */
export function packetChecksum(packet: Uint8Array, length: number): number {
  let crc = advance(packet, 0, 8, -1);
  for (let zero = 0; zero < 4; zero++) crc = (crc >>> 8) ^ tables[crc & 255]!;
  return ~advance(packet, 12, length, crc);
}
