import { randomFillSync } from 'node:crypto';

/**
 * RTMP's handshake (specification, section 5.2): each side sends its version and 1,536 bytes, and returns those of the
 * other. All servers and encoders in use accept this form without digests.
 */
const VERSION = 3;
const PART = 1536;

/** Version, time zero, zero, and random bytes: what a side sends first (C0 and C1, or S0 and S1). */
export function greeting(): Buffer {
  const bytes = Buffer.alloc(1 + PART);
  bytes[0] = VERSION;
  randomFillSync(bytes, 9);
  return bytes;
}

/** Collects the other side's handshake. */
export class Handshake {
  #bytes: Buffer = Buffer.alloc(0);
  #isAnswered = false;

  /**
   * Takes the next bytes. Returns what to send now, and what came behind the handshake, null until it is complete.
   * Throws RangeError if the other side does not speak RTMP.
   */
  push(bytes: Buffer): { answer: Buffer | null; rest: Buffer | null } {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    if (this.#bytes.length > 0 && this.#bytes[0] !== VERSION) throw new RangeError('RTMP: no handshake');
    const { length } = this.#bytes;
    let answer: Buffer | null = null;
    if (!this.#isAnswered && length >= 1 + PART) {
      // C2 and S2 return the other side's bytes.
      answer = Buffer.from(this.#bytes.subarray(1, 1 + PART));
      this.#isAnswered = true;
    }
    return { answer, rest: length < 1 + 2 * PART ? null : this.#bytes.subarray(1 + 2 * PART) };
  }
}
