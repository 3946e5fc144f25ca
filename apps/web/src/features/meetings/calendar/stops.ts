import type { Segment } from './layout.ts';
import type { TimeRow } from './days.ts';

/** A place the keyboard gets to: free time (`slot`), a meeting, or what stands for more of them. */
export interface Stop {
  day: string;
  /** How far down the day. */
  at: number;
  /** A meeting's id, or one of the words. */
  id: string;
}
export const SLOT = 'slot';
export const MORE = 'more';

export function stopKey({ day, at, id }: Stop): string {
  return id === SLOT ? `${day} ${at}` : `${day} ${id}`;
}

/** The places of one day of a time grid: half hours on which there is nothing, and meetings. */
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

/** Where the keyboard is: the place it was at, or the nearest there is when that is gone. */
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

/**
 * Where an arrow key leads; undefined for nowhere. `across`: how many days are side by side before the next row of them
 * begins.
 */
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
