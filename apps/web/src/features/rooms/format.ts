import type { OpeningTimes } from '@rmeet/contract';
import type { useTexts } from '../../lib/i18n/index.ts';

type RoomTexts = ReturnType<typeof useTexts<'rooms'>>;

/** Weekdays in display order: from Monday (1) to Sunday (0). */
export const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;
export type Day = (typeof WEEK)[number];

/** Groups consecutive days into runs from first to last: `1, 2, 3, 5` is Monday to Wednesday, and Friday. */
export function dayRuns(days: readonly number[]): [first: Day, last: Day][] {
  const runs: [Day, Day][] = [];
  let previous = -2;
  for (const [place, day] of WEEK.entries()) {
    if (!days.includes(day)) continue;
    const run = runs.at(-1);
    if (run && previous === place - 1) run[1] = day;
    else runs.push([day, day]);
    previous = place;
  }
  return runs;
}

/** Days as text. */
export function formatDays(days: readonly number[], t: RoomTexts): string {
  const dayName = (day: Day) => t(`day.${day}`);
  const isNext = (first: Day, last: Day) => WEEK.indexOf(last) - WEEK.indexOf(first) === 1;
  if (WEEK.every((day) => days.includes(day))) return t('day.all');
  return dayRuns(days)
    .flatMap(([first, last]) => {
      if (first === last) return [dayName(first)];
      return isNext(first, last)
        ? [dayName(first), dayName(last)]
        : [t('day.run', { first: dayName(first), last: dayName(last) })];
    })
    .join(t('separator'));
}

/** When a room may be booked, as text. */
export function formatOpening(opening: OpeningTimes | null, t: RoomTexts): string {
  return opening === null
    ? t('opening.always')
    : t('opening.times', { days: formatDays(opening.days, t), from: opening.from, until: opening.until });
}

/** When a booking without check-in is released, as text. */
export function formatRelease(minutes: number | null, t: RoomTexts): string {
  return minutes === null ? t('release.never') : t('release.minutes', { count: minutes });
}
