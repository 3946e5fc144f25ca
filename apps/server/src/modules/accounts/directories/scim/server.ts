import { SCIM_PATH } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db, TenantTx } from '../../../../platform/db/index.ts';
import { hashToken } from '../../../../platform/secrets/index.ts';
import { findTenant } from '../../tenants/index.ts';
import { configBody, schemasBody, typesBody } from './discovery.ts';
import { createScimGroups } from './groups.ts';
import { errorBody, isObject, operationsOf, ScimError, type Json } from './protocol.ts';
import { scimToken } from './tables.ts';
import { changesOf, userOf } from './user.ts';
import { asScimError, createScimUsers, type ScimDeps } from './users.ts';

interface ServerDeps extends ScimDeps {
  db: Db;
}

const TYPE = 'application/scim+json';
/** Calls of one network in a minute. */
const LIMIT = { max: 6_000, timeWindow: 60_000 };
/** How often a token's last use is written. */
const SEEN_EVERY = 5 * 60_000;

interface Call {
  tx: TenantTx;
  id: string;
  query: Json;
  body: unknown;
  /** The address of this server, for locations. */
  base: string;
}

/** The tenant of a token. @throws ScimError 401 */
async function tenantOf({ db, now }: ServerDeps, request: FastifyRequest): Promise<string> {
  const [, token] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const found =
    token !== undefined &&
    (await db.platform(async (tx) => {
      const row = await tx.findOne(scimToken, eq(scimToken.hash, hashToken(token)));
      const tenant = row && (await findTenant(tx, row.tenantId));
      if (!row || !tenant?.enabled) return undefined;
      if (now().getTime() - (row.lastUsedAt?.getTime() ?? 0) >= SEEN_EVERY)
        await tx.update(scimToken, { lastUsedAt: now() }, eq(scimToken.id, row.id));
      return row.tenantId;
    }));
  if (!found) throw new ScimError(401, 'The token is missing or unknown.');
  return found;
}

function bodyOf({ body }: Call): Json {
  if (!isObject(body)) throw new ScimError(400, 'The request is no object.', 'invalidSyntax');
  return body;
}

/** Bodies are JSON, under the protocol's type or the usual one. */
function takeJson(scim: FastifyInstance): void {
  scim.removeAllContentTypeParsers();
  scim.addContentTypeParser<string>(
    [TYPE, 'application/json'],
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => {
      try {
        return text === '' ? undefined : (JSON.parse(text) as unknown);
      } catch {
        throw new ScimError(400, 'The request is no JSON.', 'invalidSyntax');
      }
    },
  );
}

/** Failures in the form of the protocol (RFC 7644, section 3.12). */
function answerFailures(scim: FastifyInstance): void {
  scim.setErrorHandler((error, request, reply) => {
    const known = asScimError(error);
    const status = (error as { statusCode?: number }).statusCode ?? 500;
    if (!known && status >= 500) request.log.error({ error }, 'A call of a directory failed');
    const failure = known ?? new ScimError(status, status >= 500 ? 'Internal error.' : (error as Error).message);
    if (failure.status === 401) void reply.header('WWW-Authenticate', 'Bearer');
    return reply
      .status(failure.status)
      .type(TYPE)
      .send(JSON.stringify(errorBody(failure)));
  });
}

/** SCIM 2.0 for directories that push (RFC 7643, RFC 7644): users and groups of the tenant of the token. */
export function mountScim(app: FastifyInstance, deps: ServerDeps): void {
  const [users, groups] = [createScimUsers(deps), createScimGroups(deps)];

  void app.register(async (scim) => {
    takeJson(scim);
    answerFailures(scim);

    function on(
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      path: string,
      work: (call: Call) => Promise<Json | void> | Json,
      status = 200,
    ): void {
      scim.route({
        method,
        url: `${SCIM_PATH}${path}`,
        config: { rateLimit: LIMIT },
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          const tenantId = await tenantOf(deps, request);
          const base = `${request.protocol}://${request.host}${SCIM_PATH}`;
          const { id = '' } = request.params as { id?: string };
          const answer = await deps.db.tenant(tenantId, async (tx) =>
            work({ tx, id, query: request.query as Json, body: request.body, base }),
          );
          void reply.status(answer === undefined ? 204 : status).type(TYPE);
          return answer === undefined ? reply.send() : reply.send(JSON.stringify(answer));
        },
      });
    }

    on('GET', '/ServiceProviderConfig', ({ base }) => configBody(base));
    on('GET', '/Schemas', ({ base }) => schemasBody(base));
    on('GET', '/ResourceTypes', ({ base }) => typesBody(base));
    on('GET', '/Users', ({ tx, query, base }) => users.list(tx, query, base));
    on('POST', '/Users', ({ tx, body, base }) => users.create(tx, userOf(body), base), 201);
    on('GET', '/Users/:id', ({ tx, id, base }) => users.read(tx, id, base));
    on('PUT', '/Users/:id', ({ tx, id, body, base }) => users.change(tx, id, userOf(body), base));
    on('PATCH', '/Users/:id', ({ tx, id, body, base }) => users.change(tx, id, changesOf(operationsOf(body)), base));
    on('DELETE', '/Users/:id', ({ tx, id }) => users.remove(tx, id));
    on('GET', '/Groups', ({ tx, query, base }) => groups.list(tx, query, base));
    on('POST', '/Groups', (call) => groups.create(call.tx, bodyOf(call), call.base), 201);
    on('GET', '/Groups/:id', ({ tx, id, query, base }) => groups.read(tx, id, query, base));
    on('PUT', '/Groups/:id', (call) => groups.put(call.tx, call.id, bodyOf(call), call.base));
    on('PATCH', '/Groups/:id', ({ tx, id, body, base }) => groups.patch(tx, id, operationsOf(body), base));
    on('DELETE', '/Groups/:id', ({ tx, id }) => groups.remove(tx, id));
  });
}
