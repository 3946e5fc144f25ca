import { isEarly } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import type { TerminalRow } from '../tables.ts';

const SECOND = 1_000;
/** A terminal that disappears may return within this time without being recorded as gone. */
export const VANISHED_GRACE = 20 * SECOND;
/** An admitted terminal has this long to appear on the media engine: browsers ask for permissions first. */
export const ARRIVAL_GRACE = 60 * SECOND;
/** A waiting terminal without a push socket is gone after this long; sockets are recorded every ten seconds. */
export const WAITING_GRACE = 40 * SECOND;
/** After its end time, an empty conference ends this long after its last terminal left. */
export const EMPTY_PAST_END = 2 * 60 * SECOND;
/** Before its end time, an empty conference is closed after this long; the meeting may open again. */
export const EMPTY_BEFORE_END = 30 * 60 * SECOND;
/** Before the booked start, an empty conference is closed after this long. */
export const EMPTY_BEFORE_START = 2 * 60 * SECOND;

/** When each admitted terminal was first missing on the media engine, by termId. */
export type Missing = Map<string, number>;

export interface Findings {
  /** Identities on the media engine that are neither admitted terminals nor authorized watchers. */
  unauthorized: string[];
  /** Terminals seen on the media engine for the first time. */
  arrived: string[];
  /** Admitted terminals that have been missing on the media engine for too long. */
  vanished: string[];
  /** Waiting terminals that disappeared without leaving. */
  abandoned: string[];
  isEmpty: boolean;
}

/**
 * Compares the terminals of one conference with the participants on the media engine. Updates `missing` and nothing
 * else.
 *
 * @param watchers identities of desks that are authorized to watch
 * @param watchedSince ms; sockets of waiting terminals were not recorded before
 */
export function comparePresence(
  identities: ReadonlySet<string>,
  present: readonly TerminalRow[],
  watchers: ReadonlySet<string>,
  missing: Missing,
  now: Date,
  watchedSince: number,
): Findings {
  const at = now.getTime();
  const admitted = present.filter((row) => row.state === 'admitted');
  const known = new Set(admitted.map((row) => row.termId));
  const vanished = admitted.filter((row) => {
    if (identities.has(row.termId)) {
      missing.delete(row.termId);
      return false;
    }
    const since = missing.get(row.termId) ?? at;
    missing.set(row.termId, since);
    return at - since >= (row.joinedAt ? VANISHED_GRACE : ARRIVAL_GRACE);
  });
  return {
    unauthorized: [...identities].filter((identity) => !known.has(identity) && !watchers.has(identity)),
    arrived: admitted.filter((row) => row.joinedAt === null && identities.has(row.termId)).map((row) => row.termId),
    vanished: vanished.map((row) => row.termId),
    abandoned: present
      .filter(
        (row) => row.state === 'waiting' && at - Math.max(row.lastSeenAt.getTime(), watchedSince) >= WAITING_GRACE,
      )
      .map((row) => row.termId),
    isEmpty: admitted.length === vanished.length,
  };
}

/**
 * What happens to an empty conference: it stays, ends for good, or closes until the meeting is opened again. Waiting
 * terminals keep it open, except before the time from which anybody may open the meeting: then the meeting soon returns
 * to booked.
 */
export function emptyOutcome(
  emptySince: Date,
  meeting: Pick<MeetingRow, 'startTime' | 'endTime'>,
  hasWaiting: boolean,
  now: Date,
): 'stay' | 'end' | 'close' {
  const empty = now.getTime() - emptySince.getTime();
  if (now >= meeting.endTime) return empty >= EMPTY_PAST_END ? 'end' : 'stay';
  if (hasWaiting && !isEarly(meeting, now)) return 'stay';
  return empty >= (now < meeting.startTime ? EMPTY_BEFORE_START : EMPTY_BEFORE_END) ? 'close' : 'stay';
}
