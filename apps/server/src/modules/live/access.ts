import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { TenantTx } from '../../platform/db/index.ts';
import { AppError, type UserCaller } from '../../platform/http/index.ts';
import { findMeeting, mayManage, ownMeetings, relationIn, type MeetingRelation } from '../meetings/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { broadcast, broadcastAllowed, type BroadcastRow } from './tables.ts';

/** An account as far as the rights to broadcasts need it. */
export type Person = Pick<UserCaller, 'userId' | 'tenantId' | 'isTenantAdmin'>;

/** A broadcast with its meeting. */
export interface Broadcast {
  row: BroadcastRow;
  meeting: MeetingRow;
}

/** A broadcast that a person may see; those who manage it change, run and moderate it. */
export interface Seen extends Broadcast {
  manages: boolean;
}

async function isNamed(tx: Pick<TenantTx, 'findOne'>, id: string, accountId: string): Promise<boolean> {
  const where = and(eq(broadcastAllowed.broadcastId, id), eq(broadcastAllowed.accountId, accountId));
  return (await tx.findOne(broadcastAllowed, where)) !== undefined;
}

/** A broadcast whose meeting is not cancelled; `lock` locks it to the end of the transaction. */
export async function findBroadcast(tx: TenantTx, id: string, lock = false): Promise<Broadcast | undefined> {
  const row = await tx.findOne(broadcast, eq(broadcast.id, id), lock ? { lock: 'no key update' } : {});
  const found = row && (await findMeeting(tx, id));
  return row && found && found.cancelledAt === null ? { row, meeting: found } : undefined;
}

/** Whether a meeting is broadcast, now or later. */
export async function hasBroadcast(tx: Pick<TenantTx, 'findOne'>, meetingId: string): Promise<boolean> {
  return (await tx.findOne(broadcast, eq(broadcast.id, meetingId))) !== undefined;
}

/** Whether an account may watch a broadcast, apart from its password. Those who are in the meeting may watch it. */
async function isOpenTo(
  tx: TenantTx,
  { row, meeting: of }: Broadcast,
  person: Person,
  relation: MeetingRelation,
): Promise<boolean> {
  return of.tenantId === person.tenantId && (relation !== 'none' || row.access !== 'whiteList')
    ? true
    : isNamed(tx, row.id, person.userId);
}

/** What an account of the organisation may do with a broadcast. */
export async function rightsTo(
  tx: TenantTx,
  person: Person,
  found: Broadcast,
): Promise<{ relation: MeetingRelation; manages: boolean; watches: boolean }> {
  const relation = await relationIn(tx, person, found.meeting);
  return { relation, manages: mayManage(relation), watches: await isOpenTo(tx, found, person, relation) };
}

/**
 * A broadcast that lists show to a person. Unknown ones and those of others get the same answer, so that ids cannot be
 * probed.
 *
 * @throws AppError NOT_FOUND
 */
export async function seenBy(tx: TenantTx, person: Person, id: string, lock = false): Promise<Seen> {
  const found = await findBroadcast(tx, id, lock);
  if (!found) throw new AppError('NOT_FOUND');
  const { relation, manages, watches } = await rightsTo(tx, person, found);
  const isListed = relation !== 'none' || (watches && found.row.access !== 'password');
  if (!isListed) throw new AppError('NOT_FOUND');
  return { ...found, manages };
}

/**
 * A broadcast that a person manages, locked to the end of the transaction unless `lock` is false.
 *
 * @throws AppError FORBIDDEN for those who may only see it, NOT_FOUND for all others
 */
export async function managedBy(tx: TenantTx, person: Person, id: string, lock = true): Promise<Broadcast> {
  const { row, meeting: of, manages } = await seenBy(tx, person, id, lock);
  if (!manages) throw new AppError('FORBIDDEN');
  return { row, meeting: of };
}

/** A condition for the meetings whose broadcasts lists show to a person. */
export function listedFor({ userId, isTenantAdmin }: Person): SQL | undefined {
  const isLive = and(eq(meeting.type, 'LIVE_MEETING'), isNull(meeting.cancelledAt));
  if (isTenantAdmin) return isLive;
  const named = sql`exists (select 1 from ${broadcastAllowed} where ${broadcastAllowed.broadcastId} = ${broadcast.id}
    and ${broadcastAllowed.accountId} = ${userId})`;
  const open = sql`exists (select 1 from ${broadcast} where ${broadcast.id} = ${meeting.id} and (${broadcast.access} in
    ('public', 'organisation') or (${broadcast.access} = 'whiteList' and ${named})))`;
  return and(isLive, sql`(${meeting.id} = any(${ownMeetings(userId)}) or ${open})`);
}
