import type { AccountCaller } from '../../../../platform/http/index.ts';
import type { TenantTx } from '../../../../platform/db/index.ts';
import type { TenantRow } from '../../tenants/tables.ts';
import { reaches } from '../policy.ts';
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
  const mayGrant = caller.permissions.includes('users:grant');
  let free = tenant.maxUsers === null ? Infinity : tenant.maxUsers - (await countMembers(tx, tenant.maxUsers));

  const planOne = (user: SheetUser): Pick<NewItem, 'state' | 'columns' | 'accountId'> | { fault: FaultKind } => {
    const row = known.get(user.account.toLowerCase());
    const before = row ? (roles.get(row.id) ?? []).map(({ id }) => id) : [];
    if (!row) {
      if (user.roleIds && !mayGrant) return { fault: 'mayNotGrant' };
      free -= 1;
      return free < 0 ? { fault: 'quota' } : { state: 'toCreate', columns: [], accountId: null };
    }
    const columns = changedColumns({ row, roleIds: before }, user);
    if (columns.length === 0) return { state: 'same', columns, accountId: row.id };
    if (!reaches(caller, row, managing.get(row.id) ?? [])) return { fault: 'mayNotChange' };
    if (columns.includes('roles') && !mayGrant) return { fault: 'mayNotGrant' };
    return { state: 'toChange', columns, accountId: row.id };
  };

  return rows.map(({ row, account, name, user, faults }): NewItem => {
    const item = { row, account, name, accountId: null, values: null, columns: [], faults };
    if (!user) return { ...item, state: 'wrong' };
    const plan = planOne(user);
    if (!('fault' in plan)) return { ...item, ...plan, values: user };
    const column = plan.fault === 'mayNotGrant' ? 'roles' : 'account';
    return { ...item, state: 'wrong', faults: [{ column, fault: plan.fault, value: '' }] };
  });
}
