import { and, count, eq, inArray, sql } from 'drizzle-orm';
import type { ReceivedFile, StoredFile } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type TenantTx } from '../../platform/db/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { storedFile, type FilePurpose, type StoredFileRow } from './tables.ts';

/** What a file belongs to. */
export interface FileSubject {
  purpose: FilePurpose;
  subjectId: string;
}

/** Stores the row of a received file. If the call fails, its content is removed by the form (http/calls/forms.ts). */
export async function addFile(
  tx: TenantTx,
  { name, size, sha256, kind, picture, key }: ReceivedFile,
  { ownerId, createdAt, ...subject }: FileSubject & Pick<StoredFileRow, 'ownerId' | 'createdAt'>,
): Promise<StoredFileRow> {
  const [row] = await tx.insert(storedFile, {
    id: newId(),
    ...subject,
    ownerId,
    name,
    size,
    sha256,
    kind,
    pictureType: picture?.type ?? null,
    pictureWidth: picture?.width ?? null,
    pictureHeight: picture?.height ?? null,
    storageKey: key,
    createdAt,
  });
  if (!row) throw new Error('The row of a file was not stored.');
  return row;
}

export function findFile(tx: TenantTx, id: string): Promise<StoredFileRow | undefined> {
  return tx.findOne(storedFile, eq(storedFile.id, id));
}

/** The files with these ids. */
export async function findFiles(tx: TenantTx, ids: readonly string[]): Promise<Map<string, StoredFileRow>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.find(storedFile, inArray(storedFile.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** How many files belong to a subject, and their bytes together. */
export async function usageOfFiles(
  tx: TenantTx,
  { purpose, subjectId }: FileSubject,
): Promise<{ files: number; bytes: number }> {
  const files = tx.scoped(storedFile);
  const [row] = await tx
    .select({ files: count(), bytes: sql<string>`coalesce(sum(${files.size}), 0)` })
    .from(files)
    .where(and(eq(files.purpose, purpose), eq(files.subjectId, subjectId)));
  return { files: row?.files ?? 0, bytes: Number(row?.bytes ?? 0) };
}

/** Deletes a file: its row now, its content after the commit. Rows that refer to it are changed before. */
export async function removeFile(tx: TenantTx, storage: Storage, id: string): Promise<void> {
  const rows = await tx.delete(storedFile, allOf(eq(storedFile.id, id)));
  tx.afterCommit(async () => {
    for (const { storageKey } of rows) await storage.delete(storageKey);
  });
}

export function presentFile({ id, name, size, kind, pictureWidth, pictureHeight }: StoredFileRow): StoredFile {
  const picture =
    pictureWidth === null || pictureHeight === null ? null : { width: pictureWidth, height: pictureHeight };
  return { id, name, size, kind, ...(picture && { picture }) };
}

/** Deletes all files of a subject, as removeFile does. */
export async function removeFilesOf(
  tx: TenantTx,
  storage: Storage,
  { purpose, subjectId }: FileSubject,
): Promise<void> {
  const rows = await tx.delete(storedFile, allOf(eq(storedFile.purpose, purpose), eq(storedFile.subjectId, subjectId)));
  tx.afterCommit(async () => {
    for (const { storageKey } of rows) await storage.delete(storageKey);
  });
}
