import { CallError } from '@rmeet/testkit';
import type { Meeting } from '@rmeet/contract';

/** What clients do; each is asked for, and then acknowledged, refused, or broken off by a kill. */
export const DEEDS = ['booking', 'series', 'files', 'change', 'cancellation', 'decision', 'joining', 'ending'] as const;
export type Deed = (typeof DEEDS)[number];

/** How a meeting is found by those who ask for it. */
export interface Found {
  subject: string;
  /** ms. */
  start: number;
  duration: number;
  /** Ids, sorted. */
  rooms: string[];
  /** Names, sorted. */
  files: string[];
  approval: Meeting['approval'];
}

/** A booking of somebody's: one meeting, or those of a series. */
export interface Booking {
  /** Part of its subject, and of no other's. */
  mark: string;
  /** One of its meetings, once it was acknowledged. */
  meetId?: string;
  /** The number it can be dialled by. */
  number?: string;
  /** Outside addresses that are told of it. */
  addresses: string[];
  /** What each of its files holds, by name. */
  contents: Map<string, string>;
  /**
   * Its meetings in order, those that were cancelled left out: as they were acknowledged, and where a call was broken
   * off, as they would be after it.
   */
  may: Found[][];
  /** Somebody asked for its conference to end for all, and whether that was acknowledged. */
  ending?: 'asked' | 'acknowledged';
}

export interface Count {
  asked: number;
  acknowledged: number;
  refused: number;
  brokenOff: number;
}

type Outcome<T> = { how: 'acknowledged'; value: T } | { how: 'refused' | 'brokenOff' };

/** Who was told what, and how often. */
export class Ledger {
  readonly bookings: Booking[] = [];
  readonly counts = new Map<Deed, Count>(
    DEEDS.map((deed) => [deed, { asked: 0, acknowledged: 0, refused: 0, brokenOff: 0 }]),
  );
  /** Answers no client may get: the server's own failures. */
  readonly failures: string[] = [];
  /** Refusals by code, for who reads the verdict. */
  readonly refusals = new Map<string, number>();

  booking(mark: string, addresses: string[] = []): Booking {
    const made: Booking = { mark, addresses, contents: new Map(), may: [[]] };
    this.bookings.push(made);
    return made;
  }

  /**
   * Does something and notes how it came out. Whatever is neither an answer nor a refusal was broken off: it was done,
   * or not.
   */
  async attempt<T>(deed: Deed, call: () => Promise<T>): Promise<Outcome<T>> {
    const count = this.counts.get(deed)!;
    count.asked += 1;
    try {
      const value = await call();
      count.acknowledged += 1;
      return { how: 'acknowledged', value };
    } catch (error) {
      const how = error instanceof CallError ? 'refused' : 'brokenOff';
      count[how] += 1;
      if (error instanceof CallError) {
        this.refusals.set(error.code, (this.refusals.get(error.code) ?? 0) + 1);
        if (error.httpStatus === 500) this.failures.push(`${deed}: ${error.message}`);
      }
      return { how };
    }
  }

  /** The same for what changes a booking: `after` is how its meetings are found once it is done. */
  async change<T>(deed: Deed, booking: Booking, after: Found[], call: () => Promise<T>): Promise<Outcome<T>> {
    const before = booking.may;
    booking.may = [...before, after];
    const outcome = await this.attempt(deed, call);
    if (outcome.how === 'acknowledged') booking.may = [after];
    else if (outcome.how === 'refused') booking.may = before;
    return outcome;
  }
}
