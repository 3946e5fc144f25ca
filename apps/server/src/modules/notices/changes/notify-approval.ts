import { asc, eq, inArray } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import { approvalRequest } from '../../approvals/tables.ts';
import type { ApprovalOutcome } from '../../meetings/index.ts';
import { meeting, meetingSeries, type MeetingRow } from '../../meetings/tables.ts';
import { accountsGranted } from '../../accounts/permissions/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import type { MeetingSnapshot } from './snapshot.ts';
import { addEdition, dropNotices, latestEdition, noticesOf, type Topic } from '../repo.ts';
import { snapshotOf, isCalledOff, writeNotices, type NotifyDeps } from './notify.ts';

/** Meetings that are decided together, and their topic. */
interface Group {
  topic: Topic;
  rows: MeetingRow[];
}

const toAccount = (accountId: string) => ({ accountId, email: null, phone: null, name: '' });

/** The groups of a meeting and its series: meetings that follow the rule form one group, each other meeting its own. */
async function groupsWith(tx: TenantTx, row: MeetingRow): Promise<Group[]> {
  const { seriesId } = row;
  if (seriesId === null) return [{ topic: { meetingId: row.id }, rows: [row] }];
  const rows = await tx.find(meeting, eq(meeting.seriesId, seriesId), {
    orderBy: [asc(meeting.startTime), asc(meeting.id)],
  });
  const alike = rows.filter(({ detached }) => !detached);
  return [
    ...(alike.length > 0 ? [{ topic: { seriesId }, rows: alike }] : []),
    ...rows.filter(({ detached }) => detached).map((one) => ({ topic: { meetingId: one.id }, rows: [one] })),
  ];
}

/** Deletes unsent requests to approvers. */
async function dropUnsentRequests(tx: TenantTx, topic: Topic): Promise<void> {
  await dropNotices(
    tx,
    (await noticesOf(tx, topic, 'approval'))
      .filter(({ kind, status }) => kind === 'approvalAsked' && status === 'SENDING')
      .map(({ id }) => id),
  );
}

/** The snapshot of a group: its first meeting and the number of meetings. */
async function groupSnapshot(
  tx: TenantTx,
  rows: readonly MeetingRow[],
  approval: Omit<NonNullable<MeetingSnapshot['approval']>, 'meetings' | 'lastStart'>,
): Promise<MeetingSnapshot> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) throw new Error('There is no meeting to notify of.');
  const series =
    rows.length > 1 && first.seriesId !== null
      ? await tx.findOne(meetingSeries, eq(meetingSeries.id, first.seriesId))
      : undefined;
  return {
    ...(await snapshotOf(tx, first)),
    recurrence: series ? { rule: series.rule, except: [], cancelled: [] } : null,
    approval: { ...approval, meetings: rows.length, lastStart: last.startTime.toISOString() },
  };
}

async function askForGroup(deps: NotifyDeps, tx: TenantTx, { topic, rows }: Group): Promise<void> {
  const latest = await latestEdition(tx, topic, 'approval');
  const announced = latest?.snapshot.approval;
  const waiting = rows.filter((row) => row.approval === 'waiting' && !isCalledOff(row) && row.startTime > deps.now());
  if (waiting.length === 0) {
    if (announced?.state === 'waiting') await dropUnsentRequests(tx, topic);
    return;
  }
  const requests = await tx.find(
    approvalRequest,
    inArray(
      approvalRequest.meetingId,
      waiting.map(({ id }) => id),
    ),
    { orderBy: [asc(approvalRequest.askedAt)] },
  );
  const askedAt = requests.at(-1)?.askedAt.toISOString() ?? '';
  // If some meetings of a series lapse, the others keep waiting; approvers know about them.
  if (announced && (announced.state === 'waiting' || announced.state === 'lapsed') && announced.askedAt >= askedAt)
    return;
  const tenant = await findTenant(tx, tx.tenantId);
  const approvers = tenant ? await accountsGranted(tx, tenant, 'sys:approve') : [];
  const reasons = [...new Set(requests.flatMap((request) => request.reasons))];
  const snapshot = await groupSnapshot(tx, waiting, { state: 'waiting', askedAt, reasons, approver: '', note: '' });
  const edition = await addEdition(tx, topic, {
    about: 'approval',
    sequence: (latest?.sequence ?? -1) + 1,
    snapshot,
    passwordSealed: null,
    createdAt: deps.now(),
  });
  await writeNotices(
    deps,
    tx,
    edition,
    approvers.map(({ id }) => ({ kind: 'approvalAsked', recipient: toAccount(id) })),
  );
}

/** Notifies approvers of new requests for a meeting and the others of its series. */
export async function askApprovers(deps: NotifyDeps, tx: TenantTx, row: MeetingRow): Promise<void> {
  if (row.approval === 'none' && row.seriesId === null) return;
  const groups = await groupsWith(tx, row);
  for (const group of groups)
    if (group.rows.some(({ approval }) => approval !== 'none')) await askForGroup(deps, tx, group);
}

/** Notifies the host of the outcome of an approval, for several meetings of a series at once. */
export async function notifyHost(
  deps: NotifyDeps,
  tx: TenantTx,
  rows: readonly MeetingRow[],
  { state, approver, note }: ApprovalOutcome,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const topic: Topic =
    first.seriesId === null || first.detached ? { meetingId: first.id } : { seriesId: first.seriesId };
  const latest = await latestEdition(tx, topic, 'approval');
  if (state !== 'lapsed' || first.seriesId === null) await dropUnsentRequests(tx, topic);
  const requests = await tx.find(
    approvalRequest,
    inArray(
      approvalRequest.meetingId,
      rows.map(({ id }) => id),
    ),
    { orderBy: [asc(approvalRequest.askedAt)] },
  );
  const askedAt = requests.at(-1)?.askedAt.toISOString() ?? '';
  const reasons = [...new Set(requests.flatMap((request) => request.reasons))];
  const snapshot = await groupSnapshot(tx, rows, { state, askedAt, reasons, approver, note });
  // If some meetings of a series lapse, the newest request that approvers know stays the same.
  if (
    state === 'lapsed' &&
    snapshot.approval &&
    latest?.snapshot.approval &&
    latest.snapshot.approval.askedAt > askedAt
  )
    snapshot.approval.askedAt = latest.snapshot.approval.askedAt;
  const edition = await addEdition(tx, topic, {
    about: 'approval',
    sequence: (latest?.sequence ?? -1) + 1,
    snapshot,
    passwordSealed: null,
    createdAt: deps.now(),
  });
  await writeNotices(deps, tx, edition, [{ kind: state, recipient: toAccount(first.hostId) }]);
}
