/** Wrong keys of one network address within this time, before all of its keys are refused. */
const MOST = 20;
const WITHIN = 60_000;
/** Addresses that are remembered. */
const KEPT = 10_000;

/** Counts wrong stream keys by network address. A key has 192 bits: this keeps the database from being asked. */
export class Guesses {
  readonly #wrong = new Map<string, { count: number; since: number }>();

  /** Whether keys of an address are looked up. */
  mayTry(from: string, now: number): boolean {
    const known = this.#wrong.get(from);
    return !known || now - known.since > WITHIN || known.count < MOST;
  }

  note(from: string, now: number): void {
    const known = this.#wrong.get(from);
    if (known && now - known.since <= WITHIN) known.count += 1;
    else this.#wrong.set(from, { count: 1, since: now });
    if (this.#wrong.size > KEPT) this.#wrong.clear();
  }
}
