import { rates, TokenBucket, type RateName } from '../limits.ts';

/** Counts the work that a participant causes. The first excess is reported; afterwards everything is rejected. */
export class FloodGuard {
  readonly #handleFlood: (what: RateName) => void;
  readonly #buckets = new Map<RateName, TokenBucket>();
  #flooded = false;

  constructor(handleFlood: (what: RateName) => void) {
    this.#handleFlood = handleFlood;
  }

  /** Counts `cost` of this kind. Returns false if a rate is, or was, exceeded. */
  allows(what: RateName, cost = 1, nowMs = performance.now()): boolean {
    if (this.#flooded) return false;
    let bucket = this.#buckets.get(what);
    if (!bucket) {
      bucket = new TokenBucket(rates[what].perSecond, rates[what].atOnce, nowMs);
      this.#buckets.set(what, bucket);
    }
    if (bucket.take(cost, nowMs)) return true;
    this.#flooded = true;
    this.#handleFlood(what);
    return false;
  }
}
