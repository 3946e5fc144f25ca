import { eq } from 'drizzle-orm';
import { PLATFORM_TENANT_ID, type PlatformTx } from '../../platform/db/index.ts';
import { account } from '../accounts/users/tables.ts';
import { installation } from './tables.ts';

type InstallationRow = typeof installation.$inferSelect;

export function findInstallation(tx: PlatformTx): Promise<InstallationRow | undefined> {
  return tx.findOne(installation, eq(installation.tenantId, PLATFORM_TENANT_ID));
}

export async function saveInstallation(
  tx: PlatformTx,
  values: Partial<Pick<InstallationRow, 'setupHash' | 'publicUrl'>>,
  now: Date,
): Promise<void> {
  const set = { ...values, changedAt: now };
  await tx.insert(installation, { tenantId: PLATFORM_TENANT_ID, ...set }, { target: installation.tenantId, set });
}

/** Whether there is any account, including deleted ones. */
export async function hasAccounts(tx: PlatformTx): Promise<boolean> {
  return (await tx.count(account, undefined, 1)) > 0;
}
