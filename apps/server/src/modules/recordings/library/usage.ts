import { eq, sql } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import { tenantOf } from '../../accounts/tenants/index.ts';
import { recording, recordingExport } from '../tables.ts';

/** Bytes that the tenant's recordings take, the bin and MP4 files included, and its limit. */
export async function usageOf(tx: TenantTx): Promise<{ bytes: number; limit: number | null }> {
  const recordings = tx.scoped(recording);
  const files = tx.scoped(recordingExport);
  const [media] = await tx.select({ bytes: sql<string>`coalesce(sum(${recordings.bytes}), 0)` }).from(recordings);
  const [exported] = await tx
    .select({ bytes: sql<string>`coalesce(sum(${files.bytes}), 0)` })
    .from(files)
    .where(eq(files.state, 'ready'));
  const { maxRecordingBytes } = await tenantOf(tx, tx.tenantId);
  return { bytes: Number(media?.bytes ?? 0) + Number(exported?.bytes ?? 0), limit: maxRecordingBytes };
}
