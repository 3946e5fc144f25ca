import { EARLY_JOIN_MINUTES, type ConferenceState, type EndedWhy } from '@rmeet/contract';
import type { CallEnd, Stay } from './call-types.ts';

const ENDS: Record<EndedWhy, CallEnd> = {
  over: 'endedByHost',
  time: 'time',
  empty: 'empty',
  closed: 'closed',
  cancelled: 'cancelled',
  early: 'early',
};

/** The reason of a call's end after its conference has ended. `byMe`: this terminal gave the command to end it. */
export function endOf({ why }: { why?: EndedWhy | undefined }, byMe: boolean): CallEnd {
  if (byMe && (why === undefined || why === 'over')) return 'endedByMe';
  // A newer server may send a reason that this page does not know.
  return why !== undefined && why in ENDS ? ENDS[why] : 'ended';
}

/** Whether a conference that ends now was held before the booked time; known to terminals that may end it. */
export function isBeforeTime(conference: ConferenceState | null, now: number): boolean {
  const start = conference?.invitation?.startTime;
  return start !== undefined && now < Date.parse(start) - EARLY_JOIN_MINUTES * 60_000;
}

/** Measures how long a terminal is inside, and with how many people. */
export class StayMeter {
  #lasted = 0;
  #people = 0;
  #since: number | null = null;

  /** The terminal came in. */
  begin(now: number): void {
    this.#since ??= now;
    this.#people = Math.max(this.#people, 1);
  }

  /** So many people are inside, this terminal included. */
  saw(people: number): void {
    if (this.#since !== null) this.#people = Math.max(this.#people, people);
  }

  /** The terminal went out, to the waiting room or for good. */
  pause(now: number): void {
    if (this.#since !== null) this.#lasted += now - this.#since;
    this.#since = null;
  }

  /** Null if the terminal was never inside. */
  get stay(): Stay | null {
    return this.#people === 0 ? null : { lasted: this.#lasted, people: this.#people };
  }
}
