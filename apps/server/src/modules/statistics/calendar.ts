import { Temporal } from 'temporal-polyfill';
import type { StatisticUnit } from '@rmeet/contract';

/** Days are dates in ISO 8601, `2026-11-20`; weeks begin on Monday (ISO 8601). */
export interface Span {
  from: string;
  to: string;
}

/** The zone of tenants that chose none. */
export const DEFAULT_ZONE = 'Asia/Shanghai';

const dateOf = (day: string): Temporal.PlainDate => Temporal.PlainDate.from(day);

export function dayOf(moment: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** The moment a day begins, which is not midnight where clocks change then. */
export function startOf(day: string, timeZone: string): Date {
  return new Date(dateOf(day).toZonedDateTime(timeZone).epochMilliseconds);
}

export const plusDays = (day: string, days: number): string => dateOf(day).add({ days }).toString();
export const daysIn = ({ from, to }: Span): number => dateOf(from).until(dateOf(to), { largestUnit: 'days' }).days + 1;
export const later = (a: string, b: string): string => (a > b ? a : b);
export const earlier = (a: string, b: string): string => (a < b ? a : b);

/** The first day of the day, week or month that a day belongs to. */
export function bucketOf(unit: StatisticUnit, day: string): string {
  const date = dateOf(day);
  if (unit === 'week') return date.subtract({ days: date.dayOfWeek - 1 }).toString();
  return (unit === 'month' ? date.with({ day: 1 }) : date).toString();
}

const nextBucket = (unit: StatisticUnit, start: string): string =>
  dateOf(start)
    .add(unit === 'day' ? { days: 1 } : unit === 'week' ? { weeks: 1 } : { months: 1 })
    .toString();

/** The span made longer to whole days, weeks or months. */
export const wholeSpan = (unit: StatisticUnit, { from, to }: Span): Span => ({
  from: bucketOf(unit, from),
  to: plusDays(nextBucket(unit, bucketOf(unit, to)), -1),
});

/** The first days of all days, weeks or months that a span touches, in order. */
export function bucketsOf(unit: StatisticUnit, { from, to }: Span): string[] {
  const starts: string[] = [];
  for (let start = bucketOf(unit, from); start <= to; start = nextBucket(unit, start)) starts.push(start);
  return starts;
}

const isWhole = (unit: StatisticUnit, span: Span): boolean => {
  const whole = wholeSpan(unit, span);
  return whole.from === span.from && whole.to === span.to;
};

/** The unit of which a span is exactly one; null if it is none. */
export const unitOf = (span: Span): StatisticUnit | null =>
  (['month', 'week', 'day'] as const).find((unit) => isWhole(unit, span) && bucketsOf(unit, span).length === 1) ?? null;

/** The period before: as many months or weeks if the span is whole ones, else as many days. */
export function spanBefore(span: Span): Span {
  const to = plusDays(span.from, -1);
  if (!isWhole('month', span)) return { from: plusDays(span.from, -daysIn(span)), to };
  const months = bucketsOf('month', span).length;
  return { from: dateOf(span.from).subtract({ months }).toString(), to };
}

/** Parts of a span that each lie in one calendar month. */
export function monthsOf({ from, to }: Span): Span[] {
  return bucketsOf('month', { from, to }).map((start) => ({
    from: later(start, from),
    to: earlier(wholeSpan('month', { from: start, to: start }).to, to),
  }));
}
