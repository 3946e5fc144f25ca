import { LIMITS } from '@rmeet/contract';
import { AppError } from '../../../platform/http/index.ts';
import type { MeetingRow, MeetingSeriesRow } from '../tables.ts';
import type { Recurrence } from './book.ts';
import { expand, instantAt, wallOf } from './expand.ts';
import { movedBy, parseRule, withEnd } from './rule.ts';

type Slots = Pick<MeetingSeriesRow, 'startTime' | 'timeZone' | 'rule' | 'except'>;
/** A meeting of a series, which always has a recurrence id. */
export type SeriesMeeting = MeetingRow & { recurrenceId: Date };

interface TimesRequest {
  series: Slots;
  /** From which start on the rule is changed; null: all of the series. */
  from: Date | null;
  /** Meetings that are changed. */
  targets: readonly SeriesMeeting[];
  /** Other meetings that reserve their start in the rule: cancelled ones, and those that have begun. */
  others: readonly SeriesMeeting[];
  /** The edited meeting, and its new start. */
  edited: SeriesMeeting;
  startTime: Date;
  timeZone: string;
  /** A new rule. */
  recurrence: Recurrence | null;
}

/** How a series continues. */
export interface Plan extends Slots {
  /** The new start of each changed meeting, by its id. */
  starts: Map<string, Date>;
  /** Meetings that do not exist in the new rule. */
  dropped: string[];
  /** Starts of additional meetings. */
  added: Date[];
  /** Starts of the rule without a meeting, because those days were excluded or cancelled individually. */
  stayOut: Date[];
}

/** Starts by a rule, including excluded ones. @throws AppError SERIES_EMPTY for a series that ended before its first */
export const allStarts = ({ startTime, timeZone, rule }: Omit<Slots, 'except'>): Date[] =>
  expand({ start: startTime, timeZone, rule, most: 2 * LIMITS.occurrences });

/**
 * The start of a series whose first start moves like the edited meeting: by the same number of days, to the same time
 * of day.
 */
function movedStart({ series, edited, startTime, timeZone, from }: TimesRequest): {
  start: Date;
  days: number;
  changesTime: boolean;
} {
  const [before, after] = [wallOf(edited.recurrenceId, series.timeZone), wallOf(startTime, timeZone)];
  const days = before.toPlainDate().until(after.toPlainDate(), { largestUnit: 'days' }).days;
  const changesTime = !before.toPlainTime().equals(after.toPlainTime());
  const first = wallOf(from ?? series.startTime, series.timeZone).add({ days });
  // Rules that name hours have several times of day, which do not change.
  const keepsTime = /BY(HOUR|MINUTE)=/i.test(series.rule) && !changesTime;
  return {
    start: instantAt(keepsTime ? first : first.withPlainTime(after.toPlainTime()), timeZone),
    days,
    changesTime,
  };
}

/** The old rule for the number of meetings from here on; by its end time, if it ends by one and that matches. */
function ruleFor(text: string, startTime: Date, timeZone: string, count: number): string {
  const { until } = parseRule(text);
  if (until && until >= startTime && allStarts({ startTime, timeZone, rule: text }).length === count) return text;
  return withEnd(text, { count });
}

/** Moves the rule to other times, meeting by meeting. */
function moveAll(request: TimesRequest): Plan {
  const { series, from, targets, timeZone } = request;
  const before = allStarts(series).filter((start) => from === null || start >= from);
  const { start: startTime, days, changesTime } = movedStart(request);
  const rule = ruleFor(movedBy(series.rule, days, changesTime), startTime, timeZone, before.length);
  const after = allStarts({ startTime, timeZone, rule });
  if (after.length !== before.length) throw new AppError('SERIES_RULE_NEEDED');
  const places = new Map(before.map((start, at) => [start.getTime(), after[at] as Date]));
  const starts = new Map(
    targets.flatMap(({ id, recurrenceId }) => {
      const start = places.get(recurrenceId.getTime());
      return start ? [[id, start] as const] : [];
    }),
  );
  const used = new Set([...starts.values()].map((start) => start.getTime()));
  const except = after.filter((start) => !used.has(start.getTime())).map((start) => start.toISOString());
  return {
    startTime,
    timeZone,
    rule,
    except,
    starts,
    dropped: targets.filter(({ id }) => !starts.has(id)).map(({ id }) => id),
    added: [],
    stayOut: [],
  };
}

/**
 * Days in the rule of the series without a meeting: they were excluded, or cancelled individually. Meetings dropped by
 * an earlier change of the rule are not in the rule any more, or have been replaced.
 */
function daysOut({ series, targets, others }: TimesRequest, dayOf: (time: Date) => string): Set<string> {
  const byRule = new Set(allStarts(series).map(dayOf));
  const held = new Set(
    [...targets, ...others]
      .filter(({ cancelledAt }) => cancelledAt === null)
      .map(({ recurrenceId }) => dayOf(recurrenceId)),
  );
  const cancelled = others
    .filter(({ cancelledAt }) => cancelledAt !== null)
    .map(({ recurrenceId }) => dayOf(recurrenceId));
  return new Set(
    [...series.except.map((time) => dayOf(new Date(time))), ...cancelled.filter((day) => byRule.has(day))].filter(
      (day) => !held.has(day),
    ),
  );
}

/**
 * Changes the rule: meetings stay on days that both rules have, at any time of day; others are dropped or added.
 * Excluded and cancelled days stay so.
 */
function changeRule(request: TimesRequest, { rule, except }: Recurrence): Plan {
  const { series, targets, others, timeZone } = request;
  const { start, days } = movedStart(request);
  const startTime = request.from?.getTime() === request.edited.recurrenceId.getTime() ? request.startTime : start;
  const dayOf = (time: Date): string => wallOf(time, series.timeZone).toPlainDate().add({ days }).toString();
  const out = daysOut(request, dayOf);
  const found = expand({ start: startTime, timeZone, rule, except: except.map((time) => new Date(time)) });
  const byDay = Map.groupBy(found, (time) => wallOf(time, timeZone).toPlainDate().toString());
  const stayOut = [...byDay].flatMap(([day, times]) => (out.has(day) ? times : []));
  for (const day of out) byDay.delete(day);
  // A running meeting is on its day, and stays.
  for (const { recurrenceId } of others.filter(({ cancelledAt }) => cancelledAt === null))
    byDay.get(dayOf(recurrenceId))?.shift();
  const starts = new Map<string, Date>();
  for (const target of targets) {
    const time = byDay.get(dayOf(target.recurrenceId))?.shift();
    if (time) starts.set(target.id, time);
  }
  const exceptTimes = [...except.map((time) => new Date(time)), ...stayOut].map((time) => time.toISOString());
  const dropped = targets.filter(({ id }) => !starts.has(id)).map(({ id }) => id);
  const plan = {
    startTime,
    timeZone,
    rule: rule.toUpperCase(),
    except: [...new Set(exceptTimes)],
    starts,
    dropped,
    added: [...byDay.values()].flat(),
    stayOut,
  };
  if (plan.starts.size + plan.added.length === 0) throw new AppError('SERIES_EMPTY');
  return plan;
}

/**
 * How a series continues after a change of its times.
 *
 * @throws AppError SERIES_RULE_NEEDED if the meetings cannot be moved without a new rule; RECURRENCE_INVALID,
 * SERIES_ENDLESS, SERIES_TOO_LONG, SERIES_EMPTY
 */
export function planSeries(request: TimesRequest): Plan {
  return request.recurrence ? changeRule(request, request.recurrence) : moveAll(request);
}
