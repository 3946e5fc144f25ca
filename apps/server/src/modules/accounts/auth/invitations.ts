import type { contract } from '@rmeet/contract';
import type { Db, PlatformTx } from '../../../platform/db/index.ts';
import { AppError, networkOf, type Context, type Handlers } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { brandingOf, findTenant, passwordRulesOf } from '../tenants/index.ts';
import {
  checkNewPassword,
  findAccount,
  findInvitation,
  hashPassword,
  mustHaveRoomToHash,
  setPassword,
} from '../users/index.ts';
import { unknownSecret, type Guesser } from './attempts.ts';
import { asCaller, openSession, refusalOf, type Membership } from './open-session.ts';
import type { Sessions } from './sessions.ts';
import type { TransitKeys } from './transit.ts';

export interface InvitedDeps {
  db: Db;
  now: () => Date;
  sessions: Sessions;
  transit: TransitKeys;
}

/** Secrets cannot be guessed; this keeps a network from trying for long. */
const guesser = (address: string): Guesser => ({
  scope: 'invitation',
  key: [networkOf(address)],
  free: 10,
  delay: 2,
  maxDelay: 900,
});

/** Throws a returned refusal after the transaction, so that a counted guess is committed. */
function unlessRefused<T>(answer: T | AppError): T {
  if (answer instanceof AppError) throw answer;
  return answer;
}

/** Invited people set their first password and are signed in. */
export function createInvitedEntrance({
  db,
  now,
  sessions,
  transit,
}: InvitedDeps): Handlers<typeof contract.invitations> {
  /** The invited account; the error of an unknown secret is returned, so that it is counted. */
  async function invited(
    tx: PlatformTx,
    { address }: Pick<Context, 'address'>,
    secret: string,
  ): Promise<(Membership & { expiresAt: Date }) | AppError> {
    const row = await findInvitation(tx, secret, now());
    const account = row && (await findAccount(tx, row.accountId, true));
    const tenant = account && (await findTenant(tx, account.tenantId));
    if (!row?.expiresAt || !account || !tenant || account.deletedAt)
      return unknownSecret(tx, guesser(address), now(), 'INVITATION_INVALID');
    return refusalOf({ account, tenant }, 'PASSWORD') ?? { account, tenant, expiresAt: row.expiresAt };
  }

  return {
    /** @throws AppError INVITATION_INVALID, ACCOUNT_DISABLED, TENANT_DISABLED, SIGN_IN_MODE_OFF, TOO_MANY_REQUESTS */
    async read(context, { body: { secret } }) {
      const { account, tenant, expiresAt } = unlessRefused(await db.platform((tx) => invited(tx, context, secret)));
      return {
        account: account.account,
        name: account.name,
        locale: account.locale,
        branding: brandingOf(tenant),
        passwordRules: passwordRulesOf(tenant),
        expiresAt: expiresAt.toISOString(),
      };
    },

    /** Hashing stays outside the transactions. @throws AppError the same, PASSWORD_UNREADABLE, PASSWORD_TOO_WEAK */
    async accept(context, { body: { secret, password: sent, deviceId } }) {
      const password = await transit.open(sent);
      if (password === undefined) throw new AppError('PASSWORD_UNREADABLE');
      mustHaveRoomToHash();
      const found = unlessRefused(await db.platform((tx) => invited(tx, context, secret)));
      await checkNewPassword(password, found.account.account, passwordRulesOf(found.tenant));
      const hash = await hashPassword(password);
      return unlessRefused(
        await db.platform(async (tx) => {
          const member = await invited(tx, context, secret);
          if (member instanceof AppError) return member;
          const { account } = member;
          const own = tx.asTenant(account.tenantId);
          // Uses up the invitation.
          await setPassword(own, account, hash, { due: false }, now());
          await recordAudit(own, { ...context, caller: asCaller(account) }, now(), {
            target: { kind: 'account', id: account.id, name: account.name },
            after: { password: '***' },
          });
          return openSession(tx, sessions, context, member, { method: 'PASSWORD', deviceId, now: now() });
        }),
      );
    },
  };
}
