import type { TenantTx } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import { addAccount, type Details, type NewAccount } from './accounts.ts';
import { AUDITED, mustHaveRoom, targetOf, type Author } from './change.ts';
import type { UserDeps } from './ports.ts';
import type { AccountRow } from './tables.ts';

type NewUser = Details &
  Pick<NewAccount, 'account' | 'passwordHash' | 'passwordDue'> & { roleIds: readonly string[] | 'default' };

/** Adds users to a tenant whose row the transaction has locked. */
export function createUserAddition({ now, rights }: Pick<UserDeps, 'now' | 'rights'>) {
  /**
   * The caller checks whether the author may grant the roles.
   *
   * @throws AppError QUOTA_USERS, ACCOUNT_TAKEN, ROLE_UNKNOWN
   */
  return async (
    tx: TenantTx,
    author: Author,
    tenant: TenantRow,
    { roleIds, ...values }: NewUser,
  ): Promise<AccountRow> => {
    await mustHaveRoom(tx, tenant);
    const row = await addAccount(tx, { kind: 'user', isSuperAdmin: false, ...values }, now());
    await rights.grantRoles(tx, row.id, 'user', roleIds);
    const roles = (await rights.rolesOfAccounts(tx, [row.id])).get(row.id) ?? [];
    await recordAudit(tx, author, now(), {
      target: targetOf(row),
      after: {
        ...Object.fromEntries(AUDITED.map((field) => [field, row[field]])),
        roles: roles.map((role) => role.name),
        password: '***',
      },
    });
    return row;
  };
}
