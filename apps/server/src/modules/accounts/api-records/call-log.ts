import { eq } from 'drizzle-orm';
import { newId, type Db } from '../../../platform/db/index.ts';
import type { ClientCallRecord } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { apiCall, apiClient } from './tables.ts';

const EVERY = 1_000;
/** Calls that wait to be stored at most; more are left out, and counted in the log. */
const MOST_WAITING = 20_000;

/**
 * The log of the calls of API clients. They are stored in batches, once a second, so that a call costs no statement of
 * its own; those of the last second are lost if the process dies.
 */
export function createCallLog({ db, log, now }: { db: Db; log: Log; now: () => Date }) {
  let waiting: (ClientCallRecord & { at: Date })[] = [];
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> = Promise.resolve();

  async function store(): Promise<void> {
    const batch = waiting;
    waiting = [];
    const left = lost;
    lost = 0;
    if (left > 0) log.warn({ calls: left }, 'Calls of API clients were not recorded');
    for (const [tenantId, calls] of Map.groupBy(batch, (call) => call.tenantId)) {
      try {
        await db.tenant(tenantId, async (tx) => {
          await tx.insert(
            apiCall,
            calls.map(({ tenantId: _id, userId, ...call }) => ({ ...call, id: newId(), accountId: userId ?? null })),
          );
          for (const [clientId, own] of Map.groupBy(calls, (call) => call.clientId))
            await tx.update(apiClient, { lastUsedAt: own.at(-1)?.at ?? null }, eq(apiClient.id, clientId));
        });
      } catch (error) {
        log.warn({ error, calls: calls.length }, 'Calls of API clients were not recorded');
      }
    }
  }

  /** Stores what waits; resolves when it is stored. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    storing = storing.then(store);
    return storing;
  }

  return {
    record: (call: ClientCallRecord): void => {
      if (waiting.length >= MOST_WAITING) {
        lost += 1;
        return;
      }
      waiting.push({ ...call, at: now() });
      timer ??= setTimeout(() => void flush(), EVERY).unref();
    },
    flush,
  };
}
