import type { Occupancy, Room } from '@rmeet/contract';
import { useAddressParams } from '../../../lib/addressParams.ts';
import { usePermission } from '../../../lib/access.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { freeIntervals, isBareFloor, openIntervals, intervalOf, type Interval } from '../../../lib/rooms/index.ts';
import { bookingParams, earliestStart, timesOf } from './board.ts';

type OccupyTexts = ReturnType<typeof useTexts<'occupy'>>;

/** A room's day: opening hours, bookings and free time. */
export interface RoomDay {
  room: Room;
  open: readonly Interval[];
  taken: readonly Occupancy[];
  free: readonly Interval[];
}

/** A room's day within an interval. */
export function roomDay(room: Room, taken: readonly Occupancy[], within: Interval, now: number): RoomDay {
  const open = openIntervals(room, within);
  return { room, open, taken, free: freeIntervals(open, taken.map(intervalOf), earliestStart(now)) };
}

/**
 * Actions of the board: book a room or open a meeting, both by URL (features/meetings). Without the permission to book,
 * nothing is offered.
 */
export function useBoardActions() {
  const [, setParams] = useAddressParams();
  const show = (part: Record<string, string>) =>
    setParams((now) => new URLSearchParams({ ...Object.fromEntries(now), ...part }));
  const mayBook = usePermission('sys:network');
  return {
    mayBook,
    book: (room: Room, wanted: Interval) => show(bookingParams(room.id, wanted)),
    open: (meetId: string) => show({ open: meetId }),
  };
}

export type BoardActions = ReturnType<typeof useBoardActions>;

/** A floor as text. */
export function floorWords(floor: string, t: OccupyTexts): string {
  if (floor === '') return t('floorNone');
  return isBareFloor(floor) ? t('floorName', { floor }) : floor;
}

/** Times in a time zone: `09:00–09:30`. */
export function timesWords(interval: Interval, zone: string, t: OccupyTexts): string {
  return t('times', timesOf(interval, zone));
}

/** Who has booked a room, and for what if the reader may know it. */
export function takenWords({ host, subject, checkedIn }: Occupancy, t: OccupyTexts): string {
  const what = subject === null ? t('takenBy', { host }) : t('takenFor', { host, subject });
  return checkedIn ? t('checkedIn', { what }) : what;
}
