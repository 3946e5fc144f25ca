import { and, asc, count, desc, eq, ilike, inArray, or } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { containing, newId, type PlatformTx, type TenantTx } from '../../../platform/db/index.ts';
import type { AccountKind } from '../permissions/index.ts';
import { account } from '../users/tables.ts';
import { accountRole, role, rolePermission, type RoleRow } from './tables.ts';

export function findRole(tx: TenantTx, id: string): Promise<RoleRow | undefined> {
  return tx.findOne(role, eq(role.id, id), { lock: 'update' });
}

/** One page of the roles, and their number, counted to one past the limit. */
export async function listRoles(
  tx: PlatformTx,
  query: Input<typeof contract.roles.list>['query'],
): Promise<{ rows: RoleRow[]; total: number }> {
  const { id, keyword, kind, sort, order, current, size } = query;
  const pattern = keyword && containing(keyword);
  const where = and(
    id === undefined ? undefined : eq(role.id, id),
    pattern ? or(ilike(role.name, pattern), ilike(role.nameEn, pattern), ilike(role.description, pattern)) : undefined,
    kind === undefined ? undefined : eq(role.kind, kind),
  );
  const direction = order === 'ASC' ? asc : desc;
  const rows = await tx.find(role, where, {
    orderBy: [direction(role[sort]), asc(role.id)],
    limit: size,
    offset: (current - 1) * size,
  });
  return { rows, total: await tx.count(role, where, TOTAL_COUNT_LIMIT + 1) };
}

export function findRolesOfKind(tx: TenantTx, kind: AccountKind): Promise<RoleRow[]> {
  return tx.find(role, eq(role.kind, kind), { orderBy: [asc(role.name), asc(role.id)] });
}

/** The ids of the entries that each role grants. */
export async function permissionsOfRoles(tx: PlatformTx, roleIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = roleIds.length === 0 ? [] : await tx.find(rolePermission, inArray(rolePermission.roleId, [...roleIds]));
  return new Map(
    [...Map.groupBy(rows, (row) => row.roleId)].map(([id, list]) => [id, list.map((row) => row.permissionId)]),
  );
}

/** How many accounts have each role, counted to 10,000. */
export async function accountsOfRoles(tx: PlatformTx, roleIds: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const id of roleIds) counts.set(id, await tx.count(accountRole, eq(accountRole.roleId, id), TOTAL_COUNT_LIMIT));
  return counts;
}

/** The names of the first few accounts that have a role, and the number of accounts that have it. */
export async function holdersOf(
  tx: PlatformTx,
  roleId: string,
  atMost: number,
): Promise<{ names: string[]; total: number }> {
  const [has, accounts] = [tx.scoped(accountRole), tx.scoped(account)];
  const [first, [{ total } = { total: 0 }]] = [
    await tx
      .select({ name: accounts.name })
      .from(has)
      .innerJoin(accounts, eq(accounts.id, has.accountId))
      .where(eq(has.roleId, roleId))
      .orderBy(accounts.name)
      .limit(atMost),
    await tx.select({ total: count() }).from(has).where(eq(has.roleId, roleId)),
  ];
  return { names: first.map((row) => row.name), total };
}

export async function insertRole(
  tx: TenantTx,
  values: Omit<RoleRow, 'id' | 'tenantId' | 'builtIn' | 'version'>,
): Promise<RoleRow> {
  const [row] = await tx.insert(role, { id: newId(), ...values });
  if (!row) throw new Error('A new role was lost.');
  return row;
}

/** Changes a role and counts the edit; undefined if `version` is no longer the newest. */
export async function updateRole(
  tx: TenantTx,
  id: string,
  version: number,
  values: Partial<RoleRow>,
): Promise<RoleRow | undefined> {
  const [row] = await tx.update(
    role,
    { ...values, version: version + 1 },
    allOf(eq(role.id, id), eq(role.version, version)),
  );
  return row;
}

/** Sets exactly these entries as the grants of a role. */
export async function setPermissions(tx: TenantTx, roleId: string, permissionIds: readonly string[]): Promise<void> {
  await tx.delete(rolePermission, eq(rolePermission.roleId, roleId));
  await tx.insert(
    rolePermission,
    permissionIds.map((permissionId) => ({ roleId, permissionId })),
  );
}

export async function deleteRole(tx: TenantTx, id: string): Promise<void> {
  await tx.delete(role, eq(role.id, id));
}
