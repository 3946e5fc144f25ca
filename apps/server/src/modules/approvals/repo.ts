import { and, asc, desc, eq, ilike, inArray, isNull, lte, ne, or, sql, type SQL } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type ApprovalState, type contract, type Input } from '@rmeet/contract';
import { containing, type PlatformTx, type TenantTx } from '../../platform/db/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { approvalRequest, type ApprovalRequestRow } from './tables.ts';

export type ApprovalQuery = Input<typeof contract.approvals.list>['query'];
/** A request with its meeting. */
export interface Pending {
  request: ApprovalRequestRow;
  row: MeetingRow;
}

/** Where a meeting's request stands. One that is waiting can no longer be decided once the meeting is over or its time has come. */
export function stateOf({ approval, status }: Pick<MeetingRow, 'approval' | 'status'>): ApprovalState {
  if (approval === 'approved' || approval === 'refused') return approval;
  return status === 'SCHEDULE' ? 'waiting' : 'lapsed';
}

const requested = sql`exists (select 1 from ${approvalRequest} where ${approvalRequest.meetingId} = ${meeting.id})`;
const waiting = sql`(${meeting.approval} = 'waiting' and ${meeting.status} = 'SCHEDULE')`;

function isIn(state: ApprovalState): SQL | undefined {
  if (state === 'waiting') return waiting;
  return state === 'lapsed' ? and(eq(meeting.approval, 'waiting'), ne(meeting.status, 'SCHEDULE')) : eq(meeting.approval, state);
}

/** One page of requests: those that wait first, of them important ones first, then by their start; the decided ones newest first. Cancelled meetings are left out. */
export async function listRequests(tx: TenantTx, { state, keyword, current, size }: ApprovalQuery): Promise<{ rows: Pending[]; total: number }> {
  const pattern = keyword && containing(keyword);
  const where = and(
    requested, isNull(meeting.cancelledAt), ne(meeting.approval, 'none'), state && isIn(state),
    pattern ? or(ilike(meeting.subject, pattern), ilike(meeting.number, pattern)) : undefined,
  );
  const found = await tx.find(meeting, where, {
    orderBy: [
      sql`case when ${waiting} then 0 else 1 end`, sql`case when ${waiting} and ${meeting.vip} then 0 else 1 end`,
      asc(sql`case when ${waiting} then ${meeting.startTime} end`), desc(meeting.startTime), asc(meeting.id),
    ],
    limit: size, offset: (current - 1) * size,
  });
  const requests = found.length === 0 ? [] : await tx.find(approvalRequest, inArray(approvalRequest.meetingId, found.map(({ id }) => id)));
  const byMeeting = new Map(requests.map((request) => [request.meetingId, request]));
  const rows = found.flatMap((row) => {
    const request = byMeeting.get(row.id);
    return request ? [{ request, row }] : [];
  });
  return { rows, total: await tx.count(meeting, where, TOTAL_COUNT_LIMIT + 1) };
}

export function findRequest(tx: TenantTx, meetingId: string): Promise<ApprovalRequestRow | undefined> {
  return tx.findOne(approvalRequest, eq(approvalRequest.meetingId, meetingId));
}

/** Stores what was decided; the meeting's own `approval` with it. */
export async function storeDecision(
  tx: TenantTx, meetingId: string, { approve, ...decision }: { approve: boolean; note: string; decidedBy: string; decidedAt: Date },
): Promise<Pending | undefined> {
  const [request] = await tx.update(approvalRequest, decision, eq(approvalRequest.meetingId, meetingId));
  const [row] = await tx.update(meeting, { approval: approve ? 'approved' : 'refused', updatedAt: decision.decidedAt }, eq(meeting.id, meetingId));
  return request && row ? { request, row } : undefined;
}

/** Meetings nobody decided on, whose time has come. */
export function findUndecided(tx: PlatformTx, at: Date, limit: number): Promise<MeetingRow[]> {
  return tx.find(meeting, and(eq(meeting.approval, 'waiting'), eq(meeting.status, 'SCHEDULE'), lte(meeting.startTime, at)), { orderBy: [asc(meeting.startTime)], limit });
}
