import { isEarly } from '../../meetings/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import type { TerminalRow } from '../tables.ts';

const SECOND = 1_000;
/** A terminal that vanished may come back this long without being recorded as gone. */
export const VANISHED_GRACE = 20 * SECOND;
/** Let in, but never seen on the media engine: browsers ask for permissions first. */
export const ARRIVAL_GRACE = 60 * SECOND;
/** A waiting terminal without a push socket is gone after this long; sockets are noted every ten seconds. */
export const WAITING_GRACE = 40 * SECOND;
/** An empty conference ends this long after its last terminal left, when its time is over. */
export const EMPTY_PAST_END = 2 * 60 * SECOND;
/** And this long during that, when the meeting may open again. */
export const EMPTY_BEFORE_END = 30 * 60 * SECOND;
/** Before the booked start, an empty conference closes after this long. */
export const EMPTY_BEFORE_START = 2 * 60 * SECOND;

/** When each admitted terminal was first missed on the media engine, by termId. */
export type Missing = Map<string, number>;

export interface Findings {
  /** On the media engine, but neither let in (or not any more) nor watching by right. */
  strangers: string[];
  /** Seen on the media engine for the first time. */
  arrived: string[];
  /** Let in, but gone from the media engine for too long. */
  vanished: string[];
  /** Stopped waiting without saying so. */
  gaveUp: string[];
  isEmpty: boolean;
}

/**
 * Compares the terminals of one conference with who is on the media engine. Updates `missing`; changes nothing else.
 *
 * @param watchers identities of desks that watch by right
 * @param watchedSince ms; sockets of waiting terminals were not noted before
 */
export function compare(
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
    strangers: [...identities].filter((identity) => !known.has(identity) && !watchers.has(identity)),
    arrived: admitted.filter((row) => row.joinedAt === null && identities.has(row.termId)).map((row) => row.termId),
    vanished: vanished.map((row) => row.termId),
    gaveUp: present
      .filter(
        (row) => row.state === 'waiting' && at - Math.max(row.lastSeenAt.getTime(), watchedSince) >= WAITING_GRACE,
      )
      .map((row) => row.termId),
    isEmpty: admitted.length === vanished.length,
  };
}

/**
 * What becomes of a conference that has been empty: nothing yet, over for good, or closed until somebody opens it
 * again. Those who wait keep it open, but for before the time from when on everybody may open it: then it is soon as it
 * was booked.
 */
export function fateOfEmpty(
  emptySince: Date,
  meeting: Pick<MeetingRow, 'startTime' | 'endTime'>,
  someoneWaits: boolean,
  now: Date,
): 'stay' | 'end' | 'close' {
  const empty = now.getTime() - emptySince.getTime();
  if (now >= meeting.endTime) return empty >= EMPTY_PAST_END ? 'end' : 'stay';
  if (someoneWaits && !isEarly(meeting, now)) return 'stay';
  return empty >= (now < meeting.startTime ? EMPTY_BEFORE_START : EMPTY_BEFORE_END) ? 'close' : 'stay';
}
