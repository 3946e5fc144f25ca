const SIZE = 1024;
/** Bytes of each place: the smallest that fits the stream's longest packet so far. Longer packets are not kept. */
const PLACES = [256, 512, 1024, 1536] as const;

/**
 * The last packets of one received stream, unchanged, for retransmission to subscribers. Keeps copies: what the
 * transport passes on is valid during the call only. Pages of memory that no packet reached yet are not used.
 */
export class PacketCache {
  readonly #lengths = new Uint16Array(SIZE);
  #place = 0;
  #bytes: Buffer | undefined;

  /** Copies a packet into the place of the one that is 1,024 older. */
  put(sequence: number, packet: Buffer): void {
    const { length } = packet;
    if (length > this.#place && !this.#grow(length)) return;
    const slot = sequence & (SIZE - 1);
    this.#bytes!.set(packet, slot * this.#place);
    this.#lengths[slot] = length;
  }

  /** The packet, valid until the next `put`; undefined if it is no longer kept, or never was. */
  get(sequence: number): Buffer | undefined {
    const slot = sequence & (SIZE - 1);
    const length = this.#lengths[slot]!;
    if (length === 0) return undefined;
    const start = slot * this.#place;
    const packet = this.#bytes!.subarray(start, start + length);
    return ((packet[2]! << 8) | packet[3]!) === sequence ? packet : undefined;
  }

  #grow(length: number): boolean {
    const place = PLACES.find((bytes) => bytes >= length);
    if (place === undefined) return false;
    const grown = Buffer.alloc(SIZE * place);
    for (let slot = 0; slot < SIZE; slot += 1) {
      const kept = this.#lengths[slot]!;
      if (kept > 0) this.#bytes!.copy(grown, slot * place, slot * this.#place, slot * this.#place + kept);
    }
    this.#place = place;
    this.#bytes = grown;
    return true;
  }
}
