import { DOCUMENT_LIMITS, openDocument } from '@rmeet/documents';
import { and, asc, desc, eq, gt, inArray } from 'drizzle-orm';
import { encodeStateAsUpdate, type Doc } from 'yjs';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type TenantTx } from '../../platform/db/index.ts';
import { AppError } from '../../platform/http/index.ts';
import { document, documentUpdate, documentVersion, type DocumentTableRow, type DocumentVersionRow } from './tables.ts';

/** Tells the server processes that a document has changed, or the rights to it. */
export const CHANNEL = 'rmeet_documents';
/** `seq` of its last update; without one, rights have changed or it was deleted. */
export interface Announcement {
  tenantId: string;
  id: string;
  seq?: number;
}

/** So many updates are put together into one. */
const COMPACT_FROM = 200;
const VERSION_EVERY = 10 * 60_000;
const AUTO_VERSIONS_KEPT = 100;

const encoded = (data: Uint8Array): string => Buffer.from(data).toString('base64');
export const decoded = (data: string): Uint8Array => new Uint8Array(Buffer.from(data, 'base64'));

export function announce(tx: TenantTx, id: string, seq?: number): Promise<void> {
  const announcement: Announcement = { tenantId: tx.tenantId, id, ...(seq === undefined ? {} : { seq }) };
  return tx.notify(CHANNEL, JSON.stringify(announcement));
}

/** The updates of a document after a number, in order, and the number of the last. */
export async function updatesAfter(
  tx: TenantTx,
  id: string,
  seq: number,
): Promise<{ updates: Uint8Array[]; seq: number }> {
  const rows = await tx.find(documentUpdate, and(eq(documentUpdate.documentId, id), gt(documentUpdate.seq, seq)), {
    orderBy: asc(documentUpdate.seq),
  });
  return { updates: rows.map(({ data }) => decoded(data)), seq: rows.at(-1)?.seq ?? seq };
}

/** A document as it is stored. */
export async function loadDocument(tx: TenantTx, id: string): Promise<{ doc: Doc; seq: number }> {
  const { updates, seq } = await updatesAfter(tx, id, 0);
  return { doc: openDocument(updates), seq };
}

export async function keepVersion(
  tx: TenantTx,
  documentId: string,
  values: Pick<DocumentVersionRow, 'name' | 'kind' | 'createdAt' | 'createdBy'> & { doc: Doc },
): Promise<DocumentVersionRow> {
  const { doc, ...rest } = values;
  const data = encoded(encodeStateAsUpdate(doc));
  const [row] = await tx.insert(documentVersion, { id: newId(), documentId, data, ...rest });
  if (!row) throw new Error('The version of a document was not stored.');
  return row;
}

/** Keeps what the document was before a change, if the last version is older than VERSION_EVERY. */
async function keepWhileEdited(tx: TenantTx, row: DocumentTableRow, now: Date): Promise<boolean> {
  if (row.seq === 0 || now.getTime() - row.versionedAt.getTime() < VERSION_EVERY) return false;
  const { doc } = await loadDocument(tx, row.id);
  await keepVersion(tx, row.id, { doc, name: '', kind: 'auto', createdAt: row.updatedAt, createdBy: row.updatedBy });
  const isAuto = and(eq(documentVersion.documentId, row.id), eq(documentVersion.kind, 'auto'));
  const old = await tx.find(documentVersion, isAuto, {
    orderBy: [desc(documentVersion.createdAt), desc(documentVersion.id)],
    offset: AUTO_VERSIONS_KEPT,
  });
  const ids = old.map(({ id }) => id);
  if (ids.length > 0) await tx.delete(documentVersion, allOf(inArray(documentVersion.id, ids)));
  return true;
}

/** Puts the updates of a document together into one, which has the number of the last. */
async function compact(tx: TenantTx, id: string): Promise<{ pending: number; bytes: number }> {
  const { doc, seq } = await loadDocument(tx, id);
  const update = encodeStateAsUpdate(doc);
  await tx.delete(documentUpdate, allOf(eq(documentUpdate.documentId, id)));
  await tx.insert(documentUpdate, { documentId: id, seq, data: encoded(update) });
  return { pending: 1, bytes: update.length };
}

/**
 * Stores a change of a document whose row is locked, and announces it.
 *
 * @returns its number
 */
export async function appendUpdate(
  tx: TenantTx,
  row: DocumentTableRow,
  update: Uint8Array,
  { by, now }: { by: string; now: Date },
): Promise<number> {
  const isKept = await keepWhileEdited(tx, row, now);
  const seq = row.seq + 1;
  await tx.insert(documentUpdate, { documentId: row.id, seq, data: encoded(update) });
  const grown = { pending: row.pending + 1, bytes: row.bytes + update.length };
  const size = grown.pending >= COMPACT_FROM ? await compact(tx, row.id) : grown;
  await tx.update(
    document,
    { seq, ...size, updatedAt: now, updatedBy: by, ...(isKept && { versionedAt: now }) },
    eq(document.id, row.id),
  );
  await announce(tx, row.id, seq);
  return seq;
}

/** @throws AppError DOCUMENT_FULL if a document has no space for a change of so many bytes */
export async function checkSpace(tx: TenantTx, row: DocumentTableRow, bytes: number): Promise<void> {
  if (row.bytes + bytes <= DOCUMENT_LIMITS.bytes) return;
  const size = await compact(tx, row.id);
  await tx.update(document, size, eq(document.id, row.id));
  Object.assign(row, size);
  if (size.bytes + bytes > DOCUMENT_LIMITS.bytes) throw new AppError('DOCUMENT_FULL');
}
