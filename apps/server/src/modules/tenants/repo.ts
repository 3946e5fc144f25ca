import { eq } from 'drizzle-orm';
import type { PlatformTx } from '../../platform/db/index.ts';
import { tenant, type TenantRow } from './tables.ts';

export function findTenant(tx: PlatformTx, tenantId: string): Promise<TenantRow | undefined> {
  return tx.findOne(tenant, eq(tenant.tenantId, tenantId));
}
