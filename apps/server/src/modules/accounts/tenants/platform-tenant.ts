import { PLATFORM_TENANT_ID, type PlatformTx } from '../../../platform/db/index.ts';
import { tenant } from './tables.ts';

export { PLATFORM_TENANT_ID };

/** Creates the platform's own tenant in a new database. */
export async function ensurePlatformTenant(tx: PlatformTx, now: Date): Promise<void> {
  await tx.insert(tenant, { tenantId: PLATFORM_TENANT_ID, kind: 'platform', name: 'Rmeet', createdAt: now }, 'nothing');
}
