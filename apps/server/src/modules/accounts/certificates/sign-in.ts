import {
  CERT_CHALLENGE_LIFETIME,
  certText,
  type CertPurpose,
  type contract,
  type Data,
  type Input,
} from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { AppError, networkOf, type AnyoneCaller, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { countOnLimit, limitWait, openSession, unlessRefused, type RateLimit, type Sessions } from '../auth/index.ts';
import { findOnlyTenant, findTenant, findTenantBy } from '../tenants/index.ts';
import type { TenantRow } from '../tenants/tables.ts';
import { accountOf } from './people.ts';
import { findRules } from './repo.ts';
import { certificateChallenge, type CertificateChallengeRow } from './tables.ts';
import { refusalOfCertificate } from './trust.ts';
import { readCertificate, type Parsed } from './x509/certificate.ts';
import { isSignedBy } from './x509/keys.ts';

type Calls = typeof contract.certs;
type Challenge = Data<Calls['getCodeData']>;
type Answer = Input<Calls['bind']>['body'];

export interface CertDeps {
  db: Db;
  now: () => Date;
  sessions: Sessions;
  /** Where local agents answer on the computers of people (RMEET_CERTIFICATE_AGENT). */
  agent: string | undefined;
}

/** A certificate whose owner has shown that it is theirs. */
interface Proven {
  certificate: Parsed;
  /** Sent along. */
  sent: readonly Parsed[];
}

/** Failed sign-ins from one network; an office may share it. */
const ofAddress = (address: string): RateLimit => ({
  scope: 'certificate',
  key: [networkOf(address)],
  burst: 30,
  drain: 10,
});

/** Whether people of a tenant may sign in by certificate. */
export const isOfferedBy = (tenant: TenantRow | undefined): tenant is TenantRow =>
  tenant?.signInModes.includes('CERTIFICATE') === true;

const passedBy = ({ clientCertificate }: Context): Parsed | undefined =>
  clientCertificate && readCertificate(clientCertificate);

/** Makes a challenge for the people of a tenant. `accountId`: of the account that binds a certificate. */
export async function makeChallenge(
  tx: TenantTx,
  accountId: string | null,
  context: Context,
  { agent, now }: Pick<CertDeps, 'agent' | 'now'>,
): Promise<Challenge> {
  const [challenge, secret, at] = [newToken(), newToken(), now()];
  const expiresAt = new Date(at.getTime() + CERT_CHALLENGE_LIFETIME);
  await tx.insert(certificateChallenge, {
    challengeHash: hashToken(challenge),
    secretHash: hashToken(secret),
    accountId,
    createdAt: at,
    expiresAt,
  });
  return {
    challenge,
    secret,
    tenantId: tx.tenantId,
    time: at.toISOString(),
    expiresAt: expiresAt.toISOString(),
    passed: passedBy(context)?.subject ?? null,
    agent: agent ?? null,
  };
}

/** Takes a challenge, once and only with the secret of the browser that it was made for. */
export async function takeChallenge(
  tx: Pick<TenantTx, 'delete'>,
  { challenge, secret }: Answer,
  accountId: string | null,
  now: Date,
): Promise<CertificateChallengeRow | undefined> {
  const [row] = await tx.delete(
    certificateChallenge,
    allOf(
      eq(certificateChallenge.challengeHash, hashToken(challenge)),
      eq(certificateChallenge.secretHash, hashToken(secret)),
    ),
  );
  return row && row.expiresAt > now && row.accountId === accountId ? row : undefined;
}

/** The certificates that were sent along; undefined if one of them cannot be read. */
function readAll(all: readonly string[]): Parsed[] | undefined {
  const read = all.map((one) => readCertificate(Buffer.from(one, 'base64')));
  return read.every((one) => one !== undefined) ? read : undefined;
}

/**
 * The certificate whose key signed a challenge, or which the connection itself has shown (Context.clientCertificate).
 * Undefined: the signature is wrong.
 */
export function provenBy(
  context: Context,
  { challenge, proof }: Answer,
  { tenantId, createdAt }: CertificateChallengeRow,
  purpose: CertPurpose,
): Proven | undefined {
  if (!proof) {
    const certificate = passedBy(context);
    return certificate && { certificate, sent: [] };
  }
  const certificate = readCertificate(Buffer.from(proof.certificate, 'base64'));
  const sent = readAll(proof.chain);
  if (!certificate?.key || !sent) return undefined;
  const text = certText({
    origin: context.origin,
    purpose,
    tenantId,
    time: createdAt.toISOString(),
    challenge,
  });
  const isRight = isSignedBy(
    certificate.key,
    proof.algorithm,
    Buffer.from(text),
    Buffer.from(proof.signature, 'base64'),
  );
  return isRight ? { certificate, sent } : undefined;
}

/** Signs in by certificates. */
export function createCertSignIn(deps: CertDeps) {
  const { db, now, sessions } = deps;

  /** The session; refusals are returned, so that the used challenge stays used. */
  async function enter(
    tx: PlatformTx,
    context: Context,
    { deviceId, ...answer }: Input<Calls['verifyToToken']>['body'],
  ): Promise<Data<Calls['verifyToToken']> | AppError> {
    const row = await takeChallenge(tx, answer, null, now());
    if (!row) return new AppError('CERT_CHALLENGE_INVALID');
    const tenant = await findTenant(tx, row.tenantId);
    if (!isOfferedBy(tenant)) return new AppError('SIGN_IN_MODE_OFF');
    // What is wrong with a certificate, and whether it has an account, is said to its owner only.
    const proven = provenBy(context, answer, row, 'signIn');
    if (!proven) return new AppError('CERT_SIGNATURE_INVALID');
    const own = tx.asTenant(row.tenantId);
    const rules = await findRules(own);
    const refusal = await refusalOfCertificate(own, proven.certificate, proven.sent, rules, now());
    if (refusal) return refusal;
    const account = await accountOf(own, proven.certificate, rules, now());
    if (!account) return new AppError('CERT_NOT_KNOWN');
    return openSession(tx, sessions, context, { account, tenant }, { method: 'CERTIFICATE', deviceId, now: now() });
  }

  return {
    /** @throws AppError SIGN_IN_MODE_OFF */
    getCodeData: (
      context: Context<AnyoneCaller>,
      { query: { tenantUri } }: Input<Calls['getCodeData']>,
    ): Promise<Challenge> =>
      db.platform(async (tx) => {
        const tenant = await (tenantUri === undefined ? findOnlyTenant(tx) : findTenantBy(tx, tenantUri));
        if (!isOfferedBy(tenant)) throw new AppError('SIGN_IN_MODE_OFF');
        return makeChallenge(tx.asTenant(tenant.tenantId), null, context, deps);
      }),

    /** Throws the errors of the contract's verifyToToken. */
    async verifyToToken(
      context: Context<AnyoneCaller>,
      { body }: Input<Calls['verifyToToken']>,
    ): Promise<Data<Calls['verifyToToken']>> {
      const limit = ofAddress(context.address);
      const answer = await db.platform(async (tx) => {
        const seconds = await limitWait(tx, limit, now());
        if (seconds > 0) return new AppError('TOO_MANY_REQUESTS', { seconds });
        const entered = await enter(tx, context, body);
        // A second factor that is asked for is no failure.
        if (entered instanceof AppError && entered.code !== 'MULTI_AUTH_REQUIRED') await countOnLimit(tx, limit, now());
        return entered;
      });
      return unlessRefused(answer);
    },

    /** @throws AppError SIGN_IN_MODE_OFF */
    startBind: (context: Context<UserCaller>): Promise<Challenge> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        if (!isOfferedBy(await findTenant(tx, tx.tenantId))) throw new AppError('SIGN_IN_MODE_OFF');
        return makeChallenge(tx, context.caller.userId, context, deps);
      }),
  };
}
