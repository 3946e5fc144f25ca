import { createHash } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm';
import { z } from 'zod';
import { LOCALES, type contract, type Data, type Input, type Locale, type WebPushMessage } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import {
  BrowserGone,
  WebPushRefused,
  type BrowserAddress,
  type WebPush,
  type WebPushKeys,
} from '../../platform/web-push/index.ts';
import { session } from '../accounts/auth/tables.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { loadWebPushKeys } from './keys.ts';
import { webPushSubscription, type WebPushSubscriptionRow } from './tables.ts';

const SEND = 'web-push-send';
/** Attempts for one message, and the time before the second one, ms; it doubles. */
const ATTEMPTS = 4;
const RETRY_AFTER = 2_000;
/** Push services called at once. */
const AT_ONCE = 8;
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

const textsOf = z.object({ title: z.string(), body: z.string() });
const sending = z.object({
  tenantId: z.uuid(),
  browsers: z.array(z.object({ id: z.uuid(), locale: z.enum(LOCALES) })),
  texts: z.object({ zh: textsOf, en: textsOf }),
  path: z.string(),
  tag: z.string(),
  until: z.string().nullable(),
  expiresAt: z.iso.datetime(),
  /** Attempts made. */
  attempts: z.number().int(),
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
  #keys: WebPushKeys | undefined;

  constructor(deps: WebPushDeps) {
    this.#deps = deps;
    deps.jobs.define(SEND, sending, (data) => this.#send(data));
  }

  async key(): Promise<Data<typeof contract.webPush.key>> {
    const { publicKey } = await this.#loadKeys();
    return { publicKey };
  }

  /** The pair never changes. */
  async #loadKeys(): Promise<WebPushKeys> {
    const { db, secrets, now } = this.#deps;
    this.#keys ??= await loadWebPushKeys(db, secrets, now);
    return this.#keys;
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
        allOf(eq(webPushSubscription.endpointHash, hashOf(endpoint)), eq(webPushSubscription.accountId, caller.userId)),
      ),
    );
    return null;
  }

  async notify(tx: TenantTx, accountIds: readonly string[], notification: Notification): Promise<void> {
    const { now, log } = this.#deps;
    const rows = await subscriptionsOf(tx, accountIds, now());
    if (rows.length === 0) return;
    const localeOf = new Map((await findAccounts(tx, accountIds)).map(({ id, locale }) => [id, locale]));
    const { isRing, expiresAt, ...shown } = notification;
    const until = isRing ? expiresAt.toISOString() : null;
    const job: Sending = {
      ...shown,
      tenantId: tx.tenantId,
      browsers: rows.map(({ id, accountId }) => ({ id, locale: localeOf.get(accountId) ?? 'zh' })),
      until,
      expiresAt: expiresAt.toISOString(),
      attempts: 0,
    };
    // Not by the queue, which looks for jobs every two seconds only: a ring must be there at once.
    tx.afterCommit(() => {
      this.#send(job).catch((error: unknown) => log.error({ error }, 'Push messages were not sent'));
    });
  }

  /** Sends to all browsers of a notification; the queue tries again for those whose push service is not available. */
  async #send(job: Sending): Promise<void> {
    const { db, now, jobs, log } = this.#deps;
    const ids = job.browsers.map(({ id }) => id);
    const rows = await db.tenant(job.tenantId, (tx) =>
      tx.find(webPushSubscription, inArray(webPushSubscription.id, ids)),
    );
    const ttl = Math.ceil((Date.parse(job.expiresAt) - now().getTime()) / 1_000);
    if (rows.length === 0 || ttl <= 0) return;
    const keys = await this.#loadKeys();
    const left: Sending['browsers'] = [];
    await inParallel(job.browsers, async (browser) => {
      const row = rows.find(({ id }) => id === browser.id);
      if (row && !(await this.#sendTo(row, job, browser.locale, { keys, ttl }))) left.push(browser);
    });
    const attempts = job.attempts + 1;
    if (left.length === 0) return;
    if (attempts === ATTEMPTS) log.warn({ browsers: left.length }, 'Push services were not available');
    else {
      const startAfter = new Date(Date.now() + RETRY_AFTER * 2 ** job.attempts);
      await jobs.send(undefined, SEND, { ...job, browsers: left, attempts }, { startAfter });
    }
  }

  /** Sends to one browser; false if a retry may help. */
  async #sendTo(
    row: WebPushSubscriptionRow,
    { texts, path, tag, until }: Sending,
    locale: Locale,
    { keys, ttl }: { keys: WebPushKeys; ttl: number },
  ): Promise<boolean> {
    const { webPush, secrets, publicUrl, log } = this.#deps;
    const message: WebPushMessage = { ...texts[locale], path, tag, until };
    const origin = publicUrl();
    try {
      await webPush.send({
        keys,
        // Push services want an address to complain to; of web addresses, they accept https only.
        contact: origin?.startsWith('https:') === true ? origin : 'mailto:webmaster@localhost',
        to: JSON.parse(secrets.open(row.sealed, row.id)) as BrowserAddress,
        payload: JSON.stringify(message),
        ttl,
        urgency: until === null ? 'normal' : 'high',
      });
    } catch (error) {
      if (error instanceof BrowserGone) await this.#remove(row);
      else if (error instanceof WebPushRefused)
        log.warn({ error, subscriptionId: row.id }, 'A push message was refused');
      else return false;
    }
    return true;
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

/** Runs `work` for all items, at most `AT_ONCE` at the same time. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const run = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
}
