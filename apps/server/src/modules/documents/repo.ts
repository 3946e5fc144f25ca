import { TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { and, asc, desc, eq, ilike, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import { containing, type TenantTx } from '../../platform/db/index.ts';
import type { UserCaller } from '../../platform/http/index.ts';
import { ownMeetings } from '../meetings/index.ts';
import { document, documentMember, documentVersion, type DocumentTableRow, type DocumentVersionRow } from './tables.ts';

type ListQuery = Input<typeof contract.documents.query>['query'];
type Paging = { current: number; size: number };

export interface Found<R> {
  rows: R[];
  /** Counted to one past the limit. */
  total: number;
}

const SORTS = {
  title: sql`lower(${document.title})`,
  createdAt: document.createdAt,
  updatedAt: document.updatedAt,
} as const;

/** What an account may read: its own documents, shared ones, and those of its meetings. */
function readableBy({ userId }: UserCaller): SQL | undefined {
  const shared = sql`select ${documentMember.documentId} from ${documentMember} where ${documentMember.accountId} =
    ${userId}`;
  return or(
    eq(document.ownerId, userId),
    sql`${document.id} = any(array(${shared}))`,
    sql`${document.meetingId} = any(${ownMeetings(userId)})`,
  );
}

/** One page of documents or templates that the caller may read. */
export async function listDocuments(
  tx: TenantTx,
  caller: UserCaller,
  query: ListQuery,
): Promise<Found<DocumentTableRow>> {
  const { keyword, kind, meetId, templates, of, sort, order, current, size } = query;
  const isForAll = templates || (caller.isTenantAdmin && (of === 'tenant' || meetId !== undefined));
  const where = and(
    eq(document.isTemplate, templates),
    isForAll ? undefined : readableBy(caller),
    keyword ? ilike(document.title, containing(keyword)) : undefined,
    kind && eq(document.kind, kind),
    meetId === undefined ? undefined : eq(document.meetingId, meetId),
  );
  const by = order === 'ASC' ? asc(SORTS[sort]) : desc(SORTS[sort]);
  const rows = await tx.find(document, where, {
    orderBy: [by, asc(document.id)],
    limit: size,
    offset: (current - 1) * size,
  });
  return { rows, total: await tx.count(document, where, TOTAL_COUNT_LIMIT + 1) };
}

/** One page of the versions of a document, the newest first. */
export async function listVersions(
  tx: TenantTx,
  documentId: string,
  { current, size }: Paging,
): Promise<Found<DocumentVersionRow>> {
  const where = eq(documentVersion.documentId, documentId);
  const rows = await tx.find(documentVersion, where, {
    orderBy: [desc(documentVersion.createdAt), desc(documentVersion.id)],
    limit: size,
    offset: (current - 1) * size,
  });
  return { rows, total: await tx.count(documentVersion, where, TOTAL_COUNT_LIMIT + 1) };
}

export function findVersion(tx: TenantTx, documentId: string, id: string): Promise<DocumentVersionRow | undefined> {
  return tx.findOne(documentVersion, and(eq(documentVersion.documentId, documentId), eq(documentVersion.id, id)));
}

/** The template with this id. */
export function findTemplate(tx: TenantTx, id: string): Promise<DocumentTableRow | undefined> {
  return tx.findOne(document, and(eq(document.id, id), eq(document.isTemplate, true), isNull(document.meetingId)));
}

/** The members of documents. */
export function membersOf(tx: TenantTx, ids: readonly string[]): Promise<(typeof documentMember.$inferSelect)[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return tx.find(documentMember, inArray(documentMember.documentId, [...ids]));
}
