import { asc, eq, inArray } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import type { NoticePort } from '../../meetings/index.ts';
import { meeting, type MeetingRow } from '../../meetings/tables.ts';
import { adoptEditions } from '../repo.ts';
import {
  cancelledState,
  snapshotOf,
  invitedTo,
  isChanged,
  isCalledOff,
  knownOf,
  notify,
  type ChangeKind,
  type NotifyDeps,
} from './notify.ts';
import { askApprovers, notifyHost } from './notify-approval.ts';
import { notifySeries } from './notify-series.ts';

/** The actor of the server's own changes, of which the host is also notified. */
const NOBODY = '';

/** Notifies invited people of a single meeting. */
async function notifyOfMeeting(
  deps: NotifyDeps,
  tx: TenantTx,
  row: MeetingRow,
  actorId: string,
  change: ChangeKind,
): Promise<void> {
  // People are not notified of a meeting before it is approved.
  if (row.approval === 'waiting' && !isCalledOff(row)) return;
  const known = await knownOf(tx, { meetingId: row.id });
  if (isCalledOff(row) && !known.latest) return;
  const state =
    isCalledOff(row) && known.latest
      ? cancelledState(known.latest)
      : { snapshot: await snapshotOf(tx, row), passwordSealed: row.passwordSealed, invited: await invitedTo(tx, row) };
  const hasNews = isChanged(deps.secrets, tx.tenantId, known.latest, state);
  await notify(deps, tx, { meetingId: row.id }, actorId, known, state, hasNews, change);
}

/** What the other modules call when meetings change. */
export function createNoticePort(deps: NotifyDeps): NoticePort {
  const notifyInvited = (
    tx: TenantTx,
    row: MeetingRow,
    actorId: string,
    change: ChangeKind = 'change',
  ): Promise<void> =>
    row.seriesId === null
      ? notifyOfMeeting(deps, tx, row, actorId, change)
      : notifySeries(deps, tx, { actorId, change }, row.seriesId);

  return {
    blockedChannels: (tx, hostId) => deps.channels.blocked(tx, hostId),

    async meetingChanged(tx, { caller }, meetingId) {
      const row = await tx.findOne(meeting, eq(meeting.id, meetingId));
      if (!row) return;
      if (row.seriesId !== null) await adoptEditions(tx, row.seriesId);
      await askApprovers(deps, tx, row);
      await notifyInvited(tx, row, caller.userId);
    },

    async roomReleased(tx, meetingId) {
      const row = await tx.findOne(meeting, eq(meeting.id, meetingId));
      if (!row) return;
      if (row.seriesId !== null) await adoptEditions(tx, row.seriesId);
      await notifyInvited(tx, row, NOBODY, 'roomReleased');
    },

    async approvalSettled(tx, meetingIds, outcome) {
      const rows = await tx.find(meeting, inArray(meeting.id, [...meetingIds]), {
        orderBy: [asc(meeting.startTime), asc(meeting.id)],
      });
      const [first] = rows;
      if (!first) return;
      await notifyHost(deps, tx, rows, outcome);
      // The host has just been notified of the outcome, and counts as the actor.
      await notifyInvited(tx, first, first.hostId);
    },
  };
}
