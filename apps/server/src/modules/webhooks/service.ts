import { MOST_WEBHOOKS, ONE_DAY, TOTAL_COUNT_LIMIT, type contract, type Data, type Input } from '@rmeet/contract';
import type { Page, Webhook, WebhookDelivery } from '@rmeet/contract';
import { and, asc, count, desc, eq, inArray } from 'drizzle-orm';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type AccountCaller, type Context } from '../../platform/http/index.ts';
import { hostOf, isInside, isNamedIn } from '../../platform/outbound/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { apiClient } from '../accounts/api-records/tables.ts';
import { findTenant } from '../accounts/tenants/index.ts';
import { tenantMeant } from '../accounts/users/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import { tell } from './outbox.ts';
import { bindingOf, type Queue } from './queue.ts';
import { newSecret } from './signature.ts';
import { webhook, webhookDelivery, type DeliveryRow, type WebhookRow } from './tables.ts';

type Calls = typeof contract.webhooks;
type AccountContext = Context<AccountCaller>;

export interface WebhookDeps {
  db: Db;
  secrets: SecretBox;
  now: () => Date;
  /** Hosts inside the network that may be called. */
  hosts: readonly string[];
  queue: Pick<Queue, 'sendNow'>;
}

const AUDITED = ['name', 'url', 'events', 'state'] as const;
const targetOf = ({ id, name }: Pick<WebhookRow, 'id' | 'name'>) => ({ kind: 'webhook', id, name });

export const presentDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  event: row.event,
  at: row.at.toISOString(),
  state: row.state,
  attempts: row.attempts,
  triedAt: row.triedAt?.toISOString() ?? null,
  status: row.status,
  answer: row.answer,
  ms: row.ms,
  nextAt: row.nextAt?.toISOString() ?? null,
  payload: row.payload,
});

async function present(tx: TenantTx, rows: readonly WebhookRow[]): Promise<Webhook[]> {
  const clientIds = rows.flatMap((row) => row.clientId ?? []);
  const clients = clientIds.length === 0 ? [] : await tx.find(apiClient, inArray(apiClient.id, clientIds));
  const names = new Map(clients.map((row) => [row.id, row.name]));
  const deliveries = tx.scoped(webhookDelivery);
  const waiting = await tx
    .select({ id: deliveries.webhookId, n: count() })
    .from(deliveries)
    .where(eq(deliveries.state, 'waiting'))
    .groupBy(deliveries.webhookId);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events,
    state: row.state,
    client: row.clientId === null ? null : { id: row.clientId, name: names.get(row.clientId) ?? '' },
    failingSince: row.failingSince?.toISOString() ?? null,
    waiting: waiting.find((one) => one.id === row.id)?.n ?? 0,
    createdAt: row.createdAt.toISOString(),
    version: row.version,
  }));
}

async function presentOne(tx: TenantTx, row: WebhookRow): Promise<Webhook> {
  const [one] = await present(tx, [row]);
  if (!one) throw new Error('The webhook was not presented.');
  return one;
}

/** Webhooks of a tenant, for those who manage API clients, and for clients of the whole tenant. */
// oxlint-disable-next-line max-lines-per-function -- short methods of one resource
export function createWebhookService({ db, secrets, now, hosts, queue }: WebhookDeps) {
  /** @throws AppError WEBHOOK_ADDRESS_REFUSED for an inside host that is not listed, and without https */
  function mustBeAllowed(url: string): void {
    const { username, password } = new URL(url);
    const isRight = url.startsWith('https:') && !isInside(hostOf(url));
    if (username !== '' || password !== '' || !(isRight || isNamedIn(hosts, url)))
      throw new AppError('WEBHOOK_ADDRESS_REFUSED');
  }

  async function find(tx: TenantTx, id: string): Promise<WebhookRow> {
    const row = await tx.findOne(webhook, eq(webhook.id, id), { lock: 'no key update' });
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  function within<T>(
    { caller }: AccountContext,
    tenantId: string | undefined,
    work: (tx: TenantTx) => Promise<T>,
  ): Promise<T> {
    return db.tenant(tenantMeant(caller, tenantId), work);
  }

  return {
    list: (context: AccountContext, { tenantId }: Input<Calls['list']>['query']): Promise<Webhook[]> =>
      within(context, tenantId, async (tx) =>
        present(tx, await tx.find(webhook, undefined, { orderBy: [asc(webhook.createdAt), asc(webhook.id)] })),
      ),

    /** @throws AppError TENANT_REQUIRED, NOT_FOUND, WEBHOOK_ADDRESS_REFUSED, WEBHOOKS_MOST */
    create: (
      context: AccountContext,
      { tenantId, name, url, events }: Input<Calls['create']>['body'],
    ): Promise<Data<Calls['create']>> =>
      within(context, tenantId, async (tx) => {
        mustBeAllowed(url);
        if ((await findTenant(tx, tx.tenantId))?.kind !== 'customer') throw new AppError('NOT_FOUND');
        if ((await tx.count(webhook)) >= MOST_WEBHOOKS) throw new AppError('WEBHOOKS_MOST', { limit: MOST_WEBHOOKS });
        const [id, secret] = [newId(), newSecret()];
        const { caller } = context;
        const [row] = await tx.insert(webhook, {
          id,
          clientId: caller.kind === 'user' ? (caller.client?.id ?? null) : null,
          name,
          url,
          events: [...new Set(events)],
          sealed: secrets.seal(secret, bindingOf(id)),
          createdAt: now(),
        });
        if (!row) throw new Error('The webhook was not stored.');
        await recordAudit(tx, context, now(), { target: targetOf(row), after: { name, url, events } });
        return { webhook: await presentOne(tx, row), secret };
      }),

    /** @throws AppError TENANT_REQUIRED, NOT_FOUND, WEBHOOK_ADDRESS_REFUSED, CHANGED_MEANWHILE */
    update: (
      context: AccountContext,
      id: string,
      { tenantId, version, enabled, ...body }: Input<Calls['update']>['body'],
    ): Promise<Webhook> =>
      within(context, tenantId, async (tx) => {
        mustBeAllowed(body.url);
        const before = await find(tx, id);
        if (before.version !== version) throw new AppError('CHANGED_MEANWHILE');
        const state = enabled ? ('active' as const) : ('disabled' as const);
        const again = state === before.state ? {} : { failingSince: null };
        const [after] = await tx.update(
          webhook,
          { ...body, events: [...new Set(body.events)], state, ...again, version: version + 1 },
          eq(webhook.id, id),
        );
        if (!after) throw new AppError('NOT_FOUND');
        await recordAudit(tx, context, now(), { target: targetOf(after), ...changed(before, after, AUDITED) });
        return presentOne(tx, after);
      }),

    /** @throws AppError TENANT_REQUIRED, NOT_FOUND */
    rotate: (context: AccountContext, id: string, tenantId: string | undefined): Promise<Data<Calls['rotate']>> =>
      within(context, tenantId, async (tx) => {
        const before = await find(tx, id);
        const secret = newSecret();
        const set = {
          sealed: secrets.seal(secret, bindingOf(id)),
          formerSealed: before.sealed,
          formerUntil: new Date(now().getTime() + ONE_DAY),
        };
        const [after] = await tx.update(webhook, set, eq(webhook.id, id));
        if (!after) throw new AppError('NOT_FOUND');
        await recordAudit(tx, context, now(), {
          target: targetOf(after),
          before: { secret: '***' },
          after: { secret: '***' },
        });
        return { webhook: await presentOne(tx, after), secret };
      }),

    /** @throws AppError TENANT_REQUIRED, NOT_FOUND */
    remove: (context: AccountContext, id: string, tenantId: string | undefined): Promise<void> =>
      within(context, tenantId, async (tx) => {
        const row = await find(tx, id);
        await tx.delete(webhook, eq(webhook.id, id));
        await recordAudit(tx, context, now(), { target: targetOf(row), before: { name: row.name, url: row.url } });
      }),

    deliveries: (
      context: AccountContext,
      id: string,
      { tenantId, state, current, size }: Input<Calls['deliveries']>['query'],
    ): Promise<Page<WebhookDelivery>> =>
      within(context, tenantId, async (tx) => {
        await find(tx, id);
        const where = and(eq(webhookDelivery.webhookId, id), state && eq(webhookDelivery.state, state));
        const rows = await tx.find(webhookDelivery, where, {
          orderBy: desc(webhookDelivery.id),
          limit: size,
          offset: (current - 1) * size,
        });
        const total = await tx.count(webhookDelivery, where, TOTAL_COUNT_LIMIT + 1);
        const page = { records: rows.map(presentDelivery), total: Math.min(total, TOTAL_COUNT_LIMIT), current, size };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      }),

    /** @throws AppError TENANT_REQUIRED, NOT_FOUND */
    async resend(
      context: AccountContext,
      { id, deliveryId }: { id: string; deliveryId: string },
      tenantId: string | undefined,
    ): Promise<WebhookDelivery> {
      const { row, delivery } = await within(context, tenantId, async (tx) => {
        const found = await find(tx, id);
        const one = await tx.findOne(
          webhookDelivery,
          allOf(eq(webhookDelivery.id, deliveryId), eq(webhookDelivery.webhookId, id)),
        );
        if (!one) throw new AppError('NOT_FOUND');
        await recordAudit(tx, context, now(), { target: targetOf(found), after: { delivery: deliveryId } });
        return { row: found, delivery: one };
      });
      return presentDelivery(await queue.sendNow(row, delivery));
    },

    /** @throws AppError TENANT_REQUIRED, NOT_FOUND */
    async test(context: AccountContext, id: string, tenantId: string | undefined): Promise<WebhookDelivery> {
      const { row, delivery } = await within(context, tenantId, async (tx) => {
        const found = await find(tx, id);
        const [deliveryId] = await tell(tx, [found], { event: 'ping', at: now(), data: { name: found.name } });
        // Not a part of the queue: it is sent at once, and never again by itself.
        const [one] = await tx.update(
          webhookDelivery,
          { state: 'failed', nextAt: null },
          eq(webhookDelivery.id, deliveryId ?? ''),
        );
        if (!one) throw new AppError('NOT_FOUND');
        await recordAudit(tx, context, now(), { target: targetOf(found), after: { event: 'ping' } });
        return { row: found, delivery: one };
      });
      return presentDelivery(await queue.sendNow(row, delivery));
    },
  };
}

export type WebhookService = ReturnType<typeof createWebhookService>;
