import { and, eq, inArray, isNull, lt, ne } from 'drizzle-orm';
import type { ErrorCode } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type Db, type PlatformTx } from '../../platform/db/index.ts';
import type { UserCaller } from '../../platform/http/index.ts';
import type { Push } from '../../platform/push/index.ts';
import { hashToken, newToken } from '../../platform/secrets/index.ts';
import { findTenant } from '../tenants/index.ts';
import { findAccount } from '../users/index.ts';
import type { AccountRow } from '../users/tables.ts';
import { session, type SessionEnd, type SessionRow } from './tables.ts';

const MINUTE = 60_000;
/** A session ends this long after the sign-in, whatever happens. */
export const SESSION_LIFETIME = 7 * 24 * 60 * MINUTE;
/** And this long after its last call. */
export const SESSION_IDLE = 12 * 60 * MINUTE;
/** How often a call moves `last_seen_at`. */
const SEEN_EVERY = 5 * MINUTE;
/** How long a positive answer is remembered; bounds how long a session ended by another server process still works here. */
const CACHE_FOR = 10_000;
const CACHE_SIZE = 10_000;

interface Cached {
  caller: UserCaller;
  until: number;
}

const codeOfEnd: Record<SessionEnd, ErrorCode> = {
  logout: 'UNAUTHORIZED', expired: 'UNAUTHORIZED', disabled: 'UNAUTHORIZED', anotherDevice: 'USER_LOGIN_ANOTHER_DEVICE',
};

export interface Sessions {
  open(tx: PlatformTx, account: AccountRow, from: { address: string; deviceId: string }): Promise<string>;
  /** The caller behind a token, or why there is none. */
  authenticate(token: string): Promise<UserCaller | ErrorCode>;
  endOne(sessionId: string): Promise<void>;
  /** Ends what is open of an account, but not on the device named. Its push sockets are told. */
  endOthers(tx: PlatformTx, account: AccountRow, reason: SessionEnd, exceptDevice?: string): Promise<void>;
  dropExpired(tx: PlatformTx): Promise<void>;
}

export function createSessions({ db, push, now }: { db: Db; push: Push; now: () => Date }): Sessions {
  const cache = new Map<string, Cached>();
  /** Raised by every end, so that an answer read before it is not remembered after it. */
  let ends = 0;

  function forget(sessionIds: readonly string[]): void {
    ends += 1;
    for (const [hash, { caller }] of cache) if (sessionIds.includes(caller.sessionId)) cache.delete(hash);
  }

  function remember(hash: string, caller: UserCaller): void {
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(hash, { caller, until: now().getTime() + CACHE_FOR });
  }

  async function end(tx: PlatformTx, rows: readonly SessionRow[], reason: SessionEnd): Promise<void> {
    if (rows.length === 0) return;
    const ids = rows.map((row) => row.id);
    await tx.update(session, { endedAt: now(), endReason: reason }, allOf(inArray(session.id, ids), isNull(session.endedAt)));
    for (const [tenantId, ended] of Map.groupBy(rows, (row) => row.tenantId)) {
      for (const userId of new Set(ended.map((row) => row.accountId))) {
        const sessionIds = ended.filter((row) => row.accountId === userId).map((row) => row.id);
        await push.publishTo(tx.asTenant(tenantId), 'user', { type: 'sessionEnded', statusCode: codeOfEnd[reason], sessionIds }, { userId });
      }
    }
    tx.afterCommit(async () => {
      forget(ids);
      await push.disconnect({ sessionIds: ids }, codeOfEnd[reason]);
    });
  }

  async function resolve(hash: string): Promise<UserCaller | ErrorCode> {
    return db.platform(async (tx) => {
      const row = await tx.findOne(session, eq(session.tokenHash, hash));
      if (!row) return 'UNAUTHORIZED';
      if (row.endReason) return codeOfEnd[row.endReason];
      const at = now();
      if (at >= row.expiresAt || at.getTime() - row.lastSeenAt.getTime() >= SESSION_IDLE) return 'UNAUTHORIZED';
      const [account, tenant] = [await findAccount(tx, row.accountId), await findTenant(tx, row.tenantId)];
      if (!account?.enabled || !tenant?.enabled) return 'UNAUTHORIZED';
      if (at.getTime() - row.lastSeenAt.getTime() >= SEEN_EVERY) await tx.update(session, { lastSeenAt: at }, eq(session.id, row.id));
      return {
        kind: 'user', userId: account.id, tenantId: account.tenantId, sessionId: row.id,
        account: account.account, name: account.name, isTenantAdmin: account.isTenantAdmin,
      } satisfies UserCaller;
    });
  }

  return {
    async open(tx, account, { address, deviceId }) {
      const token = newToken();
      const at = now();
      await tx.insert(session, {
        id: newId(), tenantId: account.tenantId, accountId: account.id, tokenHash: hashToken(token), deviceId, address,
        createdAt: at, lastSeenAt: at, expiresAt: new Date(at.getTime() + SESSION_LIFETIME),
      });
      return token;
    },

    async authenticate(token) {
      const hash = hashToken(token);
      const cached = cache.get(hash);
      if (cached && cached.until > now().getTime()) return cached.caller;
      const endsBefore = ends;
      const found = await resolve(hash);
      if (typeof found === 'string') cache.delete(hash);
      else if (ends === endsBefore) remember(hash, found);
      return found;
    },

    async endOne(sessionId) {
      await db.platform(async (tx) => end(tx, await tx.find(session, eq(session.id, sessionId)), 'logout'));
    },

    async endOthers(tx, account, reason, exceptDevice) {
      const elsewhere = exceptDevice ? ne(session.deviceId, exceptDevice) : undefined;
      const rows = await tx.find(session, and(eq(session.accountId, account.id), isNull(session.endedAt), elsewhere));
      await end(tx, rows, reason);
    },

    async dropExpired(tx) {
      const at = now();
      await tx.delete(session, lt(session.expiresAt, at));
    },
  };
}
