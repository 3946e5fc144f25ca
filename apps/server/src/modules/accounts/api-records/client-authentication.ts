import { API_BASE, TOKEN_PATH } from '@rmeet/contract';
import type { PlatformTx } from '../../../platform/db/index.ts';
import { AppError, isInNetworks, networkOf, type FormPost } from '../../../platform/http/index.ts';
import { hashToken } from '../../../platform/secrets/index.ts';
import { unknownSecret, type Guesser } from '../auth/index.ts';
import { findTenant } from '../tenants/index.ts';
import { OAuthError, refuseClient } from './oauth-error.ts';
import { verifyingKeysOf } from './public-keys.ts';
import { findClient, secretsOf, stateOf } from './repo.ts';
import { apiAssertion, type ApiClientRow } from './tables.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A signed request may be valid for this long, seconds; its `jti` is kept as long. */
const LONGEST_ASSERTION = 3_600;
/** Difference of clocks that is allowed, seconds. */
const CLOCK_TOLERANCE = 30;
const LONGEST_JTI = 200;

const PATIENCE = { free: 10, delay: 2, maxDelay: 300 };
/** Wrong secrets of one client from one network. Others, and the right secret, are not delayed. */
const ofClient = (clientId: string, address: string): Guesser => ({
  scope: 'api-client',
  key: [clientId, networkOf(address)],
  ...PATIENCE,
});
/** Wrong secrets of all clients from one network: those of several clients may share it. */
const ofAddress = (address: string): Guesser => ({
  scope: 'api-client-address',
  key: [networkOf(address)],
  ...PATIENCE,
  free: 100,
});

/** What a request for a token proves its client with. */
type Proof = { clientId: string } & ({ secret: string } | { assertion: string });

const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/** HTTP Basic with both parts encoded as in forms (RFC 6749, section 2.3.1). */
function basicOf(authorization: string): Proof | undefined {
  const encoded = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(authorization.trim())?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  try {
    return { clientId: decoded(text.slice(0, colon)), secret: decoded(text.slice(colon + 1)) };
  } catch {
    throw refuseClient('The header Authorization cannot be read.');
  }
}

/** Loaded with the first signed request. */
const library = () => import('jose');

/** The claimed client of a signed request; nothing in it is proved yet. */
async function assertedBy(assertion: string): Promise<string> {
  const { decodeJwt } = await library();
  try {
    return decodeJwt(assertion).sub ?? '';
  } catch {
    throw refuseClient('client_assertion is not a JWT.');
  }
}

/**
 * How the client proves who it is; exactly one way (RFC 6749, section 2.3).
 *
 * @throws OAuthError
 */
export async function proofOf({ fields, authorization }: Pick<FormPost, 'fields' | 'authorization'>): Promise<Proof> {
  const [id, secret, assertion, type] = [
    fields.get('client_id'),
    fields.get('client_secret'),
    fields.get('client_assertion'),
    fields.get('client_assertion_type'),
  ];
  const isBasic = authorization !== '';
  if ([isBasic, secret !== null, assertion !== null].filter(Boolean).length !== 1)
    throw refuseClient('Send one of HTTP Basic, client_secret and client_assertion.');
  if (assertion !== null) {
    if (type !== JWT_BEARER)
      throw new OAuthError(400, 'invalid_request', `client_assertion_type must be ${JWT_BEARER}.`);
    return { clientId: await assertedBy(assertion), assertion };
  }
  const proof = isBasic ? basicOf(authorization) : { clientId: id ?? '', secret: secret ?? '' };
  if (!proof) throw refuseClient('The header Authorization cannot be read.');
  if (id !== null && id !== proof.clientId) throw refuseClient('client_id is not that of the header Authorization.');
  return proof;
}

/** Whether a secret is a valid one of the client. Its hash is looked up, so no comparison takes longer or shorter. */
async function hasSecret(tx: PlatformTx, client: ApiClientRow, secret: string, now: Date): Promise<boolean> {
  const hash = hashToken(secret);
  return (await secretsOf(tx, [client.id], now)).some((row) => row.hash === hash);
}

/** Where a signed request may be addressed to: this endpoint, by any address of the server, or the server itself. */
export const audiencesOf = (origins: readonly string[]): string[] =>
  origins.flatMap((origin) => [`${origin}${TOKEN_PATH}`, origin, `${origin}${API_BASE}`]);

/**
 * Checks a signed request (RFC 7523, section 3) with any of the client's keys.
 *
 * @returns its `jti` and expiry, or undefined if it is not valid
 */
async function verified(
  client: ApiClientRow,
  assertion: string,
  audience: string[],
  now: Date,
): Promise<{ jti: string; expiresAt: Date } | undefined> {
  const { decodeProtectedHeader, jwtVerify } = await library();
  const { kid } = decodeProtectedHeader(assertion);
  const keys = verifyingKeysOf(client.publicKey);
  for (const { key, algorithms } of keys.filter((one) => kid === undefined || (one.kid ?? kid) === kid)) {
    try {
      const { payload } = await jwtVerify(assertion, key, {
        algorithms,
        issuer: client.id,
        subject: client.id,
        audience,
        currentDate: now,
        clockTolerance: CLOCK_TOLERANCE,
        requiredClaims: ['exp', 'jti'],
      });
      const { jti, exp = 0 } = payload;
      if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_JTI) return undefined;
      const left = exp - now.getTime() / 1_000;
      return left > LONGEST_ASSERTION + CLOCK_TOLERANCE ? undefined : { jti, expiresAt: new Date(exp * 1_000) };
    } catch {
      // Signed with another key, or not valid at all.
    }
  }
  return undefined;
}

/** Whether a signed request is valid and was not used before. */
async function hasSigned(
  tx: PlatformTx,
  client: ApiClientRow,
  assertion: string,
  audience: string[],
  now: Date,
): Promise<boolean> {
  const claims = await verified(client, assertion, audience, now);
  if (!claims) return false;
  const key = hashToken(JSON.stringify([client.id, claims.jti]));
  const expiresAt = new Date(claims.expiresAt.getTime() + CLOCK_TOLERANCE * 1_000);
  const rows = await tx.insert(apiAssertion, { key, tenantId: client.tenantId, expiresAt }, 'nothing');
  return rows.length > 0;
}

/**
 * The client of a request for a token. Failures are returned, so that counted guesses are committed.
 *
 * @param audience what a signed request must be addressed to
 */
export async function authenticateClient(
  tx: PlatformTx,
  proof: Proof,
  { address, audience, now }: { address: string; audience: string[]; now: Date },
): Promise<ApiClientRow | OAuthError | AppError> {
  const client = UUID.test(proof.clientId) ? await findClient(tx, proof.clientId) : undefined;
  const isProved =
    client !== undefined &&
    client.endedAt === null &&
    ('secret' in proof
      ? await hasSecret(tx, client, proof.secret, now)
      : client.publicKey !== '' && (await hasSigned(tx, client, proof.assertion, audience, now)));
  if (!isProved) {
    const refusal = await unknownSecret(tx, ofClient(proof.clientId, address), now, 'API_TOKEN_INVALID');
    if (refusal.code === 'TOO_MANY_REQUESTS') return refusal;
    const ofAll = await unknownSecret(tx, ofAddress(address), now, 'API_TOKEN_INVALID');
    return ofAll.code === 'TOO_MANY_REQUESTS' ? ofAll : refuseClient('The client or its credentials are not valid.');
  }
  if (client.networks.length > 0 && !isInNetworks(address, client.networks))
    return refuseClient('The client may not be used from this address.');
  if (stateOf(client, now) !== 'active') return refuseClient(`The client is ${stateOf(client, now)}.`);
  const of = await findTenant(tx, client.tenantId);
  return of?.enabled ? client : refuseClient('The organisation is disabled.');
}
