import { and, asc, desc, eq, gt, gte, inArray, isNull, lt, lte, ne, not, or, sql, type SQL } from 'drizzle-orm';
import { LIMITS, TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { newId, type PlatformTx, type TenantTx } from '../../platform/db/index.ts';
import { allOf } from '../../platform/db/conditions.ts';
import { guestToken } from '../guests/tables.ts';
import { moveBookings, prolongBookings } from './bookings.ts';
import { moveResource, prolongResource } from './resources.ts';
import { ownMeetings, searchMeetings } from './search.ts';
import { endTimeOf, guestLinksUntil, HELD_STATUSES, transition, type MeetingMove } from './status.ts';
import { meeting, meetingParticipant, type MeetingParticipantRow, type MeetingRow } from './tables.ts';

export type ListQuery = Input<typeof contract.meetings.list>['query'];
/** Somebody to invite: an account of the tenant, a mail address, or a party with a telephone number. */
export type Invitation = { accountId: string } | { email: string } | { phone: string; name: string };

const standing = isNull(meeting.cancelledAt);
const isHeld = inArray(meeting.status, [...HELD_STATUSES]);

/** A meeting that was not cancelled. */
export function findMeeting(tx: TenantTx, id: string, lock = false): Promise<MeetingRow | undefined> {
  return tx.findOne(meeting, and(eq(meeting.id, id), standing), lock ? { lock: 'update' } : {});
}

/**
 * The meeting a number stands for now, over all tenants: the one that runs, else the next that is not over, else the last; cancelled
 * ones too. One whose time is over may still be opened for a while, but not in place of the next of its series.
 */
export function findMeetingByNumber(tx: Pick<TenantTx, 'findOne'>, number: string, now: Date): Promise<MeetingRow | undefined> {
  const isNext = and(eq(meeting.status, 'SCHEDULE'), gt(meeting.endTime, now));
  return tx.findOne(meeting, eq(meeting.number, number), {
    orderBy: [
      sql`case when ${isHeld} then 0 when ${isNext} then 1 when ${meeting.status} = 'SCHEDULE' then 2 else 3 end`,
      sql`case when ${isNext} then ${meeting.startTime} end`, desc(meeting.startTime),
    ],
  });
}

export function findParticipants(tx: TenantTx, meetingIds: readonly string[]): Promise<MeetingParticipantRow[]> {
  if (meetingIds.length === 0) return Promise.resolve([]);
  return tx.find(meetingParticipant, inArray(meetingParticipant.meetingId, [...meetingIds]), { orderBy: [asc(meetingParticipant.position)] });
}

export async function isInvited(tx: Pick<TenantTx, 'findOne'>, meetingId: string, accountId: string): Promise<boolean> {
  return (await tx.findOne(meetingParticipant, and(eq(meetingParticipant.meetingId, meetingId), eq(meetingParticipant.accountId, accountId)))) !== undefined;
}

/** Those of the meetings that an account is invited to. */
export async function invitedOf(tx: TenantTx, meetingIds: readonly string[], accountId: string): Promise<Set<string>> {
  if (meetingIds.length === 0) return new Set();
  const rows = await tx.find(meetingParticipant, and(inArray(meetingParticipant.meetingId, [...meetingIds]), eq(meetingParticipant.accountId, accountId)));
  return new Set(rows.map(({ meetingId }) => meetingId));
}

export async function insertMeeting(tx: TenantTx, values: Omit<typeof meeting.$inferInsert, 'tenantId'>): Promise<MeetingRow> {
  const [row] = await tx.insert(meeting, values);
  if (!row) throw new Error('The meeting was not stored.');
  return row;
}

/** Changes a meeting and counts the edit; undefined when `version` is not the newest any more. */
export async function updateMeeting(tx: TenantTx, id: string, version: number, values: Partial<MeetingRow>): Promise<MeetingRow | undefined> {
  const [row] = await tx.update(meeting, { ...values, version: version + 1 }, allOf(eq(meeting.id, id), eq(meeting.version, version)));
  return row;
}

/** Gives a meeting another length and returns its new end; its rooms and guest links follow. Does not count as an edit. */
export async function prolongMeeting(tx: TenantTx, { id, startTime }: Pick<MeetingRow, 'id' | 'startTime'>, duration: number, now: Date): Promise<Date> {
  const endTime = endTimeOf(startTime, duration);
  await tx.update(meeting, { duration, endTime, updatedAt: now }, eq(meeting.id, id));
  await prolongBookings(tx, id, endTime);
  await prolongResource(tx, id, endTime);
  await moveGuestLinks(tx, id, guestLinksUntil(endTime));
  return endTime;
}

/** Which of these people host a meeting that begins after this one's booked end and before `until`, and is not over. */
export async function hostsBusy(tx: TenantTx, accountIds: readonly string[], after: Pick<MeetingRow, 'id' | 'endTime'>, until: Date, now: Date): Promise<string[]> {
  const follows = and(gte(meeting.startTime, after.endTime), lt(meeting.startTime, until), gt(meeting.endTime, now), ne(meeting.status, 'OFFLINE'), ne(meeting.id, after.id));
  const rows = await tx.find(meeting, and(standing, inArray(meeting.hostId, [...accountIds]), follows));
  return [...new Set(rows.map(({ hostId }) => hostId))];
}

/** Guest links follow the time of their meeting. */
export async function moveGuestLinks(tx: TenantTx, meetingId: string, expiresAt: Date): Promise<void> {
  await tx.update(guestToken, { expiresAt }, eq(guestToken.meetingId, meetingId));
}

/** Moves the status as status.ts says, its rooms with it; undefined when the meeting is not where the move starts. Does not count as an edit. */
export async function moveMeeting(tx: TenantTx, id: string, move: MeetingMove, now: Date): Promise<MeetingRow | undefined> {
  const { from, to } = transition(move);
  const values = { status: to, updatedAt: now, ...(move === 'cancel' ? { cancelledAt: now } : {}) };
  const [row] = await tx.update(meeting, values, allOf(eq(meeting.id, id), inArray(meeting.status, [...from])));
  if (row) await moveBookings(tx, row, move, now);
  if (row) await moveResource(tx, id, move, now);
  return row;
}

export async function replaceParticipants(tx: TenantTx, meetingId: string, invitations: readonly Invitation[]): Promise<void> {
  await tx.delete(meetingParticipant, eq(meetingParticipant.meetingId, meetingId));
  if (invitations.length === 0) return;
  await tx.insert(meetingParticipant, invitations.map((invitation, position) => ({ id: newId(), meetingId, position, ...invitation })));
}

/** Meetings nobody opened, whose time to open them is over. */
export function findLapsed(tx: PlatformTx, endedBefore: Date, limit: number): Promise<MeetingRow[]> {
  return tx.find(meeting, and(eq(meeting.status, 'SCHEDULE'), lte(meeting.endTime, endedBefore)), { orderBy: [asc(meeting.endTime)], limit });
}

/** No meeting is longer than a day, so those that end after a time begin at most a day before it: the index on starts need not be read from the beginning. */
const endsAfter = (time: Date): SQL | undefined =>
  and(gt(meeting.endTime, time), gt(meeting.startTime, new Date(time.getTime() - LIMITS.durationMax * 60_000)));

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
      return and(eq(meeting.status, 'SCHEDULE'), gte(meeting.startTime, end));
    case 'past':
      // What is over began before now, but for what ended before its time: the last of those is found by an index, so that none of what is to come is read.
      return and(not(isHeld), or(eq(meeting.status, 'OFFLINE'), lte(meeting.endTime, now)), sql`${meeting.startTime} <= greatest(${now.toISOString()}::timestamptz, (
        select max(over.start_time) from ${meeting} as over where over.tenant_id = ${tenantId} and over.status = 'OFFLINE' and over.cancelled_at is null))`);
  }
}

const ownOf = (accountId: string): SQL => sql`${meeting.id} = any(${ownMeetings(accountId)})`;

const sortColumns = { startTime: meeting.startTime, subject: meeting.subject, duration: meeting.duration, numericId: meeting.number };

/** One page of meetings, and how many there are up to one past the counting limit. `accountId` limits it to that person's. */
export async function listMeetings(tx: TenantTx, query: ListQuery, accountId: string | null, now: Date): Promise<{ rows: MeetingRow[]; total: number }> {
  const where = and(
    standing,
    scopeOf(query, tx.tenantId, now),
    query.from ? endsAfter(new Date(query.from)) : undefined,
    query.until ? lt(meeting.startTime, new Date(query.until)) : undefined,
    query.type ? eq(meeting.type, query.type) : undefined,
    accountId === null ? undefined : ownOf(accountId),
    query.status ? eq(meeting.status, query.status) : undefined,
  );
  const search = query.keyword ? await searchMeetings(tx, query.keyword) : undefined;
  const direction = query.order === 'DESC' ? desc : asc;
  const rows = await tx.find(meeting, and(where, search?.page), {
    orderBy: [direction(sortColumns[query.sort]), direction(meeting.id)], limit: query.size, offset: (query.current - 1) * query.size,
  });
  return { rows, total: await tx.count(meeting, and(where, search?.count), TOTAL_COUNT_LIMIT + 1) };
}

/**
 * How many meetings somebody hosts or is invited to are on: those that run, and those still to come, of the ones that
 * start between two times.
 */
export function countActive(tx: TenantTx, accountId: string, from: Date, until: Date, now: Date): Promise<number> {
  const isOn = or(isHeld, and(eq(meeting.status, 'SCHEDULE'), gte(meeting.endTime, now)));
  return tx.count(meeting, and(standing, gte(meeting.startTime, from), lt(meeting.startTime, until), isOn, ownOf(accountId)));
}
