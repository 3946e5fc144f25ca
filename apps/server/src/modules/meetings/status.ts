import { EARLY_JOIN_MINUTES, LATE_JOIN_MINUTES, ONE_DAY } from '@rmeet/contract';
import type { MeetingRow } from './tables.ts';

/**
 * How a meeting's status moves. Nothing leaves OFFLINE.
 *
 * | from              | on                                                                          | to       |
 * | ----------------- | --------------------------------------------------------------------------- | -------- |
 * | SCHEDULE          | open: its conference opens, and its room is asked of the media engine       | PENDING  |
 * | PENDING, ABNORMAL | connect: the media engine has the room                                      | ONLINE   |
 * | PENDING           | fail: the media engine made no room for a while; it may be opened again     | SCHEDULE |
 * | ONLINE            | lose: the room is missing for some seconds, or the media engine is away     | ABNORMAL |
 * | PENDING, ONLINE, ABNORMAL | close: empty before its end, or ended early; may open again        | SCHEDULE |
 * | PENDING, ONLINE, ABNORMAL | end: ended by its host or a limit, or left empty past its end       | OFFLINE  |
 * | SCHEDULE          | begin: the time of a local meeting has come, or an outside stream is on air | ONLINE   |
 * | ONLINE            | finish: the time of a local meeting is over, or that broadcast has ended    | OFFLINE  |
 * | SCHEDULE          | cancel, or lapse: not opened until the late-join end                        | OFFLINE  |
 *
 * A move applies only to a meeting in one of its start states (`moveMeeting`), so of two concurrent moves the second
 * does nothing.
 */
const transitions = {
  open: { from: ['SCHEDULE'], to: 'PENDING' },
  connect: { from: ['PENDING', 'ABNORMAL'], to: 'ONLINE' },
  fail: { from: ['PENDING'], to: 'SCHEDULE' },
  lose: { from: ['ONLINE'], to: 'ABNORMAL' },
  close: { from: ['PENDING', 'ONLINE', 'ABNORMAL'], to: 'SCHEDULE' },
  end: { from: ['PENDING', 'ONLINE', 'ABNORMAL'], to: 'OFFLINE' },
  begin: { from: ['SCHEDULE'], to: 'ONLINE' },
  finish: { from: ['ONLINE'], to: 'OFFLINE' },
  cancel: { from: ['SCHEDULE'], to: 'OFFLINE' },
  lapse: { from: ['SCHEDULE'], to: 'OFFLINE' },
} as const satisfies Record<string, { from: readonly MeetingStatus[]; to: MeetingStatus }>;

type MeetingStatus = MeetingRow['status'];
export type MeetingMove = keyof typeof transitions;
export const MEETING_MOVES = Object.keys(transitions) as MeetingMove[];

const MINUTE = 60_000;

/** Where a move starts and ends. */
export function transition(move: MeetingMove): { from: readonly MeetingStatus[]; to: MeetingStatus } {
  return transitions[move];
}

/**
 * Statuses of a meeting that is being held: it cannot be opened, can only be ended, and can be changed only before its
 * start time.
 */
export const HELD_STATUSES = ['PENDING', 'ONLINE', 'ABNORMAL'] as const satisfies readonly MeetingStatus[];

/** Whether a meeting is being held: opened and not over, even if its media is not ready or lost. */
export function isHeld({ status }: Pick<MeetingRow, 'status'>): boolean {
  return (HELD_STATUSES as readonly MeetingStatus[]).includes(status);
}

/** What says whether a meeting has a conference. */
export type Kind = Pick<MeetingRow, 'type' | 'hasConference'>;

/** Whether a meeting is held on the media plane; local ones and broadcasts of outside streams have no conference. */
export function hasConference({ type, hasConference: has }: Kind): boolean {
  return has && type !== 'LOCAL_MEETING';
}

/** Why a meeting without a conference cannot be entered; null if it has one. */
export function refusalWithoutConference(meeting: Kind): 'MEETING_IS_LOCAL' | 'MEETING_WITHOUT_CONFERENCE' | null {
  if (hasConference(meeting)) return null;
  return meeting.type === 'LOCAL_MEETING' ? 'MEETING_IS_LOCAL' : 'MEETING_WITHOUT_CONFERENCE';
}

/**
 * Whether the meeting's running conference shows that its rooms are in use. A local meeting runs by the clock, so its
 * people check in, and a conference entered before its time does not count.
 */
export function usesRooms(meeting: Kind & Pick<MeetingRow, 'status' | 'startTime'>, now: Date): boolean {
  const { status } = meeting;
  return hasConference(meeting) && (status === 'ONLINE' || status === 'ABNORMAL') && !isEarly(meeting, now);
}

/** Whether a meeting needs no approval, or has it. */
export function isApproved({ approval }: Pick<MeetingRow, 'approval'>): boolean {
  return approval === 'none' || approval === 'approved';
}

/** When members and guests may open the meeting; its host may at any time. */
function opensAt(meeting: Pick<MeetingRow, 'startTime'>): Date {
  return new Date(meeting.startTime.getTime() - EARLY_JOIN_MINUTES * MINUTE);
}

/**
 * Whether the meeting cannot be opened by members yet. Its host may enter earlier, which does not change the booking.
 */
export function isEarly(meeting: Pick<MeetingRow, 'startTime'>, now: Date): boolean {
  return now < opensAt(meeting);
}

/**
 * Whether a meeting is still to come, and so can be changed and cancelled, even if its host has entered early. An
 * outside stream that is on air early is not to come any more.
 */
export function isToCome(meeting: Kind & Pick<MeetingRow, 'status' | 'startTime'>, now: Date): boolean {
  return meeting.status === 'SCHEDULE' || (hasConference(meeting) && isHeld(meeting) && isEarly(meeting, now));
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
