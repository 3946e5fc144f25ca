import { errorEntry, type Route } from '@rmeet/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import { idOfCaller, type Caller } from './context.ts';
import { networkOf } from '../server/network.ts';

interface Limit {
  /**
   * Counts a call. Throws AppError TOO_MANY_REQUESTS above the route's limit, or if too many calls of its address have
   * failed.
   */
  check(request: FastifyRequest, caller: Caller): Promise<void>;
  /** Counts a call that failed by the caller's fault. */
  failed(request: FastifyRequest, error: unknown): Promise<void>;
}

const addressKey = (request: FastifyRequest): string => `address ${networkOf(request.ip)}`;

function keyOf(by: 'address' | 'caller', request: FastifyRequest, caller: Caller): string {
  return by === 'caller' && caller.kind !== 'anyone' ? idOfCaller(caller) : addressKey(request);
}

/** Whether a failure is the caller's fault: neither the server's nor a temporary one. */
function isOwnFault(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  const { httpStatus } = errorEntry(error.code);
  return httpStatus >= 400 && httpStatus < 500 && httpStatus !== 429;
}

const unlimited: Limit = { check: async () => undefined, failed: async () => undefined };

/** A route's declared limit, counted in this process. Routes without a limit are not restricted. */
export function rateLimit(app: FastifyInstance, { limit, method, path }: Route): Limit {
  if (!limit) return unlimited;
  const { by, max, perAddress = max, failures } = limit;
  const callers = new WeakMap<FastifyRequest, Caller>();
  const calls = app.createRateLimit({
    max: (request, key) => (by === 'caller' && key.endsWith(addressKey(request)) ? perAddress : max),
    timeWindow: limit.seconds * 1_000,
    keyGenerator: (request) => `${method} ${path} ${keyOf(by, request, callers.get(request) ?? { kind: 'anyone' })}`,
  });
  const failed =
    failures &&
    app.createRateLimit({
      max: failures.max,
      timeWindow: failures.seconds * 1_000,
      keyGenerator: (request) => `${method} ${path} failures ${addressKey(request)}`,
    });

  function refuse(result: Awaited<ReturnType<typeof calls>>): void {
    if (!result.isAllowed && result.isExceeded)
      throw new AppError('TOO_MANY_REQUESTS', { seconds: result.ttlInSeconds });
  }
  return {
    async check(request, caller) {
      callers.set(request, caller);
      refuse(await calls(request));
      if (failed) refuse(await failed(request, { increment: false }));
    },
    async failed(request, error) {
      if (failed && isOwnFault(error)) await failed(request);
    },
  };
}
