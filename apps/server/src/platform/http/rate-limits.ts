import type { Route } from '@rmeet/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import type { Caller } from './context.ts';
import { networkOf } from './network.ts';

/** Counts a call. Throws AppError TOO_MANY_REQUESTS past the route's limit. */
type Check = (request: FastifyRequest, caller: Caller) => Promise<void>;


function keyOf(by: 'address' | 'caller', request: FastifyRequest, caller: Caller): string {
  if (by === 'caller' && (caller.kind === 'user' || caller.kind === 'operator')) return `user ${caller.userId}`;
  if (by === 'caller' && caller.kind === 'terminal') return `terminal ${caller.termId}`;
  if (by === 'caller' && caller.kind === 'desk') return `desk ${caller.linkId}`;
  return `address ${networkOf(request.ip)}`;
}

/** The check of a route's declared limit, counted in this process. Routes without a limit pass. */
export function rateLimit(app: FastifyInstance, { limit, method, path }: Route): Check {
  if (!limit) return async () => undefined;
  const callers = new WeakMap<FastifyRequest, Caller>();
  const count = app.createRateLimit({
    max: limit.max,
    timeWindow: limit.seconds * 1_000,
    keyGenerator: (request) => `${method} ${path} ${keyOf(limit.by, request, callers.get(request) ?? { kind: 'anyone' })}`,
  });
  return async (request, caller) => {
    callers.set(request, caller);
    const result = await count(request);
    if (!result.isAllowed && result.isExceeded) throw new AppError('TOO_MANY_REQUESTS', { seconds: result.ttlInSeconds });
  };
}
