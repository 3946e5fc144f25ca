import { eq, inArray, type SQL } from 'drizzle-orm';
import type { TenantTx } from '../../platform/db/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { DOCUMENTS } from './content.ts';
import { meetingDocument, meetingDocumentVersion, meetingUpload } from './tables.ts';

/** How many files are deleted by one statement. */
const BATCH = 500;

/** Deletes stored contents after the commit. */
function dropContents(tx: TenantTx, storage: Storage, ids: readonly string[]): void {
  if (ids.length === 0) return;
  tx.afterCommit(async () => {
    for (const id of ids) await storage.deleteFolder(`${DOCUMENTS}/${id}`);
  });
}

/** Deletes files with all their versions; their contents after the commit. */
export async function dropDocuments(tx: TenantTx, storage: Storage, where: SQL): Promise<void> {
  for (;;) {
    const ids = (await tx.find(meetingDocument, where, { limit: BATCH })).map(({ id }) => id);
    if (ids.length === 0) return;
    const versions = await tx.delete(meetingDocumentVersion, inArray(meetingDocumentVersion.documentId, ids));
    const uploads = await tx.delete(meetingUpload, inArray(meetingUpload.documentId, ids));
    await tx.delete(meetingDocument, inArray(meetingDocument.id, ids));
    dropContents(
      tx,
      storage,
      [...versions, ...uploads].map(({ id }) => id),
    );
  }
}

/** Deletes uploads that are not complete; their contents after the commit. */
export async function dropUploads(tx: TenantTx, storage: Storage, where: SQL): Promise<void> {
  const rows = await tx.delete(meetingUpload, where);
  dropContents(
    tx,
    storage,
    rows.map(({ id }) => id),
  );
}

/** Deletes a version of a file; its content after the commit. */
export async function dropVersion(tx: TenantTx, storage: Storage, id: string): Promise<void> {
  await tx.delete(meetingDocumentVersion, eq(meetingDocumentVersion.id, id));
  dropContents(tx, storage, [id]);
}
