import { CHUNK_HEADER, PACKET_HEADER } from './constants.ts';
import { packetChecksum } from './crc32c.ts';

/**
 * Writes SCTP packets of at most `mtu` bytes into one buffer that it reuses.
 *
 * `begin`, then for each chunk `chunk` and its fields at the offset that it returned, then `finish`.
 */
export class PacketWriter {
  /** Fields of a chunk are written here. */
  readonly buffer: Buffer;
  readonly mtu: number;
  #length = PACKET_HEADER;
  /** Views of the first n bytes, by n / 4: packets have few different lengths, so views are made once. */
  readonly #views: (Buffer | undefined)[];

  constructor(mtu: number) {
    this.mtu = mtu & ~3;
    this.buffer = Buffer.alloc(this.mtu);
    this.#views = Array.from({ length: this.mtu / 4 + 1 });
  }

  begin(sourcePort: number, destinationPort: number, verificationTag: number): void {
    this.buffer.writeUInt16BE(sourcePort, 0);
    this.buffer.writeUInt16BE(destinationPort, 2);
    this.buffer.writeInt32BE(verificationTag | 0, 4);
    this.#length = PACKET_HEADER;
  }

  /** True: no chunk has been written since `begin`. */
  get isEmpty(): boolean {
    return this.#length === PACKET_HEADER;
  }

  /** How many bytes the value of a further chunk can have; below 0: none fits. */
  get room(): number {
    return this.mtu - this.#length - CHUNK_HEADER;
  }

  /**
   * Adds the header of a chunk with a value of `length` bytes, zeroes the padding, and returns where the value
   * begins. The caller checks `room`, and writes every byte of the value.
   */
  chunk(type: number, flags: number, length: number): number {
    const at = this.#length;
    const padded = (length + 3) & ~3;
    if (length > this.room) throw new RangeError('the chunk does not fit into the packet');
    const { buffer } = this;
    buffer[at] = type;
    buffer[at + 1] = flags;
    buffer.writeUInt16BE(length + CHUNK_HEADER, at + 2);
    const value = at + CHUNK_HEADER;
    for (let index = length; index < padded; index++) buffer[value + index] = 0;
    this.#length = value + padded;
    return value;
  }

  /** Sets the checksum. The view is valid until the next `begin`. */
  finish(): Buffer {
    const length = this.#length;
    this.buffer.writeInt32LE(packetChecksum(this.buffer, length), 8);
    return (this.#views[length >> 2] ??= this.buffer.subarray(0, length));
  }
}
