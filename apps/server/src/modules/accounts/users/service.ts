import type { contract, Data, Input, User } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { changed, recordAudit } from '../../audit/index.ts';
import { passwordRulesOf } from '../tenants/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import {
  addAccount,
  changeDetails,
  removeAccount,
  restoreAccount,
  setAccountsEnabled,
  setPassword,
} from './accounts.ts';
import { checkNewPassword, makePassword } from './password-rules.ts';
import { hashPassword } from './passwords.ts';
import { managesAdmins, mustMayGrant, mustNotBeOwn, mustReach, restorableUntil, tenantMeant } from './policy.ts';
import type { UserDeps } from './ports.ts';
import { presentUser } from './present.ts';
import { countMembers, findMembers, findOwnTenant, findUser, hasOtherAdmin } from './repo.ts';
import type { AccountRow } from './tables.ts';

type AccountContext = Context<AccountCaller>;
type Body<K extends 'create' | 'update' | 'restore' | 'resetPassword' | 'status' | 'endSessions'> = Input<
  (typeof contract.users)[K]
>['body'];

const AUDITED = ['account', 'name', 'phone', 'email', 'department', 'locale', 'isTenantAdmin'] as const;
const targetOf = (row: AccountRow) => ({ kind: 'account', id: row.id, name: row.name });
const detailsOf = ({
  name,
  phoneNumber,
  email,
  department,
  locale,
  isTenantAdmin,
}: Body<'update'> | Body<'create'>) => ({ name, phone: phoneNumber, email, department, locale, isTenantAdmin });

/** @throws AppError LAST_ADMIN if no other enabled administrator is left */
async function mustLeaveAdmin(tx: TenantTx, losing: readonly AccountRow[]): Promise<void> {
  const admins = losing.filter((row) => row.isTenantAdmin && row.enabled).map((row) => row.id);
  if (admins.length > 0 && !(await hasOtherAdmin(tx, admins))) throw new AppError('LAST_ADMIN');
}

/** @throws AppError QUOTA_USERS */
async function mustHaveRoom(tx: TenantTx, { maxUsers }: TenantRow): Promise<void> {
  if (maxUsers !== null && (await countMembers(tx, maxUsers)) >= maxUsers)
    throw new AppError('QUOTA_USERS', { limit: maxUsers });
}

/** The password of a new account: the checked one from the request, or a generated one, which is in the response. */
async function firstPassword(
  openPassword: UserDeps['openPassword'],
  tenant: TenantRow,
  account: string,
  sent: string | undefined,
): Promise<{ plain: string; made: string | null }> {
  const rules = passwordRulesOf(tenant);
  if (sent === undefined) {
    const made = makePassword(rules);
    return { plain: made, made };
  }
  const plain = await openPassword(sent);
  if (plain === undefined) throw new AppError('PASSWORD_UNREADABLE');
  await checkNewPassword(plain, account, rules);
  return { plain, made: null };
}

/**
 * The common parts of all changes of a tenant's users. Every change locks the tenant's row, so that quota and last
 * administrator are counted one change at a time.
 */
function createUserChange({ db, now, sessions, rights }: UserDeps) {
  /** Runs a change in the caller's or the named tenant. @throws AppError NOT_FOUND for an unknown tenant */
  function changing<T>(
    { caller }: AccountContext,
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
  async function reached({ caller }: AccountContext, tx: TenantTx, ids: readonly string[]): Promise<AccountRow[]> {
    const rows = await findMembers(tx, ids);
    if (rows.length < new Set(ids).size) throw new AppError('NOT_FOUND');
    const managing = await rights.managementCodesOf(tx, ids);
    for (const row of rows) mustReach(caller, row, managing.get(row.id) ?? []);
    return rows;
  }

  async function reachedOne(context: AccountContext, tx: TenantTx, id: string): Promise<AccountRow> {
    const [row] = await reached(context, tx, [id]);
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  async function presentOne({ caller, locale }: AccountContext, tx: TenantTx, id: string): Promise<User> {
    const row = await findUser(tx, id);
    if (!row) throw new AppError('NOT_FOUND');
    const [roles, managing, open] = [
      await rights.rolesOfAccounts(tx, [id]),
      await rights.managementCodesOf(tx, [id]),
      await sessions.countOpen(tx, [id]),
    ];
    return presentUser(
      row,
      { roles: roles.get(id) ?? [], managing: managing.get(id) ?? [], sessions: open.get(id) ?? 0 },
      caller,
      locale,
      now(),
    );
  }

  return { changing, reached, reachedOne, presentOne };
}

type UserChange = ReturnType<typeof createUserChange>;

/** Creates accounts. */
function createUserCreation({ db, now, rights, openPassword }: UserDeps, { changing, presentOne }: UserChange) {
  return {
    /**
     * Creates an account. Its password must be changed at the first sign-in, because another person knows it.
     */
    async create(context: AccountContext, body: Body<'create'>): Promise<Data<typeof contract.users.create>> {
      if (body.isTenantAdmin && !managesAdmins(context.caller)) throw new AppError('FORBIDDEN');
      if (body.roleIds) mustMayGrant(context.caller);
      const found = await db.tenant(tenantMeant(context.caller, body.tenantId), (tx) => findOwnTenant(tx));
      if (!found) throw new AppError('NOT_FOUND');
      const { plain, made } = await firstPassword(openPassword, found, body.account, body.password);
      const passwordHash = await hashPassword(plain);
      return changing(context, body.tenantId, async (tx, tenant) => {
        await mustHaveRoom(tx, tenant);
        const row = await addAccount(
          tx,
          {
            kind: 'user',
            account: body.account,
            ...detailsOf(body),
            isSuperAdmin: false,
            passwordHash,
            passwordDue: true,
          },
          now(),
        );
        await rights.grantRoles(tx, row.id, 'user', body.roleIds ?? 'default');
        const roles = (await rights.rolesOfAccounts(tx, [row.id])).get(row.id) ?? [];
        const after = {
          ...Object.fromEntries(AUDITED.map((field) => [field, row[field]])),
          roles: roles.map((role) => role.name),
          password: '***',
        };
        await recordAudit(tx, context, now(), { target: targetOf(row), after });
        return { user: await presentOne(context, tx, row.id), password: made };
      });
    },
  };
}

/** Edits, deletes and restores accounts. */
function createUserEditing({ now, sessions, rights }: UserDeps, { changing, reachedOne, presentOne }: UserChange) {
  return {
    update: (context: AccountContext, body: Body<'update'>): Promise<User> =>
      changing(context, body.tenantId, async (tx) => {
        const before = await reachedOne(context, tx, body.id);
        if (before.isTenantAdmin !== body.isTenantAdmin) {
          if (!managesAdmins(context.caller)) throw new AppError('FORBIDDEN');
          mustNotBeOwn(context.caller, before.id);
          if (before.isTenantAdmin) await mustLeaveAdmin(tx, [before]);
        }
        const after = await changeDetails(tx, before, detailsOf(body), body.version);
        if (!after) throw new AppError('CHANGED_MEANWHILE');
        await recordAudit(tx, context, now(), { target: targetOf(after), ...changed(before, after, AUDITED) });
        if (before.isTenantAdmin !== after.isTenantAdmin || before.name !== after.name)
          await sessions.accessChanged(tx, [after.id]);
        return presentOne(context, tx, after.id);
      }),

    remove: (context: AccountContext, { id, tenantId }: Input<typeof contract.users.remove>['query']): Promise<null> =>
      changing(context, tenantId, async (tx) => {
        const row = await reachedOne(context, tx, id);
        mustNotBeOwn(context.caller, id);
        await mustLeaveAdmin(tx, [row]);
        await removeAccount(tx, row, now());
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { deleted: false, enabled: row.enabled },
          after: { deleted: true, enabled: false },
        });
        await sessions.endSessions(tx, [id], 'disabled');
        return null;
      }),

    /** Restores a deleted account, enabled. */
    restore: (context: AccountContext, { id, tenantId }: Body<'restore'>): Promise<User> =>
      changing(context, tenantId, async (tx, tenant) => {
        const row = await findUser(tx, id);
        const until = row && restorableUntil(row);
        if (!row || !until || until <= now()) throw new AppError('NOT_FOUND');
        mustReach(context.caller, row, (await rights.managementCodesOf(tx, [id])).get(id) ?? []);
        await mustHaveRoom(tx, tenant);
        await restoreAccount(tx, row);
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { deleted: true, enabled: false },
          after: { deleted: false, enabled: true },
        });
        return presentOne(context, tx, id);
      }),
  };
}

/** Removes the second factors of others. */
function createFactorReset({ now, sessions, tell }: UserDeps, { changing, reachedOne }: UserChange) {
  return {
    /** Removes the second factor of a user, who gets a message, and ends its sessions. */
    resetFactors: (
      context: AccountContext,
      { id, tenantId }: Input<typeof contract.multiauth.reset>['body'],
    ): Promise<null> =>
      changing(context, tenantId, async (tx, tenant) => {
        const row = await reachedOne(context, tx, id);
        mustNotBeOwn(context.caller, id);
        await sessions.removeFactors(tx, id);
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { secondFactor: '***' },
          after: { secondFactor: null },
        });
        const { address, userAgent } = context;
        await tell(tx, 'factorReset', { account: row, tenant, address, userAgent, now: now() });
        await sessions.endSessions(tx, [id], 'ended');
        return null;
      }),
  };
}

/** Enables and disables accounts, resets their passwords and ends their sessions. */
function createUserLocks({ db, now, sessions }: UserDeps, { changing, reached, reachedOne }: UserChange) {
  return {
    setEnabled: (context: AccountContext, body: Body<'status'>): Promise<{ changed: number }> =>
      changing(context, body.tenantId, async (tx) => {
        const ids = 'ids' in body ? body.ids : [body.id];
        const rows = await reached(context, tx, ids);
        if (!body.enabled) {
          for (const id of ids) mustNotBeOwn(context.caller, id);
          await mustLeaveAdmin(tx, rows);
        }
        const updated = await setAccountsEnabled(tx, ids, body.enabled, sessions);
        for (const row of updated)
          await recordAudit(tx, context, now(), {
            target: targetOf(row),
            before: { enabled: !body.enabled },
            after: { enabled: body.enabled },
          });
        return { changed: updated.length };
      }),

    async resetPassword(
      context: AccountContext,
      { id, tenantId }: Body<'resetPassword'>,
    ): Promise<{ password: string }> {
      const found = await db.tenant(tenantMeant(context.caller, tenantId), (tx) => findOwnTenant(tx));
      if (!found) throw new AppError('NOT_FOUND');
      const password = makePassword(passwordRulesOf(found));
      const passwordHash = await hashPassword(password);
      return changing(context, tenantId, async (tx) => {
        const row = await reachedOne(context, tx, id);
        mustNotBeOwn(context.caller, id);
        await setPassword(tx, row, passwordHash, { due: true }, now());
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { password: '***' },
          after: { password: '***' },
        });
        await sessions.endSessions(tx, [id], 'password');
        return { password };
      });
    },

    endSessions: (context: AccountContext, { ids, tenantId }: Body<'endSessions'>): Promise<{ ended: number }> =>
      changing(context, tenantId, async (tx) => {
        const rows = await reached(context, tx, ids);
        const open = await sessions.countOpen(tx, ids);
        for (const row of rows) {
          await recordAudit(tx, context, now(), {
            target: targetOf(row),
            before: { sessions: open.get(row.id) ?? 0 },
            after: { sessions: 0 },
          });
        }
        return { ended: await sessions.endSessions(tx, ids, 'ended') };
      }),
  };
}

/** Management of a tenant's users. */
export function createUserService(deps: UserDeps) {
  const change = createUserChange(deps);
  return {
    ...createUserCreation(deps, change),
    ...createUserEditing(deps, change),
    ...createFactorReset(deps, change),
    ...createUserLocks(deps, change),
  };
}

export type UserService = ReturnType<typeof createUserService>;
