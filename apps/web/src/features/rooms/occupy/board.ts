import { ROOM_EQUIPMENT, type Building, type Occupancy, type Room } from '@rmeet/contract';
import { oneOf, shortText, type ListState } from '../../../lib/listState.ts';
import {
  clockOf,
  dayOf,
  instantOf,
  minutesOf,
  shiftDay,
  stateOf,
  intervalOf,
  type RoomState,
  type Interval,
  type Taken,
} from '../../../lib/rooms/index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The unit that a click or an arrow key chooses. */
export const HALF_HOUR = 30 * MINUTE;
/** The step of a drag; a start at the current time is rounded up to it. */
const QUARTER = 15 * MINUTE;
const FINEST = 5 * MINUTE;
/** Default visible part of the day for rooms open at any time, in minutes. */
const USUAL_FROM = 8 * 60;
const USUAL_UNTIL = 20 * 60;

/** Minimum capacities to choose from. */
export const SEATS = ['4', '8', '12', '20', '50'] as const;
export type Equipment = (typeof ROOM_EQUIPMENT)[number];

/** A day in the form used in the URL; empty: today. */
function dayText(raw: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(raw) && !Number.isNaN(Date.parse(raw)) && new Date(raw).toISOString().startsWith(raw)
    ? raw
    : '';
}

/** Kinds of equipment in the order of the contract. */
function equipmentText(raw: string): string {
  return ROOM_EQUIPMENT.filter((kind) => raw.split(',').includes(kind)).join();
}

/** The state of the board in the URL. `hours` is `all` for the whole day. */
export const boardShape = {
  filters: {
    building: shortText(36),
    floor: shortText(20),
    day: dayText,
    seats: oneOf(['', ...SEATS], ''),
    equipment: equipmentText,
    hours: oneOf(['', 'all'], ''),
  },
  sorts: ['name'],
};
export type BoardState = ListState<typeof boardShape>;

/** The equipment a state filters by. */
export function equipmentOf({ equipment }: Pick<BoardState, 'equipment'>): readonly Equipment[] {
  return ROOM_EQUIPMENT.filter((kind) => equipment.split(',').includes(kind));
}

export interface Floors {
  building: Building;
  floors: readonly { floor: string; rooms: readonly Room[] }[];
}

/** The floors of a building with the rooms that match the state; floors without matching rooms are left out. */
export function roomsShown(
  { floors }: Floors,
  state: Pick<BoardState, 'floor' | 'seats' | 'equipment'>,
): Floors['floors'] {
  const wanted = equipmentOf(state);
  const fits = ({ capacity, equipment }: Room) =>
    capacity >= Number(state.seats) && wanted.every((kind) => equipment.includes(kind));
  return floors
    .filter(({ floor }) => state.floor === '' || floor === state.floor)
    .map(({ floor, rooms }) => ({ floor, rooms: rooms.filter(fits) }))
    .filter(({ rooms }) => rooms.length > 0);
}

/** A whole day in a time zone: 23 to 25 hours on days with a clock change. */
export function dayInterval(day: string, zone: string): Interval {
  return { start: instantOf(day, 0, zone), end: instantOf(shiftDay(day, 1), 0, zone) };
}

/** The part of a day to show: all opening hours of the rooms, and bookings outside them. */
export function hoursShown(rooms: readonly Room[], taken: Taken, day: string, zone: string): Interval {
  const whole = dayInterval(day, zone);
  const opening = rooms.map((room) => room.opening);
  const from =
    rooms.length === 0
      ? USUAL_FROM
      : Math.min(...opening.map((times) => (times === null ? USUAL_FROM : minutesOf(times.from))));
  const until =
    rooms.length === 0
      ? USUAL_UNTIL
      : Math.max(...opening.map((times) => (times === null ? USUAL_UNTIL : minutesOf(times.until))));
  const booked = rooms
    .flatMap(({ id }) => taken.get(id) ?? [])
    .map(intervalOf)
    .filter(({ start, end }) => start < whole.end && end > whole.start);
  const first = Math.min(instantOf(day, from, zone), ...booked.map(({ start }) => start));
  const last = Math.max(instantOf(day, until, zone), ...booked.map(({ end }) => end));
  // Full hours by the day's clock, because the labels are hours.
  const start = whole.start + Math.floor((first - whole.start) / HOUR) * HOUR;
  const end = whole.start + Math.ceil((last - whole.start) / HOUR) * HOUR;
  return { start: Math.max(whole.start, start), end: Math.min(whole.end, end) };
}

/** The hour labels of an interval, every second hour if there are many. */
export function hourMarks({ start, end }: Interval, zone: string): readonly { at: number; clock: string }[] {
  const step = end - start > 14 * HOUR ? 2 * HOUR : HOUR;
  return Array.from({ length: Math.ceil((end - start) / step) }, (_, index) => start + index * step).map((at) => ({
    at,
    clock: clockOf(at, zone),
  }));
}

/** The earliest instant that can still be booked. */
export function earliestStart(now: number): number {
  return Math.ceil(now / FINEST) * FINEST;
}

/**
 * The half hour selected by a pointer at an instant: from the start of its half hour, or from when the room becomes
 * free within it.
 */
export function halfHourAt(free: readonly Interval[], at: number, origin: number): Interval | null {
  const slot = origin + Math.floor((at - origin) / HALF_HOUR) * HALF_HOUR;
  const interval =
    free.find(({ start, end }) => start <= at && at < end) ??
    free.find(({ start, end }) => start < slot + HALF_HOUR && end > slot);
  if (!interval) return null;
  const start = Math.max(slot, interval.start);
  const end = Math.min(start + HALF_HOUR, interval.end);
  return end - start < FINEST ? null : { start, end };
}

/**
 * The interval selected by a drag between two instants: quarters of an hour, within the free interval where it started.
 */
export function rangeBetween(free: readonly Interval[], from: number, to: number, origin: number): Interval | null {
  const interval = free.find(({ start, end }) => start <= from && from < end);
  if (!interval) return null;
  const [first, last] = from < to ? [from, to] : [to, from];
  const start = Math.max(interval.start, origin + Math.floor((first - origin) / QUARTER) * QUARTER);
  const end = Math.min(interval.end, origin + Math.ceil((last - origin) / QUARTER) * QUARTER);
  return end - start < FINEST ? null : { start, end };
}

type Spot =
  | { kind: 'free'; at: Interval }
  | { kind: 'past'; at: Interval }
  | (Exclude<RoomState, { kind: 'free' }> & { at: Interval });

/** What the keyboard cursor on a room's day means: the bookable interval, or the reason why there is none. */
export function spotOf(
  room: Room,
  taken: readonly Occupancy[],
  free: readonly Interval[],
  wanted: Interval,
  now: number,
): Spot {
  const isOne = wanted.end - wanted.start <= HALF_HOUR;
  // A short meeting at the start of a half hour must be announced and can be opened, although the rest is free.
  const isTakenThere = taken.some((one) => intervalOf(one).start <= wanted.start && intervalOf(one).end > wanted.start);
  const chosen = isOne
    ? !isTakenThere && halfHourAt(free, wanted.start, wanted.start)
    : free.find(({ start, end }) => start <= wanted.start && end >= wanted.end) && wanted;
  if (chosen) return { kind: 'free', at: chosen };
  const state = stateOf(room, taken, wanted);
  return state.kind === 'free' || (state.kind === 'closed' && wanted.end <= now)
    ? { kind: 'past', at: wanted }
    : { ...state, at: wanted };
}

/** Additional URL parameters that open the booking form with room and times filled in. */
export function bookingParams(roomId: string, { start, end }: Interval): Record<string, string> {
  return {
    book: '1',
    roomIds: roomId,
    startTime: new Date(start).toISOString(),
    duration: String((end - start) / MINUTE),
  };
}

/** An interval in a time zone; parts beyond the day are shown as 24:00 and 00:00. */
export function timesOf({ start, end }: Interval, zone: string): { from: string; until: string } {
  const endsAtMidnight = clockOf(end, zone) === '00:00' && dayOf(end, zone) !== dayOf(start, zone);
  return { from: clockOf(start, zone), until: endsAtMidnight ? '24:00' : clockOf(end, zone) };
}

/** The relative position of an instant in an interval, for CSS. */
export function shareOf(at: number, { start, end }: Interval): string {
  return `${(Math.min(1, Math.max(0, (at - start) / (end - start))) * 100).toFixed(3)}%`;
}
