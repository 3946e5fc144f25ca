import type { ApiScope } from '@rmeet/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isInNetworks } from '../server/network.ts';
import { AppError } from './app-error.ts';
import type { ClientCaller } from './context.ts';

/** A call of an API client as it ended. */
export interface ClientCallRecord {
  clientId: string;
  tenantId: string;
  /** The person for whom it acted; undefined: itself. */
  userId: string | undefined;
  /** `domain.name` of the route. */
  action: string;
  /** HTTP status. */
  status: number;
  /** Milliseconds. */
  ms: number;
  address: string;
  requestId: string;
}
export type RecordClientCall = (call: ClientCallRecord) => void;

/** What a route is to API clients. */
interface CalledRoute {
  action: string;
  scope: ApiScope | undefined;
}

export interface ClientCalls {
  /**
   * Counts a call of an API client, which is recorded when it ends, and refuses it unless network, limit and scopes
   * allow it.
   *
   * @throws AppError NETWORK_REFUSED, TOO_MANY_REQUESTS, SCOPE_MISSING, or FORBIDDEN if the route is not for machines
   */
  admit(request: FastifyRequest, caller: ClientCaller, route: CalledRoute): Promise<void>;
}

const MINUTE = 60_000;

export function createClientCalls(app: FastifyInstance, record: RecordClientCall): ClientCalls {
  const calls = new WeakMap<FastifyRequest, { caller: ClientCaller; action: string }>();
  const countOf = app.createRateLimit({
    max: (request) => calls.get(request)?.caller.client.perMinute ?? 1,
    timeWindow: MINUTE,
    keyGenerator: (request) => `api client ${calls.get(request)?.caller.client.id}`,
  });

  app.addHook('onResponse', async (request, reply) => {
    const call = calls.get(request);
    if (!call) return;
    const { tenantId, userId, client } = call.caller;
    record({
      clientId: client.id,
      tenantId,
      userId: client.actsForUser ? userId : undefined,
      action: call.action,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      address: request.ip,
      requestId: request.id,
    });
  });

  return {
    async admit(request, caller, { action, scope }) {
      calls.set(request, { caller, action });
      const { networks, scopes } = caller.client;
      if (networks.length > 0 && !isInNetworks(request.ip, networks)) throw new AppError('NETWORK_REFUSED');
      const count = await countOf(request);
      if (!count.isAllowed && count.isExceeded)
        throw new AppError('TOO_MANY_REQUESTS', { seconds: count.ttlInSeconds });
      if (scope === undefined) throw new AppError('FORBIDDEN');
      if (!scopes.includes(scope)) throw new AppError('SCOPE_MISSING', { scope });
    },
  };
}
