import { and, eq, inArray } from 'drizzle-orm';
import { ENTRY_TYPES, type PermissionCode } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { accountRole, rolePermission } from '../roles/tables.ts';
import type { TenantRow } from '../tenants/tables.ts';
import { account, type AccountRow } from '../users/tables.ts';
import { decide } from './decide.ts';
import { accountPermission, permission } from './tables.ts';

/** The accounts of a tenant that have a code by a role or directly, in a few statements for any number of accounts. */
export async function accountsGranted(
  tx: TenantTx,
  tenant: Pick<TenantRow, 'enabled' | 'deniedFeatures'>,
  code: PermissionCode,
): Promise<AccountRow[]> {
  const entry = await tx.findOne(
    permission,
    and(eq(permission.code, code), eq(permission.type, ENTRY_TYPES.permission)),
  );
  if (!entry) return [];
  const [has, grants] = [tx.scoped(accountRole), tx.scoped(rolePermission)];
  const byRole = await tx
    .select({ id: has.accountId })
    .from(has)
    .innerJoin(grants, eq(grants.roleId, has.roleId))
    .where(eq(grants.permissionId, entry.id));
  const direct = await tx.find(accountPermission, eq(accountPermission.permissionId, entry.id));
  const ids = [...new Set([...byRole.map(({ id }) => id), ...direct.map(({ accountId }) => accountId)])];
  const accounts =
    ids.length === 0
      ? []
      : await tx.find(account, and(inArray(account.id, ids), eq(account.enabled, true)), { orderBy: account.id });
  // The common decision for all access determines whether a grant is effective.
  return accounts.filter(
    ({ kind, isTenantAdmin, isSuperAdmin }) =>
      decide(
        {
          kind: kind === 'operator' ? 'operator' : 'user',
          isTenantAdmin,
          isSuperAdmin,
          enabled: tenant.enabled,
          deniedFeatures: tenant.deniedFeatures,
          byRole: new Map(),
          direct: new Set([entry.id]),
        },
        [entry],
      ).codes.get(code)?.allowed,
  );
}
