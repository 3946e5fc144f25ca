import type { Locale, OpeningTimes } from '@rmeet/contract';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 4;

/** Wall-clock time in a zone: days since 1970 by the calendar, and milliseconds of the day. */
function wallClock(time: number, timeZone: string): { day: number; ms: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(time);
  const of = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value);
  const midnight = Date.UTC(of('year'), of('month') - 1, of('day'));
  return { day: midnight / DAY, ms: ((of('hour') * 60 + of('minute')) * 60 + of('second')) * 1_000 + (time % 1_000) };
}

function timeOfDay(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE;
}

/**
 * Whether a room is open from one time to another, on every day in between by its local clock. Across midnight it is
 * open only if the first day ends at 24:00 and the next begins at 00:00.
 */
export function isOpen({ days, from, until }: OpeningTimes, timeZone: string, start: Date, end: Date): boolean {
  const first = wallClock(start.getTime(), timeZone);
  // The moment before the end, so that an end at midnight belongs to the day before.
  const last = wallClock(end.getTime() - 1, timeZone);
  for (let day = first.day; day <= last.day; day += 1) {
    const begins = day === first.day ? first.ms : 0;
    const ends = day === last.day ? last.ms + 1 : DAY;
    if (!days.includes((day + FIRST_WEEKDAY) % 7) || begins < timeOfDay(from) || ends > timeOfDay(until)) return false;
  }
  return true;
}

/** Days of the week as text: ranges as first and last day. Monday comes first. */
function daysText(days: readonly number[], locale: Locale): string {
  const format = new Intl.DateTimeFormat(locale === 'en' ? 'en' : 'zh-CN', {
    weekday: locale === 'en' ? 'long' : 'short',
    timeZone: 'UTC',
  });
  const nameOf = (day: number): string => format.format(((day - FIRST_WEEKDAY + 7) % 7) * DAY);
  const runs: number[][] = [];
  for (const day of [1, 2, 3, 4, 5, 6, 0].filter((one) => days.includes(one))) {
    const run = runs.at(-1);
    if (run && (run.at(-1) ?? 0) + 1 === (day === 0 ? 7 : day)) run.push(day);
    else runs.push([day]);
  }
  if (runs[0]?.length === 7) return locale === 'en' ? 'every day' : '每天';
  const texts = runs.flatMap((run) => {
    const names = run.map(nameOf);
    return names.length > 2 ? [`${names[0]}${locale === 'en' ? ' to ' : '至'}${names.at(-1)}`] : names;
  });
  return texts.join(locale === 'en' ? ', ' : '、');
}

/** Opening times in words: `Monday to Friday 08:00–20:00 (Asia/Shanghai)`. */
export function openingText({ days, from, until }: OpeningTimes, timeZone: string, locale: Locale): string {
  const times = `${daysText(days, locale)} ${from}–${until}`;
  return locale === 'en' ? `${times} (${timeZone})` : `${times}（${timeZone}）`;
}
