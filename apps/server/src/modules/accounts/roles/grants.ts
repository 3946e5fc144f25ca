import { ENTRY_TYPES, PERMISSION_CODES, permissionDefinition } from '@rmeet/contract';
import { and, eq, inArray } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import { isForeignKeyViolation, type TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import type { AccountKind } from '../permissions/index.ts';
import { accountPermission, permission } from '../permissions/tables.ts';
import type { RoleName } from '../users/index.ts';
import { accountRole, role, rolePermission, type RoleRow } from './tables.ts';

const MANAGEMENT_CODES = PERMISSION_CODES.filter((code) => permissionDefinition(code).kind === 'admin');

/**
 * The roles with these ids, all of the given kind.
 *
 * @throws AppError ROLE_UNKNOWN
 */
async function rolesNamed(tx: TenantTx, kind: AccountKind, roleIds: readonly string[]): Promise<RoleRow[]> {
  const ids = [...new Set(roleIds)];
  const rows = ids.length === 0 ? [] : await tx.find(role, allOf(inArray(role.id, ids), eq(role.kind, kind)));
  if (rows.length < ids.length) throw new AppError('ROLE_UNKNOWN');
  return rows;
}

/**
 * Gives an account exactly these roles, or those for every new account of its kind.
 *
 * @throws AppError ROLE_UNKNOWN for a role that does not exist or is for the other kind
 */
export async function grantRoles(
  tx: TenantTx,
  accountId: string,
  kind: AccountKind,
  roleIds: readonly string[] | 'default',
): Promise<void> {
  const roles =
    roleIds === 'default'
      ? await tx.find(role, allOf(eq(role.kind, kind), eq(role.isDefault, true)))
      : await rolesNamed(tx, kind, roleIds);
  await tx.delete(accountRole, eq(accountRole.accountId, accountId));
  try {
    await tx.insert(
      accountRole,
      roles.map(({ id }) => ({ accountId, roleId: id })),
    );
  } catch (error) {
    // Deleted after it was read.
    if (isForeignKeyViolation(error, 'account_role_role_id_role_id_fk')) throw new AppError('ROLE_UNKNOWN');
    throw error;
  }
}

/** The roles of accounts by account, sorted by name; accounts without any are missing. */
export async function rolesOfAccounts(
  tx: Pick<TenantTx, 'select' | 'scoped'>,
  accountIds: readonly string[],
): Promise<Map<string, RoleName[]>> {
  if (accountIds.length === 0) return new Map();
  const [has, roles] = [tx.scoped(accountRole), tx.scoped(role)];
  const rows = await tx
    .select({ accountId: has.accountId, id: roles.id, name: roles.name, nameEn: roles.nameEn })
    .from(has)
    .innerJoin(roles, eq(roles.id, has.roleId))
    .where(inArray(has.accountId, [...accountIds]))
    .orderBy(roles.name);
  return new Map(
    [...Map.groupBy(rows, (row) => row.accountId)].map(([id, list]) => [
      id,
      list.map(({ name, nameEn, id: roleId }) => ({ id: roleId, name, nameEn })),
    ]),
  );
}

/** The roles for users. */
export async function userRoles(tx: TenantTx): Promise<RoleName[]> {
  const rows = await tx.find(role, eq(role.kind, 'user'));
  return rows.map(({ id, name, nameEn }) => ({ id, name, nameEn }));
}

/** The management codes granted to accounts, by a role or directly; accounts without any are missing. */
export async function managementCodesOf(
  tx: Pick<TenantTx, 'select' | 'scoped'>,
  accountIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (accountIds.length === 0) return new Map();
  const [has, grants, direct, entries] = [
    tx.scoped(accountRole),
    tx.scoped(rolePermission),
    tx.scoped(accountPermission),
    tx.scoped(permission),
  ];
  const isForManaging = and(eq(entries.type, ENTRY_TYPES.permission), inArray(entries.code, MANAGEMENT_CODES));
  const rows = [
    ...(await tx
      .select({ accountId: has.accountId, code: entries.code })
      .from(has)
      .innerJoin(grants, eq(grants.roleId, has.roleId))
      .innerJoin(entries, eq(entries.id, grants.permissionId))
      .where(and(inArray(has.accountId, [...accountIds]), isForManaging))),
    ...(await tx
      .select({ accountId: direct.accountId, code: entries.code })
      .from(direct)
      .innerJoin(entries, eq(entries.id, direct.permissionId))
      .where(and(inArray(direct.accountId, [...accountIds]), isForManaging))),
  ];
  return new Map(
    [...Map.groupBy(rows, (row) => row.accountId)].map(([id, list]) => [id, list.flatMap(({ code }) => code ?? [])]),
  );
}
