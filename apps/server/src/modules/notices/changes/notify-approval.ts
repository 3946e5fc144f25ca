import { asc, eq, inArray } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import { approvalRequest } from '../../approvals/tables.ts';
import type { ApprovalOutcome } from '../../meetings/index.ts';
import { meeting, meetingSeries, type MeetingRow } from '../../meetings/tables.ts';
import { accountsGranted } from '../../accounts/permissions/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import type { Facts } from './snapshot.ts';
import { addEdition, dropNotices, latestEdition, noticesOf, type Topic } from '../repo.ts';
import { factsOf, isOff, writeNotices, type TellDeps } from './notify.ts';

/** Meetings that are decided at once, and what they are told by. */
interface Group {
  topic: Topic;
  rows: MeetingRow[];
}

const toAccount = (accountId: string) => ({ accountId, email: null, phone: null, name: '' });

/**
 * The group of each meeting that is told of with this one: those of a series that follow its rule are one, each other
 * is its own.
 */
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

/** What nobody need be asked any more is not sent any more. */
async function dropAsked(tx: TenantTx, topic: Topic): Promise<void> {
  await dropNotices(
    tx,
    (await noticesOf(tx, topic, 'approval'))
      .filter(({ kind, status }) => kind === 'approvalAsked' && status === 'SENDING')
      .map(({ id }) => id),
  );
}

/** What is told of a group, of its first meeting with how many there are. */
async function factsOfGroup(
  tx: TenantTx,
  rows: readonly MeetingRow[],
  approval: Omit<NonNullable<Facts['approval']>, 'meetings' | 'lastStart'>,
): Promise<Facts> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) throw new Error('There is no meeting to tell of.');
  const series =
    rows.length > 1 && first.seriesId !== null
      ? await tx.findOne(meetingSeries, eq(meetingSeries.id, first.seriesId))
      : undefined;
  return {
    ...(await factsOf(tx, first)),
    recurrence: series ? { rule: series.rule, except: [], cancelled: [] } : null,
    approval: { ...approval, meetings: rows.length, lastStart: last.startTime.toISOString() },
  };
}

async function askOfGroup(deps: TellDeps, tx: TenantTx, { topic, rows }: Group): Promise<void> {
  const latest = await latestEdition(tx, topic, 'approval');
  const told = latest?.facts.approval;
  const waiting = rows.filter((row) => row.approval === 'waiting' && !isOff(row) && row.startTime > deps.now());
  if (waiting.length === 0) {
    if (told?.state === 'waiting') await dropAsked(tx, topic);
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
  // Where some of a series lapse, the others wait on, of which approvers know.
  if (told && (told.state === 'waiting' || told.state === 'lapsed') && told.askedAt >= askedAt) return;
  const tenant = await findTenant(tx, tx.tenantId);
  const approvers = tenant ? await accountsGranted(tx, tenant, 'sys:approve') : [];
  const reasons = [...new Set(requests.flatMap((request) => request.reasons))];
  const facts = await factsOfGroup(tx, waiting, { state: 'waiting', askedAt, reasons, approver: '', note: '' });
  const edition = await addEdition(tx, topic, {
    about: 'approval',
    sequence: (latest?.sequence ?? -1) + 1,
    facts,
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

/** Tells approvers of what waits for them since they were told last, of a meeting and of the others of its series. */
export async function askApprovers(deps: TellDeps, tx: TenantTx, row: MeetingRow): Promise<void> {
  if (row.approval === 'none' && row.seriesId === null) return;
  const groups = await groupsWith(tx, row);
  for (const group of groups)
    if (group.rows.some(({ approval }) => approval !== 'none')) await askOfGroup(deps, tx, group);
}

/** Tells the host what has become of meetings that waited: of a series several at once. */
export async function tellHost(
  deps: TellDeps,
  tx: TenantTx,
  rows: readonly MeetingRow[],
  { state, approver, note }: ApprovalOutcome,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const topic: Topic =
    first.seriesId === null || first.detached ? { meetingId: first.id } : { seriesId: first.seriesId };
  const latest = await latestEdition(tx, topic, 'approval');
  if (state !== 'lapsed' || first.seriesId === null) await dropAsked(tx, topic);
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
  const facts = await factsOfGroup(tx, rows, { state, askedAt, reasons, approver, note });
  // Of a series some of which lapse, the newest request stays the one that approvers know.
  if (state === 'lapsed' && facts.approval && latest?.facts.approval && latest.facts.approval.askedAt > askedAt)
    facts.approval.askedAt = latest.facts.approval.askedAt;
  const edition = await addEdition(tx, topic, {
    about: 'approval',
    sequence: (latest?.sequence ?? -1) + 1,
    facts,
    passwordSealed: null,
    createdAt: deps.now(),
  });
  await writeNotices(deps, tx, edition, [{ kind: state, recipient: toAccount(first.hostId) }]);
}
