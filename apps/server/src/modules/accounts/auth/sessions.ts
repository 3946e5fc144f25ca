import { and, count, desc, eq, inArray, isNull, lt, ne, gt, type SQL } from 'drizzle-orm';
import { PROOF_LIFETIME, type ErrorCode, type FactorMark, type SignInMethod } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type Db, type PlatformTx, type TenantTx } from '../../../platform/db/index.ts';
import type { AccountCaller } from '../../../platform/http/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { permissionCodesOf } from '../permissions/index.ts';
import { findTenant } from '../tenants/index.ts';
import { findAccount, type AccountSessions } from '../users/index.ts';
import type { AccountRow } from '../users/tables.ts';
import { endWaiting, eraseFactors, removeFactors } from './factors/repo.ts';
import { NOTHING_OUTSIDE, type Outside } from './outside.ts';
import { createSessionCache } from './session-cache.ts';
import { handoverTicket, session, type DeviceKind, type SessionEnd, type SessionRow } from './tables.ts';

const MINUTE = 60_000;
/** A session ends at the latest this long after the sign-in. */
export const SESSION_LIFETIME = 7 * 24 * 60 * MINUTE;
/** And this long after its last call. */
export const SESSION_IDLE = 12 * 60 * MINUTE;
/** How often a call updates `last_seen_at`. */
const SEEN_EVERY = 5 * MINUTE;

const codeOfEnd: Record<SessionEnd, ErrorCode> = {
  logout: 'UNAUTHORIZED',
  expired: 'UNAUTHORIZED',
  disabled: 'UNAUTHORIZED',
  ended: 'UNAUTHORIZED',
  anotherDevice: 'USER_LOGIN_ANOTHER_DEVICE',
  password: 'CHANGE_PWD_LDAP',
};

/** A device of an account. */
export interface Device {
  /** Hashed mark of the browser; empty if it sends none. */
  deviceId: string;
  deviceKind: DeviceKind;
}

/** What a session that is handed over keeps of the one that requested the ticket. */
export interface HandedOver extends Device {
  /** The session of an identity provider that it comes from (module sso, which builds on this one). */
  originId: string | null;
}

/** Where a sign-in comes from, and how. */
export interface Origin extends HandedOver {
  method: SignInMethod;
  /** How it met the demand for a second factor; null if none was asked. */
  secondFactor: FactorMark | null;
  /** When its holder proved a password or second factor. */
  provenAt: Date | null;
  address: string;
  userAgent: string;
}

export interface Sessions extends AccountSessions {
  /** What reaches people outside a session. */
  readonly outside: Outside;
  open(tx: TenantTx, account: AccountRow, from: Origin): Promise<string>;
  /** The caller behind a token, or why there is none. */
  authenticate(token: string): Promise<AccountCaller | ErrorCode>;
  /** The caller behind a session, by its id. */
  callerOf(sessionId: string): Promise<AccountCaller | ErrorCode>;
  /** Its holder has proved a password or second factor. */
  prove(tx: TenantTx, sessionId: string): Promise<void>;
  /** Ends a session at its holder's request. */
  logout(caller: AccountCaller): Promise<void>;
  /** Ends the open sessions of an account on other devices of the kind, and notifies their push sockets. */
  endOtherDevices(tx: TenantTx, accountId: string, device: Device): Promise<void>;
  /** What a session passes on that is opened by its ticket. */
  handedOver(tx: TenantTx, sessionId: string): Promise<HandedOver>;
  dropExpired(tx: PlatformTx): Promise<void>;
}

/** The account of each of these sessions that is open, by session. */
export async function openSessions(tx: PlatformTx, ids: readonly string[], now: Date): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const seenAfter = new Date(now.getTime() - SESSION_IDLE);
  const rows = await tx.find(
    session,
    allOf(
      inArray(session.id, [...ids]),
      isNull(session.endedAt),
      gt(session.expiresAt, now),
      gt(session.lastSeenAt, seenAfter),
    ),
  );
  return new Map(rows.map((row) => [row.id, row.accountId]));
}

// oxlint-disable-next-line max-lines-per-function -- short methods that all share the cache and end()
export async function createSessions({
  db,
  push,
  now,
  outside = NOTHING_OUTSIDE,
}: {
  db: Db;
  push: Push;
  now: () => Date;
  outside?: Outside;
}): Promise<Sessions> {
  const cache = createSessionCache({ db, now });
  await cache.start();
  /** Open: not ended and not expired. */
  const isOpen = (): SQL =>
    allOf(
      isNull(session.endedAt),
      gt(session.expiresAt, now()),
      gt(session.lastSeenAt, new Date(now().getTime() - SESSION_IDLE)),
    );

  /** Ends sessions, and first the handover tickets they may have created, which would open new ones. */
  async function end(tx: TenantTx, which: SQL, tickets: SQL, reason: SessionEnd): Promise<SessionRow[]> {
    await tx.delete(handoverTicket, tickets);
    const rows = await tx.update(session, { endedAt: now(), endReason: reason }, allOf(which, isNull(session.endedAt)));
    if (rows.length === 0) return rows;
    const sessionIds = rows.map((row) => row.id);
    await cache.forget(tx, { sessionIds });
    await push.publish(tx, 'user', { type: 'sessionEnded', statusCode: codeOfEnd[reason], sessionIds });
    tx.afterCommit(() => push.disconnect({ sessionIds }, codeOfEnd[reason]));
    return rows;
  }

  async function resolve(which: SQL): Promise<AccountCaller | ErrorCode> {
    return db.platform(async (tx) => {
      const row = await tx.findOne(session, which);
      if (!row) return 'UNAUTHORIZED';
      if (row.endReason) return codeOfEnd[row.endReason];
      const at = now();
      if (at >= row.expiresAt || at.getTime() - row.lastSeenAt.getTime() >= SESSION_IDLE) return 'UNAUTHORIZED';
      const [account, tenant] = [await findAccount(tx, row.accountId), await findTenant(tx, row.tenantId)];
      if (!account?.enabled || !tenant?.enabled) return 'UNAUTHORIZED';
      if (at.getTime() - row.lastSeenAt.getTime() >= SEEN_EVERY)
        await tx.update(session, { lastSeenAt: at }, eq(session.id, row.id));
      const who = {
        userId: account.id,
        tenantId: account.tenantId,
        sessionId: row.id,
        account: account.account,
        name: account.name,
        permissions: await permissionCodesOf(tx, account, tenant),
      };
      return account.kind === 'operator'
        ? { kind: 'operator', ...who, isSuperAdmin: account.isSuperAdmin }
        : { kind: 'user', ...who, isTenantAdmin: account.isTenantAdmin };
    });
  }

  return {
    outside,

    async open(tx, account, from) {
      const token = newToken();
      const at = now();
      await tx.insert(session, {
        id: newId(),
        accountId: account.id,
        tokenHash: hashToken(token),
        ...from,
        createdAt: at,
        lastSeenAt: at,
        expiresAt: new Date(at.getTime() + SESSION_LIFETIME),
      });
      return token;
    },

    authenticate(token) {
      const hash = hashToken(token);
      return cache.get(hash, () => resolve(eq(session.tokenHash, hash)));
    },

    callerOf: (sessionId) => resolve(eq(session.id, sessionId)),

    async prove(tx, sessionId) {
      await tx.update(session, { provenAt: now() }, eq(session.id, sessionId));
    },

    isProven: async (tx, sessionId) => {
      const row = await tx.findOne(session, eq(session.id, sessionId));
      const provenAt = row?.provenAt?.getTime() ?? -Infinity;
      return now().getTime() - provenAt < PROOF_LIFETIME;
    },

    removeFactors,
    eraseFactors,

    async logout({ tenantId, userId, sessionId }) {
      await db.tenant(tenantId, (tx) =>
        end(tx, eq(session.id, sessionId), eq(handoverTicket.accountId, userId), 'logout'),
      );
    },

    async endOtherDevices(tx, accountId, { deviceId: device, deviceKind }) {
      const ofAccount = allOf(eq(session.accountId, accountId), eq(session.deviceKind, deviceKind));
      const tickets = allOf(eq(handoverTicket.accountId, accountId), eq(handoverTicket.deviceKind, deviceKind));
      if (device === '') await end(tx, ofAccount, tickets, 'anotherDevice');
      else
        await end(
          tx,
          allOf(ofAccount, ne(session.deviceId, device)),
          allOf(tickets, ne(handoverTicket.deviceId, device)),
          'anotherDevice',
        );
    },

    async endSessions(tx, accountIds, reason, exceptSessionId) {
      if (accountIds.length === 0) return 0;
      const ofAccounts = inArray(session.accountId, [...accountIds]);
      const which = exceptSessionId === undefined ? ofAccounts : allOf(ofAccounts, ne(session.id, exceptSessionId));
      await endWaiting(tx, accountIds, reason === 'password');
      return (await end(tx, which, inArray(handoverTicket.accountId, [...accountIds]), reason)).length;
    },

    async endOwn(tx, accountId, sessionId) {
      return (
        (
          await end(
            tx,
            allOf(eq(session.id, sessionId), eq(session.accountId, accountId)),
            eq(handoverTicket.accountId, accountId),
            'ended',
          )
        ).length > 0
      );
    },

    async accessChanged(tx, accountIds) {
      if (accountIds.length === 0) return;
      const userIds = accountIds === 'all' ? undefined : [...accountIds];
      // Dropped from the cache before the browsers are notified, because they ask again at once.
      await cache.forget(tx, userIds ? { userIds } : { tenantId: tx.tenantId });
      await push.publish(tx, 'user', { type: 'accessChanged', ...(userIds ? { userIds } : {}) });
    },

    async countOpen(tx, accountIds) {
      if (accountIds.length === 0) return new Map();
      const open = tx.scoped(session);
      const rows = await tx
        .select({ accountId: open.accountId, n: count() })
        .from(open)
        .where(
          and(
            inArray(open.accountId, [...accountIds]),
            isNull(open.endedAt),
            gt(open.expiresAt, now()),
            gt(open.lastSeenAt, new Date(now().getTime() - SESSION_IDLE)),
          ),
        )
        .groupBy(open.accountId);
      return new Map(rows.map((row) => [row.accountId, row.n]));
    },

    listOpen: (tx, accountId) =>
      tx.find(session, allOf(eq(session.accountId, accountId), isOpen()), { orderBy: desc(session.lastSeenAt) }),

    async handedOver(tx, sessionId) {
      const found = await tx.findOne(session, eq(session.id, sessionId));
      const { deviceId = '', deviceKind = 'computer', originId = null } = found ?? {};
      return { deviceId, deviceKind, originId };
    },

    async dropExpired(tx) {
      await tx.delete(session, lt(session.expiresAt, now()));
    },
  };
}
