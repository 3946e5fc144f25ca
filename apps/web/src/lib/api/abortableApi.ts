import { createClient, type Routes } from '@rmeet/contract';
import { asUser } from './asUser.ts';
import { createSend } from './send.ts';

/** The calls of one domain, made as the signed-in user; `signal` aborts them. */
export function abortableApi<C extends Routes>(routes: C, signal: AbortSignal) {
  return createClient(routes, createSend({ ...asUser, signal }));
}
