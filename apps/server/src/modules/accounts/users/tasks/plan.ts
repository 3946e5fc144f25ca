import type { AccountCaller } from '../../../../platform/http/index.ts';
import type { TenantTx } from '../../../../platform/db/index.ts';
import type { TenantRow } from '../../tenants/tables.ts';
import { managesAdmins, reaches } from '../policy.ts';
import type { AccountRights } from '../ports.ts';
import { countMembers } from '../repo.ts';
import type { AccountRow, SheetUser } from '../tables.ts';
import type { Column } from '../words.ts';
import { findByNames, type NewItem } from './repo.ts';
import type { FaultKind, ReadUser } from './sheet.ts';

/** The fields of an account that a row of a sheet sets, by column; roles are compared separately. */
const FIELDS = ['name', 'phone', 'email', 'department', 'locale'] as const;

/** An account with the ids of its roles. */
export interface Known {
  row: AccountRow;
  roleIds: readonly string[];
}

/** The columns in which a row of a sheet differs from an account. */
export function changedColumns({ row, roleIds }: Known, user: SheetUser): Column[] {
  const columns: Column[] = FIELDS.filter((field) => user[field] !== undefined && user[field] !== row[field]);
  const wanted = user.roleIds;
  if (wanted && (wanted.length !== roleIds.length || wanted.some((id) => !roleIds.includes(id)))) columns.push('roles');
  return columns;
}

/** What a caller may not do with the roles of a row; undefined if nothing. */
type RoleCheck = (before: readonly string[], after: readonly string[] | undefined) => FaultKind | undefined;

async function roleCheck(
  tx: TenantTx,
  caller: AccountCaller,
  rights: AccountRights,
  rows: readonly ReadUser[],
): Promise<RoleCheck> {
  const codes = await rights.managementCodesOfRoles(tx, [
    ...new Set(rows.flatMap(({ user }) => user?.roleIds ?? [])),
  ]);
  const isAbove = (id: string): boolean =>
    !managesAdmins(caller) && (codes.get(id) ?? []).some((code) => !caller.permissions.includes(code));
  return (before, after) => {
    if (!after || (after.length === before.length && after.every((id) => before.includes(id)))) return undefined;
    if (!caller.permissions.includes('users:grant')) return 'mayNotGrant';
    return after.some((id) => !before.includes(id) && isAbove(id)) ? 'roleAboveOwn' : undefined;
  };
}

/** What importing the rows of a sheet would do, row by row. */
export async function planImport(
  tx: TenantTx,
  { caller, tenant, rights }: { caller: AccountCaller; tenant: TenantRow; rights: AccountRights },
  rows: readonly ReadUser[],
): Promise<NewItem[]> {
  const known = await findByNames(
    tx,
    rows.flatMap(({ user }) => user?.account ?? []),
  );
  const ids = [...known.values()].map(({ id }) => id);
  const [roles, managing] = [await rights.rolesOfAccounts(tx, ids), await rights.managementCodesOf(tx, ids)];
  const checkRoles = await roleCheck(tx, caller, rights, rows);
  let free = tenant.maxUsers === null ? Infinity : tenant.maxUsers - (await countMembers(tx, tenant.maxUsers));

  const planOne = (user: SheetUser): Pick<NewItem, 'state' | 'columns' | 'accountId'> | { fault: FaultKind } => {
    const row = known.get(user.account.toLowerCase());
    const before = row ? (roles.get(row.id) ?? []).map(({ id }) => id) : [];
    const fault = checkRoles(before, user.roleIds);
    if (!row) {
      if (fault) return { fault };
      free -= 1;
      return free < 0 ? { fault: 'quota' } : { state: 'toCreate', columns: [], accountId: null };
    }
    const columns = changedColumns({ row, roleIds: before }, user);
    if (columns.length === 0) return { state: 'same', columns, accountId: row.id };
    if (!reaches(caller, row, managing.get(row.id) ?? [])) return { fault: 'mayNotChange' };
    return fault ? { fault } : { state: 'toChange', columns, accountId: row.id };
  };

  return rows.map(({ row, account, name, user, faults }): NewItem => {
    const item = { row, account, name, accountId: null, values: null, columns: [], faults };
    if (!user) return { ...item, state: 'wrong' };
    const plan = planOne(user);
    if (!('fault' in plan)) return { ...item, ...plan, values: user };
    const isOfRoles = plan.fault === 'mayNotGrant' || plan.fault === 'roleAboveOwn';
    return {
      ...item,
      state: 'wrong',
      faults: [{ column: isOfRoles ? 'roles' : 'account', fault: plan.fault, value: '' }],
    };
  });
}
