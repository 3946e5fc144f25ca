import { eq, inArray } from 'drizzle-orm';
import { localName, type Locale } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { accountRole, role, rolePermission } from '../roles/tables.ts';
import type { TenantRow } from '../tenants/tables.ts';
import type { AccountRow } from '../users/tables.ts';
import { codesOf, decide, type Subject } from './decide.ts';
import { accountPermission, permission, type PermissionRow } from './tables.ts';

/** Either kind of transaction, for reading. */
export type Reads = Pick<TenantTx, 'find' | 'select' | 'scoped'>;

type Account = Pick<AccountRow, 'id' | 'kind' | 'isTenantAdmin' | 'isSuperAdmin' | 'enabled'>;
type Tenant = Pick<TenantRow, 'enabled' | 'deniedFeatures'>;

/** The grants of an account, with the names of its roles in the requested language. */
export async function subjectOf(tx: Reads, account: Account, tenant: Tenant, locale: Locale = 'zh'): Promise<Subject> {
  const [has, grants, roles] = [tx.scoped(accountRole), tx.scoped(rolePermission), tx.scoped(role)];
  const granted = await tx
    .select({ id: grants.permissionId, name: roles.name, nameEn: roles.nameEn })
    .from(has)
    .innerJoin(grants, eq(grants.roleId, has.roleId))
    .innerJoin(roles, eq(roles.id, has.roleId))
    .where(eq(has.accountId, account.id))
    .orderBy(roles.name);
  const byRole = new Map<string, string[]>();
  for (const by of granted) byRole.set(by.id, [...(byRole.get(by.id) ?? []), localName(by, locale)]);
  const direct = new Set(
    (await tx.find(accountPermission, eq(accountPermission.accountId, account.id))).map((row) => row.permissionId),
  );
  const { kind, isTenantAdmin, isSuperAdmin } = account;
  return {
    // The account of an API client has the rights of a user.
    kind: kind === 'operator' ? 'operator' : 'user',
    isTenantAdmin,
    isSuperAdmin,
    enabled: account.enabled && tenant.enabled,
    deniedFeatures: tenant.deniedFeatures,
    byRole,
    direct,
  };
}

/** The permission codes an account has now. */
export async function permissionCodesOf(tx: Reads, account: Account, tenant: Tenant): Promise<string[]> {
  const subject = await subjectOf(tx, account, tenant);
  const ids = [...subject.byRole.keys(), ...subject.direct];
  // An operator with all rights also has the codes that were added by hand, without a grant.
  const entries: PermissionRow[] = subject.isSuperAdmin
    ? await tx.find(permission)
    : ids.length > 0
      ? await tx.find(permission, inArray(permission.id, ids))
      : [];
  return codesOf(decide(subject, entries));
}
