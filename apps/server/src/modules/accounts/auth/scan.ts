import { QR_LIFETIME, type contract, type Data, type Input, type QrState } from '@rmeet/contract';
import { eq, inArray, lte } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import { PLATFORM_TENANT_ID, type Db, type PlatformTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type Handlers, type UserCaller } from '../../../platform/http/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { findTenant } from '../tenants/index.ts';
import { findAccount } from '../users/index.ts';
import { openSession, unlessRefused } from './open-session.ts';
import type { Sessions } from './sessions.ts';
import { scanLogon, type ScanLogonRow } from './tables.ts';

/** Tells every server process that the state of a code has changed; the payload is the hash of its id. */
const CHANNEL = 'rmeet_scan_logon';
/** Stored characters of what a browser calls itself. */
const USER_AGENT = 300;

type Calls = typeof contract.scanLogon;
type Execute = Data<Calls['authExecute']>;

export interface ScanDeps {
  db: Db;
  now: () => Date;
  sessions: Sessions;
}

/** Requests that wait for a change of a code, by the hash of its id. */
class Waiters {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Resolves at the next change, at `signal`, or after `ms`. */
  next(idHash: string, ms: number, signal: AbortSignal): { changed: Promise<void>; stop: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const all = this.#waiting.get(idHash) ?? new Set();
    this.#waiting.set(idHash, all.add(resolve));
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(), { once: true });
    const stop = (): void => {
      clearTimeout(timer);
      all.delete(resolve);
      if (all.size === 0 && this.#waiting.get(idHash) === all) this.#waiting.delete(idHash);
    };
    return { changed: promise, stop };
  }

  wake(idHash: string): void {
    for (const resolve of this.#waiting.get(idHash) ?? []) resolve();
  }

  /** Messages may have been missed. */
  wakeAll(): void {
    for (const idHash of this.#waiting.keys()) this.wake(idHash);
  }
}

/** Deletes codes that have expired. */
export const dropOldScans = (tx: PlatformTx, now: Date): Promise<unknown> =>
  tx.delete(scanLogon, lte(scanLogon.expiresAt, now));

/** The calls of the computer that shows a code. */
function createComputerSide({ db, now, sessions }: ScanDeps, waiters: Waiters) {
  const read = async (idHash: string): Promise<Execute & { left: number }> =>
    db.platform(async (tx) => {
      const row = await tx.findOne(scanLogon, eq(scanLogon.idHash, idHash));
      const left = (row?.expiresAt.getTime() ?? 0) - now().getTime();
      if (!row || left <= 0) return { state: 'expired', name: '', left: 0 };
      const account = row.accountId === null ? undefined : await findAccount(tx, row.accountId);
      return { state: row.state, name: account?.name ?? '', left };
    });

  return {
    async getAuthQr({ address, userAgent, origin }: Context): Promise<Data<Calls['getAuthQr']>> {
      const [id, code, at] = [newToken(), newToken(), now()];
      const expiresAt = new Date(at.getTime() + QR_LIFETIME);
      await db.platform((tx) =>
        tx.insert(scanLogon, {
          idHash: hashToken(id),
          tenantId: PLATFORM_TENANT_ID,
          codeHash: hashToken(code),
          address,
          userAgent: userAgent.slice(0, USER_AGENT),
          state: 'waiting',
          createdAt: at,
          expiresAt,
        }),
      );
      return { id, content: `${origin}/#/scan?code=${code}`, expiresAt: expiresAt.toISOString() };
    },

    async authExecute({ signal }: Context, { body: { id, known } }: Input<Calls['authExecute']>): Promise<Execute> {
      const idHash = hashToken(id);
      let waited: ReturnType<Waiters['next']> | undefined;
      try {
        for (;;) {
          // Before the state is read, so that no change between the two is missed.
          waited?.stop();
          waited = waiters.next(idHash, QR_LIFETIME, signal);
          const { state, name, left } = await read(idHash);
          if (state !== known || left <= 0 || signal.aborted) return { state, name };
          const timer = setTimeout(() => waiters.wake(idHash), left);
          await waited.changed.finally(() => clearTimeout(timer));
        }
      } finally {
        waited?.stop();
      }
    },

    /** @throws AppError QR_INVALID, ACCOUNT_DISABLED, TENANT_DISABLED, SIGN_IN_MODE_OFF */
    async login(context: Context, { body: { id, deviceId } }: Input<Calls['login']>): Promise<Data<Calls['login']>> {
      const answer = await db.platform(async (tx) => {
        // Deleted first: it signs in once, whatever comes at the same time.
        const [row] = await tx.delete(
          scanLogon,
          allOf(eq(scanLogon.idHash, hashToken(id)), inArray(scanLogon.state, ['confirmed'])),
        );
        const account = row?.accountId ? await findAccount(tx, row.accountId) : undefined;
        const tenant = account && (await findTenant(tx, account.tenantId));
        if (!row || row.expiresAt <= now() || !account || account.deletedAt || !tenant)
          throw new AppError('QR_INVALID');
        return openSession(tx, sessions, context, { account, tenant }, { method: 'QR', deviceId, now: now() });
      });
      return unlessRefused(answer);
    },
  };
}

/** The calls of the phone that scans a code. */
function createPhoneSide({ db, now }: ScanDeps) {
  /** The code that a phone shows, locked to the end of the transaction; codes of other accounts are unknown. */
  async function codeOf(tx: PlatformTx, code: string, accountId: string): Promise<ScanLogonRow> {
    const row = await tx.findOne(scanLogon, eq(scanLogon.codeHash, hashToken(code)), { lock: 'update' });
    if (!row || row.expiresAt <= now() || (row.accountId !== null && row.accountId !== accountId))
      throw new AppError('QR_INVALID');
    return row;
  }

  async function change(tx: PlatformTx, { idHash }: ScanLogonRow, values: Partial<ScanLogonRow>): Promise<void> {
    await tx.update(scanLogon, values, eq(scanLogon.idHash, idHash));
    await tx.notify(CHANNEL, idHash);
  }

  return {
    /** @throws AppError QR_INVALID */
    scan: ({ caller }: Context<UserCaller>, { body: { code } }: Input<Calls['scan']>): Promise<Data<Calls['scan']>> =>
      db.platform(async (tx) => {
        const row = await codeOf(tx, code, caller.userId);
        if (row.state === 'waiting') await change(tx, row, { state: 'scanned', accountId: caller.userId });
        else if (row.state !== 'scanned') throw new AppError('QR_INVALID');
        return {
          address: row.address,
          userAgent: row.userAgent,
          askedAt: row.createdAt.toISOString(),
          expiresAt: row.expiresAt.toISOString(),
        };
      }),

    /** @throws AppError QR_INVALID */
    async answer({ caller }: Context<UserCaller>, { body: { code, accept } }: Input<Calls['answer']>): Promise<null> {
      await db.platform(async (tx) => {
        const row = await codeOf(tx, code, caller.userId);
        const state: QrState = accept ? 'confirmed' : 'refused';
        // Sent again after a lost answer.
        if (row.state === state) return;
        if (row.state !== 'scanned') throw new AppError('QR_INVALID');
        await change(tx, row, { state });
      });
      return null;
    },
  };
}

/** Sign-in on a computer by a QR code, which a signed-in phone confirms. */
export async function createScanService(deps: ScanDeps): Promise<Handlers<Calls>> {
  const waiters = new Waiters();
  await deps.db.listen(
    CHANNEL,
    (idHash) => waiters.wake(idHash),
    () => waiters.wakeAll(),
  );
  return { ...createComputerSide(deps, waiters), ...createPhoneSide(deps) };
}
