import type { ErrorCode } from '@rmeet/contract';
import type { Db, Tx } from '../../../platform/db/index.ts';
import type { AccountCaller } from '../../../platform/http/index.ts';

const CHANNEL = 'rmeet_sessions';
/**
 * How long an entry is valid. Changes by the product invalidate it at once; this covers changes made directly in the
 * database.
 */
const CACHE_FOR = 10_000;
const CACHE_SIZE = 10_000;
/** Ids per notification, which holds 8,000 bytes at most. */
const IDS_PER_MESSAGE = 150;

/** Callers that have changed: of these sessions, of these accounts, or of the whole tenant. */
export type Stale = { sessionIds: string[] } | { userIds: string[] } | { tenantId: string };

interface Cached {
  caller: AccountCaller;
  until: number;
}

/** Caches the callers behind tokens in this process; changes invalidate them in every process. */
export interface SessionCache {
  /** The caller behind a token's hash: from the cache, or resolved. */
  get(hash: string, resolve: () => Promise<AccountCaller | ErrorCode>): Promise<AccountCaller | ErrorCode>;
  /** Invalidates entries here and on every other server process, when the change commits. */
  forget(tx: Tx, stale: Stale): Promise<void>;
  /** Starts listening to the other server processes. */
  start(): Promise<void>;
}

function isStale({ sessionId, userId, tenantId }: AccountCaller, stale: Stale): boolean {
  if ('sessionIds' in stale) return stale.sessionIds.includes(sessionId);
  return 'userIds' in stale ? stale.userIds.includes(userId) : stale.tenantId === tenantId;
}

function inPieces(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / IDS_PER_MESSAGE) }, (_, i) =>
    ids.slice(i * IDS_PER_MESSAGE, (i + 1) * IDS_PER_MESSAGE),
  );
}

/** The same in pieces that fit a notification. */
function pieces(stale: Stale): Stale[] {
  if ('sessionIds' in stale) return inPieces(stale.sessionIds).map((sessionIds) => ({ sessionIds }));
  return 'userIds' in stale ? inPieces(stale.userIds).map((userIds) => ({ userIds })) : [stale];
}

export function createSessionCache({ db, now }: { db: Db; now: () => Date }): SessionCache {
  const cache = new Map<string, Cached>();
  /** Incremented by every change, so that a result read before it is not cached after it. */
  let changes = 0;

  function drop(stale: Stale): void {
    changes += 1;
    for (const [hash, { caller }] of cache) if (isStale(caller, stale)) cache.delete(hash);
  }

  return {
    async get(hash, resolve) {
      const cached = cache.get(hash);
      if (cached && cached.until > now().getTime()) return cached.caller;
      const changesBefore = changes;
      const found = await resolve();
      if (typeof found === 'string') cache.delete(hash);
      else if (changes === changesBefore) {
        if (cache.size >= CACHE_SIZE) cache.clear();
        cache.set(hash, { caller: found, until: now().getTime() + CACHE_FOR });
      }
      return found;
    },

    async forget(tx, stale) {
      for (const piece of pieces(stale)) await tx.notify(CHANNEL, JSON.stringify(piece));
      tx.afterCommit(() => drop(stale));
    },

    async start() {
      await db.listen(
        CHANNEL,
        (payload) => drop(JSON.parse(payload) as Stale),
        () => {
          changes += 1;
          cache.clear();
        },
      );
    },
  };
}
