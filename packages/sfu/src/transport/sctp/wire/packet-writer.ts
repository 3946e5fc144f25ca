import type { Writer } from '../parts.ts';
import { CHUNK_HEADER, PACKET_HEADER, SCTP_PORT } from './chunk-types.ts';
import { packetChecksum } from './crc32c.ts';

/** Writes SCTP packets of at most `mtu` bytes into one buffer that it reuses. */
export class PacketWriter implements Writer {
  readonly bytes: Buffer;
  #length = PACKET_HEADER;
  /** Views of the first n bytes, by n / 4: packets have few different lengths, so views are made once. */
  readonly #views: (Buffer | undefined)[];

  constructor(mtu: number) {
    this.bytes = Buffer.alloc(mtu & ~3);
    this.bytes.writeUInt16BE(SCTP_PORT, 0);
    this.bytes.writeUInt16BE(SCTP_PORT, 2);
    this.#views = Array.from({ length: (mtu >> 2) + 1 });
  }

  get length(): number {
    return this.#length;
  }

  get room(): number {
    return this.bytes.length - this.#length - CHUNK_HEADER;
  }

  get isEmpty(): boolean {
    return this.#length === PACKET_HEADER;
  }

  begin(verificationTag: number): void {
    this.bytes.writeInt32BE(verificationTag | 0, 4);
    this.#length = PACKET_HEADER;
  }

  chunk(type: number, flags: number, valueBytes: number): number {
    if (valueBytes > this.room) return -1;
    const { bytes } = this;
    const at = this.#length;
    const value = at + CHUNK_HEADER;
    bytes[at] = type;
    bytes[at + 1] = flags;
    bytes.writeUInt16BE(valueBytes + CHUNK_HEADER, at + 2);
    const end = value + ((valueBytes + 3) & ~3);
    for (let padding = value + valueBytes; padding < end; padding++) bytes[padding] = 0;
    this.#length = end;
    return value;
  }

  finish(): Buffer {
    const length = this.#length;
    this.bytes.writeInt32LE(packetChecksum(this.bytes, length), 8);
    return (this.#views[length >> 2] ??= this.bytes.subarray(0, length));
  }
}
