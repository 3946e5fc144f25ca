import { and, eq, gt, inArray, isNull, lt } from 'drizzle-orm';
import type { Locale } from '@rmeet/contract';
import { inBatches } from '../../platform/db/batches.ts';
import { newId, type TenantTx } from '../../platform/db/index.ts';
import { AppError } from '../../platform/http/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';
import { lockRooms } from './booking.ts';
import { isOpen, openingText } from './opening-hours.ts';
import { building, room, roomBooking, type RoomBookingRow, type RoomRow } from './tables.ts';

type Times = Pick<MeetingRow, 'startTime' | 'endTime'>;

/** The rooms for one meeting of a series. */
export interface RoomsOfOne extends Times {
  id: string;
  roomIds: readonly string[];
}

/** How many dates an error names. */
const DATES_NAMED = 5;

const isActive = isNull(roomBooking.releasedAt);

/** The first few dates of meetings in local time of a zone. */
function datesText(times: readonly Date[], timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const dates = [...new Set(times.toSorted((a, b) => a.getTime() - b.getTime()).map((time) => format.format(time)))];
  return `${dates.slice(0, DATES_NAMED).join(', ')}${dates.length > DATES_NAMED ? ' …' : ''}`;
}

/** The zones of the rooms' buildings, by the rooms' ids. */
async function zonesOf(tx: TenantTx, rooms: readonly RoomRow[]): Promise<Map<string, string>> {
  const buildings =
    rooms.length === 0
      ? []
      : await tx.find(
          building,
          inArray(
            building.id,
            rooms.map((row) => row.buildingId),
          ),
        );
  const zones = new Map(buildings.map((row) => [row.id, row.timeZone]));
  return new Map(rooms.map((row) => [row.id, zones.get(row.buildingId) ?? 'UTC']));
}

const isFree = ({ opening }: RoomRow, timeZone: string, { startTime, endTime }: Times): boolean =>
  opening === null || isOpen(opening, timeZone, startTime, endTime);

/** @throws AppError ROOM_UNKNOWN, ROOM_CLOSED */
async function mustBeBookable(
  tx: TenantTx,
  wanted: readonly { roomId: string; times: Times }[],
  locale: Locale,
): Promise<void> {
  const ids = [...new Set(wanted.map(({ roomId }) => roomId))];
  const rooms = (await lockRooms(tx, ids)).filter((row) => row.enabled);
  if (rooms.length < ids.length) throw new AppError('ROOM_UNKNOWN');
  const zones = await zonesOf(tx, rooms);
  for (const row of rooms) {
    const timeZone = zones.get(row.id) ?? 'UTC';
    const isShut = wanted.some(({ roomId, times }) => roomId === row.id && !isFree(row, timeZone, times));
    if (isShut && row.opening)
      throw new AppError('ROOM_CLOSED', { room: row.name, hours: openingText(row.opening, timeZone, locale) });
  }
}

type NewBooking = Pick<RoomBookingRow, 'id' | 'meetingId' | 'roomId' | 'position' | 'startTime' | 'endTime'>;

/** Identifies what is booked, for which meeting and when. */
const keyOf = (row: Omit<NewBooking, 'id'>): string =>
  [row.meetingId, row.roomId, row.position, row.startTime.getTime(), row.endTime.getTime()].join(' ');

/** @throws AppError SERIES_ROOMS_TAKEN */
async function insertBookings(tx: TenantTx, bookings: readonly NewBooking[], timeZone: string): Promise<void> {
  // Bookings that violate the constraint against double booking are skipped, so that the transaction can still report
  // the times.
  const got = new Set<string>();
  for (const batch of inBatches(bookings))
    for (const row of await tx.insert(roomBooking, batch, 'nothing')) got.add(keyOf(row));
  const refused = new Map(bookings.filter((one) => !got.has(keyOf(one))).map((one) => [one.meetingId, one.startTime]));
  if (refused.size > 0)
    throw new AppError('SERIES_ROOMS_TAKEN', {
      count: refused.size,
      dates: datesText([...refused.values()], timeZone),
    });
}

/**
 * Books rooms for meetings of a series, for all or for none. Bookings for the same time are kept, as with one meeting
 * (`bookRooms`).
 *
 * @throws AppError ROOM_UNKNOWN, ROOM_CLOSED, SERIES_ROOMS_TAKEN with the number of such meetings, and the first dates
 */
export async function bookRoomsOfAll(
  tx: TenantTx,
  meetings: readonly RoomsOfOne[],
  { locale, timeZone, isNew = false }: { locale: Locale; timeZone: string; isNew?: boolean },
): Promise<void> {
  const requested = meetings.flatMap(({ id, startTime, endTime, roomIds }) =>
    [...new Set(roomIds)].map((roomId, position) => ({
      id: newId(),
      meetingId: id,
      roomId,
      position,
      startTime,
      endTime,
    })),
  );
  const earlier =
    isNew || meetings.length === 0
      ? []
      : await tx.find(
          roomBooking,
          and(
            inArray(
              roomBooking.meetingId,
              meetings.map(({ id }) => id),
            ),
            isActive,
          ),
        );
  const requestedKeys = new Set(requested.map(keyOf));
  const dropped = earlier.filter((row) => !requestedKeys.has(keyOf(row)));
  const there = new Set(earlier.map(keyOf));
  const missing = requested.filter((one) => !there.has(keyOf(one)));
  await lockRooms(tx, [...new Set([...requested, ...dropped].map(({ roomId }) => roomId))]);
  for (const batch of inBatches(dropped))
    await tx.delete(
      roomBooking,
      inArray(
        roomBooking.id,
        batch.map(({ id }) => id),
      ),
    );
  if (missing.length === 0) return;
  await mustBeBookable(
    tx,
    missing.map((one) => ({ roomId: one.roomId, times: one })),
    locale,
  );
  await insertBookings(tx, missing, timeZone);
}

/** Locks the rooms of meetings, and others, before any of them is released. */
export async function holdRooms(
  tx: TenantTx,
  meetingIds: readonly string[],
  roomIds: readonly string[],
): Promise<void> {
  const bookings = await tx.find(roomBooking, and(inArray(roomBooking.meetingId, [...meetingIds]), isActive));
  await lockRooms(tx, [...new Set([...bookings.map(({ roomId }) => roomId), ...roomIds])]);
}

/**
 * What prevents rooms from being booked at some times: other bookings and opening hours. `exceptMeetings` are ignored.
 */
export async function obstaclesOf(
  tx: TenantTx,
  roomIds: readonly string[],
  times: readonly Times[],
  exceptMeetings: ReadonlySet<string>,
): Promise<{ taken: { room: RoomRow; meetingId: string }[]; closed: RoomRow[] }[]> {
  const ids = [...new Set(roomIds)];
  const [first, last] = [times[0], times.at(-1)];
  if (ids.length === 0 || !first || !last) return times.map(() => ({ taken: [], closed: [] }));
  const rooms = await tx.find(room, and(inArray(room.id, ids), isNull(room.deletedAt), eq(room.enabled, true)));
  if (rooms.length < ids.length) throw new AppError('ROOM_UNKNOWN');
  const zones = await zonesOf(tx, rooms);
  const bookings = (
    await tx.find(
      roomBooking,
      and(
        inArray(roomBooking.roomId, ids),
        isActive,
        lt(roomBooking.startTime, last.endTime),
        gt(roomBooking.endTime, first.startTime),
      ),
    )
  ).filter((row) => !exceptMeetings.has(row.meetingId));
  const byRoom = Map.groupBy(bookings, (row) => row.roomId);
  return times.map((one) => ({
    taken: ids.flatMap((id) => {
      const of = rooms.find((row) => row.id === id);
      const other = (byRoom.get(id) ?? []).find((row) => row.startTime < one.endTime && row.endTime > one.startTime);
      return of && other ? [{ room: of, meetingId: other.meetingId }] : [];
    }),
    closed: rooms.filter((row) => !isFree(row, zones.get(row.id) ?? 'UTC', one)),
  }));
}
