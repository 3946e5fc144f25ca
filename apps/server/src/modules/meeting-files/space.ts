import { and, count, eq, gt, sql } from 'drizzle-orm';
import { MEGABYTE, MEETING_FILE_LIMITS } from '@rmeet/contract';
import { holdKey, type TenantTx } from '../../platform/db/index.ts';
import { AppError } from '../../platform/http/index.ts';
import { tenantOf } from '../accounts/tenants/index.ts';
import { meetingDocument, meetingDocumentVersion, meetingUpload } from './tables.ts';

/** Bytes of the tenant's meeting files with all versions and what is being uploaded, and the limit; null: none. */
export async function spaceOf(tx: TenantTx): Promise<{ used: number; limit: number | null }> {
  const versions = tx.scoped(meetingDocumentVersion);
  const uploads = tx.scoped(meetingUpload);
  const [kept] = await tx.select({ bytes: sql<string>`coalesce(sum(${versions.size}), 0)` }).from(versions);
  const [coming] = await tx.select({ bytes: sql<string>`coalesce(sum(${uploads.size}), 0)` }).from(uploads);
  const { maxMeetingFileBytes } = await tenantOf(tx, tx.tenantId);
  return { used: Number(kept?.bytes ?? 0) + Number(coming?.bytes ?? 0), limit: maxMeetingFileBytes };
}

/**
 * Checks that a file of this size has room in the tenant's space, and others wait until this transaction ends.
 *
 * @throws AppError MEETING_FILE_SPACE_FULL
 */
export async function mustHaveSpace(tx: TenantTx, size: number): Promise<void> {
  const { maxMeetingFileBytes } = await tenantOf(tx, tx.tenantId);
  if (maxMeetingFileBytes === null) return;
  await holdKey(tx, `meeting-files ${tx.tenantId}`);
  const { used } = await spaceOf(tx);
  if (used + size > maxMeetingFileBytes)
    throw new AppError('MEETING_FILE_SPACE_FULL', { megabytes: Math.floor(maxMeetingFileBytes / MEGABYTE) });
}

/** @throws AppError MEETING_FILES_FULL, UPLOADS_TOO_MANY */
export async function mustHavePlace(tx: TenantTx, meetingId: string, userId: string, now: Date): Promise<void> {
  const { files, uploads } = MEETING_FILE_LIMITS;
  const rows = tx.scoped(meetingDocument);
  const [there] = await tx.select({ n: count() }).from(rows).where(eq(rows.meetingId, meetingId));
  const open = and(eq(meetingUpload.meetingId, meetingId), gt(meetingUpload.expiresAt, now));
  if ((there?.n ?? 0) + (await tx.count(meetingUpload, open)) >= files)
    throw new AppError('MEETING_FILES_FULL', { limit: files });
  const own = and(eq(meetingUpload.createdBy, userId), gt(meetingUpload.expiresAt, now));
  if ((await tx.count(meetingUpload, own)) >= uploads) throw new AppError('UPLOADS_TOO_MANY', { limit: uploads });
}
