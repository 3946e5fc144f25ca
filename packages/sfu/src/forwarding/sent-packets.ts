/** Stored packets: more than a second of 5 Mbit/s video, and of audio. Powers of two. */
const VIDEO = 1024;
const AUDIO = 64;
/** Half the range of 16-bit milliseconds: longer ago than any round trip. */
const LONG_AGO = 0x8000;

/**
 * The packets sent to one subscriber, by its sequence numbers, so that lost packets are found in the layer's cache and
 * resent at most once per round trip.
 */
export class SentPackets {
  /** The source's sequence number and the marker bit (0 or 128); set by `find`. */
  source = 0;
  marker = 0;
  /**
   * Bits 0-15: source; 16: marker; 17-26: the bits of the number that the slot does not determine; 27-31: the switch
   * after which it was sent.
   */
  readonly #entries: Uint32Array;
  readonly #resentAt: Uint16Array;
  #switches = 1;

  constructor(kind: 'audio' | 'video') {
    const size = kind === 'video' ? VIDEO : AUDIO;
    this.#entries = new Uint32Array(size);
    this.#resentAt = new Uint16Array(size);
  }

  /** The next packets come from another source; earlier ones are not resent. */
  switched(): void {
    // five bits, never 0, the value of empty entries; after a full round the old entries would count as new ones
    this.#switches = (this.#switches % 31) + 1;
    if (this.#switches === 1) this.#entries.fill(0);
  }

  note(sequence: number, source: number, marker: number, nowMs: number): void {
    const slot = sequence & (this.#entries.length - 1);
    this.#entries[slot] = ((this.#tag(sequence) << 17) | (marker === 0 ? 0 : 0x10000) | source) >>> 0;
    this.#resentAt[slot] = nowMs + LONG_AGO;
  }

  /** Looks up a number; false if it is no longer stored. */
  find(sequence: number): boolean {
    const entry = this.#entries[sequence & (this.#entries.length - 1)]!;
    if (entry >>> 17 !== this.#tag(sequence)) return false;
    this.source = entry & 0xffff;
    this.marker = (entry & 0x10000) === 0 ? 0 : 0x80;
    return true;
  }

  /** Whether the packet may be sent again now; if so, it counts as sent again. */
  mayResend(sequence: number, intervalMs: number, nowMs: number): boolean {
    const slot = sequence & (this.#entries.length - 1);
    if (((nowMs - this.#resentAt[slot]!) & 0xffff) < intervalMs) return false;
    this.#resentAt[slot] = nowMs;
    return true;
  }

  #tag(sequence: number): number {
    return (this.#switches << 10) | (sequence >>> 6);
  }
}
