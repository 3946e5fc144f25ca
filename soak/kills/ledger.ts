import { CallError } from '@rmeet/testkit';
import type { Meeting } from '@rmeet/contract';

/** The actions of clients; each is requested, and then acknowledged, refused, or interrupted by a kill. */
export const DEEDS = ['booking', 'series', 'files', 'change', 'cancellation', 'decision', 'joining', 'ending'] as const;
export type Deed = (typeof DEEDS)[number];

/** A meeting as returned to clients. */
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

/** A client's booking: one meeting, or those of a series. */
export interface Booking {
  /** Part of its subject, unique. */
  mark: string;
  /** One of its meetings, after acknowledgement. */
  meetId?: string;
  /** Its meeting number. */
  number?: string;
  /** Outside addresses that are notified. */
  addresses: string[];
  /** The content of each of its files, by name. */
  contents: Map<string, string>;
  /**
   * The allowed states of its meetings in order, without cancelled ones: as acknowledged, and if a call was
   * interrupted, also as after that call.
   */
  may: Found[][];
  /** A client requested to end its conference for all, and whether that was acknowledged. */
  ending?: 'asked' | 'acknowledged';
}

export interface Count {
  asked: number;
  acknowledged: number;
  refused: number;
  brokenOff: number;
}

type Outcome<T> = { how: 'acknowledged'; value: T } | { how: 'refused' | 'brokenOff' };

/** The acknowledgements to clients, and their number. */
export class Ledger {
  readonly bookings: Booking[] = [];
  readonly counts = new Map<Deed, Count>(
    DEEDS.map((deed) => [deed, { asked: 0, acknowledged: 0, refused: 0, brokenOff: 0 }]),
  );
  /** Responses that no client may get: internal errors of the server. */
  readonly failures: string[] = [];
  /** Refusals by code, for the verdict. */
  readonly refusals = new Map<string, number>();

  booking(mark: string, addresses: string[] = []): Booking {
    const made: Booking = { mark, addresses, contents: new Map(), may: [[]] };
    this.bookings.push(made);
    return made;
  }

  /**
   * Performs an action and records its outcome. If there is neither a response nor a refusal, it was interrupted: it
   * was done, or not.
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

  /** The same for a change of a booking: `after` is the state of its meetings after the change. */
  async change<T>(deed: Deed, booking: Booking, after: Found[], call: () => Promise<T>): Promise<Outcome<T>> {
    const before = booking.may;
    booking.may = [...before, after];
    const outcome = await this.attempt(deed, call);
    if (outcome.how === 'acknowledged') booking.may = [after];
    else if (outcome.how === 'refused') booking.may = before;
    return outcome;
  }
}
