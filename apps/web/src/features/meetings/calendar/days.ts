import { clockOf, dayOf, instantOf, minutesOf, shiftDay, type Interval } from '../../../lib/rooms/index.ts';
import type { CalendarView } from './viewState.ts';

export const MINUTE = 60_000;
export const HALF_HOUR = 30 * MINUTE;
/** The step size of moving and resizing. */
export const STEP = 15 * MINUTE;

const DAYS_OF_WEEK = 7;

/** The weekday of a day: 1 to 6, and 0 for Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** Weeks begin on Monday in Chinese and on Sunday in English, as in each language's date picker. */
export function firstWeekday(language: string): 0 | 1 {
  return language === 'zh' ? 1 : 0;
}

function weekOf(day: string, firstDay: 0 | 1): string {
  return shiftDay(day, -((weekdayOf(day) - firstDay + DAYS_OF_WEEK) % DAYS_OF_WEEK));
}

/** The days a view shows: one, seven, or whole weeks around a month. */
export function daysShown(view: CalendarView, day: string, firstDay: 0 | 1): readonly string[] {
  const row = (first: string, count: number) => Array.from({ length: count }, (_, index) => shiftDay(first, index));
  if (view === 'day') return [day];
  if (view === 'week') return row(weekOf(day, firstDay), DAYS_OF_WEEK);
  const first = weekOf(`${day.slice(0, 7)}-01`, firstDay);
  const afterLast = shiftMonth(`${day.slice(0, 7)}-01`, 1);
  const weeks = Math.ceil((Date.parse(afterLast) - Date.parse(first)) / (DAYS_OF_WEEK * 1_440 * MINUTE));
  return row(first, weeks * DAYS_OF_WEEK);
}

/** The same day of another month, or its last day. */
function shiftMonth(day: string, by: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + by, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + by, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The day shown after moving the view by this number of its lengths. */
export function stepDay(view: CalendarView, day: string, by: number): string {
  return view === 'month' ? shiftMonth(day, by) : shiftDay(day, by * (view === 'week' ? DAYS_OF_WEEK : 1));
}

/** The first instant of a day. If clocks go forward at midnight, it is later than 00:00. */
export function startOfDay(day: string, zone: string): number {
  const midnight = instantOf(day, 0, zone);
  if (dayOf(midnight, zone) >= day) return midnight;
  let start = midnight;
  while (dayOf(start, zone) < day) start += STEP;
  return start;
}

/** From the first instant of the first day to the last instant of the last day. */
export function rangeOf(days: readonly string[], zone: string): Interval {
  return { start: startOfDay(days[0] ?? '', zone), end: startOfDay(shiftDay(days.at(-1) ?? '', 1), zone) };
}

/**
 * A half hour of the clock across the days of a time grid: its instant on each day, null if a clock change skips it.
 * The hour that occurs twice has separate rows, which are null on all other days.
 */
export interface TimeRow {
  /** Unique per row. */
  key: string;
  clock: string;
  starts: readonly (number | null)[];
}

/** The rows of a time grid: 48, and two more in the week in which clocks go back. */
export function timeRows(days: readonly string[], zone: string): readonly TimeRow[] {
  const rows = new Map<string, { key: string; clock: string; order: number; starts: (number | null)[] }>();
  days.forEach((day, index) => {
    const end = startOfDay(shiftDay(day, 1), zone);
    const seen = new Map<string, number>();
    // Repeated rows follow their first occurrence on that day.
    let order = 0;
    for (let at = startOfDay(day, zone); at < end; at += HALF_HOUR) {
      const clock = clockOf(at, zone);
      const times = seen.get(clock) ?? 0;
      seen.set(clock, times + 1);
      order = times === 0 ? minutesOf(clock) : order + 0.1;
      const key = `${clock} ${times}`;
      const row = rows.get(key) ?? { key, clock, order, starts: days.map(() => null) };
      row.starts[index] = at;
      rows.set(key, row);
    }
  });
  // Rows that every day lacks are left out: a single day has only its own 23 hours.
  return [...rows.values()].sort((a, b) => a.order - b.order).map(({ key, clock, starts }) => ({ key, clock, starts }));
}

/**
 * The vertical position of an instant in a day of the grid, in rows. `isEnd`: an interval that ends with a row ends
 * there, and not at the next row of the day.
 */
export function placeIn(rows: readonly TimeRow[], day: number, instant: number, isEnd = false): number {
  let place = 0;
  rows.forEach(({ starts }, index) => {
    const start = starts[day] ?? null;
    if (start !== null && (isEnd ? start < instant : start <= instant))
      place = index + Math.min(1, (instant - start) / HALF_HOUR);
  });
  return place;
}

/** The instant at a vertical position in a day; time that the day lacks counts as the following time. */
export function instantIn(rows: readonly TimeRow[], day: number, place: number): number {
  const last = rows.length - 1;
  const wanted = Math.min(last, Math.max(0, Math.floor(place)));
  for (let index = wanted; index <= last; index += 1) {
    const start = rows[index]?.starts[day] ?? null;
    if (start !== null) return index === wanted ? start + Math.min(1, Math.max(0, place - index)) * HALF_HOUR : start;
  }
  const before = rows.flatMap(({ starts }) => starts[day] ?? []);
  return (before.at(-1) ?? 0) + HALF_HOUR;
}

/** Rounded to the nearest quarter of an hour. */
export function snapped(instant: number): number {
  return Math.round(instant / STEP) * STEP;
}

/** The same time of day, `by` days later. */
export function shiftInstant(instant: number, by: number, zone: string): number {
  return instantOf(shiftDay(dayOf(instant, zone), by), minutesOf(clockOf(instant, zone)), zone) + (instant % MINUTE);
}

/** The number of days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / (1_440 * MINUTE));
}
