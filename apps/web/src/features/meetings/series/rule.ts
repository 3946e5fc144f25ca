import type { RuleScope } from '@rmeet/contract';
import { dayOf, instantOf } from '../../../lib/rooms/index.ts';

/** The plain choices of how a meeting recurs; `custom` says the rest itself. */
export const REPEAT_CHOICES = [
  'daily',
  'weekdays',
  'weekly',
  'biweekly',
  'monthlyDate',
  'monthlyWeekday',
  'yearly',
  'custom',
] as const;
export type RepeatChoice = (typeof REPEAT_CHOICES)[number];

export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** How a meeting is to recur, in the form. Days and times are by the clock of the meeting's zone. */
export interface Repeat {
  choice: RepeatChoice;
  /** Of `custom` alone. */
  frequency: Frequency;
  interval: number | null;
  /** Of `custom` and weekly: 1 to 6, and 0 for Sunday; without any the day of the first meeting. */
  days: readonly number[];
  /** Of `custom` and monthly: on the date of the first meeting, or on its day of the week. */
  monthlyBy: 'date' | 'weekday';
  end: 'count' | 'until';
  count: number | null;
  /** Its last day (`2026-11-20`). */
  until: string | null;
  /** Starts that are left out (ISO). */
  except: readonly string[];
  /** Which meetings of a series that is there already it is for. */
  scope: RuleScope;
}

/** A rule of RFC 5545, as far as forms here make them. */
export interface Rule {
  frequency: Frequency;
  interval: number;
  /** Days of the week; `nth` is which one of the month (-1: the last), 0 for each. */
  byDay: readonly { nth: number; day: number }[];
  byMonthDay: number | null;
  count: number | null;
  /** ISO time. */
  until: string | null;
}

const DAY_CODES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
const WORKDAYS = [1, 2, 3, 4, 5];
const DEFAULT_COUNT = 10;

export function newRepeat(choice: RepeatChoice): Repeat {
  return {
    choice,
    frequency: 'WEEKLY',
    interval: 1,
    days: [],
    monthlyBy: 'date',
    end: 'count',
    count: DEFAULT_COUNT,
    until: null,
    except: [],
    scope: 'following',
  };
}

/**
 * How a series recurs already, in the form; `startTime` is when its rule has one of its meetings start. Of
 * a rule that says more than forms do, how it ends.
 */
export function repeatOf(text: string, startTime: string, zone: string): Repeat {
  const start = dayOf(Date.parse(startTime), zone);
  const rule = readRule(text);
  if (rule === null) return newRepeat('custom');
  const { frequency, interval, byDay, count, until } = rule;
  const end = {
    end: count === null ? ('until' as const) : ('count' as const),
    count: count ?? DEFAULT_COUNT,
    until: until === null ? null : dayOf(Date.parse(until), zone),
  };
  const own = {
    ...newRepeat('custom'),
    ...end,
    frequency,
    interval,
    days: byDay.map(({ day }) => day),
    monthlyBy: byDay.length > 0 ? ('weekday' as const) : ('date' as const),
  };
  const known = REPEAT_CHOICES.find(
    (choice) => written(patternOf({ ...own, choice }, start)) === written(asWritten(rule, start)),
  );
  return known ? { ...own, choice: known } : { ...newRepeat('custom'), ...end };
}

/** A rule that leaves its day to the first meeting names it, as {@link ruleOf} does. */
function asWritten(rule: Rule, start: string): Rule {
  if (rule.byDay.length > 0 || rule.byMonthDay !== null) return rule;
  if (rule.frequency === 'WEEKLY') return { ...rule, byDay: [{ nth: 0, day: weekdayOf(start) }] };
  return rule.frequency === 'MONTHLY' ? { ...rule, byMonthDay: Number(start.slice(8)) } : rule;
}

/** What two rules are compared by, apart from their end. */
function written({ frequency, interval, byDay, byMonthDay }: Omit<Rule, 'count' | 'until'>): string {
  return writeRule({
    frequency,
    interval,
    byDay: byDay.toSorted((a, b) => a.day - b.day),
    byMonthDay,
    count: null,
    until: null,
  });
}

/** The rule of a repeat whose first meeting starts at `startTime`; null while something is missing. */
export function ruleOf(repeat: Repeat, startTime: string, zone: string): Rule | null {
  const start = dayOf(Date.parse(startTime), zone);
  const end = endOf(repeat, zone);
  if (end === null || repeat.interval === null || repeat.interval < 1) return null;
  return { ...patternOf(repeat, start), ...end };
}

function endOf({ end, count, until }: Repeat, zone: string): Pick<Rule, 'count' | 'until'> | null {
  if (end === 'count') return count === null || count < 1 ? null : { count, until: null };
  // Meetings of the last day are still in, whenever on it they start.
  return until === null ? null : { count: null, until: new Date(instantOf(until, 1_440, zone) - 1_000).toISOString() };
}

function patternOf(
  { choice, frequency, interval, days, monthlyBy }: Repeat,
  start: string,
): Omit<Rule, 'count' | 'until'> {
  const weekday = weekdayOf(start);
  const on = (of: Frequency, every: number, chosen: readonly number[] = []) => ({
    frequency: of,
    interval: every,
    byDay: chosen.map((day) => ({ nth: 0, day })),
    byMonthDay: null,
  });
  const monthly = (by: Repeat['monthlyBy'], every: number) =>
    by === 'date'
      ? { ...on('MONTHLY', every), byMonthDay: Number(start.slice(8)) }
      : { ...on('MONTHLY', every), byDay: [{ nth: nthOf(start), day: weekday }] };
  switch (choice) {
    case 'daily':
      return on('DAILY', 1);
    case 'weekdays':
      return on('WEEKLY', 1, WORKDAYS);
    case 'weekly':
      return on('WEEKLY', 1, [weekday]);
    case 'biweekly':
      return on('WEEKLY', 2, [weekday]);
    case 'monthlyDate':
      return monthly('date', 1);
    case 'monthlyWeekday':
      return monthly('weekday', 1);
    case 'yearly':
      return on('YEARLY', 1);
    case 'custom': {
      const every = interval ?? 1;
      if (frequency === 'MONTHLY') return monthly(monthlyBy, every);
      return on(frequency, every, frequency === 'WEEKLY' ? (days.length === 0 ? [weekday] : days) : []);
    }
  }
}

/** The day of the week: 0 for Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** Which one of its month's Mondays, Tuesdays and so on a day is. A fifth counts as the last: few months have one. */
export function nthOf(day: string): number {
  const nth = Math.ceil(Number(day.slice(8)) / 7);
  return nth === 5 ? -1 : nth;
}

/** The rule as RFC 5545 writes it. */
export function writeRule({ frequency, interval, byDay, byMonthDay, count, until }: Rule): string {
  const parts = [
    `FREQ=${frequency}`,
    ...(interval > 1 ? [`INTERVAL=${interval}`] : []),
    ...(byDay.length > 0
      ? [`BYDAY=${byDay.map(({ nth, day }) => `${nth === 0 ? '' : nth}${DAY_CODES[day] ?? ''}`).join(',')}`]
      : []),
    ...(byMonthDay === null ? [] : [`BYMONTHDAY=${byMonthDay}`]),
    ...(count === null ? [] : [`COUNT=${count}`]),
    ...(until === null ? [] : [`UNTIL=${until.replace(/[-:]|\.\d+/g, '')}`]),
  ];
  return parts.join(';');
}

/** Reads a rule as {@link writeRule} writes them; null for one that says more than that. */
export function readRule(text: string): Rule | null {
  const parts = new Map(
    text
      .replace(/^RRULE:/, '')
      .split(';')
      .map((part) => part.split('=') as [string, string]),
  );
  const frequency = FREQUENCIES.find((one) => one === parts.get('FREQ'));
  const known = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'COUNT', 'UNTIL', 'WKST']);
  const byDay = (parts.get('BYDAY') ?? '')
    .split(',')
    .filter(Boolean)
    .map((code) => ({ nth: Number(code.slice(0, -2)), day: DAY_CODES.findIndex((one) => code.endsWith(one)) }));
  if (
    frequency === undefined ||
    [...parts.keys()].some((key) => !known.has(key)) ||
    byDay.some(({ nth, day }) => Number.isNaN(nth) || day < 0)
  )
    return null;
  const numbered = (key: string) => (parts.has(key) ? Number(parts.get(key)) : null);
  const until = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(parts.get('UNTIL') ?? '');
  const [, year = '', month = '', day = '', hours = '23', minutes = '59', seconds = '59'] = until ?? [];
  return {
    frequency,
    interval: numbered('INTERVAL') ?? 1,
    byDay,
    byMonthDay: numbered('BYMONTHDAY'),
    count: numbered('COUNT'),
    until: until ? `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.000Z` : null,
  };
}
