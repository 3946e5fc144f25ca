import type { PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { tenantsSignedInTo } from './repo.ts';

/** What permissions and roles need of sessions, which build on them and are therefore handed in. */
export interface AccessSessions {
  /** What these accounts of the transaction's tenant may do has changed. */
  accessChanged(tx: TenantTx, accountIds: readonly string[] | 'all'): Promise<void>;
}

/** What everybody may do may have changed: looked at anew on every server process, and all browsers are told. */
export async function accessChangedEverywhere(tx: PlatformTx, sessions: AccessSessions, now: Date): Promise<void> {
  for (const tenantId of await tenantsSignedInTo(tx, now)) await sessions.accessChanged(tx.asTenant(tenantId), 'all');
}
