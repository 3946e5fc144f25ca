import { DELIVERY_DAYS, ONE_DAY } from '@rmeet/contract';
import { and, asc, eq, inArray, isNull, lt, lte, or } from 'drizzle-orm';
import { allOf } from '../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log/log.ts';
import { callOutside, isNamedIn } from '../../platform/outbound/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { recordAudit, systemOrigin } from '../audit/index.ts';
import { signedHeaders } from './signature.ts';
import { webhook, webhookDelivery, type DeliveryRow, type WebhookRow } from './tables.ts';

export interface QueueDeps {
  db: Db;
  secrets: SecretBox;
  log: Log;
  now: () => Date;
  /** Hosts inside the network that may be called (RMEET_EVENT_HOSTS). */
  hosts: readonly string[];
  /** Sends again at a time. */
  sendAt: (tx: TenantTx, at: Date) => void;
  /** Tells the administrators of a tenant that a webhook was stopped. */
  notify: (tx: TenantTx, stopped: WebhookRow) => Promise<void>;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Pauses after failed attempts; together with the last one repeated, a day. */
const PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR];
/** A webhook to which nothing could be delivered for this long is stopped. */
const STOP_AFTER = 24 * HOUR;
/** One process sends the deliveries of a webhook; for this long after its last sign. */
const BUSY_FOR = 30 * SECOND;
const ANSWER_LENGTH = 500;
const USER_AGENT = 'Rmeet-Webhooks/1';

export const bindingOf = (webhookId: string): string => `webhook ${webhookId}`;

/** What a delivery was answered. */
interface Outcome {
  status: number | null;
  answer: string;
  ms: number;
  isDelivered: boolean;
}

/** Sends deliveries: those of one webhook in their order, one at a time, each until it arrives. */
// oxlint-disable-next-line max-lines-per-function -- short steps of one queue
export function createQueue({ db, secrets, log, now, hosts, sendAt, notify }: QueueDeps) {
  /** Signs and sends a delivery. Redirects are not followed, and count as failures. */
  async function send(row: WebhookRow, { id, payload }: DeliveryRow): Promise<Outcome> {
    const at = now();
    const isFormer = row.formerSealed !== null && row.formerUntil !== null && row.formerUntil > at;
    const keys = [row.sealed, ...(isFormer ? [row.formerSealed ?? ''] : [])];
    const from = performance.now();
    const took = () => Math.round(performance.now() - from);
    try {
      const { status, text } = await callOutside({
        url: row.url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': USER_AGENT,
          ...signedHeaders(
            id,
            payload,
            keys.map((sealed) => secrets.open(sealed, bindingOf(row.id))),
            at,
          ),
        },
        body: payload,
        isTrusted: isNamedIn(hosts, row.url),
      });
      const answer = text.replaceAll('\0', '').slice(0, ANSWER_LENGTH);
      return { status, answer, ms: took(), isDelivered: status >= 200 && status < 300 };
    } catch (error) {
      const { code, message } = error as { code?: unknown; message: string };
      const answer = typeof code === 'string' && message === '' ? code : message;
      return { status: null, answer: answer.slice(0, ANSWER_LENGTH), ms: took(), isDelivered: false };
    }
  }

  /** Stores an attempt. */
  const attempted = (tx: TenantTx, { id, attempts }: DeliveryRow, { status, answer, ms }: Outcome, set: object) =>
    tx.update(
      webhookDelivery,
      { attempts: attempts + 1, triedAt: now(), status, answer, ms, ...set },
      eq(webhookDelivery.id, id),
    );

  /** Stops a webhook that failed for a day; what waits for it is given up. */
  async function stop(tx: TenantTx, row: WebhookRow): Promise<void> {
    await tx.update(webhook, { state: 'stopped', busyUntil: null }, eq(webhook.id, row.id));
    await tx.update(
      webhookDelivery,
      { state: 'failed', nextAt: null },
      allOf(eq(webhookDelivery.webhookId, row.id), eq(webhookDelivery.state, 'waiting')),
    );
    await recordAudit(tx, systemOrigin('webhooks.end'), now(), {
      target: { kind: 'webhook', id: row.id, name: row.name },
      before: { state: 'active' },
      after: { state: 'stopped', failingSince: row.failingSince?.toISOString() },
    });
    await notify(tx, row);
  }

  async function failed(tx: TenantTx, row: WebhookRow, delivery: DeliveryRow, outcome: Outcome): Promise<void> {
    const failingSince = row.failingSince ?? now();
    const pause = PAUSES[Math.min(delivery.attempts, PAUSES.length - 1)] ?? HOUR;
    const nextAt = new Date(now().getTime() + pause);
    await attempted(tx, delivery, outcome, { nextAt });
    if (nextAt.getTime() - failingSince.getTime() > STOP_AFTER) {
      await stop(tx, { ...row, failingSince });
      return;
    }
    await tx.update(webhook, { failingSince, busyUntil: null }, eq(webhook.id, row.id));
    sendAt(tx, nextAt);
  }

  /** The next delivery of a webhook, if its time has come. The process has the webhook from then on. */
  async function take(
    tx: TenantTx,
    webhookId: string,
    isHeld: boolean,
  ): Promise<{ row: WebhookRow; delivery: DeliveryRow } | undefined> {
    const at = now();
    const isFree = or(isNull(webhook.busyUntil), lt(webhook.busyUntil, at));
    const [row] = await tx.update(
      webhook,
      { busyUntil: new Date(at.getTime() + BUSY_FOR) },
      and(eq(webhook.id, webhookId), eq(webhook.state, 'active'), isHeld ? undefined : isFree),
    );
    if (!row) return undefined;
    const delivery = await tx.findOne(
      webhookDelivery,
      allOf(eq(webhookDelivery.webhookId, webhookId), eq(webhookDelivery.state, 'waiting')),
      { orderBy: asc(webhookDelivery.id) },
    );
    if (delivery && (delivery.nextAt === null || delivery.nextAt <= at)) return { row, delivery };
    await tx.update(webhook, { busyUntil: null }, eq(webhook.id, webhookId));
    return undefined;
  }

  /** Sends what waits for a webhook, until one fails. */
  async function run({ id, tenantId }: Pick<WebhookRow, 'id' | 'tenantId'>): Promise<void> {
    for (let isHeld = false; ; isHeld = true) {
      const taken = await db.tenant(tenantId, (tx) => take(tx, id, isHeld));
      if (!taken) return;
      const { row, delivery } = taken;
      const outcome = await send(row, delivery);
      const goesOn = await db.tenant(tenantId, async (tx) => {
        if (!outcome.isDelivered) {
          await failed(tx, row, delivery, outcome);
          return false;
        }
        await attempted(tx, delivery, outcome, { state: 'delivered', nextAt: null });
        if (row.failingSince) await tx.update(webhook, { failingSince: null }, eq(webhook.id, id));
        return true;
      });
      if (!goesOn) return;
    }
  }

  return {
    /** Sends everything that is due, of all tenants. */
    async sendDue(): Promise<void> {
      const due = await db.platform((tx) =>
        tx.find(webhookDelivery, allOf(eq(webhookDelivery.state, 'waiting'), lte(webhookDelivery.nextAt, now())), {
          limit: 10_000,
        }),
      );
      const webhooks = new Map(due.map(({ webhookId, tenantId }) => [webhookId, tenantId]));
      const runs = [...webhooks].map(([id, tenantId]) => run({ id, tenantId }));
      for (const one of await Promise.allSettled(runs))
        if (one.status === 'rejected') log.warn({ error: one.reason as unknown }, 'A webhook was not sent');
    },

    run,

    /** Sends one delivery now, whatever its state; a failure changes nothing else. */
    async sendNow(row: WebhookRow, delivery: DeliveryRow): Promise<DeliveryRow> {
      const outcome = await send(row, delivery);
      return db.tenant(row.tenantId, async (tx) => {
        const done = outcome.isDelivered ? { state: 'delivered', nextAt: null } : {};
        const ended = delivery.event === 'ping' && !outcome.isDelivered ? { state: 'failed', nextAt: null } : {};
        const [after] = await attempted(tx, delivery, outcome, { ...done, ...ended });
        return after ?? delivery;
      });
    },

    /** Deletes deliveries after 30 days. */
    async clear(): Promise<void> {
      const before = new Date(now().getTime() - DELIVERY_DAYS * ONE_DAY);
      await db.platform(async (tx) => {
        const old = await tx.find(webhookDelivery, lt(webhookDelivery.at, before), { limit: 50_000 });
        if (old.length === 0) return;
        await tx.delete(
          webhookDelivery,
          inArray(
            webhookDelivery.id,
            old.map((row) => row.id),
          ),
        );
      });
    },
  };
}

export type Queue = ReturnType<typeof createQueue>;
