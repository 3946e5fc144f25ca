import { EARLY_JOIN_MINUTES, type Meeting } from '@rmeet/contract';
import { dayOf } from '../../../lib/rooms/index.ts';

const MINUTE = 60_000;

export const startOf = ({ startTime }: Pick<Meeting, 'startTime'>): number => Date.parse(startTime);
export const endOf = (meeting: Pick<Meeting, 'startTime' | 'duration'>): number =>
  startOf(meeting) + meeting.duration * MINUTE;

/** When participants may enter, and check in to the rooms; the host may enter at any time. */
export const opensAt = (meeting: Pick<Meeting, 'startTime'>): number => startOf(meeting) - EARLY_JOIN_MINUTES * MINUTE;

/** Whether the meeting was opened and is not over. */
export const isHeld = ({ status }: Pick<Meeting, 'status'>): boolean => status !== 'SCHEDULE' && status !== 'OFFLINE';

/** Whether the meeting has ended, or its time has passed without it. */
export function isOver(meeting: Meeting, now: number): boolean {
  return meeting.status === 'OFFLINE' || (!isHeld(meeting) && endOf(meeting) <= now);
}

/**
 * How the user gets into a meeting now: the host starts it, others join it. `later`: they may join from a time on;
 * `none`: it has no conference, is over, or not approved.
 */
export type Entry = 'start' | 'join' | 'later' | 'none';

export function entryOf(meeting: Meeting, now: number): Entry {
  const { can } = meeting;
  if (!can.join) return 'none';
  if (can.start) return 'start';
  return isHeld(meeting) || now >= opensAt(meeting) ? 'join' : 'later';
}

/** A meeting in the list of a day, with the later meetings of its series. */
export interface AgendaRow {
  meeting: Meeting;
  terms: readonly Meeting[];
}

export interface AgendaDay {
  /** `2026-11-20` */
  day: string;
  /** Meetings of today that are over. */
  over: readonly Meeting[];
  rows: readonly AgendaRow[];
}

/**
 * Meetings, earliest first, by day: today, and later days that have some. A series is one row, on the day of its next
 * meeting. What began on an earlier day and goes on belongs to today.
 */
export function agendaOf(meetings: readonly Meeting[], now: number, zone: string): AgendaDay[] {
  const today = dayOf(now, zone);
  const days = new Map<string, { over: Meeting[]; rows: { meeting: Meeting; terms: Meeting[] }[] }>();
  const on = (meeting: Meeting) => {
    const own = dayOf(startOf(meeting), zone);
    const day = own < today ? today : own;
    const known = days.get(day) ?? { over: [], rows: [] };
    days.set(day, known);
    return known;
  };
  days.set(today, { over: [], rows: [] });
  const termsOf = new Map<string, Meeting[]>();
  for (const meeting of meetings) {
    const terms = termsOf.get(meeting.series?.id ?? '');
    if (isOver(meeting, now)) on(meeting).over.push(meeting);
    else if (terms) terms.push(meeting);
    else {
      const row = { meeting, terms: [] };
      on(meeting).rows.push(row);
      if (meeting.series !== null) termsOf.set(meeting.series.id, row.terms);
    }
  }
  return [...days].map(([day, { over, rows }]) => ({ day, over, rows }));
}

/** The meeting of the card: one with people inside, else the next that can be attended. */
export function nextOf(meetings: readonly Meeting[], now: number): Meeting | null {
  const open = meetings.filter(
    (meeting) => !isOver(meeting, now) && (meeting.can.join || meeting.type === 'LOCAL_MEETING'),
  );
  return open.find(({ terminalCount }) => terminalCount > 0) ?? open[0] ?? null;
}
