import type { TenantTx } from '../../../platform/db/index.ts';
import { roomName } from '../engine/media-rooms.ts';
import { findConference } from '../repo.ts';

/** The media room of a running conference, and its zone; undefined if it is over. */
export async function mediaRoomOf(
  tx: TenantTx,
  conferenceId: string,
): Promise<{ name: string; zoneId: string } | undefined> {
  const conference = await findConference(tx, conferenceId);
  if (!conference || conference.endedAt) return undefined;
  return { name: roomName(conference), zoneId: conference.zoneId };
}
