import { SSO_LIFETIME, type contract, type Data, type Input, type SsoChoice } from '@rmeet/contract';
import { eq, lt } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, PlatformTx } from '../../../platform/db/index.ts';
import { AppError, type AnyoneCaller, type Context, type UserCaller } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { hashToken, newToken, type SecretBox } from '../../../platform/secrets/index.ts';
import { openSession, unlessRefused, type Sessions } from '../auth/index.ts';
import { session } from '../auth/tables.ts';
import { findTenant } from '../tenants/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import { hashPassword, mustHaveRoomToHash } from '../users/index.ts';
import { whyUnreachable } from './http.ts';
import type { Kept, Person, ProviderKind, SentBack } from './kinds.ts';
import { admit, arrivalOf, type PeopleDeps } from './people.ts';
import { choiceOf, findEnabled, findProviders, peerOf } from './repo.ts';
import { ssoAttempt, ssoSession, ssoUsed, type IdentityProviderRow } from './tables.ts';

type Calls = typeof contract.sso;
type Started = Data<Calls['start']>;

export interface SsoDeps {
  db: Db;
  log: Log;
  now: () => Date;
  secrets: SecretBox;
  sessions: Sessions;
  kindOf: (row: Pick<IdentityProviderRow, 'kind'>) => ProviderKind;
}

/** Where identity providers send the browser back to; one of the addresses of this server. */
export const redirectUriOf = (origin: string): string => `${origin}/api/sso/callback`;
const attemptBinding = (stateHash: string): string => `sso attempt ${stateHash}`;
const hintBinding = (sessionId: string): string => `sso session ${sessionId}`;

/** Deletes attempts and used messages that have expired. */
export async function dropOldAttempts(tx: PlatformTx, now: Date): Promise<void> {
  await tx.delete(ssoAttempt, lt(ssoAttempt.expiresAt, now));
  await tx.delete(ssoUsed, lt(ssoUsed.expiresAt, now));
}

/** The identity providers that the sign-in page of a tenant offers. */
export const offeredBy = (db: Db, tenantId: string): Promise<SsoChoice[]> =>
  db.tenant(tenantId, async (tx) =>
    (await findProviders(tx)).filter(({ enabled }) => enabled).map((row) => choiceOf(row)),
  );

/** A provider that signs people in now. @throws AppError SSO_UNKNOWN */
async function usable(tx: PlatformTx, id: string): Promise<{ provider: IdentityProviderRow; tenant: TenantRow }> {
  const provider = await findEnabled(tx, id);
  const tenant = provider && (await findTenant(tx, provider.tenantId));
  if (!provider || !tenant?.enabled || !tenant.signInModes.includes('SSO')) throw new AppError('SSO_UNKNOWN');
  return { provider, tenant };
}

/** Asks an identity provider; its failures are logged, and answered by a code. */
async function asking<T>(log: Log, { id, name }: IdentityProviderRow, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const why = whyUnreachable(error);
    const { message, code } = error as Error & { code?: unknown };
    log.warn({ providerId: id, code, reason: why ?? message }, 'An identity provider did not sign a person in');
    throw new AppError(why === undefined ? 'SSO_REJECTED' : 'SSO_UNREACHABLE', { name });
  }
}

/** Begins sign-ins at identity providers, and takes their answers. */
export function createAttempts({ db, log, now, secrets, kindOf }: SsoDeps) {
  return {
    /** @throws AppError SSO_UNKNOWN, SSO_UNREACHABLE */
    async begin(
      { origin }: Context,
      providerId: string,
      { redirect, accountId }: { redirect: string; accountId: string | null },
    ): Promise<Started> {
      const { provider } = await db.platform((tx) => usable(tx, providerId));
      const [state, secret] = [newToken(), newToken()];
      const { url, kept } = await asking(log, provider, () =>
        kindOf(provider).begin(peerOf(secrets, provider), { state, redirectUri: redirectUriOf(origin) }),
      );
      const stateHash = hashToken(state);
      await db.tenant(provider.tenantId, (tx) =>
        tx.insert(ssoAttempt, {
          stateHash,
          providerId,
          secretHash: hashToken(secret),
          keptSealed: secrets.seal(JSON.stringify(kept), attemptBinding(stateHash)),
          redirect,
          accountId,
          expiresAt: new Date(now().getTime() + SSO_LIFETIME),
        }),
      );
      return { url, state, secret };
    },

    /**
     * Who signed in, by the answer that came back to the browser that began it, once. `accountId`: of the account that
     * began it.
     *
     * @throws AppError SSO_EXPIRED, SSO_UNKNOWN, SSO_UNREACHABLE, SSO_REJECTED
     */
    async finish(
      { origin }: Context,
      { secret, ...sent }: SentBack & { secret: string },
      accountId: string | null,
    ): Promise<{ provider: IdentityProviderRow; tenant: TenantRow; person: Person; redirect: string }> {
      const stateHash = hashToken(sent.state);
      const found = await db.platform(async (tx) => {
        // Deleted first: it is used once, whatever comes at the same time, and only by the browser with the secret.
        const [row] = await tx.delete(
          ssoAttempt,
          allOf(eq(ssoAttempt.stateHash, stateHash), eq(ssoAttempt.secretHash, hashToken(secret))),
        );
        if (!row || row.expiresAt <= now() || row.accountId !== accountId) return undefined;
        return { row, ...(await usable(tx, row.providerId)) };
      });
      if (!found) throw new AppError('SSO_EXPIRED');
      const { row, provider, tenant } = found;
      const kept = JSON.parse(secrets.open(row.keptSealed, attemptBinding(stateHash))) as Kept;
      const person = await asking(log, provider, () =>
        kindOf(provider).finish(peerOf(secrets, provider), kept, sent, redirectUriOf(origin)),
      );
      return { provider, tenant, person, redirect: row.redirect };
    },
  };
}

export type Attempts = ReturnType<typeof createAttempts>;

/** Notes which session of the provider opened the session with this token. */
async function rememberSession(
  tx: PlatformTx,
  token: string,
  { providerId, accountId, person }: { providerId: string; accountId: string; person: Person },
  secrets: SecretBox,
): Promise<void> {
  const row = await tx.findOne(session, eq(session.tokenHash, hashToken(token)));
  if (!row) return;
  const { subject, sid, hint } = person;
  await tx.insert(ssoSession, {
    sessionId: row.id,
    tenantId: row.tenantId,
    providerId,
    accountId,
    subject,
    sid,
    hintSealed: hint === null ? null : secrets.seal(hint, hintBinding(row.id)),
  });
}

/** What the global logout of a session is asked with. */
export const hintOf = (
  secrets: SecretBox,
  { sessionId, hintSealed }: { sessionId: string; hintSealed: string | null },
): string | null => (hintSealed === null ? null : secrets.open(hintSealed, hintBinding(sessionId)));

/** Signs in by identity providers. */
export function createSsoSignIn(deps: SsoDeps, attempts: Attempts) {
  const { db, now, secrets, sessions } = deps;
  const people: PeopleDeps = { sessions, now };

  return {
    start: (context: Context<AnyoneCaller>, { body: { providerId, redirect } }: Input<Calls['start']>) =>
      attempts.begin(context, providerId, { redirect, accountId: null }),

    startLink: (context: Context<UserCaller>, { body: { providerId } }: Input<Calls['startLink']>) =>
      attempts.begin(context, providerId, { redirect: '/userInfo', accountId: context.caller.userId }),

    /** Throws the errors of the contract's verifyToToken. */
    async verify(
      context: Context<AnyoneCaller>,
      { body: { deviceId, ...sent } }: Input<Calls['verifyToToken']>,
    ): Promise<Data<Calls['verifyToToken']>> {
      const { provider, tenant, person, redirect } = await attempts.finish(context, sent, null);
      const arrival = arrivalOf(provider, person);
      const mayCreate = provider.rules.admission === 'create';
      if (mayCreate) mustHaveRoomToHash();
      // Outside the transaction, because it takes long. No one knows this password.
      const passwordHash = mayCreate ? await hashPassword(newToken()) : undefined;
      const answer = await db.platform(async (tx) => {
        const account = await admit(tx.asTenant(provider.tenantId), arrival, context, passwordHash, people);
        const opened = await openSession(
          tx,
          sessions,
          context,
          { account, tenant },
          { method: 'SSO', deviceId, now: now() },
        );
        if (opened instanceof AppError) return opened;
        const { id: accountId } = account;
        await rememberSession(tx, opened.token, { providerId: provider.id, accountId, person }, secrets);
        return { ...opened, redirect };
      });
      return unlessRefused(answer);
    },
  };
}
