import type { Locale } from '@rmeet/contract';
import { clockOf, dayOf, ownZone } from '../../../lib/rooms/index.ts';
import type { MeetingTexts } from '../format.ts';
import type { Rule } from './rule.ts';

interface When {
  /** ISO time of one meeting of the series. */
  startTime: string;
  /** The time zone of the rule. */
  timeZone: string;
}

/** A rule as a sentence: `Every week on Monday at 09:00, 10 times`. */
export function ruleWords(rule: Rule, { startTime, timeZone }: When, language: Locale, t: MeetingTexts): string {
  const start = Date.parse(startTime);
  const clock = clockOf(start, timeZone);
  const pattern = patternWords(rule, dayOf(start, timeZone), language, t);
  const time =
    timeZone === ownZone() ? t('repeat.at', { pattern, clock }) : t('repeat.atIn', { pattern, clock, zone: timeZone });
  if (rule.count !== null) return t('repeat.times', { pattern: time, count: rule.count });
  return rule.until === null
    ? time
    : t('repeat.until', { pattern: time, date: dateWords(dayOf(Date.parse(rule.until), timeZone), language) });
}

// oxlint-disable-next-line complexity -- a switch over the frequencies
function patternWords(
  { frequency, interval, byDay, byMonthDay }: Rule,
  start: string,
  language: Locale,
  t: MeetingTexts,
): string {
  const many = interval > 1;
  const [first] = byDay;
  switch (frequency) {
    case 'DAILY':
      return many ? t('repeat.everyDays', { interval }) : t('repeat.everyDay');
    case 'WEEKLY': {
      if (isWorkdays(byDay) && !many) return t('repeat.everyWeekday');
      const chosen = byDay.length === 0 ? [new Date(`${start}T00:00:00Z`).getUTCDay()] : byDay.map(({ day }) => day);
      const days = listWords(
        inWeek(chosen).map((day) => weekdayName(day, language)),
        language,
      );
      return many ? t('repeat.everyWeeksOn', { interval, days }) : t('repeat.everyWeekOn', { days });
    }
    case 'MONTHLY': {
      if (first) {
        const which = { nth: t(`repeat.nth.${nthKey(first.nth)}`), weekday: weekdayName(first.day, language) };
        return many ? t('repeat.everyMonthsOn', { interval, ...which }) : t('repeat.everyMonthOn', which);
      }
      const day = byMonthDay ?? Number(start.slice(8));
      const words = many ? t('repeat.everyMonthsDay', { interval, day }) : t('repeat.everyMonthDay', { day });
      return day > 28 ? t('repeat.skipping', { pattern: words, day }) : words;
    }
    case 'YEARLY': {
      const date = new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(
        Date.parse(`${start}T00:00:00Z`),
      );
      return many ? t('repeat.everyYearsOn', { interval, date }) : t('repeat.everyYearOn', { date });
    }
  }
}

function isWorkdays(byDay: Rule['byDay']): boolean {
  return byDay.length === 5 && [1, 2, 3, 4, 5].every((day) => byDay.some((one) => one.day === day));
}

export type NthKey = '1' | '2' | '3' | '4' | 'last';

/** Key of `repeat.nth`. */
export function nthKey(nth: number): NthKey {
  return nth < 1 || nth > 4 ? 'last' : (String(nth) as NthKey);
}

/** Weekdays ordered from Monday. */
export function inWeek(days: readonly number[]): number[] {
  return [1, 2, 3, 4, 5, 6, 0].filter((day) => days.includes(day));
}

/** A weekday by its number (0 for Sunday). Chinese sentences use the short name. */
export function weekdayName(
  day: number,
  language: Locale,
  length: 'long' | 'short' = language === 'zh' ? 'short' : 'long',
): string {
  // 4 January 2026 was a Sunday.
  return new Intl.DateTimeFormat(language, { weekday: length, timeZone: 'UTC' }).format(Date.UTC(2026, 0, 4 + day));
}

/** A day as text: `Mon, 23 Nov 2026`. */
export function dateWords(day: string, language: Locale): string {
  return new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(Date.parse(`${day}T00:00:00Z`));
}

function listWords(words: readonly string[], language: Locale): string {
  return language === 'zh' ? words.join('、') : new Intl.ListFormat(language).format(words);
}
