import { and, asc, eq, gt, gte, inArray, isNull, lt, lte, ne, sql, type SQL } from 'drizzle-orm';
import type { Locale, Meeting } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type TenantTx } from '../../platform/db/index.ts';
import { AppError } from '../../platform/http/index.ts';
import { findAccount } from '../accounts/users/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { isOpen, openingText } from './opening-hours.ts';
import { building, room, roomBooking, type RoomBookingRow, type RoomRow } from './tables.ts';

type Times = Pick<MeetingRow, 'id' | 'startTime' | 'endTime'>;

const isActive = isNull(roomBooking.releasedAt);
const at = (time: Date): SQL => sql`${time.toISOString()}::timestamptz`;

/** How many rooms of the tenant take bookings. */
export function countBookableRooms(tx: TenantTx): Promise<number> {
  return tx.count(room, and(isNull(room.deletedAt), eq(room.enabled, true)));
}

/** The bookings of a meeting, in the order of its rooms. */
function findBookings(tx: TenantTx, meetingId: string): Promise<RoomBookingRow[]> {
  return tx.find(roomBooking, and(eq(roomBooking.meetingId, meetingId), isActive), {
    orderBy: [asc(roomBooking.position)],
  });
}

/**
 * Locks rooms and their bookings to the end of the transaction. All bookings lock rooms in the order of their ids, and
 * before releasing any, which prevents deadlocks.
 */
export function lockRooms(tx: TenantTx, ids: readonly string[]): Promise<RoomRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return tx.find(room, and(inArray(room.id, [...ids]), isNull(room.deletedAt)), {
    orderBy: [asc(room.id)],
    lock: 'no key update',
  });
}

/** @throws AppError ROOM_UNKNOWN, ROOM_CLOSED */
async function mustBeBookable(
  tx: TenantTx,
  roomIds: readonly string[],
  { startTime, endTime }: Times,
  locale: Locale,
): Promise<RoomRow[]> {
  const rooms = new Map((await lockRooms(tx, roomIds)).map((row) => [row.id, row]));
  const bookable = roomIds.map((id) => rooms.get(id));
  if (!bookable.every((row) => row !== undefined && row.enabled)) throw new AppError('ROOM_UNKNOWN');
  const found = bookable.filter((row) => row !== undefined);
  const closed = await firstClosed(tx, found, startTime, endTime, locale);
  if (closed) throw new AppError('ROOM_CLOSED', closed);
  return found;
}

/** The first room that is not open for the whole time, with its hours in local time of its building. */
async function firstClosed(
  tx: TenantTx,
  rooms: readonly RoomRow[],
  start: Date,
  end: Date,
  locale: Locale,
): Promise<{ room: string; hours: string } | undefined> {
  if (rooms.length === 0) return undefined;
  const zones = new Map(
    (
      await tx.find(
        building,
        inArray(
          building.id,
          rooms.map((row) => row.buildingId),
        ),
      )
    ).map((row) => [row.id, row.timeZone]),
  );
  for (const { name, opening, buildingId } of rooms) {
    const timeZone = zones.get(buildingId) ?? 'UTC';
    if (opening && !isOpen(opening, timeZone, start, end))
      return { room: name, hours: openingText(opening, timeZone, locale) };
  }
  return undefined;
}

/** The error that names who has booked the first taken room. */
async function takenError(tx: TenantTx, rooms: readonly RoomRow[], { startTime, endTime }: Times): Promise<AppError> {
  for (const { id, name } of rooms) {
    const other = await tx.findOne(
      roomBooking,
      and(eq(roomBooking.roomId, id), isActive, lt(roomBooking.startTime, endTime), gt(roomBooking.endTime, startTime)),
    );
    const by = other && (await tx.findOne(meeting, eq(meeting.id, other.meetingId)));
    if (by) return new AppError('ROOM_TAKEN', { room: name, host: (await findAccount(tx, by.hostId))?.name ?? '' });
  }
  return new AppError('SERVICE_BUSY');
}

/**
 * Books rooms for a meeting, all or none. Rooms that it has for the same time are kept, even if they can no longer be
 * booked.
 *
 * @throws AppError ROOM_UNKNOWN, ROOM_CLOSED, ROOM_TAKEN
 */
export async function bookRooms(tx: TenantTx, times: Times, roomIds: readonly string[], locale: Locale): Promise<void> {
  const wanted = [...new Set(roomIds)];
  const kept = new Map<string, RoomBookingRow>();
  const dropped: RoomBookingRow[] = [];
  for (const row of await findBookings(tx, times.id)) {
    const isSame =
      row.startTime.getTime() === times.startTime.getTime() && row.endTime.getTime() === times.endTime.getTime();
    if (isSame && wanted.includes(row.roomId)) kept.set(row.roomId, row);
    else dropped.push(row);
  }
  await lockRooms(tx, [...wanted, ...dropped.map((row) => row.roomId)]);
  if (dropped.length > 0)
    await tx.delete(
      roomBooking,
      inArray(
        roomBooking.id,
        dropped.map(({ id }) => id),
      ),
    );
  for (const [position, roomId] of wanted.entries()) {
    const row = kept.get(roomId);
    if (row && row.position !== position) await tx.update(roomBooking, { position }, eq(roomBooking.id, row.id));
  }
  const missing = wanted.filter((roomId) => !kept.has(roomId));
  if (missing.length === 0) return;
  const rooms = await mustBeBookable(tx, missing, times, locale);
  const { id: meetingId, startTime, endTime } = times;
  // Bookings that violate the constraint against double booking are skipped, so that the transaction can still report
  // who has the room.
  const booked = await tx.insert(
    roomBooking,
    missing.map((roomId) => ({ id: newId(), meetingId, roomId, position: wanted.indexOf(roomId), startTime, endTime })),
    'nothing',
  );
  const got = new Set(booked.map((row) => row.roomId));
  const refused = rooms.filter((row) => !got.has(row.id));
  if (refused.length > 0) throw await takenError(tx, refused, times);
}

/**
 * The rooms of meetings by the contract; meetings without any are missing. `isUsed`: whether a meeting's conference
 * shows that its rooms are in use.
 */
export async function roomsOfMeetings(
  tx: TenantTx,
  meetings: readonly MeetingRow[],
  isUsed: (row: MeetingRow) => boolean = () => false,
): Promise<Map<string, Meeting['rooms']>> {
  if (meetings.length === 0) return new Map();
  const running = new Set(meetings.filter(isUsed).map(({ id }) => id));
  const [bookings, rooms, buildings] = [tx.scoped(roomBooking), tx.scoped(room), tx.scoped(building)];
  const rows = await tx
    .select({
      meetingId: bookings.meetingId,
      id: bookings.roomId,
      name: sql<string>`${rooms.name}`.as('room_name'),
      building: sql<string>`${buildings.name}`.as('building_name'),
      floor: rooms.floor,
      checkedInAt: bookings.checkedInAt,
    })
    .from(bookings)
    .innerJoin(rooms, eq(rooms.id, bookings.roomId))
    .innerJoin(buildings, eq(buildings.id, rooms.buildingId))
    .where(
      and(
        inArray(
          bookings.meetingId,
          meetings.map(({ id }) => id),
        ),
        isNull(bookings.releasedAt),
      ),
    )
    .orderBy(bookings.position);
  const byMeeting = Map.groupBy(rows, (row) => row.meetingId);
  return new Map(
    [...byMeeting].map(([id, list]) => [
      id,
      list.map(({ meetingId, checkedInAt, ...shown }) => ({
        ...shown,
        checkedIn: checkedInAt !== null || running.has(meetingId),
      })),
    ]),
  );
}

/** Releases room bookings: the rest of their time becomes free, the past stays recorded. */
export function giveRoomsBack(tx: TenantTx, where: SQL, now: Date): Promise<RoomBookingRow[]> {
  const endTime = sql`case when ${roomBooking.startTime} < ${at(now)} then least(${roomBooking.endTime},
    ${at(now)}) else ${roomBooking.endTime} end`;
  return tx.update(roomBooking, { releasedAt: now, endTime }, allOf(where, isActive));
}

/** Releases a meeting's rooms without check-in. */
export async function giveUnusedRoomsBack(tx: TenantTx, meetingId: string, now: Date): Promise<void> {
  await giveRoomsBack(tx, allOf(eq(roomBooking.meetingId, meetingId), isNull(roomBooking.checkedInAt)), now);
}

/** Checks a meeting in to its rooms whose booking starts by a time. */
export async function checkInRooms(tx: TenantTx, meetingId: string, startsBy: Date, now: Date): Promise<void> {
  const own = eq(roomBooking.meetingId, meetingId);
  await tx.update(
    roomBooking,
    { checkedInAt: now },
    allOf(own, isActive, isNull(roomBooking.checkedInAt), lte(roomBooking.startTime, startsBy)),
  );
}

/** Ends the bookings of a meeting that is over: those that have not begun are released, the others end now. */
export async function endRoomBookings(tx: TenantTx, meetingId: string, now: Date): Promise<void> {
  const own = eq(roomBooking.meetingId, meetingId);
  await giveRoomsBack(tx, allOf(own, gte(roomBooking.startTime, now)), now);
  await tx.update(roomBooking, { endTime: now }, allOf(own, isActive, gt(roomBooking.endTime, now)));
}

/**
 * The names of the meeting's rooms that another meeting has between its booked end and `until`. Locks all its rooms.
 */
export async function roomsBusy(tx: TenantTx, { id, endTime }: Times, until: Date): Promise<string[]> {
  const own = await findBookings(tx, id);
  const rooms = await lockRooms(
    tx,
    own.map((row) => row.roomId),
  );
  const names: string[] = [];
  for (const row of rooms) {
    const next = and(
      eq(roomBooking.roomId, row.id),
      isActive,
      ne(roomBooking.meetingId, id),
      lt(roomBooking.startTime, until),
      gt(roomBooking.endTime, endTime),
    );
    if (await tx.findOne(roomBooking, next)) names.push(row.name);
  }
  return names;
}

/**
 * Checks that the meeting's rooms are open until a later end; the booked time is not checked again.
 *
 * @throws AppError ROOM_CLOSES
 */
export async function mustStayOpen(tx: TenantTx, { id, endTime }: Times, until: Date, locale: Locale): Promise<void> {
  const closed = await firstClosed(
    tx,
    await lockRooms(
      tx,
      (await findBookings(tx, id)).map((row) => row.roomId),
    ),
    endTime,
    until,
    locale,
  );
  if (closed) throw new AppError('ROOM_CLOSES', closed);
}

/** Prolongs the bookings of a meeting, after `roomsBusy` has found its rooms free. */
export async function prolongBookings(tx: TenantTx, meetingId: string, endTime: Date): Promise<void> {
  await tx.update(roomBooking, { endTime }, allOf(eq(roomBooking.meetingId, meetingId), isActive));
}
