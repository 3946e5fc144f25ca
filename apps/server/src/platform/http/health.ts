import { contract, openApi } from '@rmeet/contract';
import type { FastifyInstance } from 'fastify';

export interface HealthChecks {
  database(): Promise<boolean>;
  media(): Promise<boolean>;
}

/** /healthz: the process lives. /readyz: database and media engine answer too. */
export function serveHealth(app: FastifyInstance, checks: HealthChecks): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const [database, media] = await Promise.all([checks.database(), checks.media()]);
    return reply.code(database && media ? 200 : 503).header('cache-control', 'no-store').send({ database, media });
  });
}

/** /api/openapi.json, made from the contract when first asked for. */
export function serveOpenApi(app: FastifyInstance, version: string): void {
  let document: string | undefined;
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApi(contract, version));
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document);
  });
}
