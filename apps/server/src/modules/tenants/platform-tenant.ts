import type { PlatformTx } from '../../platform/db/index.ts';
import { tenant } from './tables.ts';

/** The tenant of rows that belong to no customer. Fixed, so that code needs no look-up. */
export const PLATFORM_TENANT_ID = '00000000-0000-7000-8000-000000000000';

/** Makes the platform's own tenant when the database is new. */
export async function ensurePlatformTenant(tx: PlatformTx, now: Date): Promise<void> {
  await tx.insert(tenant, { tenantId: PLATFORM_TENANT_ID, kind: 'platform', name: 'Rmeet', createdAt: now }, 'nothing');
}
