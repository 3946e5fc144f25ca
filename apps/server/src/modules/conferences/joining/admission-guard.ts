import type { Db } from '../../../platform/db/index.ts';
import type { Media } from '../../../platform/media/index.ts';
import { isAuthorizedWatcher } from '../desk/index.ts';
import { openRooms, parseRoomName } from '../engine/media-rooms.ts';
import { findConference, findTerminal } from '../repo.ts';

/**
 * Checks media tokens for the embedded engine. A token admits an admitted terminal or an authorized watcher, while the
 * conference runs and has the room. A media token outlives these conditions, so the engine asks at each connection.
 */
export function createAdmissionGuard({ db, media, now }: { db: Db; media: Media; now: () => Date }) {
  return async function mayBeInRoom(room: string, identity: string): Promise<boolean> {
    const parts = parseRoomName(room);
    if (!parts) return false;
    return db.platform(async (tx) => {
      const conference = await findConference(tx, parts.id);
      if (!conference || conference.endedAt || !openRooms(media, conference, now()).some(({ name }) => name === room))
        return false;
      const terminal = await findTerminal(tx, identity);
      if (terminal) return terminal.conferenceId === conference.id && terminal.state === 'admitted';
      return isAuthorizedWatcher(tx, conference.id, identity, now());
    });
  };
}
