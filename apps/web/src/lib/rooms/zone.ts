const MINUTE = 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached: creating a format takes far longer than using it. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, made);
  return made;
}

/** The local date and time of a zone at an instant, as if it were UTC. */
function wallTime(instant: number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Minutes a zone is ahead of UTC at an instant. */
export function offsetOf(instant: number, zone: string): number {
  const whole = Math.floor(instant / 1_000) * 1_000;
  return (wallTime(whole, zone) - whole) / MINUTE;
}

/** The instant `minutes` after midnight by the zone's clock on a day (`2026-11-20`); 24 hours are the next midnight. */
export function instantOf(day: string, minutes: number, zone: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE;
  const near = wall - offsetOf(wall, zone) * MINUTE;
  return wall - offsetOf(near, zone) * MINUTE;
}

/** The day (`2026-11-20`) in a zone at an instant. */
export function dayOf(instant: number, zone: string): string {
  return new Date(wallTime(instant, zone)).toISOString().slice(0, 10);
}

/** The time of day (`09:30`) in a zone at an instant. */
export function clockOf(instant: number, zone: string): string {
  return new Date(wallTime(instant, zone)).toISOString().slice(11, 16);
}

/** The day `by` days later. */
export function shiftDay(day: string, by: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + by * 1_440 * MINUTE).toISOString().slice(0, 10);
}

/** Minutes since midnight of a time of day: `09:30`, `24:00`. */
export function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The browser's time zone. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A zone's offset as text: `GMT+8`. */
export function offsetName(instant: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(instant);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** Weekdays as short names of a language; three or more consecutive days as `Mon–Fri`. */
export function daysWords(days: readonly number[], language: string): string {
  // The week starts on Monday; 4 January 2026 was a Sunday.
  const name = (day: number) =>
    new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 4 + day));
  const rows: number[][] = [];
  for (const day of [1, 2, 3, 4, 5, 6, 7].filter((one) => days.includes(one % 7))) {
    const row = rows.at(-1);
    if (row?.at(-1) === day - 1) row.push(day);
    else rows.push([day]);
  }
  return rows
    .map((row) => (row.length > 2 ? `${name(row[0] ?? 0)}–${name(row.at(-1) ?? 0)}` : row.map(name).join(', ')))
    .join(', ');
}
