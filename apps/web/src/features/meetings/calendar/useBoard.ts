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

/** State and actions shared by all calendar views. */
export interface CalendarBoard {
  days: readonly string[];
  /** The selected day of the calendar. */
  day: string;
  now: number;
  meetings: readonly Meeting[];
  moves: Moves;
  mode: MoveMode;
  words: CalendarWords;
  mayBook: boolean;
  canMove: (meeting: Meeting) => boolean;
  onOpen: (meetId: string) => void;
  /** Without `end`, the form sets its default duration. */
  onBook: (start: number, end?: number) => void;
  /** Moves the view by this number of its lengths; returns the resulting day. */
  step: (by: number) => string;
  go: (view: CalendarView, day: string) => void;
}

/** Whether the account may book a meeting of any type. */
export function useMayBook(): boolean {
  return bookableTypes(useProfile()?.flags).length > 0;
}

/**
 * The meetings at the times they are shown at: where they are being moved to, or where they were moved until the server
 * has answered.
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
  // A meeting moved to days that are not loaded yet is included.
  return [
    ...known,
    ...[...changing.values()].filter(({ meeting }) => !meetings.some(({ meetId }) => meetId === meeting.meetId)),
  ];
}

/** Whether a meeting is shown at times other than its own. */
export function isMoving(
  { moves, mode }: Pick<CalendarBoard, 'moves' | 'mode'>,
  drag: Drag | null,
  { meetId }: Meeting,
): boolean {
  return moves.pending.has(meetId) || mode.moving?.meeting.meetId === meetId || drag?.meeting?.meetId === meetId;
}

/** The earliest bookable start: the next quarter of an hour. */
export function earliestStart(now: number): number {
  return Math.ceil((now + MINUTE) / STEP) * STEP;
}

/** The start to book on a day of a month: 09:00, or the next quarter of an hour today; null for past days. */
export function startOn(day: string, nine: number, now: number): number | null {
  if (day < dayOf(now, ownZone())) return null;
  return Math.max(nine, earliestStart(now));
}

/** The bookable part of a free interval; null if it is in the past. */
export function bookable({ start, end }: Interval, now: number): Interval | null {
  const from = Math.max(start, earliestStart(now));
  return from < end ? { start: from, end } : null;
}
