import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, ne, not, or, sql, type SQL } from 'drizzle-orm';
import {
  LIMITS,
  MEETING_TYPES,
  ONE_DAY,
  SEARCH_COUNT_LIMIT,
  TOTAL_COUNT_LIMIT,
  type contract,
  type Input,
} from '@rmeet/contract';
import { pageOfKeyword, pageOfParts, type PageOptions, type TenantTx } from '../../../platform/db/index.ts';
import { broadcast } from '../../live/tables.ts';
import { HELD_STATUSES } from '../status.ts';
import { meeting, type MeetingRow } from '../tables.ts';
import { meetingContains, ownMeetings, searchMeetings } from './search.ts';

export type ListQuery = Input<typeof contract.meetings.list>['query'];
/** `total` counts to one past `limit`. */
type Listed = { rows: MeetingRow[]; total: number; limit: number };

/**
 * Up to this many days, sorting all meetings of the days is faster than reading those of the tenant in the order of an
 * index.
 */
const FEW_DAYS = 92;

const isNotCancelled = isNull(meeting.cancelledAt);
const isHeld = inArray(meeting.status, [...HELD_STATUSES]);

/**
 * No meeting is longer than a day, so those that end after a time begin at most a day before it: the index on starts
 * need not be read from the beginning.
 */
const endsAfter = (time: Date): SQL | undefined =>
  and(gt(meeting.endTime, time), gt(meeting.startTime, new Date(time.getTime() - LIMITS.durationMax * 60_000)));

/** From a time on without an end, as the agenda asks for, a meeting that is held beyond its end counts, too. */
function overlaps({ from, until }: ListQuery, now: Date): SQL | undefined {
  if (!from) return undefined;
  const time = new Date(from);
  return until || time > now ? endsAfter(time) : or(endsAfter(time), and(isHeld, lt(meeting.startTime, time)));
}

function scopeOf({ scope, dayStart, dayEnd }: ListQuery, tenantId: string, now: Date): SQL | undefined {
  const utcDay = new Date(now).setUTCHours(0, 0, 0, 0);
  const start = dayStart ? new Date(dayStart) : new Date(utcDay);
  const end = dayEnd ? new Date(dayEnd) : new Date(utcDay + 86_400_000);
  switch (scope) {
    case 'all':
      return undefined;
    case 'running':
      return isHeld;
    case 'today':
      return and(lt(meeting.startTime, end), endsAfter(start));
    case 'upcoming':
      // Meetings whose host has entered early are still to come.
      return and(ne(meeting.status, 'OFFLINE'), gte(meeting.startTime, end));
    case 'past':
      // Ended meetings began before now, except those that ended before their start time: an index finds the last of
      // these, so that no future meetings are read.
      return and(
        not(isHeld),
        or(eq(meeting.status, 'OFFLINE'), lte(meeting.endTime, now)),
        sql`${meeting.startTime} <= greatest(${now.toISOString()}::timestamptz, (
        select max(over.start_time) from ${meeting} as over where over.tenant_id = ${tenantId} and over.status =
        'OFFLINE' and over.cancelled_at is null))`,
      );
  }
}

/**
 * Meetings of a status are close together in time, except ended ones: only the range from the first to the last of
 * them, given by an index, is read.
 */
function statusIs(status: MeetingRow['status'], tenantId: string): SQL | undefined {
  if (status === 'OFFLINE') return eq(meeting.status, status);
  const edge = (which: 'min' | 'max'): SQL =>
    sql`(select ${sql.raw(which)}(edge.start_time) from ${meeting} as edge where edge.tenant_id = ${tenantId} and
      edge.status = ${status} and edge.cancelled_at is null)`;
  return and(eq(meeting.status, status), sql`${meeting.startTime} between ${edge('min')} and ${edge('max')}`);
}

const ownOf = (accountId: string): SQL => sql`${meeting.id} = any(${ownMeetings(accountId)})`;

const sortColumns = {
  startTime: meeting.startTime,
  subject: meeting.subject,
  duration: meeting.duration,
  numericId: meeting.number,
};

/** The conditions of the query, except its keyword and the account. */
const conditionOf = (query: ListQuery, tenantId: string, now: Date): SQL | undefined =>
  and(
    isNotCancelled,
    scopeOf(query, tenantId, now),
    overlaps(query, now),
    query.until ? lt(meeting.startTime, new Date(query.until)) : undefined,
    query.type ? eq(meeting.type, query.type) : undefined,
    query.status ? statusIs(query.status, tenantId) : undefined,
  );

async function inOrder(tx: TenantTx, ids: readonly string[]): Promise<MeetingRow[]> {
  if (ids.length === 0) return [];
  const rows = new Map((await tx.find(meeting, inArray(meeting.id, [...ids]))).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** The meetings of one account: first found, then filtered. */
async function listOwn(tx: TenantTx, query: ListQuery, where: SQL | undefined): Promise<Listed> {
  const direction = query.order === 'DESC' ? desc : asc;
  const own = and(where, query.keyword ? meetingContains(query.keyword) : undefined);
  const rows = await tx.find(meeting, own, {
    orderBy: [direction(sortColumns[query.sort]), direction(meeting.id)],
    limit: query.size,
    offset: (query.current - 1) * query.size,
  });
  return { rows, total: await tx.count(meeting, own, TOTAL_COUNT_LIMIT + 1), limit: TOTAL_COUNT_LIMIT };
}

/** Whether a list covers only some days, or only planned meetings. */
const isOfFewDays = ({ scope, from, until }: ListQuery): boolean =>
  scope === 'today' ||
  scope === 'upcoming' ||
  (from !== undefined && until !== undefined && Date.parse(until) - Date.parse(from) <= FEW_DAYS * ONE_DAY);

/** One index covers all meetings of the tenant by their start, and others each type by the other sort columns. */
const partsOf = (query: ListQuery, where: SQL | undefined): (SQL | undefined)[] =>
  query.type !== undefined || query.sort === 'startTime' || isOfFewDays(query)
    ? [where]
    : MEETING_TYPES.map((one) => and(where, eq(meeting.type, one)));

/**
 * One page of meetings, and their number. `accountId` limits it to that person's. docs/meetings-at-scale.md describes
 * the indexes used.
 */
export async function listMeetings(
  tx: TenantTx,
  query: ListQuery,
  accountId: string | null,
  now: Date,
): Promise<Listed> {
  const where = conditionOf(query, tx.tenantId, now);
  if (accountId !== null) return listOwn(tx, query, and(where, ownOf(accountId)));
  const { keyword } = query;
  const page: PageOptions = {
    sort: sortColumns[query.sort],
    order: query.order,
    limit: query.size,
    offset: (query.current - 1) * query.size,
  };
  if (keyword) {
    const { ids, total } = await pageOfKeyword(
      tx,
      { table: meeting, where, ...(await searchMeetings(tx, keyword)), time: meeting.startTime },
      page,
    );
    return { rows: await inOrder(tx, ids), total, limit: SEARCH_COUNT_LIMIT };
  }
  // No index has the order of this list: the meetings of these days are read by their start, and sorted.
  const unindexed = query.sort !== 'startTime' && isOfFewDays(query) ? { sort: sql`(select ${page.sort})` } : {};
  const rows = await inOrder(tx, await pageOfParts(tx, meeting, partsOf(query, where), { ...page, ...unindexed }));
  return { rows, total: await tx.count(meeting, where, TOTAL_COUNT_LIMIT + 1), limit: TOTAL_COUNT_LIMIT };
}

/**
 * Counts an account's running and future meetings that start between two times: those whose broadcast is not over, or
 * those without a broadcast.
 */
export function countActive(
  tx: TenantTx,
  accountId: string,
  { from, until, now, live }: { from: Date; until: Date; now: Date; live: boolean },
): Promise<number> {
  const isLive = and(
    eq(meeting.type, 'LIVE_MEETING'),
    sql`not exists (select 1 from ${broadcast} where ${broadcast.id} = ${meeting.id} and ${broadcast.state} = 'ended')`,
  );
  const kind = live ? isLive : ne(meeting.type, 'LIVE_MEETING');
  const isOn = or(isHeld, and(eq(meeting.status, 'SCHEDULE'), gte(meeting.endTime, now)));
  return tx.count(
    meeting,
    and(isNotCancelled, gte(meeting.startTime, from), lt(meeting.startTime, until), isOn, kind, ownOf(accountId)),
  );
}
