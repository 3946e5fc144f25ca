import type { Segment } from './layout.ts';
import type { TimeRow } from './days.ts';

/** A keyboard stop: free time (`slot`), a meeting, or the link to further meetings. */
export interface Stop {
  day: string;
  /** Vertical position within the day. */
  at: number;
  /** A meeting's id, or one of the fixed words. */
  id: string;
}
export const SLOT = 'slot';
export const MORE = 'more';

export function stopKey({ day, at, id }: Stop): string {
  return id === SLOT ? `${day} ${at}` : `${day} ${id}`;
}

/** The keyboard stops of one day of a time grid: free half hours and meetings. */
export function stopsOfDay(
  day: string,
  segments: readonly Segment[],
  rows: readonly TimeRow[],
  index: number,
  canBook: boolean,
): readonly Stop[] {
  const free = rows.flatMap(({ starts }, at) => {
    const isFree =
      canBook && starts[index] !== null && !segments.some(({ from, until }) => from < at + 1 && until > at);
    return isFree ? [{ day, at, id: SLOT }] : [];
  });
  return [...free, ...segments.map(({ from, shown }) => ({ day, at: from, id: shown.meeting.meetId }))].sort(
    (a, b) => a.at - b.at,
  );
}

function nearest(stops: readonly Stop[], at: number): Stop | undefined {
  return stops.reduce<Stop | undefined>(
    (best, stop) => (best === undefined || Math.abs(stop.at - at) < Math.abs(best.at - at) ? stop : best),
    undefined,
  );
}

/** The current keyboard stop: the previous one, or the nearest one if that no longer exists. */
export function currentStop(columns: readonly (readonly Stop[])[], wanted: Stop): Stop | undefined {
  const stops = columns.flat();
  return (
    stops.find((stop) => stopKey(stop) === stopKey(wanted)) ??
    stops.find(({ id }) => id === wanted.id && id !== SLOT && id !== MORE) ??
    nearest(
      stops.filter(({ day }) => day === wanted.day),
      wanted.at,
    ) ??
    nearest(stops, wanted.at)
  );
}

/** The stop that an arrow key moves to; undefined if there is none. `across`: number of days side by side in a row. */
export function nextStop(
  columns: readonly (readonly Stop[])[],
  from: Stop,
  key: string,
  across: number,
): Stop | undefined {
  const column = columns.findIndex((stops) => stops.some((stop) => stopKey(stop) === stopKey(from)));
  const stops = columns[column] ?? [];
  const index = stops.findIndex((stop) => stopKey(stop) === stopKey(from));
  const beside = (by: 1 | -1) => {
    for (let next = column + by; next >= 0 && next < columns.length; next += by) {
      const found = nearest(columns[next] ?? [], from.at);
      if (found) return found;
    }
    return undefined;
  };
  switch (key) {
    case 'ArrowDown':
      return stops[index + 1] ?? columns[column + across]?.[0];
    case 'ArrowUp':
      return stops[index - 1] ?? columns[column - across]?.at(-1);
    case 'ArrowRight':
      return beside(1);
    case 'ArrowLeft':
      return beside(-1);
    case 'Home':
      return stops[0];
    case 'End':
      return stops.at(-1);
    default:
      return undefined;
  }
}
