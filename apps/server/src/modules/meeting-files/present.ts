import { and, eq, inArray, or } from 'drizzle-orm';
import type { MeetingDocument, MeetingUpload } from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { owns, type Seen } from './access.ts';
import { meetingDocumentVersion, type DocumentRow, type UploadRow, type VersionRow } from './tables.ts';

/** What pages can be shown besides what browsers show themselves. */
export interface Shown {
  /** A converter of office files is configured. */
  office: boolean;
}

/** The newest versions of files, by file. */
export async function newestOf(tx: TenantTx, rows: readonly DocumentRow[]): Promise<Map<string, VersionRow>> {
  if (rows.length === 0) return new Map();
  const newest = rows.map(({ id, version }) =>
    and(eq(meetingDocumentVersion.documentId, id), eq(meetingDocumentVersion.version, version)),
  );
  const found = await tx.find(meetingDocumentVersion, or(...newest));
  return new Map(found.map((row) => [row.documentId, row]));
}

/** Names of accounts by id. */
export async function namesOf(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  return new Map((await findAccounts(tx, [...new Set(ids)])).map(({ id, name }) => [id, name]));
}

/** Files as the contract shows them to a person. */
export async function presentDocuments(
  tx: TenantTx,
  seen: Seen,
  rows: readonly DocumentRow[],
  { office }: Shown,
): Promise<MeetingDocument[]> {
  const versions = await newestOf(tx, rows);
  const names = await namesOf(
    tx,
    [...versions.values()].map(({ uploadedBy }) => uploadedBy),
  );
  return rows.flatMap((row) => {
    const newest = versions.get(row.id);
    if (!newest) return [];
    const isOwn = owns(seen, row);
    return [
      {
        id: row.id,
        folderId: row.folderId,
        name: row.name,
        size: newest.size,
        kind: newest.kind,
        preview: newest.preview === 'office' && !office ? null : newest.preview,
        scan: newest.scan,
        audience: row.audience,
        secretUntilStart: row.secretUntilStart,
        version: row.version,
        by: { userId: newest.uploadedBy, name: names.get(newest.uploadedBy) ?? '' },
        at: newest.createdAt.toISOString(),
        can: { change: isOwn, remove: isOwn },
      },
    ];
  });
}

export function presentUpload(row: UploadRow): MeetingUpload {
  return {
    id: row.id,
    name: row.name,
    size: row.size,
    received: row.received,
    folderId: row.folderId,
    fileId: row.documentId,
    expiresAt: row.expiresAt.toISOString(),
  };
}

/** Versions by their ids. */
export async function findVersions(tx: TenantTx, ids: readonly string[]): Promise<VersionRow[]> {
  return ids.length === 0 ? [] : tx.find(meetingDocumentVersion, inArray(meetingDocumentVersion.id, [...ids]));
}
