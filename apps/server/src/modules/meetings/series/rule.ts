import { AppError } from '../../../platform/http/index.ts';

/** A parsed recurrence rule (RFC 5545, section 3.3.10). Meetings recur in days or longer. */
export interface RecurrenceRule {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  interval: number;
  /** A rule ends either by a number of meetings or by a time. */
  count?: number;
  until?: Date;
  byDay?: string[];
  byMonth?: number[];
  byMonthDay?: number[];
  byYearDay?: number[];
  byWeekNo?: number[];
  byHour?: number[];
  byMinute?: number[];
  bySetPos?: number[];
  wkst?: string;
}

const FREQUENCIES: ReadonlySet<string> = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);
const WEEKDAY = /^(MO|TU|WE|TH|FR|SA|SU)$/;
const WEEKDAY_IN = /^(?:[+-]?([1-9]|[1-4]\d|5[0-3]))?(?:MO|TU|WE|TH|FR|SA|SU)$/;
const UTC = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
/** Longer intervals leave no second meeting within the maximum length of a series. */
const INTERVAL_MAX = 10_000;
/** Most combinations of hours and minutes per day; more would only cost time. */
const TIMES_A_DAY = 24;

const invalid = (): AppError => new AppError('RECURRENCE_INVALID');

function positive(text: string): number {
  if (!/^0*[1-9]\d*$/.test(text)) throw invalid();
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** Numbers between two limits; `signed` counts from the end as well. */
function numbers(text: string, min: number, max: number, signed = false): number[] {
  return text.split(',').map((item) => {
    const number = Number(item);
    const isPlain = (signed ? /^[+-]?\d{1,3}$/ : /^\d{1,2}$/).test(item);
    if (!isPlain || Math.abs(number) < min || Math.abs(number) > max) throw invalid();
    return number;
  });
}

function weekdays(text: string): string[] {
  return text.split(',').map((item) => {
    if (!WEEKDAY_IN.test(item)) throw invalid();
    return item.replace('+', '');
  });
}

/** A time in UTC, as UNTIL must be for starts by the clock of a zone. */
function utc(text: string): Date {
  const [, ...parts] = UTC.exec(text) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  if (utcText(time) !== text) throw invalid();
  return time;
}

function utcText(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(/[:-]/g, '')}Z`;
}

const parts: Record<string, (text: string) => Partial<RecurrenceRule>> = {
  FREQ: (text) => {
    if (!FREQUENCIES.has(text)) throw invalid();
    return { freq: text as RecurrenceRule['freq'] };
  },
  INTERVAL: (text) => ({ interval: Math.min(positive(text), INTERVAL_MAX) }),
  COUNT: (text) => ({ count: positive(text) }),
  UNTIL: (text) => ({ until: utc(text) }),
  BYDAY: (text) => ({ byDay: weekdays(text) }),
  BYMONTH: (text) => ({ byMonth: numbers(text, 1, 12) }),
  BYMONTHDAY: (text) => ({ byMonthDay: numbers(text, 1, 31, true) }),
  BYYEARDAY: (text) => ({ byYearDay: numbers(text, 1, 366, true) }),
  BYWEEKNO: (text) => ({ byWeekNo: numbers(text, 1, 53, true) }),
  BYHOUR: (text) => ({ byHour: numbers(text, 0, 23) }),
  BYMINUTE: (text) => ({ byMinute: numbers(text, 0, 59) }),
  BYSETPOS: (text) => ({ bySetPos: numbers(text, 1, 366, true) }),
  WKST: (text) => {
    if (!WEEKDAY.test(text)) throw invalid();
    return { wkst: text };
  },
};

/**
 * Numbered days of the week belong to months or years, and cannot be combined with weeks or, in years, with days of the
 * month.
 */
function numberedDaysFit({ freq, byDay, byMonthDay, byWeekNo }: RecurrenceRule): boolean {
  if (!byDay?.some((day) => day.length > 2)) return true;
  return freq === 'MONTHLY' ? !byWeekNo : freq === 'YEARLY' && !byWeekNo && !byMonthDay;
}

function daysFit({ freq, byDay, byMonthDay, byYearDay, byWeekNo }: RecurrenceRule): boolean {
  if (byYearDay && (byMonthDay || byWeekNo || byDay)) return false;
  if (byMonthDay && freq === 'WEEKLY') return false;
  return freq === 'YEARLY' || !(byYearDay || byWeekNo);
}

/** A set position selects among what another part lists. */
function positionFits({ bySetPos, ...rule }: RecurrenceRule): boolean {
  const lists = [rule.byDay, rule.byMonthDay, rule.byYearDay, rule.byWeekNo, rule.byMonth, rule.byHour, rule.byMinute];
  return !bySetPos || lists.some((list) => list !== undefined);
}

/**
 * Which parts can be combined, by the table and the text of the section. Days of the year with other days, and numbered
 * days of the week with days of the month, are rejected although the section allows them, because the library ignores
 * one of the two.
 */
function fitTogether(rule: RecurrenceRule): boolean {
  const timesADay = (rule.byHour?.length ?? 1) * (rule.byMinute?.length ?? 1);
  return numberedDaysFit(rule) && daysFit(rule) && timesADay <= TIMES_A_DAY && positionFits(rule);
}

/**
 * Parses a rule. BYSECOND and recurrence within a day (FREQ=HOURLY and shorter) are not allowed for meetings.
 *
 * @throws AppError RECURRENCE_INVALID, SERIES_ENDLESS
 */
export function parseRule(text: string): RecurrenceRule {
  const seen = new Set<string>();
  const rule: Partial<RecurrenceRule> = { interval: 1 };
  for (const part of text.toUpperCase().split(';')) {
    const [name = '', value = '', ...rest] = part.split('=');
    const read = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (!read || seen.has(name) || rest.length > 0) throw invalid();
    seen.add(name);
    Object.assign(rule, read(value));
  }
  const { freq, interval = 1 } = rule;
  if (!freq || (rule.count !== undefined && rule.until) || !fitTogether({ ...rule, freq, interval })) throw invalid();
  if (rule.count === undefined && !rule.until) throw new AppError('SERIES_ENDLESS');
  return { ...rule, freq, interval };
}

/** The rule with another end. */
export function withEnd(text: string, end: { count: number } | { until: Date }): string {
  const kept = text
    .toUpperCase()
    .split(';')
    .filter((part) => !/^(COUNT|UNTIL)=/.test(part));
  return [...kept, 'count' in end ? `COUNT=${end.count}` : `UNTIL=${utcText(end.until)}`].join(';');
}

const WEEK = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * The rule of meetings that move by some days, and possibly to another time of day. Days of the week move, too.
 *
 * @throws AppError SERIES_RULE_NEEDED if the rule names other days or times that would have to move
 */
export function movedBy(text: string, days: number, changesTime: boolean): string {
  const rule = parseRule(text);
  if (changesTime && (rule.byHour || rule.byMinute)) throw new AppError('SERIES_RULE_NEEDED');
  if (days === 0) return text;
  if (
    rule.byMonth ||
    rule.byMonthDay ||
    rule.byYearDay ||
    rule.byWeekNo ||
    rule.bySetPos ||
    (rule.byDay && rule.freq !== 'WEEKLY')
  )
    throw new AppError('SERIES_RULE_NEEDED');
  if (!rule.byDay) return text;
  const moved = (day: string): string => WEEK[(((WEEK.indexOf(day) + days) % 7) + 7) % 7] ?? day;
  const kept = text
    .toUpperCase()
    .split(';')
    .filter((part) => !/^(BYDAY|WKST)=/.test(part));
  // The week start moves equally, so that days of the same week stay in one.
  return [...kept, `BYDAY=${rule.byDay.map(moved).join(',')}`, `WKST=${moved(rule.wkst ?? 'MO')}`].join(';');
}
