import type { contract, Data, Input, SsoChoice } from '@rmeet/contract';
import { inArray, lt } from 'drizzle-orm';
import { newId, type Db, type PlatformTx } from '../../../platform/db/index.ts';
import { AppError, type AnyoneCaller, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { newToken, type SecretBox } from '../../../platform/secrets/index.ts';
import { openSession, SESSION_LIFETIME, unlessRefused } from '../auth/index.ts';
import { session } from '../auth/tables.ts';
import { hashPassword, mustHaveRoomToHash } from '../users/index.ts';
import type { Attempts, SsoDeps } from './attempts.ts';
import type { Person } from './kinds.ts';
import { admit, arrivalOf, type PeopleDeps } from './people.ts';
import { choiceOf, findProviders } from './repo.ts';
import { ssoSession, type IdentityProviderRow, type SsoSessionRow } from './tables.ts';

type Calls = typeof contract.sso;

const hintBinding = (id: string): string => `sso session ${id}`;
/** Sessions of providers that are looked at in one round. */
const AT_ONCE = 1_000;

/** The identity providers that the sign-in page of a tenant offers. */
export const offeredBy = (db: Db, tenantId: string): Promise<SsoChoice[]> =>
  db.tenant(tenantId, async (tx) =>
    (await findProviders(tx)).filter(({ enabled }) => enabled).map((row) => choiceOf(row)),
  );

/** Notes a session of a provider, from which sessions here will come. */
async function rememberSession(
  tx: PlatformTx,
  { id: providerId, tenantId }: IdentityProviderRow,
  { id, accountId, person, now }: { id: string; accountId: string; person: Person; now: Date },
  secrets: SecretBox,
): Promise<void> {
  const { subject, sid, hint } = person;
  const hintSealed = hint === null ? null : secrets.seal(hint, hintBinding(id));
  await tx.insert(ssoSession, { id, tenantId, providerId, accountId, subject, sid, hintSealed, createdAt: now });
}

/** What the global logout of a session is asked with. */
export const hintOf = (secrets: SecretBox, { id, hintSealed }: Pick<SsoSessionRow, 'id' | 'hintSealed'>) =>
  hintSealed === null ? null : secrets.open(hintSealed, hintBinding(id));

/** Forgets sessions of providers from which no session here is left. */
export async function dropOldSessions(tx: PlatformTx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - SESSION_LIFETIME);
  const old = await tx.find(ssoSession, lt(ssoSession.createdAt, before), { limit: AT_ONCE });
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  const left = new Set((await tx.find(session, inArray(session.originId, ids))).map(({ originId }) => originId));
  const gone = ids.filter((id) => !left.has(id));
  if (gone.length > 0) await tx.delete(ssoSession, inArray(ssoSession.id, gone));
}

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
        const id = newId();
        const way = { method: 'SSO' as const, deviceId, originId: id, now: now() };
        const opened = await openSession(tx, sessions, context, { account, tenant }, way);
        // A sign-in that waits for its second factor is finished elsewhere (auth/factors).
        if (!(opened instanceof AppError) || opened.code === 'MULTI_AUTH_REQUIRED')
          await rememberSession(tx, provider, { id, accountId: account.id, person, now: now() }, secrets);
        return opened instanceof AppError ? opened : { ...opened, redirect };
      });
      return unlessRefused(answer);
    },
  };
}
