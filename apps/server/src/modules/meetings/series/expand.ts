import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { LIMITS, SERIES_YEARS } from '@rmeet/contract';
import { AppError } from '../../../platform/http/index.ts';
import { parseRule, type RecurrenceRule } from './rule.ts';

/** What the starts of a series are computed from: the earliest possible start, by the clock of `timeZone`. */
export interface Recurring {
  start: Date;
  timeZone: string;
  /** RFC 5545, section 3.3.10. */
  rule: string;
  /** Excluded starts. */
  except?: readonly Date[];
  /** The maximum number of meetings. */
  most?: number;
}

/** Candidates that the library may evaluate for a rule; two years by the hour have fewer. */
const CANDIDATES_MAX = 100_000;
const PERIODS_MAX = 10_000;

const tooLong = (): AppError => new AppError('SERIES_TOO_LONG', { count: LIMITS.occurrences, years: SERIES_YEARS });

/** Wall-clock time in a zone. */
export function wallOf(time: Date, timeZone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone).toPlainDateTime();
}

/**
 * The instant of a wall-clock time: times in a gap by the offset before it, repeated times as the first (RFC 5545,
 * section 3.3.5).
 */
export function instantAt(wall: Temporal.PlainDateTime, timeZone: string): Date {
  return new Date(wall.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds);
}

/**
 * The wall-clock times of a rule. They are computed in UTC, because the library drops times in a zone's gaps.
 */
function wallTimes(
  { count, until: _until, ...rule }: RecurrenceRule,
  first: Temporal.PlainDateTime,
  last: Temporal.PlainDateTime,
  atMost: number,
): Temporal.PlainDateTime[] {
  const found: Temporal.PlainDateTime[] = [];
  try {
    const recurring = new RRuleTemporal({
      ...rule,
      dtstart: first.toZonedDateTime('UTC'),
      tzid: 'UTC',
      until: last.toZonedDateTime('UTC'),
      maxIterations: PERIODS_MAX,
      maxCandidateEvaluations: CANDIDATES_MAX,
      cache: false,
    });
    recurring.all((time) => {
      if (found.length >= Math.min(count ?? atMost, atMost)) return false;
      found.push(Temporal.PlainDateTime.from(time.toString()));
      return true;
    });
  } catch {
    throw new AppError('RECURRENCE_INVALID');
  }
  return found;
}

/**
 * The starts of the meetings of a series, in order.
 *
 * @throws AppError RECURRENCE_INVALID, SERIES_ENDLESS, SERIES_TOO_LONG, SERIES_EMPTY
 */
export function expand({ start, timeZone, rule: text, except = [], most = LIMITS.occurrences }: Recurring): Date[] {
  const rule = parseRule(text);
  const first = wallOf(start, timeZone);
  const horizon = first.add({ years: SERIES_YEARS }).withPlainTime('23:59:59.999');
  const until = rule.until && wallOf(rule.until, timeZone);
  if ((until && Temporal.PlainDateTime.compare(until, horizon) > 0) || (rule.count ?? 0) > most + except.length)
    throw tooLong();
  const atMost = most + except.length + 1;
  // One day more than until: the offset of a zone may change between the two.
  const walls = wallTimes(rule, first, until ? until.add({ days: 1 }) : horizon, atMost);
  if (walls.length > 0 && walls.length < (rule.count ?? 0)) throw tooLong();
  const times = walls.map((wall) => (wall.equals(first) ? start.getTime() : instantAt(wall, timeZone).getTime()));
  const left = new Set(times.filter((time) => !rule.until || time <= rule.until.getTime()));
  for (const time of except) left.delete(time.getTime());
  if (left.size > most) throw tooLong();
  if (left.size === 0) throw new AppError('SERIES_EMPTY');
  return [...left].toSorted((a, b) => a - b).map((time) => new Date(time));
}
