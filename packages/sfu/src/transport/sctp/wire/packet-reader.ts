import { CHUNK_HEADER, PACKET_HEADER } from './constants.ts';
import { packetChecksum } from './crc32c.ts';

const nothing = Buffer.alloc(0);

/**
 * Reads the chunks of one received SCTP packet in place. `open` checks the whole packet, so that a packet is used
 * either completely or not at all. One reader serves an association: nothing is allocated for a packet.
 */
export class PacketReader {
  /** The packet; offsets below refer to it. */
  packet: Buffer = nothing;
  type = 0;
  flags = 0;
  /** Where the value of the chunk (without its header) begins, and how many bytes it has. */
  offset = 0;
  length = 0;
  #next = 0;

  /** False: too short, a wrong checksum, no chunk, or a chunk that is longer than the packet. */
  open(packet: Buffer): boolean {
    const size = packet.length;
    if (size < PACKET_HEADER + CHUNK_HEADER || size > 65_535) return false;
    if (packet.readInt32LE(8) !== packetChecksum(packet, size)) return false;
    for (let at = PACKET_HEADER; at < size;) {
      if (size - at < CHUNK_HEADER) return false;
      const length = packet.readUInt16BE(at + 2);
      if (length < CHUNK_HEADER || length > size - at) return false;
      // The padding of the last chunk may be missing: at passes the end then.
      at += (length + 3) & ~3;
    }
    this.packet = packet;
    this.#next = PACKET_HEADER;
    return true;
  }

  get sourcePort(): number {
    return this.packet.readUInt16BE(0);
  }

  get destinationPort(): number {
    return this.packet.readUInt16BE(2);
  }

  /** Unsigned 32 bits. */
  get verificationTag(): number {
    return this.packet.readUInt32BE(4);
  }

  /** Goes to the next chunk. False: there is none. */
  next(): boolean {
    const at = this.#next;
    if (at >= this.packet.length) return false;
    const length = this.packet.readUInt16BE(at + 2);
    this.type = this.packet[at]!;
    this.flags = this.packet[at + 1]!;
    this.offset = at + CHUNK_HEADER;
    this.length = length - CHUNK_HEADER;
    this.#next = at + ((length + 3) & ~3);
    return true;
  }

  /** The value of the chunk: a view, valid as long as the packet. */
  value(): Buffer {
    return this.packet.subarray(this.offset, this.offset + this.length);
  }

  /** Forgets the packet, whose bytes belong to the caller again. */
  close(): void {
    this.packet = nothing;
    this.#next = 0;
  }
}
