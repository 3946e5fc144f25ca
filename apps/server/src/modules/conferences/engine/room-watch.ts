import { and, inArray, isNull } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Push } from '../../../platform/push/index.ts';
import { announceMeeting, moveMeeting } from '../../meetings/index.ts';
import { meeting, type MeetingRow } from '../../meetings/tables.ts';
import { countAdmitted } from '../repo.ts';
import { conference, type ConferenceRow } from '../tables.ts';
import type { Lifecycle } from './lifecycle.ts';

const SECOND = 1_000;
/** A conference that is being opened gets its room within this time. */
export const OPENING_GRACE = 20 * SECOND;
/**
 * A room may be missing this long before its meeting becomes abnormal. A room that can be recreated is back within a
 * second.
 */
export const LOST_GRACE = 5 * SECOND;
/** After its end time, a meeting whose room is missing ends this long after the loss, even with terminals inside. */
export const LOST_PAST_END = 10 * 60 * SECOND;

export interface RoomWatchDeps {
  db: Db;
  push: Push;
  lifecycle: Pick<Lifecycle, 'connected' | 'end'>;
  logEnd: (tx: TenantTx, ended: ConferenceRow) => Promise<void>;
  log: Log;
  now: () => Date;
}

type MeetingStatus = Pick<MeetingRow, 'id' | 'status' | 'endTime'>;

async function setRoomLostAt(db: Db, ids: readonly string[], roomLostAt: Date | null): Promise<void> {
  if (ids.length === 0) return;
  await db.platform((tx) =>
    tx.update(conference, { roomLostAt }, allOf(inArray(conference.id, [...ids]), isNull(conference.endedAt))),
  );
}

/**
 * Updates the status of meetings by whether their rooms exist on the media engine. The time of a loss is stored in the
 * database, so it survives a restart and a change of the responsible server process.
 */
export class RoomWatch {
  readonly #deps: RoomWatchDeps;

  constructor(deps: RoomWatchDeps) {
    this.#deps = deps;
  }

  /**
   * Records which of the running conferences have a room now, and updates their meetings.
   *
   * @param withRoom ids of conferences
   */
  async update(running: readonly ConferenceRow[], withRoom: ReadonlySet<string>): Promise<void> {
    if (running.length === 0) return;
    const { db, lifecycle, now } = this.#deps;
    const missing = running.filter(({ id }) => !withRoom.has(id));
    const lost = missing.filter(({ roomLostAt }) => roomLostAt === null).map(({ id }) => id);
    const restored = running.filter(({ id, roomLostAt }) => roomLostAt !== null && withRoom.has(id));
    await setRoomLostAt(db, lost, now());
    await setRoomLostAt(
      db,
      restored.map(({ id }) => id),
      null,
    );
    const ids = running.map(({ meetingId }) => meetingId);
    const isUnsettled = missing.length > 0 ? undefined : inArray(meeting.status, ['PENDING', 'ABNORMAL']);
    const rows = await db.platform((tx) => tx.find(meeting, and(inArray(meeting.id, ids), isUnsettled)));
    const unsettled = new Map(rows.map((row) => [row.id, row]));
    for (const one of running) {
      const row = unsettled.get(one.meetingId);
      if (!row) continue;
      if (!withRoom.has(one.id)) await this.#settleMissing(one, row);
      else if (row.status !== 'ONLINE') await lifecycle.connected(one);
    }
  }

  async #settleMissing(one: ConferenceRow, { status, endTime }: MeetingStatus): Promise<void> {
    const { lifecycle, logEnd, log, now } = this.#deps;
    const at = now().getTime();
    const lostAt = one.roomLostAt ?? now();
    if (status === 'ABNORMAL') await this.#endAfterLoss(one, endTime, lostAt);
    else if (status === 'ONLINE' && at - lostAt.getTime() >= LOST_GRACE) await this.#setAbnormal(one);
    else if (
      status === 'PENDING' &&
      at - one.startedAt.getTime() >= OPENING_GRACE &&
      (await lifecycle.end(one, 'empty', 'fail', logEnd))
    ) {
      log.warn({ conferenceId: one.id }, 'A conference could not be opened');
    }
  }

  async #setAbnormal(one: ConferenceRow): Promise<void> {
    const { db, push, log, now } = this.#deps;
    const isMoved = await db.tenant(one.tenantId, async (tx) => {
      const moved = await moveMeeting(tx, one.meetingId, 'lose', now());
      if (moved) await announceMeeting(push, tx, one.meetingId);
      return moved !== undefined;
    });
    if (isMoved) log.warn({ conferenceId: one.id }, 'A conference has no room on the media engine');
  }

  /** After the end time: ends the conference when no terminal is inside, or when it has been lost for too long. */
  async #endAfterLoss(one: ConferenceRow, endTime: Date, lostAt: Date): Promise<void> {
    const { db, lifecycle, logEnd, log, now } = this.#deps;
    const at = now().getTime();
    if (at < endTime.getTime()) return;
    const isFinal = at - Math.max(lostAt.getTime(), endTime.getTime()) >= LOST_PAST_END;
    if (!isFinal && (await db.tenant(one.tenantId, (tx) => countAdmitted(tx, one.id))) > 0) return;
    const isEnded = await (isFinal
      ? lifecycle.end(one, 'ended', 'end', logEnd, 'closed')
      : lifecycle.end(one, 'empty', 'end', logEnd));
    if (isEnded) log.info({ conferenceId: one.id }, 'A conference without a room ended after its end time');
  }
}
