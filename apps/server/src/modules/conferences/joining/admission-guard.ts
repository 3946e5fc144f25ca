import type { Db } from '../../../platform/db/index.ts';
import type { Media } from '../../../platform/media/index.ts';
import { isValidWatcher } from '../desk/index.ts';
import { partsOfRoom, roomsOf } from '../engine/lifecycle.ts';
import { findConference, findTerminal } from '../repo.ts';

/**
 * Says of the embedded engine's rooms who may be in one: terminals that are let in, and desks that watch by right,
 * while the conference runs and has the room. A media token outlives all that, so it is asked whenever somebody
 * connects.
 */
export function createDoorkeeper({ db, media, now }: { db: Db; media: Media; now: () => Date }) {
  return async function mayBeInRoom(room: string, identity: string): Promise<boolean> {
    const parts = partsOfRoom(room);
    if (!parts) return false;
    return db.platform(async (tx) => {
      const conference = await findConference(tx, parts.id);
      if (!conference || conference.endedAt || !roomsOf(media, conference, now()).some(({ name }) => name === room))
        return false;
      const terminal = await findTerminal(tx, identity);
      if (terminal) return terminal.conferenceId === conference.id && terminal.state === 'admitted';
      return isValidWatcher(tx, conference.id, identity, now());
    });
  };
}
