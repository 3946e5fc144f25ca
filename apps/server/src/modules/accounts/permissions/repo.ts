import { and, asc, desc, eq, gt, ilike, inArray, isNull, or } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { containing, type PlatformTx, type TenantTx } from '../../../platform/db/index.ts';
import { session } from '../auth/tables.ts';
import { role, rolePermission } from '../roles/tables.ts';
import type { Reads } from './subject.ts';
import { accountPermission, permission, type PermissionRow } from './tables.ts';

export const findEntries = (tx: Reads): Promise<PermissionRow[]> => tx.find(permission);

/** All entries, locked in one order, so that concurrent changes of the tree run one after the other. */
export function lockEntries(tx: TenantTx): Promise<PermissionRow[]> {
  return tx.find(permission, undefined, { orderBy: permission.id, lock: 'update' });
}

/** One page of the entries, and their number, counted to one past the limit. */
export async function listEntries(
  tx: TenantTx,
  query: Input<typeof contract.permissions.list>['query'],
): Promise<{ rows: PermissionRow[]; total: number }> {
  const { keyword, type, isAdmin, sort, order, current, size } = query;
  const pattern = keyword && containing(keyword);
  const where = and(
    pattern
      ? or(
          ilike(permission.name, pattern),
          ilike(permission.nameEn, pattern),
          ilike(permission.code, pattern),
          ilike(permission.url, pattern),
        )
      : undefined,
    type === undefined ? undefined : eq(permission.type, type),
    isAdmin === undefined ? undefined : eq(permission.isAdmin, isAdmin === 1),
  );
  const direction = order === 'ASC' ? asc : desc;
  const rows = await tx.find(permission, where, {
    orderBy: [direction(permission[sort]), asc(permission.id)],
    limit: size,
    offset: (current - 1) * size,
  });
  return { rows, total: await tx.count(permission, where, TOTAL_COUNT_LIMIT + 1) };
}

/** The holders of an entry: the roles that grant it, and how many accounts it is granted to directly. */
export async function holdersOf(
  tx: PlatformTx,
  id: string,
): Promise<{ roles: { name: string; nameEn: string }[]; accounts: number }> {
  const [grants, roles] = [tx.scoped(rolePermission), tx.scoped(role)];
  return {
    roles: await tx
      .select({ name: roles.name, nameEn: roles.nameEn })
      .from(grants)
      .innerJoin(roles, eq(roles.id, grants.roleId))
      .where(eq(grants.permissionId, id))
      .orderBy(roles.name),
    accounts: await tx.count(accountPermission, eq(accountPermission.permissionId, id), TOTAL_COUNT_LIMIT),
  };
}

/**
 * Tenants with open sessions, in a fixed order; in the others grants are read at the next sign-in.
 */
export async function tenantsSignedInTo(tx: PlatformTx, now: Date): Promise<string[]> {
  const open = tx.scoped(session);
  const rows = await tx
    .select({ tenantId: open.tenantId })
    .from(open)
    .where(and(isNull(open.endedAt), gt(open.expiresAt, now)))
    .groupBy(open.tenantId)
    .orderBy(open.tenantId);
  return rows.map((row) => row.tenantId);
}

/** The existing entries with these ids. */
export function findEntriesById(tx: Reads, ids: readonly string[]): Promise<PermissionRow[]> {
  return ids.length === 0 ? Promise.resolve([]) : tx.find(permission, inArray(permission.id, [...ids]));
}
