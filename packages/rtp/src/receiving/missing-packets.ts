import { sequenceDistance } from '../packet.ts';

/** Round trip assumed until one is measured, and the minimum wait for an answer, ms. */
const ROUND_TRIP_MS = 80;
const LEAST_WAIT_MS = 25;
const BACKOFF = 1.25;
const TRIES = 10;
/** A larger jump is a restart of the stream, not loss. */
const MAX_GAP = 300;
const MAX_MISSING = 500;
const MAX_BEHIND = 3000;

/** The place of a received packet: in order, after a gap, filling a gap, or a duplicate. */
export const arrivals = { next: 0, afterGap: 1, late: 2, repeated: 3 } as const;
export type Arrival = (typeof arrivals)[keyof typeof arrivals];

/** Missing packets of one stream, and when to request them (again): generic NACK (RFC 4585). */
export class MissingPackets {
  /** Time from the request for a packet to its arrival, ms, smoothed. */
  roundTripMs = ROUND_TRIP_MS;
  #highest = -1;
  readonly #missing = new Map<number, { tries: number; askedAt: number; dueAt: number }>();

  get any(): boolean {
    return this.#missing.size > 0;
  }

  has(sequence: number): boolean {
    return this.#missing.has(sequence);
  }

  /** Records an arrival. After a gap, `due` returns packets to request at once. */
  received(sequence: number, nowMs: number): Arrival {
    const ahead = this.#highest < 0 ? 1 : sequenceDistance(this.#highest, sequence);
    if (ahead === 1) {
      this.#highest = sequence;
      return arrivals.next;
    }
    if (ahead <= 0 && ahead >= -MAX_BEHIND) return this.fill(sequence, nowMs) ? arrivals.late : arrivals.repeated;
    const previous = this.#highest;
    this.#highest = sequence;
    if (ahead < 0 || ahead > MAX_GAP || this.#missing.size + ahead > MAX_MISSING) {
      this.#missing.clear();
      return arrivals.next;
    }
    for (let i = 1; i < ahead; i += 1)
      this.#missing.set((previous + i) & 0xffff, { tries: 0, askedAt: nowMs, dueAt: nowMs });
    return arrivals.afterGap;
  }

  /** Records the arrival of a missing packet; returns false if it is not missing. */
  fill(sequence: number, nowMs: number): boolean {
    const entry = this.#missing.get(sequence);
    if (!entry) return false;
    // after several requests it is unknown which one was answered
    if (entry.tries === 1) this.roundTripMs += (nowMs - entry.askedAt - this.roundTripMs) / 8;
    return this.#missing.delete(sequence);
  }

  /** The sequence numbers to request now, oldest first; each is given up after ten tries. */
  due(nowMs: number): number[] {
    const list: number[] = [];
    const wait = Math.max(LEAST_WAIT_MS, this.roundTripMs * BACKOFF);
    for (const [sequence, entry] of this.#missing) {
      if (entry.dueAt > nowMs) continue;
      if (entry.tries >= TRIES) {
        this.#missing.delete(sequence);
        continue;
      }
      entry.askedAt = nowMs;
      entry.dueAt = nowMs + wait * BACKOFF ** entry.tries;
      entry.tries += 1;
      list.push(sequence);
    }
    return list;
  }
}
