import { asc, eq, inArray } from 'drizzle-orm';
import type { TenantTx } from '../../platform/db/index.ts';
import type { NoticePort } from '../meetings/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { handOver } from './repo.ts';
import { calledOff, factsOf, invitedTo, isNews, isOff, knownOf, tell, type ChangeKind, type TellDeps } from './tell.ts';
import { askApprovers, tellHost } from './tell-approval.ts';
import { tellSeries } from './tell-series.ts';

/** The server acts by itself: even the host has to be told. */
const NOBODY = '';

/** Tells people of meetings. */
export function createTeller(deps: TellDeps): NoticePort {
  async function tellInvited(
    tx: TenantTx,
    row: MeetingRow,
    actorId: string,
    change: ChangeKind = 'change',
  ): Promise<void> {
    if (row.seriesId !== null) {
      await tellSeries(deps, tx, { actorId, change }, row.seriesId);
      return;
    }
    // Nobody is told of what may not take place; once it is approved, everybody is.
    if (row.approval === 'waiting' && !isOff(row)) return;
    const known = await knownOf(tx, { meetingId: row.id });
    if (isOff(row) && !known.latest) return;
    const standingNow =
      isOff(row) && known.latest
        ? calledOff(known.latest)
        : { facts: await factsOf(tx, row), passwordSealed: row.passwordSealed, invited: await invitedTo(tx, row) };
    await tell(
      deps,
      tx,
      { meetingId: row.id },
      actorId,
      known,
      standingNow,
      isNews(deps.secrets, tx.tenantId, known.latest, standingNow),
      change,
    );
  }

  return {
    async meetingChanged(tx, { caller }, meetingId) {
      const row = await tx.findOne(meeting, eq(meeting.id, meetingId));
      if (!row) return;
      if (row.seriesId !== null) await handOver(tx, row.seriesId);
      await askApprovers(deps, tx, row);
      await tellInvited(tx, row, caller.userId);
    },

    async roomReleased(tx, meetingId) {
      const row = await tx.findOne(meeting, eq(meeting.id, meetingId));
      if (!row) return;
      if (row.seriesId !== null) await handOver(tx, row.seriesId);
      await tellInvited(tx, row, NOBODY, 'roomReleased');
    },

    async approvalSettled(tx, meetingIds, outcome) {
      const rows = await tx.find(meeting, inArray(meeting.id, [...meetingIds]), {
        orderBy: [asc(meeting.startTime), asc(meeting.id)],
      });
      const [first] = rows;
      if (!first) return;
      await tellHost(deps, tx, rows, outcome);
      // The host has just been told all of it.
      await tellInvited(tx, first, first.hostId);
    },
  };
}
