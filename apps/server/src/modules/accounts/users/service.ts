import type { contract, Data, Input, User } from '@rmeet/contract';
import { isUniqueViolation } from '../../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { passwordRulesOf } from '../tenants/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import { restoreAccount, setPassword } from './accounts.ts';
import {
  createAccountChanges,
  createUserChange,
  detailsOf,
  mustHaveRoom,
  targetOf,
  type AccountChanges,
  type UserChange,
} from './change.ts';
import { createUserAddition } from './creation.ts';
import type { Invitations } from './invitations.ts';
import { checkNewPassword, makePassword } from './password-rules.ts';
import { hashPassword, unusableHash } from './passwords.ts';
import { managesAdmins, mustMayGrant, mustNotBeOwn, mustReach, restorableUntil, tenantMeant } from './policy.ts';
import type { UserDeps } from './ports.ts';
import { purgeAccount } from './purge.ts';
import { findOwnTenant, findUser } from './repo.ts';
import type { AccountRow } from './tables.ts';

type AccountContext = Context<AccountCaller>;
type Body<
  K extends
    | 'create'
    | 'update'
    | 'restore'
    | 'purge'
    | 'invite'
    | 'revokeInvitation'
    | 'resetPassword'
    | 'status'
    | 'endSessions',
> = Input<(typeof contract.users)[K]>['body'];

interface ServiceDeps extends UserDeps {
  invitations: Pick<Invitations, 'mustBeReady' | 'invite' | 'revoke' | 'lacks'>;
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

/** Creates accounts. */
function createUserCreation(deps: ServiceDeps, { changing, presentOne }: UserChange) {
  const { db, openPassword, invitations } = deps;
  const add = createUserAddition(deps);
  return {
    /**
     * Creates an account. Its password must be changed at the first sign-in, because another person knows it; with
     * `invite` it has none.
     */
    async create(context: AccountContext, body: Body<'create'>): Promise<Data<typeof contract.users.create>> {
      if (body.isTenantAdmin && !managesAdmins(context.caller)) throw new AppError('FORBIDDEN');
      if (body.roleIds) mustMayGrant(context.caller);
      const found = await db.tenant(tenantMeant(context.caller, body.tenantId), (tx) => findOwnTenant(tx));
      if (!found) throw new AppError('NOT_FOUND');
      if (body.invite) invitations.mustBeReady();
      const first = body.invite ? null : await firstPassword(openPassword, found, body.account, body.password);
      const passwordHash = first ? await hashPassword(first.plain) : unusableHash();
      return changing(context, body.tenantId, async (tx, tenant) => {
        const row = await add(tx, context, tenant, {
          account: body.account,
          ...detailsOf(body),
          passwordHash,
          passwordDue: first !== null,
          roleIds: body.roleIds ?? 'default',
        });
        if (body.invite) await invitations.invite(tx, row);
        return { user: await presentOne(context, tx, row.id), password: first?.made ?? null };
      });
    },
  };
}

/** Edits and deletes accounts. */
function createUserEditing({ changing, reachedOne, presentOne }: UserChange, changes: AccountChanges) {
  return {
    update: (context: AccountContext, body: Body<'update'>): Promise<User> =>
      changing(context, body.tenantId, async (tx) => {
        const before = await reachedOne(context, tx, body.id);
        await changes.update(tx, context, before, detailsOf(body), body.version);
        return presentOne(context, tx, before.id);
      }),

    remove: (context: AccountContext, { id, tenantId }: Input<typeof contract.users.remove>['query']): Promise<null> =>
      changing(context, tenantId, async (tx) => {
        await changes.remove(tx, context, await reachedOne(context, tx, id));
        return null;
      }),
  };
}

/** Brings deleted accounts back, or erases them. */
function createUserRestoring({ now, rights, sessions }: UserDeps, { changing, presentOne }: UserChange) {
  /** A deleted account that can be restored. @throws AppError NOT_FOUND, FORBIDDEN */
  async function restorable(
    { caller }: AccountContext,
    tx: Parameters<typeof findUser>[0],
    id: string,
  ): Promise<AccountRow> {
    const row = await findUser(tx, id);
    const until = row && restorableUntil(row);
    if (!row || !until || until <= now() || row.passwordHash === '') throw new AppError('NOT_FOUND');
    mustReach(caller, row, (await rights.managementCodesOf(tx, [id])).get(id) ?? []);
    return row;
  }

  return {
    /** Restores a deleted account, enabled. */
    async restore(context: AccountContext, { id, tenantId, account }: Body<'restore'>): Promise<User> {
      const wanted = { name: account ?? '' };
      try {
        return await changing(context, tenantId, async (tx, tenant) => {
          const row = await restorable(context, tx, id);
          wanted.name = account ?? row.account;
          await mustHaveRoom(tx, tenant);
          await restoreAccount(tx, row, wanted.name);
          await recordAudit(tx, context, now(), {
            target: targetOf(row),
            before: { deleted: true, enabled: false, ...(account === undefined ? {} : { account: row.account }) },
            after: { deleted: false, enabled: true, ...(account === undefined ? {} : { account }) },
          });
          return presentOne(context, tx, id);
        });
      } catch (error) {
        if (isUniqueViolation(error, 'account_tenant_account_key'))
          throw new AppError('ACCOUNT_TAKEN', { account: wanted.name });
        throw error;
      }
    },

    /** Removes the personal data of a deleted account. */
    purge: (context: AccountContext, { id, tenantId }: Body<'purge'>): Promise<null> =>
      changing(context, tenantId, async (tx) => {
        const row = await restorable(context, tx, id);
        await purgeAccount(tx, sessions, row.id);
        // Without the name, which is personal data.
        await recordAudit(tx, context, now(), { target: { kind: 'account', id, name: '' } });
        return null;
      }),
  };
}

/** Invites people to set their first password. */
function createUserInviting(
  { now, invitations }: ServiceDeps,
  { changing, reachedOne, presentOne }: UserChange,
  changes: AccountChanges,
) {
  return {
    invitationMail: () => ({ lacks: invitations.lacks() }),

    invite: (context: AccountContext, { id, tenantId }: Body<'invite'>): Promise<User> =>
      changing(context, tenantId, async (tx) => {
        const row = await reachedOne(context, tx, id);
        invitations.mustBeReady();
        mustNotBeOwn(context.caller, id);
        await invitations.invite(tx, row);
        await changes.invited(tx, context, row);
        return presentOne(context, tx, id);
      }),

    revokeInvitation: (context: AccountContext, { id, tenantId }: Body<'revokeInvitation'>): Promise<User> =>
      changing(context, tenantId, async (tx) => {
        const row = await reachedOne(context, tx, id);
        if (!(await invitations.revoke(tx, id))) throw new AppError('NOT_FOUND');
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          before: { invited: true },
          after: { invited: false },
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
function createUserLocks(
  { db, now, sessions }: UserDeps,
  { changing, reached, reachedOne }: UserChange,
  changes: AccountChanges,
) {
  return {
    setEnabled: (context: AccountContext, body: Body<'status'>): Promise<{ changed: number }> =>
      changing(context, body.tenantId, async (tx) => {
        const rows = await reached(context, tx, 'ids' in body ? body.ids : [body.id]);
        return { changed: (await changes.setEnabled(tx, context, rows, body.enabled)).length };
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
        if (row.managedBy === 'directory') throw new AppError('PASSWORD_IN_DIRECTORY');
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
export function createUserService(deps: ServiceDeps) {
  const change = createUserChange(deps);
  const changes = createAccountChanges(deps);
  return {
    ...createUserCreation(deps, change),
    ...createUserEditing(change, changes),
    ...createUserRestoring(deps, change),
    ...createUserInviting(deps, change, changes),
    ...createFactorReset(deps, change),
    ...createUserLocks(deps, change, changes),
  };
}

export type UserService = ReturnType<typeof createUserService>;
