import type { PacketReader } from './packet-reader.ts';

/** A SACK chunk (RFC 9260 section 3.3.4), read in place: valid as long as the packet. */
export class SackChunk {
  packet: Buffer = Buffer.alloc(0);
  /** Signed 32 bits. */
  cumulativeTsn = 0;
  /** Bytes; more than 2^30 count as 2^30. */
  window = 0;
  gaps = 0;
  duplicates = 0;
  #blocks = 0;

  /** False: shorter than its counts say. */
  read(reader: PacketReader): boolean {
    const { packet, offset, length } = reader;
    if (length < 12) return false;
    const gaps = packet.readUInt16BE(offset + 8);
    const duplicates = packet.readUInt16BE(offset + 10);
    if (12 + 4 * (gaps + duplicates) > length) return false;
    this.packet = packet;
    this.cumulativeTsn = packet.readInt32BE(offset);
    this.window = Math.min(packet.readUInt32BE(offset + 4), 2 ** 30);
    this.gaps = gaps;
    this.duplicates = duplicates;
    this.#blocks = offset + 12;
    return true;
  }

  /** First and last TSN of gap block `index`, as distances from the cumulative TSN. */
  gapStart(index: number): number {
    return this.packet.readUInt16BE(this.#blocks + 4 * index);
  }

  gapEnd(index: number): number {
    return this.packet.readUInt16BE(this.#blocks + 4 * index + 2);
  }
}
