import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import { EARLY_JOIN_MINUTES, LIMITS, type contract, type Data, type Input } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { recordAudit, systemOrigin } from '../audit/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { giveRoomsBack } from './booking.ts';
import type { RoomMeetings, RoomNotices } from './ports.ts';
import { room, roomBooking, type RoomBookingRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type Booking = Input<typeof contract.rooms.checkIn>['body'];
type OccupancyBody = Input<typeof contract.rooms.occupancy>['body'];

const MINUTE = 60_000;
const RELEASE_BATCH = 500;

export interface RoomUsageDeps {
  db: Db;
  push: Push;
  now: () => Date;
  meetings: RoomMeetings;
  notices: RoomNotices;
}

const isActive = isNull(roomBooking.releasedAt);
const targetOf = ({ id, subject }: MeetingRow) => ({ kind: 'meeting', id, name: subject });

/** Active bookings, and released ones for the time they were used. */
const isTaken = or(
  isActive,
  and(isNotNull(roomBooking.checkedInAt), gt(roomBooking.releasedAt, roomBooking.startTime)),
);

/** Bookings of rooms that overlap an interval, in their order. */
function findBetween(
  tx: TenantTx,
  { roomIds, except }: OccupancyBody,
  from: Date,
  until: Date,
): Promise<RoomBookingRow[]> {
  // No meeting is longer than a day, so the index by start can exclude meetings that ended long ago.
  const notOver = and(
    gt(roomBooking.startTime, new Date(from.getTime() - LIMITS.durationMax * MINUTE)),
    gt(roomBooking.endTime, from),
  );
  const others = except === undefined ? undefined : ne(roomBooking.meetingId, except);
  return tx.find(
    roomBooking,
    and(inArray(roomBooking.roomId, roomIds), lt(roomBooking.startTime, until), notOver, isTaken, others),
    { orderBy: [asc(roomBooking.startTime)] },
  );
}

/** Detaches a meeting that has lost a room from its series. */
async function detach(tx: TenantTx, { id, seriesId }: MeetingRow): Promise<void> {
  if (seriesId !== null) await tx.update(meeting, { detached: true }, eq(meeting.id, id));
}

/** The meeting's booking of the room that is not over. @throws AppError ROOM_NOT_BOOKED */
async function findBooking(tx: TenantTx, { meetId, roomId }: Booking, now: Date): Promise<RoomBookingRow> {
  const row = await tx.findOne(
    roomBooking,
    and(eq(roomBooking.meetingId, meetId), eq(roomBooking.roomId, roomId), isActive, gt(roomBooking.endTime, now)),
  );
  if (!row) throw new AppError('ROOM_NOT_BOOKED');
  return row;
}

async function nameOf(tx: TenantTx, roomId: string): Promise<string> {
  return (await tx.findOne(room, eq(room.id, roomId)))?.name ?? '';
}

/** When rooms are taken. */
function createOccupancy({ db, now, meetings }: RoomUsageDeps) {
  return {
    /** When rooms are taken. Rooms that do not exist for the caller are free. */
    occupancy: ({ caller }: UserContext, body: OccupancyBody): Promise<Data<typeof contract.rooms.occupancy>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const rows = await findBetween(tx, body, new Date(body.from), new Date(body.until));
        const ids = [...new Set(rows.map((row) => row.meetingId))];
        const found = ids.length === 0 ? [] : await tx.find(meeting, inArray(meeting.id, ids));
        const byId = new Map(found.map((row) => [row.id, row]));
        const visible = await meetings.visibleTo(tx, caller, found);
        const hosts = new Map(
          (await findAccounts(tx, [...new Set(found.map((row) => row.hostId))])).map((row) => [row.id, row.name]),
        );
        const byRoom = Map.groupBy(rows, (row) => row.roomId);
        return [...new Set(body.roomIds)].map((roomId) => ({
          roomId,
          taken: (byRoom.get(roomId) ?? []).map(({ meetingId, startTime, endTime, checkedInAt }) => {
            const of = byId.get(meetingId);
            const shown = visible.has(meetingId) ? of : undefined;
            return {
              startTime: startTime.toISOString(),
              endTime: endTime.toISOString(),
              host: hosts.get(of?.hostId ?? '') ?? '',
              meetId: shown?.id ?? null,
              subject: shown?.subject ?? null,
              checkedIn: checkedInAt !== null || (of !== undefined && meetings.usesRooms(of, now())),
            };
          }),
        }));
      }),
  };
}

/** Checks meetings in to their rooms, and releases rooms. */
function createCheckIn({ db, push, now, meetings, notices }: RoomUsageDeps) {
  return {
    /** @throws AppError NOT_FOUND if the meeting is not visible to the caller, ROOM_NOT_BOOKED, CHECK_IN_EARLY */
    checkIn: (context: UserContext, booking: Booking): Promise<void> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const found = await meetings.findMeeting(tx, booking.meetId, true);
        if (!found || !(await meetings.visibleTo(tx, context.caller, [found])).has(found.id))
          throw new AppError('NOT_FOUND');
        const row = await findBooking(tx, booking, now());
        if (row.startTime > meetings.openBy(now()))
          throw new AppError('CHECK_IN_EARLY', { minutes: EARLY_JOIN_MINUTES });
        if (row.checkedInAt === null) await tx.update(roomBooking, { checkedInAt: now() }, eq(roomBooking.id, row.id));
        await recordAudit(tx, context, now(), {
          target: targetOf(found),
          after: { room: await nameOf(tx, booking.roomId), checkedIn: true },
        });
        await meetings.announceMeeting(push, tx, found.id);
      }),

    /** @throws AppError FORBIDDEN, NOT_FOUND, ROOM_NOT_BOOKED */
    release: (context: UserContext, booking: Booking): Promise<void> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const found = await meetings.manageMeeting(tx, booking.meetId, context.caller, { lock: true });
        const row = await findBooking(tx, booking, now());
        await giveRoomsBack(tx, eq(roomBooking.id, row.id), now());
        await recordAudit(tx, context, now(), {
          target: targetOf(found),
          before: { room: await nameOf(tx, booking.roomId) },
          after: { room: '' },
        });
        await meetings.announceMeeting(push, tx, found.id);
        // A room that was in use is left early: no notice is needed.
        if (row.checkedInAt !== null || meetings.usesRooms(found, now())) return;
        await detach(tx, found);
        await notices.meetingChanged(tx, context, found.id);
      }),
  };
}

/** Releases rooms that are not used. */
function createRoomRelease({ db, push, now, meetings, notices }: RoomUsageDeps) {
  /**
   * Rooms without check-in in time, of meetings that are not running. Local meetings run by the clock, so they count,
   * too.
   */
  function findUnused() {
    const at = now();
    const isLate = sql`exists (select 1 from ${room} where ${room.id} = ${roomBooking.roomId} and
      ${roomBooking.startTime} + ${room.releaseMinutes} * interval '1 minute' <= ${at.toISOString()}::timestamptz)`;
    const isWaiting = sql`exists (select 1 from ${meeting} where ${meeting.id} = ${roomBooking.meetingId} and
      (${meeting.status} = 'SCHEDULE' or (${meeting.type} = 'LOCAL_MEETING' and ${meeting.status} = 'ONLINE')))`;
    const unused = and(
      isActive,
      isNull(roomBooking.checkedInAt),
      lte(roomBooking.startTime, at),
      gt(roomBooking.endTime, at),
      isLate,
      isWaiting,
    );
    return db.platform((tx) =>
      tx.find(roomBooking, unused, { orderBy: [asc(roomBooking.startTime)], limit: RELEASE_BATCH }),
    );
  }

  return {
    /** Releases rooms that were not checked in in time. Returns how many. */
    async releaseUnused(): Promise<number> {
      let released = 0;
      // One transaction each: they lock the meeting, as edits of it do.
      for (const { id, meetingId, roomId, tenantId } of await findUnused()) {
        await db.tenant(tenantId, async (tx) => {
          const found = await meetings.findMeeting(tx, meetingId, true);
          if (!found || meetings.usesRooms(found, now()) || found.status === 'PENDING' || found.status === 'OFFLINE')
            return;
          const [row] = await giveRoomsBack(tx, allOf(eq(roomBooking.id, id), isNull(roomBooking.checkedInAt)), now());
          if (!row) return;
          await recordAudit(tx, systemOrigin('rooms.release'), now(), {
            target: targetOf(found),
            before: { room: await nameOf(tx, roomId) },
            after: { room: '' },
          });
          await meetings.announceMeeting(push, tx, meetingId);
          await detach(tx, found);
          await notices.roomReleased(tx, meetingId);
          released += 1;
        });
      }
      return released;
    },
  };
}

/** When rooms are taken, and what happens to a booking at its time. */
export function createRoomUsage(deps: RoomUsageDeps) {
  return { ...createOccupancy(deps), ...createCheckIn(deps), ...createRoomRelease(deps) };
}

export type RoomUsage = ReturnType<typeof createRoomUsage>;
