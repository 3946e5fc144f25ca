import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { LIMITS, SERIES_YEARS } from '@rmeet/contract';
import { expand } from '../../../src/modules/meetings/series/expand.ts';
import { AppError } from '../../../src/platform/http/index.ts';

/** A rule with the wall-clock time of its first meeting. */
export interface RecurrenceCase {
  /** Without UNTIL. */
  rule: string;
  start: string;
  timeZone: string;
  until: string | null;
}

/**
 * Time zones with clock changes: by an hour and by half an hour, at midnight, south of the equator, and some that
 * changed their offset permanently or skipped a day.
 */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Shanghai',
  'UTC',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Pacific/Apia',
  'Europe/Istanbul',
  'Asia/Pyongyang',
  'Africa/Casablanca',
  'America/Caracas',
  'Europe/Volgograd',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'America/St_Johns',
  'Africa/Cairo',
  'Asia/Tehran',
];
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const pad = (number: number): string => String(number).padStart(2, '0');

/** The same numbers for the same seed (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Rules of all kinds, often at clock changes, month ends and leap days. Excluded are cases in which dateutil deviates
 * from RFC 5545: days of the week with and without a number in one BYDAY (it takes those that match both), BYWEEKNO
 * without BYDAY (it uses all days of the week instead of the first meeting's) and of the first and last weeks (it cuts
 * off the days in the adjacent year), BYSETPOS of weeks (its first week begins at the first meeting). Also excluded is
 * what `parseRule` rejects although the RFC allows it.
 */
export function randomCases(count: number, seed: number): RecurrenceCase[] {
  const random = numbersOf(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const chance = (share: number): boolean => random() < share;
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = <T>(most: number, one: () => T): T[] => [...new Set(Array.from({ length: 1 + below(most) }, one))];
  const signed = (max: number): number => (1 + below(max)) * (chance(0.35) ? -1 : 1);

  // oxlint-disable-next-line complexity -- one line per part of a rule; the order of the draws belongs to the seed
  function rule(): string {
    const freq = pick(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);
    const parts = [`FREQ=${freq}`];
    const byWeek = freq === 'YEARLY' && chance(0.2);
    const byYearDay = freq === 'YEARLY' && !byWeek && chance(0.15);
    if (chance(0.4)) parts.push(`INTERVAL=${1 + below(freq === 'DAILY' ? 40 : freq === 'WEEKLY' ? 6 : 4)}`);
    if (chance(0.25)) parts.push(`BYMONTH=${some(4, () => 1 + below(12)).join(',')}`);
    if (byWeek) parts.push(`BYWEEKNO=${some(3, () => (2 + below(50)) * (chance(0.35) ? -1 : 1)).join(',')}`);
    if (byYearDay) parts.push(`BYYEARDAY=${some(4, () => signed(366)).join(',')}`);
    const byMonthDay = freq !== 'WEEKLY' && !byWeek && !byYearDay && chance(0.35);
    if (byMonthDay)
      parts.push(`BYMONTHDAY=${some(4, () => (chance(0.4) ? pick([28, 29, 30, 31, -1, -2]) : signed(31))).join(',')}`);
    const counted = (freq === 'MONTHLY' || (freq === 'YEARLY' && !byMonthDay)) && !byWeek && chance(0.5);
    if (byWeek || (!byYearDay && chance(0.45)))
      parts.push(`BYDAY=${some(4, () => `${counted ? signed(5) : ''}${pick(DAYS)}`).join(',')}`);
    if (chance(0.15)) parts.push(`BYHOUR=${some(3, () => below(24)).join(',')}`);
    if (chance(0.1)) parts.push(`BYMINUTE=${some(2, () => below(60)).join(',')}`);
    if (freq !== 'WEEKLY' && parts.some((part) => part.startsWith('BY')) && chance(0.15))
      parts.push(`BYSETPOS=${some(2, () => signed(4)).join(',')}`);
    if (chance(0.3)) parts.push(`WKST=${pick(DAYS)}`);
    return parts.join(';');
  }

  return Array.from({ length: count }, () => {
    const [month, day] = chance(0.4)
      ? pick([
          [1, 29],
          [1, 30],
          [1, 31],
          [2, 28],
          [3, 20],
          [3, 28],
          [10, 20],
          [10, 31],
          [11, 1],
          [12, 31],
        ] as const)
      : [1 + below(12), 1 + below(28)];
    const hour = chance(0.5) ? below(4) : below(24);
    const leap = chance(0.08);
    const year = leap ? pick([2012, 2016, 2020]) : 2010 + below(13);
    const timeZone = pick(ZONES);
    const date = leap ? '02-29' : `${pad(month)}-${pad(day)}`;
    const wall = `${year}-${date}T${pad(hour)}:${pad(pick([0, 15, 30, 45]))}:00`;
    // A first meeting is at a time that exists.
    const start = Temporal.PlainDateTime.from(wall)
      .toZonedDateTime(timeZone)
      .toPlainDateTime()
      .toString({ smallestUnit: 'second' });
    const end = new Temporal.PlainDateTime(year, 1, 1).add({ days: below(800), hours: below(24), minutes: below(60) });
    const ends = chance(0.4);
    return {
      rule: ends ? rule() : `${rule()};COUNT=${1 + below(60)}`,
      start,
      timeZone,
      until: ends ? end.toZonedDateTime('UTC').toInstant().toString() : null,
    };
  });
}

/** The Python with dateutil (Debian: python3-dateutil); null if there is none. */
export const dateutilPython =
  ['/usr/bin/python3', 'python3'].find(
    (program) =>
      spawnSync(program, ['-c', 'import dateutil, zoneinfo; zoneinfo.ZoneInfo("Europe/Berlin")']).status === 0,
  ) ?? null;

interface OracleAnswer {
  walls: number;
  /** Seconds since 1970. */
  instants: number[];
}

const MOST = LIMITS.occurrences + 1;

function ask(python: string, cases: readonly RecurrenceCase[]): OracleAnswer[] {
  const input = cases.map(({ rule, start, timeZone, until }) => {
    const horizon = Temporal.PlainDateTime.from(start).add({ years: SERIES_YEARS });
    // A day past UNTIL, so that times in between with another offset are found; the exact end is checked here.
    const end =
      until === null
        ? horizon.withPlainTime('23:59:59')
        : Temporal.Instant.from(until).toZonedDateTimeISO(timeZone).toPlainDateTime().add({ days: 1 });
    return { rule, start, timeZone, horizon: end.toString({ smallestUnit: 'second' }), atMost: MOST };
  });
  const result = spawnSync(python, [join(import.meta.dirname, 'recurrence-oracle.py')], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 512 * 1_024 * 1_024,
  });
  if (result.status !== 0) throw new Error(result.stderr);
  return JSON.parse(result.stdout) as OracleAnswer[];
}

/** The expected result of `expand`, by the oracle's answer: times, or a code. */
function expected({ rule, start, timeZone, until }: RecurrenceCase, { walls, instants }: OracleAnswer): string {
  const count = Number(/COUNT=(\d+)/.exec(rule)?.[1] ?? 0);
  const first = Temporal.PlainDateTime.from(start).toZonedDateTime(timeZone);
  if (
    until !== null &&
    Temporal.PlainDateTime.compare(
      Temporal.Instant.from(until).toZonedDateTimeISO(timeZone).toPlainDateTime(),
      first.toPlainDateTime().add({ years: SERIES_YEARS }).withPlainTime('23:59:59.999'),
    ) > 0
  )
    return 'SERIES_TOO_LONG';
  if (walls > 0 && walls < count) return 'SERIES_TOO_LONG';
  const left = instants.filter((time) => until === null || time * 1_000 <= Date.parse(until));
  if (left.length > LIMITS.occurrences) return 'SERIES_TOO_LONG';
  return left.length === 0 ? 'SERIES_EMPTY' : left.map((time) => new Date(time * 1_000).toISOString()).join(' ');
}

function actual({ rule, start, timeZone, until }: RecurrenceCase): string {
  const text =
    until === null ? rule : `${rule};UNTIL=${new Date(until).toISOString().slice(0, 19).replaceAll(/[:-]/g, '')}Z`;
  try {
    return expand({
      start: new Date(Temporal.PlainDateTime.from(start).toZonedDateTime(timeZone).epochMilliseconds),
      timeZone,
      rule: text,
    })
      .map((time) => time.toISOString())
      .join(' ');
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** Where `expand` and dateutil differ. */
export function differences(
  python: string,
  cases: readonly RecurrenceCase[],
): { of: RecurrenceCase; expected: string; actual: string }[] {
  const answers = ask(python, cases);
  return cases
    .map((of, index) => ({ of, expected: expected(of, answers[index] as OracleAnswer), actual: actual(of) }))
    .filter((pair) => pair.expected !== pair.actual);
}
