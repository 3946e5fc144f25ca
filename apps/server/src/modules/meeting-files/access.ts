import { and, eq, inArray, isNotNull, or, type SQL } from 'drizzle-orm';
import type { TenantTx } from '../../platform/db/index.ts';
import { AppError, type UserCaller } from '../../platform/http/index.ts';
import { findAccount } from '../accounts/users/index.ts';
import { tenantOf } from '../accounts/tenants/index.ts';
import { conference, terminalSession } from '../conferences/tables.ts';
import { findMeeting, isEarly, isHeld, mayManage, relationIn } from '../meetings/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { meetingDocument, meetingFolder, type DocumentRow, type FolderRow } from './tables.ts';

export type Person = Pick<UserCaller, 'userId' | 'tenantId' | 'isTenantAdmin'>;

/** A meeting as one person sees it. */
export interface Seen {
  meeting: MeetingRow;
  userId: string;
  /** Host, stand-in or administrator. */
  manages: boolean;
  /** Files that are secret until the start are open. */
  isStarted: boolean;
}

/**
 * Whether a meeting has begun for its people; a cancelled one never does, and its host's early entry does not count.
 */
export function isStarted(row: MeetingRow, now: Date): boolean {
  return row.cancelledAt === null && (now >= row.startTime || (isHeld(row) && !isEarly(row, now)));
}

/** Whether a person took part in a conference of a meeting, without being invited. */
async function wasInside(tx: TenantTx, meetingId: string, userId: string): Promise<boolean> {
  const held = await tx.find(conference, eq(conference.meetingId, meetingId));
  if (held.length === 0) return false;
  const where = and(
    inArray(
      terminalSession.conferenceId,
      held.map(({ id }) => id),
    ),
    eq(terminalSession.accountId, userId),
    isNotNull(terminalSession.firstInsideAt),
  );
  return (await tx.findOne(terminalSession, where)) !== undefined;
}

/**
 * A meeting, for those who are invited, manage it or took part in it; `lock` locks it to the end of the transaction.
 * A cancelled one can still be read.
 *
 * @throws AppError NOT_FOUND
 */
export async function seenMeeting(
  tx: TenantTx,
  person: Person,
  id: string,
  now: Date,
  { lock = false }: { lock?: boolean } = {},
): Promise<Seen> {
  const row = lock ? await findMeeting(tx, id, true) : await tx.findOne(meeting, eq(meeting.id, id));
  if (!row) throw new AppError('NOT_FOUND');
  const relation = await relationIn(tx, person, row);
  if (relation === 'none' && !(await wasInside(tx, id, person.userId))) throw new AppError('NOT_FOUND');
  return { meeting: row, userId: person.userId, manages: mayManage(relation), isStarted: isStarted(row, now) };
}

/** The meeting as the audit log names it. */
export const targetOf = ({ meeting: { id, subject } }: Seen) => ({ kind: 'meeting', id, name: subject });

/** Whether a person sees a file of a meeting that they see. */
export function seesDocument({ userId, manages, isStarted: started }: Seen, row: DocumentRow): boolean {
  if (manages || row.createdBy === userId) return true;
  return row.audience === 'members' && (started || !row.secretUntilStart);
}

/** The same as a condition; undefined: all of them. */
export function seenDocuments({ userId, manages, isStarted: started }: Seen): SQL | undefined {
  if (manages) return undefined;
  return or(
    eq(meetingDocument.createdBy, userId),
    and(eq(meetingDocument.audience, 'members'), started ? undefined : eq(meetingDocument.secretUntilStart, false)),
  );
}

/** Whether a person may change or delete what a person has made. */
export function owns({ userId, manages }: Seen, { createdBy }: { createdBy: string }): boolean {
  return manages || createdBy === userId;
}

/** A file that a person sees. @throws AppError NOT_FOUND */
export async function seenDocument(
  tx: TenantTx,
  person: Person,
  id: string,
  now: Date,
): Promise<{ row: DocumentRow; seen: Seen }> {
  const row = await tx.findOne(meetingDocument, eq(meetingDocument.id, id));
  if (!row) throw new AppError('NOT_FOUND');
  const seen = await seenMeeting(tx, person, row.meetingId, now);
  if (!seesDocument(seen, row)) throw new AppError('NOT_FOUND');
  return { row, seen };
}

/** A file that a person may change. @throws AppError NOT_FOUND, FORBIDDEN */
export async function ownDocument(
  tx: TenantTx,
  person: Person,
  id: string,
  now: Date,
): Promise<{ row: DocumentRow; seen: Seen }> {
  const found = await seenDocument(tx, person, id, now);
  if (!owns(found.seen, found.row)) throw new AppError('FORBIDDEN');
  return found;
}

/** A folder of a meeting that a person sees. @throws AppError NOT_FOUND */
export async function seenFolder(
  tx: TenantTx,
  person: Person,
  id: string,
  now: Date,
): Promise<{ row: FolderRow; seen: Seen }> {
  const row = await tx.findOne(meetingFolder, eq(meetingFolder.id, id));
  if (!row) throw new AppError('NOT_FOUND');
  return { row, seen: await seenMeeting(tx, person, row.meetingId, now) };
}

/** An account that can still sign in, for signed addresses; undefined otherwise. */
export async function personOf(tx: TenantTx, userId: string): Promise<Person | undefined> {
  const account = await findAccount(tx, userId);
  if (!account?.enabled || account.deletedAt !== null || account.kind !== 'user') return undefined;
  if (!(await tenantOf(tx, tx.tenantId)).enabled) return undefined;
  return { userId, tenantId: tx.tenantId, isTenantAdmin: account.isTenantAdmin };
}
