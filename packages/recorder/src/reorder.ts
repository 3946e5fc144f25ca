/** Where packets of one stream go once they are in order. */
export interface OrderedPackets {
  packet(packet: Buffer): void;
  /** So many packets in a row never came; those after them follow. */
  lost(count: number): void;
}

/** Further off than this a sequence number belongs to a stream that began anew. */
const FAR = 3_000;

/** Packets of one RTP stream in the order of their sequence numbers; what is missing is waited for. */
export class Reorder {
  #to: OrderedPackets;
  #patience: number;
  #ssrc = 0;
  /** The next sequence number; -1 before the first packet. */
  #next = -1;
  #held = new Map<number, { packet: Buffer; arrival: number }>();

  /** `patience`: ms that packets wait for one before them. */
  constructor(patience: number, to: OrderedPackets) {
    this.#patience = patience;
    this.#to = to;
  }

  /** A packet came at `now` (ms). Duplicates and what comes too late are dropped. */
  push(packet: Buffer, now: number): void {
    const sequence = packet.readUInt16BE(2);
    const ssrc = packet.readUInt32BE(8);
    const distance = ((sequence - this.#next) << 16) >> 16;
    if (this.#next < 0 || ssrc !== this.#ssrc || Math.abs(distance) > FAR) this.#begin(ssrc, sequence);
    else if (distance < 0) return;
    if (sequence === this.#next) {
      this.#pass(packet);
      this.#passHeld();
    } else if (!this.#held.has(sequence)) this.#held.set(sequence, { packet, arrival: now });
    this.tick(now);
  }

  /** Gives up what has been waited for long enough. To be called every few ms, for packets that nothing follows. */
  tick(now: number): void {
    while (this.#held.size > 0) {
      const oldest = Math.min(...[...this.#held.values()].map(({ arrival }) => arrival));
      if (now - oldest < this.#patience) return;
      const missing = Math.min(...[...this.#held.keys()].map((sequence) => (sequence - this.#next) & 0xffff));
      this.#next = (this.#next + missing) & 0xffff;
      this.#to.lost(missing);
      this.#passHeld();
    }
  }

  #begin(ssrc: number, sequence: number): void {
    if (this.#next >= 0) this.#to.lost(1);
    this.#ssrc = ssrc;
    this.#next = sequence;
    this.#held.clear();
  }

  #pass(packet: Buffer): void {
    this.#next = (this.#next + 1) & 0xffff;
    this.#to.packet(packet);
  }

  #passHeld(): void {
    for (let held = this.#held.get(this.#next); held; held = this.#held.get(this.#next)) {
      this.#held.delete(this.#next);
      this.#pass(held.packet);
    }
  }
}
