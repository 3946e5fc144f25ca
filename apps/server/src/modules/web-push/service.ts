import { createHash } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm';
import { z } from 'zod';
import type { contract, Data, Input, Locale, WebPushMessage } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { BrowserGone, WebPushRefused, type BrowserAddress, type WebPush } from '../../platform/web-push/index.ts';
import { session } from '../accounts/auth/tables.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { loadWebPushKeys } from './keys.ts';
import { webPushSubscription, type WebPushSubscriptionRow } from './tables.ts';

const SEND = 'web-push-send';
/** Browsers of one account; above it, the oldest subscription is removed. */
const BROWSERS = 10;

/** A notification for people, whatever browsers they have. */
export interface Notification {
  /** Title and body in the reader's language. */
  texts: Record<Locale, Pick<WebPushMessage, 'title' | 'body'>>;
  path: string;
  tag: string;
  /** It is of no use after this time. */
  expiresAt: Date;
  /** A call: it rings until it expires, and devices are woken for it. */
  isRing: boolean;
}

/** For the modules that notify people. */
export interface WebPushPort {
  /** After the commit, sends a notification to every browser of these accounts. */
  notify(tx: TenantTx, accountIds: readonly string[], notification: Notification): Promise<void>;
}

const sending = z.object({
  tenantId: z.uuid(),
  subscriptionId: z.uuid(),
  message: z.object({
    title: z.string(),
    body: z.string(),
    path: z.string(),
    tag: z.string(),
    until: z.string().nullable(),
  }),
  expiresAt: z.iso.datetime(),
});
type Sending = z.infer<typeof sending>;

export interface WebPushDeps {
  db: Db;
  jobs: Jobs;
  webPush: WebPush;
  secrets: SecretBox;
  log: Log;
  now: () => Date;
  /** The server's public address; null while it is unknown. */
  publicUrl: () => string | null;
}

type UserContext = Context<UserCaller>;
const hashOf = (endpoint: string): string => createHash('sha256').update(endpoint).digest('base64url');

/** Subscriptions of browsers, and the notifications sent to them. */
export class WebPushService implements WebPushPort {
  readonly #deps: WebPushDeps;

  constructor(deps: WebPushDeps) {
    this.#deps = deps;
    deps.jobs.define(SEND, sending, (data, { isLast }) => this.#send(data, isLast), { retries: 3, retryAfter: 2 });
  }

  async key(): Promise<Data<typeof contract.webPush.key>> {
    const { db, secrets, now } = this.#deps;
    const { publicKey } = await loadWebPushKeys(db, secrets, now);
    return { publicKey };
  }

  /** @throws AppError PUSH_SERVICE_FORBIDDEN */
  async subscribe({ caller }: UserContext, body: Input<typeof contract.webPush.subscribe>['body']): Promise<null> {
    const { db, secrets, now, webPush } = this.#deps;
    if (!webPush.mayBeAt(body.endpoint)) throw new AppError('PUSH_SERVICE_FORBIDDEN');
    const endpointHash = hashOf(body.endpoint);
    const { userId: accountId, sessionId, tenantId } = caller;
    // The browser may have belonged to an account of another tenant before.
    await db.platform((tx) => tx.delete(webPushSubscription, eq(webPushSubscription.endpointHash, endpointHash)));
    await db.tenant(tenantId, async (tx) => {
      const id = newId();
      const sealed = secrets.seal(JSON.stringify(body), id);
      const values = { id, accountId, sessionId, endpointHash, sealed, createdAt: now() };
      await tx.insert(webPushSubscription, values, 'nothing');
      await removeOldest(tx, accountId);
    });
    return null;
  }

  async unsubscribe({ caller }: UserContext, endpoint: string): Promise<null> {
    await this.#deps.db.tenant(caller.tenantId, (tx) =>
      tx.delete(
        webPushSubscription,
        allOf(
          eq(webPushSubscription.endpointHash, hashOf(endpoint)),
          eq(webPushSubscription.accountId, caller.userId),
        ),
      ),
    );
    return null;
  }

  async notify(tx: TenantTx, accountIds: readonly string[], notification: Notification): Promise<void> {
    const rows = await subscriptionsOf(tx, accountIds, this.#deps.now());
    if (rows.length === 0) return;
    const accounts = new Map((await findAccounts(tx, accountIds)).map((account) => [account.id, account]));
    const { texts, path, tag, isRing } = notification;
    const expiresAt = notification.expiresAt.toISOString();
    const jobs = rows.flatMap(({ id, accountId, tenantId }): Sending[] => {
      const account = accounts.get(accountId);
      if (!account?.enabled) return [];
      const message = { ...texts[account.locale], path, tag, until: isRing ? expiresAt : null };
      return [{ tenantId, subscriptionId: id, message, expiresAt }];
    });
    tx.afterCommit(async () => {
      for (const job of jobs) await this.#deps.jobs.send(undefined, SEND, job);
    });
  }

  /** Sends to one browser; fails if a retry may help. */
  async #send({ tenantId, subscriptionId, message, expiresAt }: Sending, isLast: boolean): Promise<void> {
    const { db, webPush, secrets, now, publicUrl, log } = this.#deps;
    const seconds = Math.ceil((Date.parse(expiresAt) - now().getTime()) / 1_000);
    const row = await db.tenant(tenantId, (tx) =>
      tx.findOne(webPushSubscription, eq(webPushSubscription.id, subscriptionId)),
    );
    if (!row || seconds <= 0) return;
    const keys = await loadWebPushKeys(db, secrets, now);
    const origin = publicUrl();
    try {
      await webPush.send({
        keys,
        // Push services want an address to complain to; only https is accepted.
        contact: origin?.startsWith('https:') === true ? origin : 'mailto:webmaster@localhost',
        to: JSON.parse(secrets.open(row.sealed, row.id)) as BrowserAddress,
        payload: JSON.stringify(message satisfies WebPushMessage),
        ttl: seconds,
        urgency: message.until === null ? 'normal' : 'high',
      });
    } catch (error) {
      if (error instanceof BrowserGone) await this.#remove(row);
      else if (error instanceof WebPushRefused || isLast) log.warn({ error, subscriptionId }, 'A push message failed');
      else throw error;
    }
  }

  async #remove({ tenantId, id }: WebPushSubscriptionRow): Promise<void> {
    await this.#deps.db.tenant(tenantId, (tx) => tx.delete(webPushSubscription, eq(webPushSubscription.id, id)));
  }
}

/**
 * The browsers of accounts whose sign-in was not ended. A sign-in that was not used for half a day requires the
 * password again, but still receives the reminder of the next morning.
 */
async function subscriptionsOf(
  tx: TenantTx,
  accountIds: readonly string[],
  now: Date,
): Promise<WebPushSubscriptionRow[]> {
  if (accountIds.length === 0) return [];
  const rows = await tx.find(webPushSubscription, inArray(webPushSubscription.accountId, [...accountIds]));
  if (rows.length === 0) return [];
  const ids = rows.map(({ sessionId }) => sessionId);
  const open = await tx.find(
    session,
    and(inArray(session.id, ids), isNull(session.endedAt), gt(session.expiresAt, now)),
  );
  const isOpen = new Set(open.map(({ id }) => id));
  return rows.filter(({ sessionId }) => isOpen.has(sessionId));
}

async function removeOldest(tx: TenantTx, accountId: string): Promise<void> {
  const rows = await tx.find(webPushSubscription, eq(webPushSubscription.accountId, accountId), {
    orderBy: [asc(webPushSubscription.createdAt), asc(webPushSubscription.id)],
  });
  const tooMany = rows.slice(0, Math.max(0, rows.length - BROWSERS)).map(({ id }) => id);
  if (tooMany.length > 0) await tx.delete(webPushSubscription, inArray(webPushSubscription.id, tooMany));
}
