import { sql } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import { tenantOf } from '../../accounts/tenants/index.ts';
import { recording } from '../tables.ts';

/** From this share of its space on, an organisation is warned. */
const LOW = 0.9;
/** A recording that paused for lack of space continues below this share, so that it does not stutter. */
const FREE_AGAIN = 0.99;

/** How much of an organisation's space for recordings is used; the bin counts until it is emptied. */
export interface Space {
  isFull: boolean;
  isLow: boolean;
  /** There is enough space to continue. */
  isFree: boolean;
}

export async function spaceOf(tx: TenantTx): Promise<Space> {
  const { maxRecordingBytes } = await tenantOf(tx, tx.tenantId);
  if (maxRecordingBytes === null) return { isFull: false, isLow: false, isFree: true };
  const rows = tx.scoped(recording);
  const [sum] = await tx.select({ bytes: sql<string>`coalesce(sum(${rows.bytes}), 0)` }).from(rows);
  const used = Number(sum?.bytes ?? 0);
  return {
    isFull: used >= maxRecordingBytes,
    isLow: used >= maxRecordingBytes * LOW,
    isFree: used < maxRecordingBytes * FREE_AGAIN,
  };
}
