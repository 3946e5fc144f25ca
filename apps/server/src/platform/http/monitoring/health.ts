import { contract, openApi } from '@rmeet/contract';
import type { FastifyInstance } from 'fastify';
import type { MetricsAccess } from './metrics-access.ts';

export interface HealthChecks {
  database(): Promise<boolean>;
  media(): Promise<boolean>;
  /** Whether the disk of stored files has free space. */
  disk: () => Promise<boolean>;
  /** Whether stored files can be read and written; without them, meetings go on. */
  storage: () => Promise<boolean>;
}

interface Found {
  database: boolean;
  media: boolean;
  disk: boolean;
  storage: boolean;
}

/** Database, media engine and disk are checked at most this often, for any number of requests; milliseconds. */
const CHECK_EVERY = 500;

/** The check results, at most half a second old. */
function checker(checks: HealthChecks): () => Promise<Found> {
  let checked: Promise<Found> | undefined;
  let isFreshUntil = 0;
  const check = async (): Promise<Found> => {
    const [hasDatabase, hasMedia, hasDisk, hasStorage] = await Promise.all([
      checks.database(),
      checks.media(),
      checks.disk(),
      checks.storage(),
    ]);
    isFreshUntil = performance.now() + CHECK_EVERY;
    return { database: hasDatabase, media: hasMedia, disk: hasDisk, storage: hasStorage };
  };
  return () => {
    if (!checked || performance.now() > isFreshUntil) {
      isFreshUntil = Infinity;
      checked = check();
    }
    return checked;
  };
}

/**
 * /healthz: the process is alive. /readyz: database and media engine answer, too, and the storage has free space; only
 * callers that may read the metrics see which of them fails.
 */
export function serveHealth(app: FastifyInstance, access: MetricsAccess, checks: HealthChecks): void {
  const check = checker(checks);
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    const found = await check();
    const ready = found.database && found.media && found.disk;
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(access(request.raw) === 'granted' ? found : { ready });
  });
}

/** /api/openapi.json, generated from the contract on first request. */
export function serveOpenApi(app: FastifyInstance, version: string): void {
  let document: string | undefined;
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApi(contract, version));
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document);
  });
}
