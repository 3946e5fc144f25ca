import { sequenceDistance } from './packet.ts';

const RETRY_MS = 60;
const TRIES = 8;
/** A jump further than this is a new start of the stream, not loss. */
const MAX_GAP = 300;
const MAX_MISSING = 500;

/** Which packets of one stream are missing, and when to ask for them (again): RFC 4585 generic NACK. */
export class MissingPackets {
  #highest = -1;
  readonly #missing = new Map<number, { tries: number; dueAt: number }>();

  get any(): boolean {
    return this.#missing.size > 0;
  }

  /** Notes an arrival. True when it opened a gap, so that `due` has something to ask for at once. */
  received(sequence: number, nowMs: number): boolean {
    if (this.#highest < 0) {
      this.#highest = sequence;
      return false;
    }
    const ahead = sequenceDistance(this.#highest, sequence);
    if (ahead <= 0) {
      if (this.#missing.size > 0) this.#missing.delete(sequence);
      return false;
    }
    const previous = this.#highest;
    this.#highest = sequence;
    if (ahead === 1) return false;
    if (ahead > MAX_GAP || this.#missing.size + ahead > MAX_MISSING) {
      this.#missing.clear();
      return false;
    }
    for (let i = 1; i < ahead; i += 1) this.#missing.set((previous + i) & 0xffff, { tries: 0, dueAt: nowMs });
    return true;
  }

  /** The sequence numbers to ask for now, in ascending order of loss; gives up on each after eight tries. */
  due(nowMs: number): number[] {
    const list: number[] = [];
    for (const [sequence, entry] of this.#missing) {
      if (entry.dueAt > nowMs) continue;
      if (entry.tries >= TRIES) {
        this.#missing.delete(sequence);
        continue;
      }
      entry.tries += 1;
      entry.dueAt = nowMs + RETRY_MS * entry.tries;
      list.push(sequence);
    }
    return list;
  }
}
