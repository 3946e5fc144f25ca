/**
 * Packets over a byte stream: each has its length before it, as 16 bits in network order (RFC 4571, section 2).
 */

const HEADER = 2;

/** Appends packets with their lengths to a buffer of fixed size. */
export class FrameWriter {
  readonly #bytes: Buffer;
  #used = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  /** Bytes that wait, with their headers. */
  get length(): number {
    return this.#used;
  }

  /** Appends the packet at [at, at + length) of `source`; false if there is no space for it. */
  append(source: Buffer, at: number, length: number): boolean {
    if (length > 0xffff || this.#used + HEADER + length > this.#bytes.length) return false;
    this.#bytes[this.#used] = length >> 8;
    this.#bytes[this.#used + 1] = length & 0xff;
    source.copy(this.#bytes, this.#used + HEADER, at, at + length);
    this.#used += HEADER + length;
    return true;
  }

  /** The frames as one buffer of their own; the writer is empty after it. */
  take(): Buffer {
    const frames = Buffer.from(this.#bytes.subarray(0, this.#used));
    this.#used = 0;
    return frames;
  }
}

/** Splits a byte stream into packets. */
export class FrameReader {
  readonly #most: number;
  readonly #receive: (bytes: Buffer, at: number, length: number) => boolean;
  /** The begin of a frame whose rest has not arrived; allocated when one is cut for the first time. */
  #rest: Buffer | undefined;
  #kept = 0;

  /**
   * @param most the longest packet that is accepted, bytes
   * @param receive gets each packet, valid during the call only; false ends the stream
   */
  constructor(most: number, receive: (bytes: Buffer, at: number, length: number) => boolean) {
    this.#most = most;
    this.#receive = receive;
  }

  /** Reads the next bytes of the stream. False if a packet is empty or too long, or the receiver ended the stream. */
  read(chunk: Buffer): boolean {
    let at = 0;
    if (this.#kept > 0) {
      at = this.#complete(chunk);
      if (at < 0) return false;
      if (this.#kept > 0) return true;
    }
    while (chunk.length - at >= HEADER) {
      const length = (chunk[at]! << 8) | chunk[at + 1]!;
      if (!this.#isAcceptable(length)) return false;
      if (chunk.length - at - HEADER < length) break;
      if (!this.#receive(chunk, at + HEADER, length)) return false;
      at += HEADER + length;
    }
    this.#keep(chunk, at, chunk.length);
    return true;
  }

  #isAcceptable(length: number): boolean {
    return length > 0 && length <= this.#most;
  }

  #keep(chunk: Buffer, from: number, to: number): void {
    if (from >= to) return;
    this.#rest ??= Buffer.allocUnsafeSlow(HEADER + this.#most);
    this.#kept += chunk.copy(this.#rest, this.#kept, from, to);
  }

  /** Completes the frame that was cut; returns how much of the chunk it took, or -1 if the stream ends. */
  #complete(chunk: Buffer): number {
    const rest = this.#rest!;
    let at = 0;
    if (this.#kept < HEADER) {
      this.#keep(chunk, 0, 1);
      at = 1;
    }
    const length = (rest[0]! << 8) | rest[1]!;
    if (!this.#isAcceptable(length)) return -1;
    const end = Math.min(chunk.length, at + HEADER + length - this.#kept);
    this.#keep(chunk, at, end);
    if (this.#kept < HEADER + length) return chunk.length;
    this.#kept = 0;
    return this.#receive(rest, HEADER, length) ? end : -1;
  }
}
