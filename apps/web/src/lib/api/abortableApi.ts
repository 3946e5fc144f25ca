import { createClient, type Routes } from '@rmeet/contract';
import { asUser } from './asUser.ts';
import { createSend } from './send.ts';

/** The calls of one domain, made as the signed-in user; `signal` aborts them. `timeout`: ms, if not as usual. */
export function abortableApi<C extends Routes>(routes: C, signal: AbortSignal, timeout?: number) {
  return createClient(routes, createSend({ ...asUser, signal, ...(timeout === undefined ? {} : { timeout }) }));
}
