const SIZE = 1024;

/**
 * The last packets of one received stream, unchanged, for retransmission to subscribers. Keeps references: the
 * transport gives every packet its own buffer.
 */
export class PacketCache {
  readonly #packets: Array<Buffer | undefined> = Array.from({ length: SIZE });

  put(sequence: number, packet: Buffer): void {
    this.#packets[sequence & (SIZE - 1)] = packet;
  }

  get(sequence: number): Buffer | undefined {
    const packet = this.#packets[sequence & (SIZE - 1)];
    return packet && ((packet[2]! << 8) | packet[3]!) === sequence ? packet : undefined;
  }
}
