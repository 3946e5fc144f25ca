import { eq } from 'drizzle-orm';
import type { contract, Data, Input } from '@rmeet/contract';
import { isForeignKeyViolation, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { findEntriesById, grantableTo, labelOf, type AccessSessions } from '../permissions/index.ts';
import { accountPermission } from '../permissions/tables.ts';
import { tenantMeant } from '../users/index.ts';
import { account, type AccountRow } from '../users/tables.ts';
import { grantRoles, rolesOfAccounts } from './grants.ts';

type AccountContext = Context<AccountCaller>;
type Grants = Data<typeof contract.users.grants>;

/** The grants of one account, with names for the audit log. */
interface Granted extends Grants {
  roles: string[];
  permissions: string[];
}

async function grantedTo(tx: TenantTx, accountId: string): Promise<Granted> {
  const roles = (await rolesOfAccounts(tx, [accountId])).get(accountId) ?? [];
  const permissionIds = (await tx.find(accountPermission, eq(accountPermission.accountId, accountId))).map(
    (row) => row.permissionId,
  );
  const entries = await findEntriesById(tx, permissionIds);
  return {
    roleIds: roles.map((role) => role.id),
    permissionIds,
    roles: roles.map((role) => role.name),
    permissions: entries.map((entry) => labelOf(entry)).toSorted(),
  };
}

/** Roles and permissions granted to individual users. */
export function createAccountGrants({ db, sessions, now }: { db: Db; sessions: AccessSessions; now: () => Date }) {
  /** With `lock`, changes of the account's grants run one after the other. */
  async function findUser(tx: TenantTx, id: string, lock = false): Promise<AccountRow> {
    const row = await tx.findOne(account, eq(account.id, id), lock ? { lock: 'no key update' } : {});
    if (row?.kind !== 'user' || row.deletedAt) throw new AppError('NOT_FOUND');
    return row;
  }

  /** @throws AppError PERMISSION_UNKNOWN for one that does not exist or cannot be granted to users */
  async function setPermissions(tx: TenantTx, accountId: string, permissionIds: readonly string[]): Promise<void> {
    const ids = [...new Set(permissionIds)];
    const entries = await findEntriesById(tx, ids);
    if (entries.length < ids.length || entries.some((entry) => !grantableTo(entry).includes('user')))
      throw new AppError('PERMISSION_UNKNOWN');
    await tx.delete(accountPermission, eq(accountPermission.accountId, accountId));
    try {
      await tx.insert(
        accountPermission,
        ids.map((permissionId) => ({ accountId, permissionId })),
      );
    } catch (error) {
      if (isForeignKeyViolation(error)) throw new AppError('PERMISSION_UNKNOWN'); // deleted after it was read
      throw error;
    }
  }

  return {
    /** @throws AppError TENANT_REQUIRED, NOT_FOUND */
    async grants({ caller }: AccountContext, { params, query }: Input<typeof contract.users.grants>): Promise<Grants> {
      return db.tenant(tenantMeant(caller, query.tenantId), async (tx) => {
        const { roleIds, permissionIds } = await grantedTo(tx, (await findUser(tx, params.id)).id);
        return { roleIds, permissionIds };
      });
    },

    /** @throws AppError TENANT_REQUIRED, NOT_FOUND, ROLE_UNKNOWN, PERMISSION_UNKNOWN */
    async setGrants(
      context: AccountContext,
      { params, body }: Input<typeof contract.users.setGrants>,
    ): Promise<Grants> {
      return db.tenant(tenantMeant(context.caller, body.tenantId), async (tx) => {
        const { id, name } = await findUser(tx, params.id, true);
        const before = await grantedTo(tx, id);
        await grantRoles(tx, id, 'user', body.roleIds);
        await setPermissions(tx, id, body.permissionIds);
        const after = await grantedTo(tx, id);
        await recordAudit(tx, context, now(), {
          target: { kind: 'account', id, name },
          ...changed(before, after, ['roles', 'permissions']),
        });
        await sessions.accessChanged(tx, [id]);
        return { roleIds: after.roleIds, permissionIds: after.permissionIds };
      });
    },
  };
}

export type AccountGrants = ReturnType<typeof createAccountGrants>;
