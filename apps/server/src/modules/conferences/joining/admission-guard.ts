import type { Db } from '../../../platform/db/index.ts';
import type { Media } from '../../../platform/media/index.ts';
import { isAuthorizedWatcher } from '../desk/index.ts';
import { openRooms, parseRoomName } from '../engine/media-rooms.ts';
import type { RecordingPort } from '../recording/port.ts';
import { findConference, findTerminal } from '../repo.ts';

export interface AdmissionGuardDeps {
  db: Db;
  media: Media;
  recordings: Pick<RecordingPort, 'recordersIn'>;
  now: () => Date;
}

/**
 * Checks media tokens for the embedded engine. A token admits an admitted terminal, an authorized watcher or the
 * conference's recorder, while the conference runs and has the room. A media token outlives these conditions, so the
 * engine asks at each connection.
 */
export function createAdmissionGuard({ db, media, recordings, now }: AdmissionGuardDeps) {
  return async function mayBeInRoom(room: string, identity: string): Promise<boolean> {
    const parts = parseRoomName(room);
    if (!parts) return false;
    return db.platform(async (tx) => {
      const conference = await findConference(tx, parts.id);
      if (!conference || conference.endedAt || !openRooms(media, conference, now()).some(({ name }) => name === room))
        return false;
      const terminal = await findTerminal(tx, identity);
      if (terminal) return terminal.conferenceId === conference.id && terminal.state === 'admitted';
      return (
        (await isAuthorizedWatcher(tx, conference.id, identity, now())) ||
        (await recordings.recordersIn(tx, [conference.id])).includes(identity)
      );
    });
  };
}
