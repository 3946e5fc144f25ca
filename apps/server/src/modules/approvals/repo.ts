import { and, asc, desc, eq, ilike, inArray, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type ApprovalState, type contract, type Input } from '@rmeet/contract';
import { containing, type PlatformTx, type Scoped, type TenantTx } from '../../platform/db/index.ts';
import { findMeeting, lockMeetings, lockSeries } from '../meetings/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { approvalRequest, type ApprovalRequestRow } from './tables.ts';

export type ApprovalQuery = Input<typeof contract.approvals.list>['query'];
/** Meetings that are decided together. */
export interface Pending {
  /** Request of the first of them. */
  request: ApprovalRequestRow;
  row: MeetingRow;
  /** Their number, the last start, the maximum of expected people, and whether any is important. */
  meetings: number;
  lastStart: Date;
  people: number;
  vip: boolean;
}

/**
 * The state of a meeting's request. A waiting one lapses when the meeting is over or its start has come.
 */
export function stateOf({ approval, status }: Pick<MeetingRow, 'approval' | 'status'>): ApprovalState {
  if (approval === 'approved' || approval === 'refused') return approval;
  return status === 'SCHEDULE' ? 'waiting' : 'lapsed';
}

type Meetings = Scoped<typeof meeting>;
type Requests = Scoped<typeof approvalRequest>;

/** Groups meetings that are decided together: those of a series that follow its rule; all others are single. */
const groupOf = (meetings: Meetings, requests: Requests): SQL[] => [
  sql`case when ${meetings.detached} then ${meetings.id} else coalesce(${meetings.seriesId}, ${meetings.id}) end`,
  sql`${meetings.approval}`,
  sql`(${meetings.approval} = 'waiting' and ${meetings.status} = 'SCHEDULE')`,
  sql`${requests.decidedAt}`,
];

function isIn({ approval, status }: Meetings, state: ApprovalState): SQL {
  if (state === 'waiting') return sql`(${approval} = 'waiting' and ${status} = 'SCHEDULE')`;
  return state === 'lapsed' ? sql`(${approval} = 'waiting' and ${status} <> 'SCHEDULE')` : sql`${approval} = ${state}`;
}

/** The meetings that are decided together with each of some first ones, and their requests. */
async function withGroups(
  tx: TenantTx,
  found: readonly { first: string; meetings: number; last: string; people: number; vip: boolean }[],
): Promise<Pending[]> {
  const ids = found.map(({ first }) => first);
  if (ids.length === 0) return [];
  const rows = new Map((await tx.find(meeting, inArray(meeting.id, ids))).map((row) => [row.id, row]));
  const requests = new Map(
    (await tx.find(approvalRequest, inArray(approvalRequest.meetingId, ids))).map((request) => [
      request.meetingId,
      request,
    ]),
  );
  return found.flatMap(({ first, last, meetings, people, vip }) => {
    const [row, request] = [rows.get(first), requests.get(first)];
    return row && request ? [{ row, request, meetings, people, vip, lastStart: new Date(last) }] : [];
  });
}

/**
 * One page of requests: waiting ones first, important ones on top, then by start; decided ones newest first. Meetings
 * that are decided together are one request. Cancelled meetings are left out.
 */
export async function listRequests(
  tx: TenantTx,
  { state, keyword, current, size }: ApprovalQuery,
): Promise<{ rows: Pending[]; total: number }> {
  const pattern = keyword && containing(keyword);
  const [requests, meetings] = [tx.scoped(approvalRequest), tx.scoped(meeting)];
  const where = and(
    isNull(meetings.cancelledAt),
    sql`${meetings.approval} <> 'none'`,
    state && isIn(meetings, state),
    pattern ? or(ilike(meetings.subject, pattern), ilike(meetings.number, pattern)) : undefined,
  );
  const [isWaiting, isImportant, start] = [
    sql`bool_or(${isIn(meetings, 'waiting')})`,
    sql<boolean>`bool_or(${meetings.vip})`,
    sql`min(${meetings.startTime})`,
  ];
  const first = sql<string>`(array_agg(${meetings.id} order by ${meetings.startTime}, ${meetings.id}))[1]`;
  const found = await tx
    .select({
      first,
      meetings: sql<number>`count(*)::int`,
      last: sql<string>`to_char(max(${meetings.startTime}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      people: sql<number>`max(${requests.people})::int`,
      vip: isImportant,
    })
    .from(requests)
    .innerJoin(meetings, eq(meetings.id, requests.meetingId))
    .where(where)
    .groupBy(...groupOf(meetings, requests))
    .orderBy(
      sql`case when ${isWaiting} then 0 else 1 end`,
      sql`case when ${isWaiting} and ${isImportant} then 0 else 1 end`,
      asc(sql`case when ${isWaiting} then ${start} end`),
      desc(start),
      asc(first),
    )
    .limit(size)
    .offset((current - 1) * size);
  const groups = tx
    .select({ one: sql<number>`1`.as('one') })
    .from(requests)
    .innerJoin(meetings, eq(meetings.id, requests.meetingId))
    .where(where)
    .groupBy(...groupOf(meetings, requests))
    .limit(TOTAL_COUNT_LIMIT + 1)
    .as('groups');
  const [counted] = await tx.select({ total: sql<number>`count(*)::int` }).from(groups);
  return { rows: await withGroups(tx, found), total: counted?.total ?? 0 };
}

/** The request of meetings that are decided together, shown by the first of them. */
export async function pendingOf(tx: TenantTx, rows: readonly MeetingRow[]): Promise<Pending | undefined> {
  const [first, ...others] = rows.toSorted((one, other) => one.startTime.getTime() - other.startTime.getTime());
  if (!first) return undefined;
  const requests = await tx.find(
    approvalRequest,
    inArray(
      approvalRequest.meetingId,
      rows.map(({ id }) => id),
    ),
  );
  const request = requests.find(({ meetingId }) => meetingId === first.id);
  return (
    request && {
      row: first,
      request,
      meetings: rows.length,
      lastStart: (others.at(-1) ?? first).startTime,
      people: Math.max(...requests.map(({ people }) => people)),
      vip: rows.some(({ vip }) => vip),
    }
  );
}

/**
 * A meeting with all that are decided together with it, locked to the end of the transaction; the requested one comes
 * first. The series is locked before them, as in all changes of several meetings.
 *
 * @returns none if there is no such meeting
 */
export async function lockTogether(tx: TenantTx, meetingId: string, now: Date): Promise<MeetingRow[]> {
  const found = await findMeeting(tx, meetingId);
  if (!found) return [];
  if (found.seriesId === null) {
    const row = await findMeeting(tx, meetingId, true);
    return row ? [row] : [];
  }
  await lockSeries(tx, found.seriesId);
  const rows = await lockMeetings(tx, found.seriesId);
  const row = rows.find(({ id, cancelledAt }) => id === meetingId && cancelledAt === null);
  if (!row) return [];
  const isWith = (one: MeetingRow): boolean =>
    one.id !== meetingId &&
    !one.detached &&
    one.cancelledAt === null &&
    stateOf(one) === 'waiting' &&
    one.startTime > now;
  return row.detached ? [row] : [row, ...rows.filter(isWith)];
}

export function findRequest(tx: TenantTx, meetingId: string): Promise<ApprovalRequestRow | undefined> {
  return tx.findOne(approvalRequest, eq(approvalRequest.meetingId, meetingId));
}

/** Stores the decision about meetings, including each meeting's own `approval`. */
export async function storeDecision(
  tx: TenantTx,
  meetingIds: readonly string[],
  { approve, ...decision }: { approve: boolean; note: string; decidedBy: string; decidedAt: Date },
): Promise<MeetingRow[]> {
  await tx.update(approvalRequest, decision, inArray(approvalRequest.meetingId, [...meetingIds]));
  return tx.update(
    meeting,
    { approval: approve ? 'approved' : 'refused', updatedAt: decision.decidedAt },
    inArray(meeting.id, [...meetingIds]),
  );
}

/** Undecided meetings whose start has come. */
export function findUndecided(tx: PlatformTx, at: Date, limit: number): Promise<MeetingRow[]> {
  return tx.find(
    meeting,
    and(eq(meeting.approval, 'waiting'), eq(meeting.status, 'SCHEDULE'), lte(meeting.startTime, at)),
    { orderBy: [asc(meeting.startTime)], limit },
  );
}
