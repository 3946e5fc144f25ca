import { Temporal } from 'temporal-polyfill';

/** The month of a moment, in local time of a time zone. */
export function monthOf(moment: Date, timeZone: string): { from: Date; until: Date } {
  const first = Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(timeZone)
    .with({ day: 1 })
    .startOfDay();
  return {
    from: new Date(first.epochMilliseconds),
    until: new Date(first.add({ months: 1 }).startOfDay().epochMilliseconds),
  };
}
