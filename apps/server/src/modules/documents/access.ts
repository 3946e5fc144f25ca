import type { DocumentRight } from '@rmeet/contract';
import { and, eq } from 'drizzle-orm';
import type { TenantTx } from '../../platform/db/index.ts';
import { AppError, type UserCaller } from '../../platform/http/index.ts';
import { findMeeting, mayManage, relationIn } from '../meetings/index.ts';
import { document, documentMember, type DocumentTableRow } from './tables.ts';

type Person = Pick<UserCaller, 'userId' | 'tenantId' | 'isTenantAdmin'>;

/** What an account may do with the meeting's documents: its host and stand-ins write, those invited read. */
async function rightByMeeting(tx: TenantTx, person: Person, meetingId: string): Promise<DocumentRight | null> {
  const meeting = await findMeeting(tx, meetingId);
  const relation = meeting ? await relationIn(tx, person, meeting) : 'none';
  if (relation === 'none') return null;
  return mayManage(relation) ? 'write' : 'read';
}

/**
 * What an account may do with a document; null: it does not exist for the account. Owner and administrators manage it.
 * A template can be read by all of the organisation.
 */
export async function rightOf(tx: TenantTx, person: Person, row: DocumentTableRow): Promise<DocumentRight | null> {
  if (person.tenantId !== row.tenantId) return null;
  if (person.isTenantAdmin) return 'manage';
  if (row.isTemplate) return 'read';
  if (row.ownerId === person.userId) return 'manage';
  const member = await tx.findOne(
    documentMember,
    and(eq(documentMember.documentId, row.id), eq(documentMember.accountId, person.userId)),
  );
  if (member?.canWrite) return 'write';
  const byMeeting = row.meetingId === null ? null : await rightByMeeting(tx, person, row.meetingId);
  return byMeeting ?? (member ? 'read' : null);
}

const RANK: Record<DocumentRight, number> = { read: 0, write: 1, manage: 2 };

/**
 * A document for an account that has this right or a higher one; `lock` locks it to the end of the transaction.
 *
 * @throws AppError NOT_FOUND if it may not even read it, DOCUMENT_READ_ONLY or FORBIDDEN if it may not write or manage
 */
export async function documentFor(
  tx: TenantTx,
  caller: UserCaller,
  id: string,
  needed: DocumentRight,
  lock = false,
): Promise<{ row: DocumentTableRow; right: DocumentRight }> {
  const row = await tx.findOne(document, eq(document.id, id), lock ? { lock: 'no key update' } : {});
  const right = row ? await rightOf(tx, caller, row) : null;
  if (!row || right === null) throw new AppError('NOT_FOUND');
  if (RANK[right] < RANK[needed]) throw new AppError(needed === 'write' ? 'DOCUMENT_READ_ONLY' : 'FORBIDDEN');
  return { row, right };
}
