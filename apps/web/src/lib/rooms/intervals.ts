import type { Occupancy, OpeningTimes, Room } from '@rmeet/contract';
import { dayOf, instantOf, minutesOf, shiftDay } from './zone.ts';

/** The time between two instants, in milliseconds. */
export interface Interval {
  start: number;
  end: number;
}

/** When a room may be booked, by its opening times and its building's time zone; adjacent intervals are joined. */
export function openIntervals(
  { opening, building: { timeZone } }: Pick<Room, 'opening' | 'building'>,
  { start, end }: Interval,
): readonly Interval[] {
  if (opening === null) return [{ start, end }];
  const open: Interval[] = [];
  const last = dayOf(end, timeZone);
  for (let day = dayOf(start, timeZone); day <= last; day = shiftDay(day, 1)) {
    if (!opening.days.includes(new Date(`${day}T00:00:00Z`).getUTCDay())) continue;
    const from = Math.max(start, instantOf(day, minutesOf(opening.from), timeZone));
    const until = Math.min(end, instantOf(day, minutesOf(opening.until), timeZone));
    const before = open.at(-1);
    if (before && before.end === from && until > from) before.end = until;
    else if (until > from) open.push({ start: from, end: until });
  }
  return open;
}

/** The parts of `open` that are not occupied and not before an instant. */
export function freeIntervals(
  open: readonly Interval[],
  taken: readonly Interval[],
  notBefore: number,
): readonly Interval[] {
  return [{ start: -Infinity, end: notBefore }, ...taken].reduce<readonly Interval[]>(
    (free, { start, end }) =>
      free.flatMap((one) =>
        end <= one.start || start >= one.end
          ? [one]
          : [
              { start: one.start, end: start },
              { start: end, end: one.end },
            ].filter((part) => part.end > part.start),
      ),
    open,
  );
}

/** An occupancy as an interval. */
export function intervalOf({ startTime, endTime }: Pick<Occupancy, 'startTime' | 'endTime'>): Interval {
  return { start: Date.parse(startTime), end: Date.parse(endTime) };
}

/** Occupancies of rooms, by room id. */
export type Taken = ReadonlyMap<string, readonly Occupancy[]>;

export type RoomState = { kind: 'free' } | { kind: 'closed'; opening: OpeningTimes } | { kind: 'taken'; by: Occupancy };

/** Whether a room is available for an interval, and if not, why. */
export function stateOf(
  room: Pick<Room, 'opening' | 'building'>,
  taken: readonly Occupancy[],
  wanted: Interval,
): RoomState {
  const by = taken.find((one) => Date.parse(one.startTime) < wanted.end && Date.parse(one.endTime) > wanted.start);
  if (by) return { kind: 'taken', by };
  const isOpen = openIntervals(room, wanted).some(({ start, end }) => start === wanted.start && end === wanted.end);
  return isOpen || room.opening === null ? { kind: 'free' } : { kind: 'closed', opening: room.opening };
}

/** Whether a floor's name is only its number (`3`, `B1`), so that it is shown with the word for floors. */
export function isBareFloor(floor: string): boolean {
  return /^[A-Z]{0,2}-?\d{1,3}[A-Z]?$/i.test(floor);
}
