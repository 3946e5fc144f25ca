const INITIAL_MS = 500;
const SHORTEST_MS = 200;
const LONGEST_MS = 5000;

/** Round-trip time and retransmission timeout (RFC 9260 section 6.3.1, with a range for conferences). */
export class RoundTrip {
  /** Smoothed; 0 until the first measurement. */
  smoothed = 0;
  /** The shortest seen: the path without queues. */
  shortest = Infinity;
  #variation = 0;
  #backoff = 1;

  add(ms: number): void {
    const sample = Math.max(ms, 0.1);
    if (this.smoothed === 0) {
      this.smoothed = sample;
      this.#variation = sample / 2;
    } else {
      this.#variation += (Math.abs(this.smoothed - sample) - this.#variation) / 4;
      this.smoothed += (sample - this.smoothed) / 8;
    }
    this.shortest = Math.min(this.shortest, sample);
  }

  get timeout(): number {
    const plain = this.smoothed === 0 ? INITIAL_MS : this.smoothed + 4 * this.#variation;
    return Math.min(Math.max(plain, SHORTEST_MS) * this.#backoff, LONGEST_MS);
  }

  /** The timer expired: the next timeout is twice as long (section 6.3.3). */
  backOff(): void {
    this.#backoff = Math.min(this.#backoff * 2, 64);
  }

  /** The peer acknowledged something new. */
  progress(): void {
    this.#backoff = 1;
  }
}
