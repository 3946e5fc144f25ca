import {
  TOTAL_COUNT_LIMIT,
  type DocumentDetail,
  type DocumentRight,
  type DocumentRow,
  type DocumentVersion,
  type Page,
} from '@rmeet/contract';
import { inArray } from 'drizzle-orm';
import type { TenantTx } from '../../platform/db/index.ts';
import type { UserCaller } from '../../platform/http/index.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { meeting } from '../meetings/tables.ts';
import { rightOf } from './access.ts';
import { membersOf, type Found } from './repo.ts';
import type { DocumentTableRow, DocumentVersionRow } from './tables.ts';

/** A page of a list. */
export function pageOf<R, T>(
  { rows, total }: Found<R>,
  { current, size }: { current: number; size: number },
  present: (row: R) => T,
): Page<T> {
  return {
    records: rows.map(present),
    total: Math.min(total, TOTAL_COUNT_LIMIT),
    current,
    size,
    ...(total > TOTAL_COUNT_LIMIT && { totalIsLowerBound: true }),
  };
}

/** Documents with the names of their owners and meetings, and what the caller may do. */
export async function presentDocuments(
  tx: TenantTx,
  caller: UserCaller,
  rows: readonly DocumentTableRow[],
): Promise<DocumentRow[]> {
  const owners = await findAccounts(tx, [...new Set(rows.map(({ ownerId }) => ownerId))]);
  const names = new Map(owners.map(({ id, name }) => [id, name]));
  const meetIds = [...new Set(rows.flatMap(({ meetingId }) => meetingId ?? []))];
  const meetings = meetIds.length === 0 ? [] : await tx.find(meeting, inArray(meeting.id, meetIds));
  const subjects = new Map(meetings.map(({ id, subject }) => [id, subject]));
  const presented: DocumentRow[] = [];
  for (const row of rows) {
    const right: DocumentRight = (await rightOf(tx, caller, row)) ?? 'read';
    presented.push({
      id: row.id,
      kind: row.kind,
      title: row.title,
      isTemplate: row.isTemplate,
      owner: { userId: row.ownerId, name: names.get(row.ownerId) ?? '' },
      meeting: row.meetingId === null ? null : { meetId: row.meetingId, subject: subjects.get(row.meetingId) ?? '' },
      right,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      updatedBy: row.updatedBy,
      version: row.version,
    });
  }
  return presented;
}

/** One document with the people it is shared with. */
export async function presentDocument(
  tx: TenantTx,
  caller: UserCaller,
  row: DocumentTableRow,
): Promise<DocumentDetail> {
  const [presented] = await presentDocuments(tx, caller, [row]);
  if (!presented) throw new Error('A document was not presented.');
  const members = await membersOf(tx, [row.id]);
  const people = await findAccounts(
    tx,
    members.map(({ accountId }) => accountId),
  );
  const names = new Map(people.map(({ id, name }) => [id, name]));
  return {
    ...presented,
    members: members
      .map(({ accountId, canWrite }) => ({
        userId: accountId,
        name: names.get(accountId) ?? '',
        right: canWrite ? ('write' as const) : ('read' as const),
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
  };
}

export const presentVersion = ({ id, name, kind, createdAt, createdBy }: DocumentVersionRow): DocumentVersion => ({
  id,
  name,
  kind,
  createdAt: createdAt.toISOString(),
  createdBy,
});
