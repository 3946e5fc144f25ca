import type { contract, Input, User } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import { changeDetails, removeAccount, setAccountsEnabled, type Details } from './accounts.ts';
import { managesAdmins, mustMayGrant, mustNotBeOwn, mustReach, tenantMeant } from './policy.ts';
import type { UserDeps } from './ports.ts';
import { presentUser } from './present.ts';
import { countMembers, findInvitations, findMembers, findOwnTenant, findUser, hasOtherAdmin } from './repo.ts';
import type { AccountRow } from './tables.ts';

/** In whose name a change is made, and by which request. */
export type Author = Pick<Context<AccountCaller>, 'caller' | 'action' | 'address' | 'requestId'>;
type Body<K extends 'create' | 'update'> = Input<(typeof contract.users)[K]>['body'];

export const AUDITED = ['account', 'name', 'phone', 'email', 'department', 'locale', 'isTenantAdmin'] as const;
export const targetOf = (row: AccountRow) => ({ kind: 'account', id: row.id, name: row.name });
export const detailsOf = ({
  name,
  phoneNumber,
  email,
  department,
  locale,
  isTenantAdmin,
}: Body<'update'> | Body<'create'>) => ({ name, phone: phoneNumber, email, department, locale, isTenantAdmin });

/** @throws AppError LAST_ADMIN if no other enabled administrator is left */
export async function mustLeaveAdmin(tx: TenantTx, losing: readonly AccountRow[]): Promise<void> {
  const admins = losing.filter((row) => row.isTenantAdmin && row.enabled).map((row) => row.id);
  if (admins.length > 0 && !(await hasOtherAdmin(tx, admins))) throw new AppError('LAST_ADMIN');
}

/** @throws AppError QUOTA_USERS */
export async function mustHaveRoom(tx: TenantTx, { maxUsers }: TenantRow): Promise<void> {
  if (maxUsers !== null && (await countMembers(tx, maxUsers)) >= maxUsers)
    throw new AppError('QUOTA_USERS', { limit: maxUsers });
}

/**
 * The common parts of all changes of a tenant's users. Every change locks the tenant's row, so that quota and last
 * administrator are counted one change at a time.
 */
export function createUserChange({ db, now, sessions, rights }: UserDeps) {
  /** Runs a change in the caller's or the named tenant. @throws AppError NOT_FOUND for an unknown tenant */
  function changing<T>(
    { caller }: Pick<Author, 'caller'>,
    tenantId: string | undefined,
    work: (tx: TenantTx, tenant: TenantRow) => Promise<T>,
  ): Promise<T> {
    return db.tenant(tenantMeant(caller, tenantId), async (tx) => {
      const tenant = await findOwnTenant(tx, true);
      if (!tenant) throw new AppError('NOT_FOUND');
      return work(tx, tenant);
    });
  }

  /** The accounts. @throws AppError NOT_FOUND, FORBIDDEN if one is deleted or may not be managed by the caller */
  async function reached(
    { caller }: Pick<Author, 'caller'>,
    tx: TenantTx,
    ids: readonly string[],
  ): Promise<AccountRow[]> {
    const rows = await findMembers(tx, ids);
    if (rows.length < new Set(ids).size) throw new AppError('NOT_FOUND');
    const managing = await rights.managementCodesOf(tx, ids);
    for (const row of rows) mustReach(caller, row, managing.get(row.id) ?? []);
    return rows;
  }

  async function reachedOne(context: Pick<Author, 'caller'>, tx: TenantTx, id: string): Promise<AccountRow> {
    const [row] = await reached(context, tx, [id]);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  async function presentOne(
    { caller, locale }: Pick<Context<AccountCaller>, 'caller' | 'locale'>,
    tx: TenantTx,
    id: string,
  ): Promise<User> {
    const row = await findUser(tx, id);
    if (!row) throw new AppError('NOT_FOUND');
    const [roles, managing, open, invited] = [
      await rights.rolesOfAccounts(tx, [id]),
      await rights.managementCodesOf(tx, [id]),
      await sessions.countOpen(tx, [id]),
      await findInvitations(tx, [id]),
    ];
    return presentUser(
      row,
      {
        roles: roles.get(id) ?? [],
        managing: managing.get(id) ?? [],
        sessions: open.get(id) ?? 0,
        invitation: invited.get(id),
      },
      caller,
      locale,
      now(),
    );
  }

  return { changing, reached, reachedOne, presentOne };
}

/** Changes of single accounts that were found by `reached`, with their rows in the audit log. */
// oxlint-disable-next-line max-lines-per-function -- a flat list of short changes
export function createAccountChanges({ now, sessions, rights }: UserDeps) {
  return {
    /** @throws AppError CHANGED_MEANWHILE, and for the administrator's rights FORBIDDEN, OWN_ACCOUNT, LAST_ADMIN */
    async update(
      tx: TenantTx,
      author: Author,
      before: AccountRow,
      details: Partial<Details>,
      version = before.version,
    ): Promise<AccountRow> {
      if (details.isTenantAdmin !== undefined && before.isTenantAdmin !== details.isTenantAdmin) {
        if (!managesAdmins(author.caller)) throw new AppError('FORBIDDEN');
        mustNotBeOwn(author.caller, before.id);
        if (before.isTenantAdmin) await mustLeaveAdmin(tx, [before]);
      }
      const after = await changeDetails(tx, before, details, version);
      if (!after) throw new AppError('CHANGED_MEANWHILE');
      await recordAudit(tx, author, now(), { target: targetOf(after), ...changed(before, after, AUDITED) });
      if (before.isTenantAdmin !== after.isTenantAdmin || before.name !== after.name)
        await sessions.accessChanged(tx, [after.id]);
      return after;
    },

    /**
     * Enables or disables accounts and returns those that changed.
     *
     * @throws AppError OWN_ACCOUNT, LAST_ADMIN
     */
    async setEnabled(
      tx: TenantTx,
      author: Author,
      rows: readonly AccountRow[],
      enabled: boolean,
    ): Promise<AccountRow[]> {
      const ids = rows.map(({ id }) => id);
      if (!enabled) {
        for (const id of ids) mustNotBeOwn(author.caller, id);
        await mustLeaveAdmin(tx, rows);
      }
      const updated = await setAccountsEnabled(tx, ids, enabled, sessions);
      for (const row of updated)
        await recordAudit(tx, author, now(), {
          target: targetOf(row),
          before: { enabled: !enabled },
          after: { enabled },
        });
      return updated;
    },

    /** After an invitation. */
    invited: (tx: TenantTx, author: Author, row: AccountRow): Promise<void> =>
      recordAudit(tx, author, now(), { target: targetOf(row), after: { invited: true } }),

    /** @throws AppError OWN_ACCOUNT, LAST_ADMIN */
    async remove(tx: TenantTx, author: Author, row: AccountRow): Promise<void> {
      mustNotBeOwn(author.caller, row.id);
      await mustLeaveAdmin(tx, [row]);
      await removeAccount(tx, row, now());
      await recordAudit(tx, author, now(), {
        target: targetOf(row),
        before: { deleted: false, enabled: row.enabled },
        after: { deleted: true, enabled: false },
      });
      await sessions.endSessions(tx, [row.id], 'disabled');
    },

    /**
     * Grants an account exactly these roles; false if it has them already.
     *
     * @throws AppError ROLE_UNKNOWN, FORBIDDEN
     */
    async setRoles(tx: TenantTx, author: Author, row: AccountRow, roleIds: readonly string[]): Promise<boolean> {
      const namesOf = async (): Promise<{ id: string; name: string }[]> =>
        (await rights.rolesOfAccounts(tx, [row.id])).get(row.id) ?? [];
      const before = await namesOf();
      const isSame = roleIds.length === before.length && before.every(({ id }) => roleIds.includes(id));
      if (isSame) return false;
      mustMayGrant(author.caller);
      await rights.grantRoles(tx, row.id, 'user', roleIds);
      await recordAudit(tx, author, now(), {
        target: targetOf(row),
        before: { roles: before.map(({ name }) => name) },
        after: { roles: (await namesOf()).map(({ name }) => name) },
      });
      await sessions.accessChanged(tx, [row.id]);
      return true;
    },
  };
}

export type AccountChanges = ReturnType<typeof createAccountChanges>;

export type UserChange = ReturnType<typeof createUserChange>;
