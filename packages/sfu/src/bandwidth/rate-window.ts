const BUCKET_MS = 25;
const BUCKETS = 40;

/** Bits per second over up to the last second, from bytes and their times. Times may go back slightly. */
export class RateWindow {
  readonly #bytes = new Float64Array(BUCKETS);
  /** The newest bucket, counted from time 0; the first one; -1 before any data. */
  #newest = -1;
  #first = 0;

  add(bytes: number, atMs: number): void {
    const bucket = Math.floor(atMs / BUCKET_MS);
    this.#advance(bucket);
    if (bucket > this.#newest - BUCKETS) this.#bytes[bucket % BUCKETS]! += bytes;
  }

  /** Mean over the `windowMs` (at most 1000) before `nowMs`; over a shorter time at the beginning. */
  rate(windowMs: number, nowMs: number): number {
    if (this.#newest < 0) return 0;
    const last = Math.floor(nowMs / BUCKET_MS);
    this.#advance(last);
    const count = Math.max(1, Math.min(Math.ceil(windowMs / BUCKET_MS), last - this.#first + 1, BUCKETS));
    let sum = 0;
    for (let bucket = last - count + 1; bucket <= last; bucket += 1) {
      if (bucket <= this.#newest && bucket > this.#newest - BUCKETS) sum += this.#bytes[bucket % BUCKETS]!;
    }
    return (sum * 8000) / (count * BUCKET_MS);
  }

  #advance(bucket: number): void {
    if (this.#newest < 0) {
      this.#newest = bucket;
      this.#first = bucket;
    }
    if (bucket <= this.#newest) return;
    const cleared = Math.min(BUCKETS, bucket - this.#newest);
    for (let i = 1; i <= cleared; i += 1) this.#bytes[(bucket - cleared + i) % BUCKETS] = 0;
    this.#newest = bucket;
  }
}
