import { randomBytes } from 'node:crypto';
import { SSO_LIFETIME, type contract, type Data } from '@rmeet/contract';
import { eq, gt, isNull, lt } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, PlatformTx } from '../../../platform/db/index.ts';
import { AppError, type Context } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { hashToken, newToken, type SecretBox } from '../../../platform/secrets/index.ts';
import type { Sessions } from '../auth/index.ts';
import { findTenant } from '../tenants/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import { whyUnreachable } from './http.ts';
import { Refusal, type Kept, type Person, type ProviderKind, type RefusalReason, type SentBack } from './kinds.ts';
import { findEnabled, peerOf } from './repo.ts';
import { ssoAttempt, ssoUsed, type IdentityProviderRow, type SsoAttemptRow } from './tables.ts';

type Started = Data<typeof contract.sso.start>;

export interface SsoDeps {
  db: Db;
  log: Log;
  now: () => Date;
  secrets: SecretBox;
  sessions: Sessions;
  kindOf: (row: Pick<IdentityProviderRow, 'kind'>) => ProviderKind;
}

/** Who came back from an identity provider. */
export interface Returned {
  provider: IdentityProviderRow;
  tenant: TenantRow;
  person: Person;
  redirect: string;
}

const attemptBinding = (stateHash: string): string => `sso attempt ${stateHash}`;
const answerBinding = (stateHash: string): string => `sso answer ${stateHash}`;

/** Letters and digits: WeCom sends back no others (its document 98152). At most 80 bytes (SAML Bindings, 3.4.3). */
const newState = (): string => randomBytes(32).toString('hex');

/** Deletes attempts and used messages that have expired. */
export async function dropOldAttempts(tx: PlatformTx, now: Date): Promise<void> {
  await tx.delete(ssoAttempt, lt(ssoAttempt.expiresAt, now));
  await tx.delete(ssoUsed, lt(ssoUsed.expiresAt, now));
}

/** Notes a message of a provider while it is valid; false if it was noted before, by whichever server. */
export async function useOnceOf(
  db: Db,
  { id: providerId, tenantId }: Pick<IdentityProviderRow, 'id' | 'tenantId'>,
  { id, until }: { id: string; until: Date },
): Promise<boolean> {
  const values = { providerId, hash: hashToken(id), expiresAt: until };
  return (await db.tenant(tenantId, (tx) => tx.insert(ssoUsed, values, 'nothing'))).length > 0;
}

/** A provider that signs people in now. @throws AppError SSO_UNKNOWN */
async function usable(tx: PlatformTx, id: string): Promise<{ provider: IdentityProviderRow; tenant: TenantRow }> {
  const provider = await findEnabled(tx, id);
  const tenant = provider && (await findTenant(tx, provider.tenantId));
  if (!provider || !tenant?.enabled || !tenant.signInModes.includes('SSO')) throw new AppError('SSO_UNKNOWN');
  return { provider, tenant };
}

/** The sentences for what a provider refuses. */
const CODES = {
  expired: 'SSO_EXPIRED',
  notMember: 'SSO_NOT_MEMBER',
  setup: 'SSO_SETUP_WRONG',
  busy: 'SSO_UNREACHABLE',
} as const satisfies Record<RefusalReason, string>;

/** Asks an identity provider; its failures are logged, and answered by a code. */
async function asking<T>(log: Log, { id, name }: IdentityProviderRow, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const why = whyUnreachable(error);
    const { message, code } = error as Error & { code?: unknown };
    log.warn({ providerId: id, code, reason: why ?? message }, 'An identity provider did not sign a person in');
    if (error instanceof Refusal) throw new AppError(CODES[error.reason], { name, reason: error.code });
    throw new AppError(why === undefined ? 'SSO_REJECTED' : 'SSO_UNREACHABLE', { name });
  }
}

/** What came back for an attempt: a posted answer in place of the code for it. @throws AppError SSO_EXPIRED */
function sentFor(secrets: SecretBox, { stateHash, answerSealed, codeHash }: SsoAttemptRow, sent: SentBack): SentBack {
  if (answerSealed === null) return sent;
  if (codeHash === null || hashToken(sent.code ?? '') !== codeHash) throw new AppError('SSO_EXPIRED');
  return { state: sent.state, answer: secrets.open(answerSealed, answerBinding(stateHash)) };
}

/**
 * Takes the attempt of a state, a browser and an account (null: of none), once.
 *
 * @throws AppError SSO_EXPIRED, SSO_UNKNOWN
 */
async function take(
  { db, now }: Pick<SsoDeps, 'db' | 'now'>,
  { stateHash, secret, accountId }: { stateHash: string; secret: string; accountId: string | null },
) {
  const found = await db.platform(async (tx) => {
    // Deleted first: it is used once, whatever comes at the same time, and only by the browser with the secret.
    const which = allOf(eq(ssoAttempt.stateHash, stateHash), eq(ssoAttempt.secretHash, hashToken(secret)));
    const [row] = await tx.delete(ssoAttempt, which);
    if (!row || row.expiresAt <= now() || row.accountId !== accountId) return undefined;
    return { row, ...(await usable(tx, row.providerId)) };
  });
  if (!found) throw new AppError('SSO_EXPIRED');
  return found;
}

/** Begins sign-ins at identity providers, and takes their answers. */
// oxlint-disable-next-line max-lines-per-function -- the three steps of one attempt
export function createAttempts({ db, log, now, secrets, kindOf }: SsoDeps) {
  return {
    /** @throws AppError SSO_UNKNOWN, SSO_UNREACHABLE, SSO_REJECTED */
    async begin(
      { origin, userAgent }: Context,
      providerId: string,
      { redirect, accountId }: { redirect: string; accountId: string | null },
    ): Promise<Started> {
      const { provider } = await db.platform((tx) => usable(tx, providerId));
      const [state, secret] = [newState(), newToken()];
      const { url, kept } = await asking(log, provider, () =>
        kindOf(provider).begin(peerOf(secrets, provider), { state, origin, userAgent }),
      );
      const stateHash = hashToken(state);
      const keptSealed = secrets.seal(JSON.stringify(kept), attemptBinding(stateHash));
      const expiresAt = new Date(now().getTime() + SSO_LIFETIME);
      const values = {
        stateHash,
        providerId,
        secretHash: hashToken(secret),
        keptSealed,
        redirect,
        accountId,
        expiresAt,
      };
      await db.tenant(provider.tenantId, (tx) => tx.insert(ssoAttempt, values));
      return { url, state, secret };
    },

    /**
     * Keeps an answer that was posted here, until the browser that began shows its secret. Returns a code that stands
     * for it; undefined if no browser waits for it, or it has one already.
     */
    async keepAnswer({ id }: IdentityProviderRow, state: string, answer: string): Promise<string | undefined> {
      const [stateHash, code] = [hashToken(state), newToken()];
      const answerSealed = secrets.seal(answer, answerBinding(stateHash));
      const [row] = await db.platform((tx) =>
        tx.update(
          ssoAttempt,
          { answerSealed, codeHash: hashToken(code) },
          allOf(
            eq(ssoAttempt.stateHash, stateHash),
            eq(ssoAttempt.providerId, id),
            gt(ssoAttempt.expiresAt, now()),
            isNull(ssoAttempt.answerSealed),
          ),
        ),
      );
      return row && code;
    },

    /**
     * Who signed in, by the answer that came back to the browser that began it, once. `accountId`: of the account that
     * began it.
     *
     * @throws AppError SSO_EXPIRED, SSO_UNKNOWN, SSO_UNREACHABLE, SSO_REJECTED, SSO_SETUP_WRONG, SSO_NOT_MEMBER
     */
    async finish(
      { origin }: Context,
      { secret, ...given }: SentBack & { secret: string },
      accountId: string | null,
    ): Promise<Returned> {
      const stateHash = hashToken(given.state);
      const { row, provider, tenant } = await take({ db, now }, { stateHash, secret, accountId });
      const sent = sentFor(secrets, row, given);
      const kept = JSON.parse(secrets.open(row.keptSealed, attemptBinding(stateHash))) as Kept;
      const person = await asking(log, provider, async () => {
        const found = await kindOf(provider).finish(peerOf(secrets, provider), kept, sent, origin);
        if (found.once && !(await useOnceOf(db, provider, found.once)))
          throw new Error('The message was accepted before.');
        return found;
      });
      return { provider, tenant, person, redirect: row.redirect };
    },
  };
}

export type Attempts = ReturnType<typeof createAttempts>;
