import type { contract, Data, Input } from '@rmeet/contract';
import { asc, eq } from 'drizzle-orm';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findTenant } from '../tenants/index.ts';
import { findAccount } from '../users/index.ts';
import type { Attempts } from './attempts.ts';
import { addIdentity, arrivalOf, findIdentity } from './people.ts';
import { choiceOf, findProviders } from './repo.ts';
import { accountIdentity, type AccountIdentityRow } from './tables.ts';

type Calls = typeof contract.sso;
type Identities = Data<Calls['identities']>;

const ownOf = (tx: TenantTx, accountId: string): Promise<AccountIdentityRow[]> =>
  tx.find(accountIdentity, eq(accountIdentity.accountId, accountId), { orderBy: asc(accountIdentity.since) });

/** Whether an account can sign in by a password that its owner knows. */
async function hasPassword(
  tx: TenantTx,
  accountId: string,
  identities: readonly AccountIdentityRow[],
): Promise<boolean> {
  const [account, tenant] = [await findAccount(tx, accountId), await findTenant(tx, tx.tenantId)];
  if (!account || !tenant) throw new AppError('UNAUTHORIZED');
  const isKnown = account.passwordChangedAt !== null || !identities.some(({ madeAccount }) => madeAccount);
  return isKnown && (account.isTenantAdmin || tenant.signInModes.includes('PASSWORD'));
}

/** The identities of the caller's own account. */
// oxlint-disable-next-line max-lines-per-function -- one short method for each call
export function createIdentities({ db, now }: { db: Db; now: () => Date }, attempts: Attempts) {
  async function present(tx: TenantTx, accountId: string): Promise<Identities> {
    const [rows, providers] = [await ownOf(tx, accountId), await findProviders(tx)];
    const byId = new Map(providers.map((row) => [row.id, row]));
    return {
      linked: rows.flatMap(({ id, providerId, label, since, lastUsedAt }) => {
        const provider = byId.get(providerId);
        const used = lastUsedAt?.toISOString() ?? null;
        return provider
          ? [{ id, provider: choiceOf(provider), label, since: since.toISOString(), lastUsedAt: used }]
          : [];
      }),
      offered: providers
        .filter(({ id, enabled }) => enabled && !rows.some(({ providerId }) => providerId === id))
        .map((row) => choiceOf(row)),
      hasOtherWay: await hasPassword(tx, accountId, rows),
    };
  }

  return {
    list: ({ caller }: Context<UserCaller>): Promise<Identities> =>
      db.tenant(caller.tenantId, (tx) => present(tx, caller.userId)),

    /** Throws the errors of the contract's link. */
    async link(context: Context<UserCaller>, { body }: Input<Calls['link']>): Promise<Identities> {
      const { tenantId, userId, name } = context.caller;
      const { provider, person } = await attempts.finish(context, body, userId);
      // An account may only be linked within its tenant.
      if (provider.tenantId !== tenantId) throw new AppError('SSO_UNKNOWN');
      const arrival = arrivalOf(provider, person);
      return db.tenant(tenantId, async (tx) => {
        const identity = await findIdentity(tx, provider, person);
        if (identity && identity.accountId !== userId)
          throw new AppError('SSO_LINKED_ELSEWHERE', { name: provider.name });
        if (!identity) await addIdentity(tx, arrival, userId, { madeAccount: false, now: now() });
        await recordAudit(tx, context, now(), {
          target: { kind: 'account', id: userId, name },
          before: { identity: null },
          after: { identity: `${provider.name}: ${arrival.label}` },
        });
        return present(tx, userId);
      });
    },

    /** @throws AppError NOT_FOUND, SSO_ONLY_WAY */
    unlink: (context: Context<UserCaller>, { params: { id } }: Input<Calls['unlink']>): Promise<Identities> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const { userId, name } = context.caller;
        // Two at once must not remove both of the last two.
        await findAccount(tx, userId, true);
        const [rows, providers] = [await ownOf(tx, userId), await findProviders(tx)];
        const row = rows.find((one) => one.id === id);
        if (!row) throw new AppError('NOT_FOUND');
        const usable = new Set(providers.filter(({ enabled }) => enabled).map((one) => one.id));
        const isLast = !rows.some((one) => one.id !== id && usable.has(one.providerId));
        if (isLast && !(await hasPassword(tx, userId, rows))) throw new AppError('SSO_ONLY_WAY');
        await tx.delete(accountIdentity, eq(accountIdentity.id, id));
        // What is remembered of an account without a password stays with another of its identities.
        const heir = rows.find((one) => one.id !== id);
        if (row.madeAccount && heir)
          await tx.update(accountIdentity, { madeAccount: true }, eq(accountIdentity.id, heir.id));
        const provider = providers.find((one) => one.id === row.providerId);
        await recordAudit(tx, context, now(), {
          target: { kind: 'account', id: userId, name },
          before: { identity: `${provider?.name ?? ''}: ${row.label}` },
          after: { identity: null },
        });
        return present(tx, userId);
      }),
  };
}
