import { LEASE } from './leases.ts';

/** A clock that is this much off between two looks was set; ms. */
const SET = 1_000;

/** Notices that the clock was set. Leases look wrong then, until their holders have renewed them. */
export class ClockWatch {
  readonly #now: () => Date;
  /** Difference between the clock and the time that only runs forward. */
  #offset: number | undefined;
  #notBefore = 0;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Whether leases can be trusted. To be asked every second or more often. */
  isSettled(): boolean {
    const offset = this.#now().getTime() - performance.now();
    if (this.#offset !== undefined && Math.abs(offset - this.#offset) > SET)
      this.#notBefore = performance.now() + LEASE;
    this.#offset = offset;
    return performance.now() >= this.#notBefore;
  }
}
