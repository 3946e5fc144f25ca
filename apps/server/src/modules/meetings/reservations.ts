import { eq } from 'drizzle-orm';
import type { TenantTx } from '../../platform/db/index.ts';
import { giveResourcesBack, giveUnusedResourceBack } from '../resources/index.ts';
import { checkInRooms, endRoomBookings, giveRoomsBack, giveUnusedRoomsBack } from '../rooms/index.ts';
import { roomBooking } from '../rooms/tables.ts';
import { openBy, type MeetingMove } from './status.ts';

/** Moves of a meeting that is in use, or that bring it into use. */
const IN_USE: ReadonlySet<MeetingMove> = new Set(['connect', 'close', 'end']);

/** Updates the meeting's rooms when its status changes. A running conference counts as checked in. */
async function moveRooms(tx: TenantTx, meetingId: string, move: MeetingMove, now: Date): Promise<void> {
  if (move === 'cancel') await giveRoomsBack(tx, eq(roomBooking.meetingId, meetingId), now);
  else if (move === 'lapse') await giveUnusedRoomsBack(tx, meetingId, now);
  else if (IN_USE.has(move)) await checkInRooms(tx, meetingId, openBy(now), now);
  if (move === 'end' || move === 'finish') await endRoomBookings(tx, meetingId, now);
}

/** Updates the meeting's share of a media resource when its status changes. */
async function moveResource(tx: TenantTx, meetingId: string, move: MeetingMove, now: Date): Promise<void> {
  if (move === 'lapse') await giveUnusedResourceBack(tx, meetingId, now);
  else if (move === 'cancel' || move === 'end') await giveResourcesBack(tx, [meetingId], now);
}

/** Updates the reservations of a meeting when its status changes. */
export async function moveReservations(tx: TenantTx, meetingId: string, move: MeetingMove, now: Date): Promise<void> {
  await moveRooms(tx, meetingId, move, now);
  await moveResource(tx, meetingId, move, now);
}
