/** Packets stored until feedback covers them. A power of two. */
const SIZE = 2048;

/** Send time and size of each packet, by transport-wide sequence number. */
export class SendHistory {
  /** Set by `find`. */
  sentAt = 0;
  size = 0;
  /** The probe cluster the packet belongs to, 0 for none. */
  cluster = 0;
  /** Number of the next packet, without wrapping. */
  next = 1;
  /** Allocated with the first packet: many participants receive nothing. */
  #sentAt = new Float64Array(0);
  #sizes = new Uint16Array(0);
  #clusters = new Uint8Array(0);

  /** The hot path: records a packet that is sent now and returns its 16-bit number. */
  add(size: number, cluster: number, nowMs: number): number {
    if (this.#sizes.length === 0) this.#allocate();
    const number = this.next;
    this.next = number + 1;
    const slot = number & (SIZE - 1);
    this.#sentAt[slot] = nowMs;
    this.#sizes[slot] = size;
    this.#clusters[slot] = cluster;
    return number & 0xffff;
  }

  /** Looks up a 16-bit number; -1 if it is too old, forgotten or was never sent, else its number without wrapping. */
  find(sequence: number): number {
    const last = this.next - 1;
    const behind = (last - sequence) & 0xffff;
    const number = last - behind;
    if (behind >= SIZE || number < 1) return -1;
    const slot = number & (SIZE - 1);
    this.sentAt = this.#sentAt[slot]!;
    this.size = this.#sizes[slot]!;
    this.cluster = this.#clusters[slot]!;
    return this.size === 0 ? -1 : number;
  }

  /** A packet, by its number without wrapping, is finally covered. */
  forget(number: number): void {
    this.#sizes[number & (SIZE - 1)] = 0;
  }

  #allocate(): void {
    this.#sentAt = new Float64Array(SIZE);
    this.#sizes = new Uint16Array(SIZE);
    this.#clusters = new Uint8Array(SIZE);
  }
}
