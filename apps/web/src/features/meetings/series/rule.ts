import type { RuleScope } from '@rmeet/contract';
import { dayOf, instantOf } from '../../../lib/rooms/index.ts';

/** The simple choices of recurrence; with `custom`, the form shows all options. */
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

/** The recurrence in the form. Days and times are in the meeting's time zone. */
export interface Repeat {
  choice: RepeatChoice;
  /** Only for `custom`. */
  frequency: Frequency;
  interval: number | null;
  /** For `custom` and weekly: 1 to 6, and 0 for Sunday; if empty, the day of the first meeting. */
  days: readonly number[];
  /** For `custom` and monthly: on the date of the first meeting, or on its weekday. */
  monthlyBy: 'date' | 'weekday';
  end: 'count' | 'until';
  count: number | null;
  /** The last day (`2026-11-20`). */
  until: string | null;
  /** Excluded starts (ISO). */
  except: readonly string[];
  /** The meetings of an existing series that the rule applies to. */
  scope: RuleScope;
}

/** A rule of RFC 5545, limited to what the forms can create. */
export interface Rule {
  frequency: Frequency;
  interval: number;
  /** Weekdays; `nth` is the week of the month (-1: the last), 0 for every week. */
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
 * The recurrence of an existing series, for the form; `startTime` is the start of one of its meetings by the rule. For
 * a rule that the form cannot express, only its end.
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

/** A rule that takes its day from the first meeting names it explicitly, as {@link ruleOf} does. */
function asWritten(rule: Rule, start: string): Rule {
  if (rule.byDay.length > 0 || rule.byMonthDay !== null) return rule;
  if (rule.frequency === 'WEEKLY') return { ...rule, byDay: [{ nth: 0, day: weekdayOf(start) }] };
  return rule.frequency === 'MONTHLY' ? { ...rule, byMonthDay: Number(start.slice(8)) } : rule;
}

/** Text to compare two rules by, without their end. */
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

/** The rule of a recurrence whose first meeting starts at `startTime`; null if a value is missing. */
export function ruleOf(repeat: Repeat, startTime: string, zone: string): Rule | null {
  const start = dayOf(Date.parse(startTime), zone);
  const end = endOf(repeat, zone);
  if (end === null || repeat.interval === null || repeat.interval < 1) return null;
  return { ...patternOf(repeat, start), ...end };
}

function endOf({ end, count, until }: Repeat, zone: string): Pick<Rule, 'count' | 'until'> | null {
  if (end === 'count') return count === null || count < 1 ? null : { count, until: null };
  // Includes meetings on the last day, at whatever time they start.
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

/** The weekday: 0 for Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/**
 * Which occurrence of its weekday in the month a day is. A fifth one counts as the last, because few months have one.
 */
export function nthOf(day: string): number {
  const nth = Math.ceil(Number(day.slice(8)) / 7);
  return nth === 5 ? -1 : nth;
}

/** The rule in the format of RFC 5545. */
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

/** Parses a rule in the format of {@link writeRule}; null for rules with other parts. */
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
