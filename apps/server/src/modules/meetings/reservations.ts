import { eq } from 'drizzle-orm';
import type { TenantTx } from '../../platform/db/index.ts';
import { giveResourcesBack, giveUnusedResourceBack } from '../resources/index.ts';
import { checkInRooms, endRoomBookings, giveRoomsBack, giveUnusedRoomsBack } from '../rooms/index.ts';
import { roomBooking } from '../rooms/tables.ts';
import { openBy, type MeetingMove } from './status.ts';

/** Moves of a meeting that is in use, or that bring it into use. */
const IN_USE: ReadonlySet<MeetingMove> = new Set(['connect', 'close', 'end']);

/** The meeting's rooms follow a move of its status. One whose conference runs counts as checked in. */
async function moveRooms(tx: TenantTx, meetingId: string, move: MeetingMove, now: Date): Promise<void> {
  if (move === 'cancel') await giveRoomsBack(tx, eq(roomBooking.meetingId, meetingId), now);
  else if (move === 'lapse') await giveUnusedRoomsBack(tx, meetingId, now);
  else if (IN_USE.has(move)) await checkInRooms(tx, meetingId, openBy(now), now);
  if (move === 'end' || move === 'finish') await endRoomBookings(tx, meetingId, now);
}

/** The meeting's share of a media resource follows a move of its status. */
async function moveResource(tx: TenantTx, meetingId: string, move: MeetingMove, now: Date): Promise<void> {
  if (move === 'lapse') await giveUnusedResourceBack(tx, meetingId, now);
  else if (move === 'cancel' || move === 'end') await giveResourcesBack(tx, [meetingId], now);
}

/** What a meeting has reserved follows a move of its status. */
export async function moveReservations(tx: TenantTx, meetingId: string, move: MeetingMove, now: Date): Promise<void> {
  await moveRooms(tx, meetingId, move, now);
  await moveResource(tx, meetingId, move, now);
}
