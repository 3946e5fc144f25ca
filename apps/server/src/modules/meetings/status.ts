import { EARLY_JOIN_MINUTES, LATE_JOIN_MINUTES, ONE_DAY } from '@rmeet/contract';
import type { MeetingRow } from './tables.ts';

/**
 * How a meeting's status moves. Nothing leaves OFFLINE.
 *
 * | from     | on                                                    | to       |
 * | -------- | ----------------------------------------------------- | -------- |
 * | SCHEDULE | open: its conference opens                            | ONLINE   |
 * | SCHEDULE | cancel, or lapse: nobody came until the late-join end | OFFLINE  |
 * | ONLINE   | close: left empty before its end; it may open again   | SCHEDULE |
 * | ONLINE   | end: ended by the host, or left empty past its end    | OFFLINE  |
 */
const transitions = {
  open: { from: 'SCHEDULE', to: 'ONLINE' },
  cancel: { from: 'SCHEDULE', to: 'OFFLINE' },
  lapse: { from: 'SCHEDULE', to: 'OFFLINE' },
  close: { from: 'ONLINE', to: 'SCHEDULE' },
  end: { from: 'ONLINE', to: 'OFFLINE' },
} as const;

export type MeetingMove = keyof typeof transitions;

const MINUTE = 60_000;

/** Where a move starts and ends. */
export function transition(move: MeetingMove): (typeof transitions)[MeetingMove] {
  return transitions[move];
}

/** From when on members and guests may open the meeting; its host may at any time. */
export function opensAt(meeting: Pick<MeetingRow, 'startTime'>): Date {
  return new Date(meeting.startTime.getTime() - EARLY_JOIN_MINUTES * MINUTE);
}

/** Meetings that start by this time are open to members at `now`, and their rooms to those who check in. */
export function openBy(now: Date): Date {
  return new Date(now.getTime() + EARLY_JOIN_MINUTES * MINUTE);
}

/** Meetings that ended by this time can no longer be opened at `now`. */
export function lapsedBy(now: Date): Date {
  return new Date(now.getTime() - LATE_JOIN_MINUTES * MINUTE);
}

export function endTimeOf(startTime: Date, duration: number): Date {
  return new Date(startTime.getTime() + duration * MINUTE);
}

/** Guest links of a meeting work no longer than this. */
export function guestLinksUntil(endTime: Date): Date {
  return new Date(endTime.getTime() + ONE_DAY);
}

export function isOver(meeting: Pick<MeetingRow, 'status' | 'endTime'>, now: Date): boolean {
  return meeting.status === 'OFFLINE' || (meeting.status === 'SCHEDULE' && meeting.endTime <= lapsedBy(now));
}
