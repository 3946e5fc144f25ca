import { and, inArray, isNull } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Push } from '../../../platform/push/index.ts';
import { announceMeeting, moveMeeting } from '../../meetings/index.ts';
import { meeting, type MeetingRow } from '../../meetings/tables.ts';
import type { Lifecycle } from './lifecycle.ts';
import { countAdmitted } from '../repo.ts';
import { conference, type ConferenceRow } from '../tables.ts';

const SECOND = 1_000;
/** A conference that is being opened has this long for its room. */
export const OPENING_GRACE = 20 * SECOND;
/**
 * A room may be missing this long before its meeting counts as abnormal; one that can be made again is back within a
 * second.
 */
export const LOST_GRACE = 5 * SECOND;
/** Past its end, a meeting without media is over for those inside, too, this long after it was lost. */
export const LOST_PAST_END = 10 * 60 * SECOND;

export interface RoomWatchDeps {
  db: Db;
  push: Push;
  lifecycle: Pick<Lifecycle, 'connected' | 'end'>;
  logEnd: (tx: TenantTx, ended: ConferenceRow) => Promise<void>;
  log: Log;
  now: () => Date;
}

type Held = Pick<MeetingRow, 'id' | 'status' | 'endTime'>;

/**
 * Keeps the status of meetings by whether their rooms are on the media engine. Since when one is missing is kept in the
 * database, so that neither a restart nor another server that goes on begins anew.
 */
export function createRoomWatch({ db, push, lifecycle, logEnd, log, now }: RoomWatchDeps) {
  async function setLost(ids: readonly string[], roomLostAt: Date | null): Promise<void> {
    if (ids.length === 0) return;
    await db.platform((tx) =>
      tx.update(conference, { roomLostAt }, allOf(inArray(conference.id, [...ids]), isNull(conference.endedAt))),
    );
  }

  async function lose(one: ConferenceRow): Promise<void> {
    const lost = await db.tenant(one.tenantId, async (tx) => {
      const moved = await moveMeeting(tx, one.meetingId, 'lose', now());
      if (moved) await announceMeeting(push, tx, one.meetingId);
      return moved !== undefined;
    });
    if (lost) log.warn({ conferenceId: one.id }, 'A conference has no room on the media engine');
  }

  /** Past its end: over when nobody is inside, or when nobody can be any more. */
  async function endLost(one: ConferenceRow, { endTime }: Held, lostAt: Date): Promise<void> {
    const at = now().getTime();
    if (at < endTime.getTime()) return;
    const forGood = at - Math.max(lostAt.getTime(), endTime.getTime()) >= LOST_PAST_END;
    if (!forGood && (await db.tenant(one.tenantId, (tx) => countAdmitted(tx, one.id))) > 0) return;
    if (await lifecycle.end(one, forGood ? 'ended' : 'empty', 'end', logEnd))
      log.info({ conferenceId: one.id }, 'A conference without media ended, for its time is over');
  }

  async function settleMissing(one: ConferenceRow, held: Held): Promise<void> {
    const at = now().getTime();
    const lostAt = one.roomLostAt ?? now();
    if (held.status === 'ABNORMAL') await endLost(one, held, lostAt);
    else if (held.status === 'ONLINE' && at - lostAt.getTime() >= LOST_GRACE) await lose(one);
    else if (
      held.status === 'PENDING' &&
      at - one.startedAt.getTime() >= OPENING_GRACE &&
      (await lifecycle.end(one, 'empty', 'fail', logEnd))
    ) {
      log.warn({ conferenceId: one.id }, 'A conference could not be opened');
    }
  }

  return {
    /**
     * Notes which of the running conferences have a room now, and moves their meetings.
     *
     * @param withRoom ids of conferences
     */
    async note(running: readonly ConferenceRow[], withRoom: ReadonlySet<string>): Promise<void> {
      if (running.length === 0) return;
      const missing = running.filter(({ id }) => !withRoom.has(id));
      await setLost(
        missing.filter(({ roomLostAt }) => roomLostAt === null).map(({ id }) => id),
        now(),
      );
      await setLost(
        running.filter(({ id, roomLostAt }) => roomLostAt !== null && withRoom.has(id)).map(({ id }) => id),
        null,
      );
      const ids = running.map(({ meetingId }) => meetingId);
      const isUnsettled = missing.length > 0 ? undefined : inArray(meeting.status, ['PENDING', 'ABNORMAL']);
      const unsettled = new Map(
        (await db.platform((tx) => tx.find(meeting, and(inArray(meeting.id, ids), isUnsettled)))).map((row) => [
          row.id,
          row,
        ]),
      );
      for (const one of running) {
        const held = unsettled.get(one.meetingId);
        if (!held) continue;
        if (!withRoom.has(one.id)) await settleMissing(one, held);
        else if (held.status !== 'ONLINE') await lifecycle.connected(one);
      }
    },
  };
}

export type RoomWatch = ReturnType<typeof createRoomWatch>;
