import type { PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { tenantsSignedInTo } from './repo.ts';

/** What permissions and roles need of sessions, a module that builds on them. */
export interface AccessSessions {
  /** The permissions of these accounts of the transaction's tenant have changed. */
  accessChanged(tx: TenantTx, accountIds: readonly string[] | 'all'): Promise<void>;
}

/** Permissions of any account may have changed: all processes drop their caches, and all browsers are notified. */
export async function accessChangedEverywhere(tx: PlatformTx, sessions: AccessSessions, now: Date): Promise<void> {
  for (const tenantId of await tenantsSignedInTo(tx, now)) await sessions.accessChanged(tx.asTenant(tenantId), 'all');
}
