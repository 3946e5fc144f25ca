import { API_SCOPES, API_TOKEN_PREFIX, errorMessage, type ApiScope, type ErrorCode } from '@rmeet/contract';
import { eq, sql } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, PlatformTx } from '../../../platform/db/index.ts';
import {
  AppError,
  type ClientCallRecord,
  type ClientCaller,
  type FormPost,
  type PlainAnswer,
} from '../../../platform/http/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { permissionCodesOf } from '../permissions/index.ts';
import { findTenant } from '../tenants/index.ts';
import { findAccount } from '../users/index.ts';
import { account, type AccountRow } from '../users/tables.ts';
import { audiencesOf, authenticateClient, proofOf } from './client-authentication.ts';
import { OAuthError } from './oauth-error.ts';
import { findClient, grantsFor, stateOf } from './repo.ts';
import { apiGrant, apiToken, type ApiClientRow } from './tables.ts';

export interface TokenDeps {
  db: Db;
  now: () => Date;
  /** The addresses of this server, as origins. */
  origins: () => readonly string[];
  record: (call: ClientCallRecord) => void;
}

/** Seconds for which an access token is valid. */
const LIFETIME = 3_600;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const isScope = (text: string): text is ApiScope => (API_SCOPES as readonly string[]).includes(text);

/** Each parameter once (RFC 6749, section 3.2). @throws OAuthError */
function mustBeOnce(fields: URLSearchParams): void {
  const names = [...fields.keys()];
  if (new Set(names).size < names.length)
    throw new OAuthError(400, 'invalid_request', 'A parameter was sent more than once.');
}

/** The scopes of a token: those that were asked for, by default all of the client. @throws OAuthError */
function scopesOf(client: ApiClientRow, asked: string | null): ApiScope[] {
  const wanted = (asked ?? '').split(' ').filter((text) => text !== '');
  if (wanted.length === 0) return client.scopes;
  const held = wanted.filter(isScope).filter((scope) => client.scopes.includes(scope));
  if (held.length < wanted.length)
    throw new OAuthError(400, 'invalid_scope', `The client may have: ${client.scopes.join(' ')}`);
  return [...new Set(held)];
}

/** The person named by `subject`: an id, or the account name within the client's tenant. */
function subjectNamed(tx: PlatformTx, { tenantId }: ApiClientRow, subject: string): Promise<AccountRow | undefined> {
  const isNamed = UUID.test(subject)
    ? eq(account.id, subject)
    : eq(sql`lower(${account.account})`, subject.toLowerCase());
  return tx.asTenant(tenantId).findOne(account, allOf(isNamed, eq(account.kind, 'user')));
}

/** As whom the token acts, and by which consent. @throws OAuthError, the same for unknown people as without consent */
async function actingAs(
  tx: PlatformTx,
  client: ApiClientRow,
  subject: string | null,
  now: Date,
): Promise<{ accountId: string; grantId: string | null }> {
  if (subject === null) return { accountId: client.accountId, grantId: null };
  if (!client.actsForUsers) throw new OAuthError(400, 'unauthorized_client', 'The client does not act for users.');
  const person = await subjectNamed(tx, client, subject);
  const [grant] = person?.enabled ? await grantsFor(tx.asTenant(client.tenantId), client.id, person.id) : [];
  if (!person || !grant)
    throw new OAuthError(400, 'invalid_grant', 'There is no such user who has allowed the client to act for them.');
  await tx.asTenant(client.tenantId).update(apiGrant, { lastUsedAt: now }, eq(apiGrant.id, grant.id));
  return { accountId: person.id, grantId: grant.id };
}

/** A failure in the form of RFC 6749, section 5.2. */
function refusalOf(error: unknown, { authorization }: FormPost): PlainAnswer {
  if (error instanceof AppError && error.code === 'TOO_MANY_REQUESTS')
    return {
      status: 429,
      headers: { 'retry-after': String(error.params['seconds']) },
      body: { error: 'invalid_client', error_description: errorMessage(error.code, 'en', error.params) },
    };
  if (!(error instanceof OAuthError)) throw error;
  const isBasic = error.status === 401 && authorization !== '';
  return {
    status: error.status,
    headers: isBasic ? { 'www-authenticate': 'Basic realm="Rmeet"' } : {},
    body: { error: error.code, error_description: error.message },
  };
}

/** Makes a token for a client that proved who it is. @throws OAuthError */
async function issue(
  now: Date,
  tx: PlatformTx,
  client: ApiClientRow,
  fields: URLSearchParams,
): Promise<{ body: object; accountId: string }> {
  const scopes = scopesOf(client, fields.get('scope'));
  const as = await actingAs(tx, client, fields.get('subject'), now);
  const token = `${API_TOKEN_PREFIX}${newToken()}`;
  await tx.insert(apiToken, {
    hash: hashToken(token),
    tenantId: client.tenantId,
    clientId: client.id,
    ...as,
    scopes,
    expiresAt: new Date(now.getTime() + LIFETIME * 1_000),
  });
  const body = { access_token: token, token_type: 'Bearer', expires_in: LIFETIME, scope: scopes.join(' ') };
  return { body, accountId: as.accountId };
}

interface Answered {
  client?: ApiClientRow;
  accountId?: string;
  answer: PlainAnswer;
}

/** The client of a request, and its answer. Refusals are returned, so that what they count is committed. */
async function answerTo({ db, now, origins }: TokenDeps, post: FormPost): Promise<Answered> {
  mustBeOnce(post.fields);
  const proof = await proofOf(post);
  const audience = audiencesOf([...origins(), post.origin]);
  return db.platform(async (tx) => {
    const client = await authenticateClient(tx, proof, { address: post.address, audience, now: now() });
    if (client instanceof Error) return { answer: refusalOf(client, post) };
    try {
      if (post.fields.get('grant_type') !== 'client_credentials')
        throw new OAuthError(400, 'unsupported_grant_type', 'grant_type must be client_credentials.');
      const { body, accountId } = await issue(now(), tx, client, post.fields);
      return { client, accountId, answer: { status: 200, body } };
    } catch (error) {
      return { client, answer: refusalOf(error, post) };
    }
  });
}

/** The caller behind an access token: the account's rights as they are now, and the client's scopes. */
function holderOf({ db, now }: TokenDeps, token: string): Promise<ClientCaller | ErrorCode> {
  return db.platform(async (tx) => {
    const row = await tx.findOne(apiToken, eq(apiToken.hash, hashToken(token)));
    const client = row && (await findClient(tx, row.clientId));
    if (!row || !client || row.expiresAt <= now() || stateOf(client, now()) !== 'active') return 'API_TOKEN_INVALID';
    const [of, tenant] = [await findAccount(tx, row.accountId), await findTenant(tx, row.tenantId)];
    if (!of?.enabled || of.kind === 'operator' || !tenant?.enabled) return 'API_TOKEN_INVALID';
    if (row.grantId !== null && !client.actsForUsers) return 'API_TOKEN_INVALID';
    return {
      kind: 'user',
      userId: of.id,
      tenantId: of.tenantId,
      sessionId: '',
      account: of.account,
      name: of.name,
      permissions: await permissionCodesOf(tx, of, tenant),
      isTenantAdmin: of.isTenantAdmin,
      client: {
        id: client.id,
        name: client.name,
        // A scope that the client lost meanwhile is gone from its tokens, too.
        scopes: row.scopes.filter((scope) => client.scopes.includes(scope)),
        networks: client.networks,
        perMinute: client.perMinute,
        actsForUser: row.grantId !== null,
      },
    };
  });
}

/** Access tokens of API clients: the token endpoint, and who is behind a token. */
export function createTokens(deps: TokenDeps) {
  const { now, record } = deps;
  return {
    /** The token endpoint (RFC 6749, section 4.4), with the extension `subject`: a person for whom the client acts. */
    token: async (post: FormPost): Promise<PlainAnswer> => {
      const from = now().getTime();
      try {
        const { client, accountId, answer: given } = await answerTo(deps, post);
        if (client)
          record({
            clientId: client.id,
            tenantId: client.tenantId,
            userId: accountId === client.accountId ? undefined : accountId,
            action: 'oauth.token',
            status: given.status,
            ms: now().getTime() - from,
            address: post.address,
            requestId: post.requestId,
          });
        return given;
      } catch (error) {
        return refusalOf(error, post);
      }
    },

    authenticate: (token: string): Promise<ClientCaller | ErrorCode> => holderOf(deps, token),
  };
}

export type Tokens = ReturnType<typeof createTokens>;
