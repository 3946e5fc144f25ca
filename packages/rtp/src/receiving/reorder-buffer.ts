import { SEQUENCE_OFFSET, sequenceDistance, SSRC_OFFSET } from '../packet.ts';

/** Receives the packets of one stream in order. */
export interface OrderedPacketHandler {
  handlePacket(packet: Buffer): void;
  /** This many consecutive packets were lost; the packets after them follow. */
  handleLoss(count: number): void;
}

/** A sequence number further away than this belongs to a restarted stream. */
const MAX_DISTANCE = 3_000;

/** Passes on the packets of one RTP stream in the order of their sequence numbers and waits for missing ones. */
export class ReorderBuffer {
  #handler: OrderedPacketHandler;
  #maxWaitMs: number;
  #ssrc = 0;
  /** The next sequence number; -1 before the first packet. */
  #next = -1;
  #waiting = new Map<number, { packet: Buffer; arrival: number }>();

  /** `maxWaitMs`: how long packets wait for a missing one before them. */
  constructor(maxWaitMs: number, handler: OrderedPacketHandler) {
    this.#maxWaitMs = maxWaitMs;
    this.#handler = handler;
  }

  /** Takes a packet that arrived at `now` (ms). Duplicates and packets that are too late are dropped. */
  push(packet: Buffer, now: number): void {
    const sequence = packet.readUInt16BE(SEQUENCE_OFFSET);
    const ssrc = packet.readUInt32BE(SSRC_OFFSET);
    const distance = sequenceDistance(this.#next, sequence);
    if (this.#next < 0 || ssrc !== this.#ssrc || Math.abs(distance) > MAX_DISTANCE) this.#restart(ssrc, sequence);
    else if (distance < 0) return;
    if (sequence === this.#next) {
      this.#pass(packet);
      this.#passWaiting();
    } else if (!this.#waiting.has(sequence)) this.#waiting.set(sequence, { packet, arrival: now });
    this.tick(now);
  }

  /** Gives up packets that are overdue. Call it every few ms, as no later packet may arrive. */
  tick(now: number): void {
    while (this.#waiting.size > 0) {
      const oldest = Math.min(...[...this.#waiting.values()].map(({ arrival }) => arrival));
      if (now - oldest < this.#maxWaitMs) return;
      const missing = Math.min(...[...this.#waiting.keys()].map((sequence) => (sequence - this.#next) & 0xffff));
      this.#next = (this.#next + missing) & 0xffff;
      this.#handler.handleLoss(missing);
      this.#passWaiting();
    }
  }

  #restart(ssrc: number, sequence: number): void {
    if (this.#next >= 0) this.#handler.handleLoss(1);
    this.#ssrc = ssrc;
    this.#next = sequence;
    this.#waiting.clear();
  }

  #pass(packet: Buffer): void {
    this.#next = (this.#next + 1) & 0xffff;
    this.#handler.handlePacket(packet);
  }

  #passWaiting(): void {
    for (let next = this.#waiting.get(this.#next); next; next = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next);
      this.#pass(next.packet);
    }
  }
}
