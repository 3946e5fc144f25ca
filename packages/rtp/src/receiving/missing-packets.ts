import { sequenceDistance } from '../packet.ts';

/** Round trip assumed until one is measured, and the least time to wait for an answer, ms. */
const ROUND_TRIP_MS = 80;
const LEAST_WAIT_MS = 25;
const BACKOFF = 1.25;
const TRIES = 10;
/** A jump further than this is a new start of the stream, not loss. */
const MAX_GAP = 300;
const MAX_MISSING = 500;
const MAX_BEHIND = 3000;

/** How a packet came: in order, after a gap, into a gap, or although nobody waits for it any more. */
export const arrivals = { next: 0, afterGap: 1, late: 2, repeated: 3 } as const;
export type Arrival = (typeof arrivals)[keyof typeof arrivals];

/** Which packets of one stream are missing, and when to ask for them (again): RFC 4585 generic NACK. */
export class MissingPackets {
  /** From asking for a packet to having it, ms, smoothed. */
  roundTripMs = ROUND_TRIP_MS;
  #highest = -1;
  readonly #missing = new Map<number, { tries: number; askedAt: number; dueAt: number }>();

  get any(): boolean {
    return this.#missing.size > 0;
  }

  has(sequence: number): boolean {
    return this.#missing.has(sequence);
  }

  /** Notes an arrival. After a gap, `due` has something to ask for at once. */
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

  /** A packet that is there after all; false when nobody waits for it. */
  fill(sequence: number, nowMs: number): boolean {
    const entry = this.#missing.get(sequence);
    if (!entry) return false;
    // after several questions it is open which of them was answered
    if (entry.tries === 1) this.roundTripMs += (nowMs - entry.askedAt - this.roundTripMs) / 8;
    return this.#missing.delete(sequence);
  }

  /** The sequence numbers to ask for now, in ascending order of loss; gives up on each after ten tries. */
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
