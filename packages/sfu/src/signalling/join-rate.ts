import { TokenBucket } from '../limits.ts';

/**
 * Connections of one identity to one room, per second on average and in a burst: each costs as much as thousands of
 * packets.
 */
const JOINS = { perSecond: 1, atOnce: 30 } as const;
/** After this time a bucket is full again, and can be forgotten. */
const FULL_MS = (JOINS.atOnce / JOINS.perSecond) * 1000;

/** Rejects an identity for a while if it connects too often: a client that reconnects waits between its attempts. */
export class JoinRate {
  readonly #buckets = new Map<string, { bucket: TokenBucket; at: number }>();
  #sweptAt = 0;

  /** Whether this identity may connect to this room again. */
  allows(room: string, identity: string, nowMs = performance.now()): boolean {
    if (nowMs - this.#sweptAt > FULL_MS) this.#sweep(nowMs);
    const key = JSON.stringify([room, identity]);
    let entry = this.#buckets.get(key);
    if (!entry) {
      entry = { bucket: new TokenBucket(JOINS.perSecond, JOINS.atOnce, nowMs), at: nowMs };
      this.#buckets.set(key, entry);
    }
    entry.at = nowMs;
    return entry.bucket.take(1, nowMs);
  }

  /** Number of stored identities. */
  get size(): number {
    return this.#buckets.size;
  }

  #sweep(nowMs: number): void {
    this.#sweptAt = nowMs;
    for (const [key, { at }] of this.#buckets) if (nowMs - at > FULL_MS) this.#buckets.delete(key);
  }
}
