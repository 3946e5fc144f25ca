import { memory } from './arena.ts';

/** Packets kept: those of sound of the last round trips, also with several speakers. */
const PACKETS = 128;
/** Longer packets are not kept; sound with redundancy (RFC 2198) is shorter. */
const BYTES = 384;

/**
 * The last short packets of one peer as they were sent. Lost sound is sent again under its own sequence number, as
 * there is no retransmission stream for it; no index may be encrypted twice (RFC 3711 section 9.1, RFC 7714 section
 * 8.1), so the same bytes are sent again.
 */
export class SealedPackets {
  readonly #bytes = Buffer.alloc(PACKETS * BYTES);
  readonly #lengths = new Uint16Array(PACKETS);
  #next = 0;

  /** Copies a protected RTP packet of the arena. */
  keep(at: number, length: number): void {
    if (length < 12 || length > BYTES) return;
    const slot = this.#next;
    this.#next = (slot + 1) & (PACKETS - 1);
    memory.copy(this.#bytes, slot * BYTES, at, at + length);
    this.#lengths[slot] = length;
  }

  /**
   * Replaces the plain RTP packet at `at` by the protected one with its source and sequence number. Returns the length
   * of that; 0 if it is not kept.
   */
  recall(at: number): number {
    const bytes = this.#bytes;
    const [second, third] = [memory[at + 2]!, memory[at + 3]!];
    const source = memory.readInt32BE(at + 8);
    for (let slot = 0; slot < PACKETS; slot += 1) {
      const start = slot * BYTES;
      if (bytes[start + 3] !== third || bytes[start + 2] !== second || this.#lengths[slot] === 0) continue;
      if (bytes.readInt32BE(start + 8) !== source) continue;
      const length = this.#lengths[slot]!;
      bytes.copy(memory, at, start, start + length);
      return length;
    }
    return 0;
  }
}
