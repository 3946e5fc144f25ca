import { and, eq, inArray, isNotNull, sql, type SQL } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError, type UserCaller } from '../../../platform/http/index.ts';
import { tenantOf } from '../../accounts/tenants/index.ts';
import type { TenantRow } from '../../accounts/tenants/tables.ts';
import { findAccount } from '../../accounts/users/index.ts';
import { terminalSession } from '../../conferences/tables.ts';
import { grantedOf } from '../../meetings/index.ts';
import { meetingGrant } from '../../meetings/tables.ts';
import { recording, recordingGrant, type RecordingRow } from '../tables.ts';

/** An account as far as the rights to recordings need it. */
export type Person = Pick<UserCaller, 'userId' | 'tenantId' | 'isTenantAdmin'>;

/** What a person may do with a recording. */
export interface Rights {
  /** Host, those who may stand in for the host, and administrators. */
  manages: boolean;
  /** Managers, too; false for all in the bin. */
  watches: boolean;
}

const NONE: Rights = { manages: false, watches: false };

/** Whether those who took part may watch the organisation's recordings. */
export const areOpenToParticipants = ({ recordingWatchedBy }: TenantRow): boolean =>
  recordingWatchedBy === 'participants';

/** Those of the meetings whose recordings were granted to an account. */
async function grantsOf(tx: TenantTx, meetingIds: readonly string[], accountId: string): Promise<Set<string>> {
  const where = and(inArray(recordingGrant.meetingId, [...meetingIds]), eq(recordingGrant.accountId, accountId));
  return new Set((await tx.find(recordingGrant, where)).map(({ meetingId }) => meetingId));
}

/** Those of the conferences that an account was inside of. */
async function insideOf(tx: TenantTx, conferenceIds: readonly string[], accountId: string): Promise<Set<string>> {
  const where = and(
    inArray(terminalSession.conferenceId, [...conferenceIds]),
    eq(terminalSession.accountId, accountId),
    isNotNull(terminalSession.firstInsideAt),
  );
  return new Set((await tx.find(terminalSession, where)).map(({ conferenceId }) => conferenceId));
}

/** The rights of a person to each of the recordings, by id. */
export async function rightsTo(
  tx: TenantTx,
  { userId, isTenantAdmin }: Person,
  rows: readonly RecordingRow[],
): Promise<Map<string, Rights>> {
  if (rows.length === 0) return new Map();
  const meetingIds = [...new Set(rows.map(({ meetingId }) => meetingId))];
  const standsIn = await grantedOf(tx, meetingIds, userId);
  const granted = await grantsOf(tx, meetingIds, userId);
  const isOpen = areOpenToParticipants(await tenantOf(tx, tx.tenantId));
  const inside = isOpen
    ? await insideOf(
        tx,
        rows.map(({ conferenceId }) => conferenceId),
        userId,
      )
    : new Set<string>();
  const rightsOf = (row: RecordingRow): Rights => {
    const manages = isTenantAdmin || row.hostId === userId || standsIn.has(row.meetingId);
    const watches = manages || granted.has(row.meetingId) || inside.has(row.conferenceId);
    return { manages, watches: watches && row.deletedAt === null };
  };
  return new Map(rows.map((row) => [row.id, rightsOf(row)]));
}

/** A condition for recordings that a person may watch, or manage; to list them, without reading all others. */
export function visibleTo({ userId, isTenantAdmin }: Person, isOpen: boolean): SQL | undefined {
  if (isTenantAdmin) return undefined;
  const meetings = sql`array(select ${meetingGrant.meetingId} from ${meetingGrant} where ${meetingGrant.accountId} =
    ${userId} union select ${recordingGrant.meetingId} from ${recordingGrant} where ${recordingGrant.accountId} =
    ${userId})`;
  const inside = sql`array(select ${terminalSession.conferenceId} from ${terminalSession} where
    ${terminalSession.accountId} = ${userId} and ${terminalSession.firstInsideAt} is not null)`;
  const own = sql`${recording.hostId} = ${userId} or ${recording.meetingId} = any(${meetings})`;
  return isOpen ? sql`(${own} or ${recording.conferenceId} = any(${inside}))` : sql`(${own})`;
}

/** A condition for recordings that a person manages. */
export function managedBy({ userId, isTenantAdmin }: Person): SQL | undefined {
  if (isTenantAdmin) return undefined;
  const meetings = sql`array(select ${meetingGrant.meetingId} from ${meetingGrant} where ${meetingGrant.accountId} =
    ${userId})`;
  return sql`(${recording.hostId} = ${userId} or ${recording.meetingId} = any(${meetings}))`;
}

export interface Seen extends Rights {
  row: RecordingRow;
}

/**
 * A recording that a person may see: watch, or, in the bin, manage. Unknown ones and those of others get the same
 * answer, so that ids cannot be probed.
 *
 * @throws AppError NOT_FOUND
 */
export async function seenBy(tx: TenantTx, person: Person, id: string, lock = false): Promise<Seen> {
  const there = and(eq(recording.id, id), eq(recording.isGone, false));
  const row = await tx.findOne(recording, there, lock ? { lock: 'no key update' } : {});
  const rights = row ? ((await rightsTo(tx, person, [row])).get(row.id) ?? NONE) : NONE;
  if (!row || !(rights.watches || rights.manages)) throw new AppError('NOT_FOUND');
  return { row, ...rights };
}

/** A recording that a person may watch. @throws AppError NOT_FOUND */
export async function watchedBy(tx: TenantTx, person: Person, id: string): Promise<Seen> {
  const seen = await seenBy(tx, person, id);
  if (!seen.watches) throw new AppError('NOT_FOUND');
  return seen;
}

/**
 * A recording that a person may manage, locked to the end of the transaction.
 *
 * @throws AppError FORBIDDEN for those who may only watch it, NOT_FOUND for all others
 */
export async function managedRecording(tx: TenantTx, person: Person, id: string): Promise<RecordingRow> {
  const { row, manages } = await seenBy(tx, person, id, true);
  if (!manages) throw new AppError('FORBIDDEN');
  return row;
}

/** The person of an account that can still sign in; undefined for former members. */
export async function personOf(tx: TenantTx, userId: string): Promise<(Person & { name: string }) | undefined> {
  const account = await findAccount(tx, userId);
  if (!account?.enabled || account.deletedAt !== null || account.kind !== 'user') return undefined;
  if (!(await tenantOf(tx, tx.tenantId)).enabled) return undefined;
  return { userId, tenantId: tx.tenantId, isTenantAdmin: account.isTenantAdmin, name: account.name };
}
