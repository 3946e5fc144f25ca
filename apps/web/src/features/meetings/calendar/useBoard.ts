import type { Meeting } from '@rmeet/contract';
import { useProfile } from '../../../lib/profile.ts';
import { dayOf, ownZone, type Interval } from '../../../lib/rooms/index.ts';
import { bookableTypes } from '../types.ts';
import { MINUTE, STEP } from './days.ts';
import { timesOf, type Shown } from './layout.ts';
import type { Drag } from './useDrag.ts';
import type { MoveMode } from './useMoveMode.ts';
import type { Moves } from './useMoves.ts';
import type { CalendarView } from './viewState.ts';
import type { CalendarWords } from './words.ts';

/** What all views of the calendar share. */
export interface CalendarBoard {
  days: readonly string[];
  /** The day the calendar stands at. */
  day: string;
  now: number;
  meetings: readonly Meeting[];
  moves: Moves;
  mode: MoveMode;
  words: CalendarWords;
  mayBook: boolean;
  canMove: (meeting: Meeting) => boolean;
  onOpen: (meetId: string) => void;
  /** Without an end the form says how long. */
  onBook: (start: number, end?: number) => void;
  /** Goes on by so many lengths of the view; returns the day it stands at then. */
  step: (by: number) => string;
  go: (view: CalendarView, day: string) => void;
}

/** Whether the account may book a meeting of any type. */
export function useMayBook(): boolean {
  return bookableTypes(useProfile()?.flags).length > 0;
}

/**
 * The meetings at the times they are shown at: where they are dragged or moved to, or are to be once the server has
 * answered.
 */
export function shownOf(
  { meetings, moves, mode }: Pick<CalendarBoard, 'meetings' | 'moves' | 'mode'>,
  drag: Drag | null,
): readonly Shown[] {
  const changing = new Map<string, Shown>();
  if (mode.moving) changing.set(mode.moving.meeting.meetId, mode.moving);
  if (drag?.meeting) changing.set(drag.meeting.meetId, { meeting: drag.meeting, times: drag.times });
  const known = meetings.map(
    (meeting) =>
      changing.get(meeting.meetId) ?? { meeting, times: moves.pending.get(meeting.meetId) ?? timesOf(meeting) },
  );
  // One that is moved to days that are not loaded yet comes along.
  return [
    ...known,
    ...[...changing.values()].filter(({ meeting }) => !meetings.some(({ meetId }) => meetId === meeting.meetId)),
  ];
}

/** Whether a meeting is shown at other times than its own. */
export function isMoving(
  { moves, mode }: Pick<CalendarBoard, 'moves' | 'mode'>,
  drag: Drag | null,
  { meetId }: Meeting,
): boolean {
  return moves.pending.has(meetId) || mode.moving?.meeting.meetId === meetId || drag?.meeting?.meetId === meetId;
}

/** The earliest start that can be booked: the next quarter of an hour. */
export function earliestStart(now: number): number {
  return Math.ceil((now + MINUTE) / STEP) * STEP;
}

/** What is booked on a day of a month: nine o'clock, or the next quarter of an hour today; null for days gone by. */
export function startOn(day: string, nine: number, now: number): number | null {
  if (day < dayOf(now, ownZone())) return null;
  return Math.max(nine, earliestStart(now));
}

/** An interval of free time as it can be booked; null when it is over. */
export function bookable({ start, end }: Interval, now: number): Interval | null {
  const from = Math.max(start, earliestStart(now));
  return from < end ? { start: from, end } : null;
}
