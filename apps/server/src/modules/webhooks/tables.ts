import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { DELIVERY_STATES, WEBHOOK_STATES, type WebhookEvent } from '@rmeet/contract';
import { apiClient } from '../accounts/api-records/tables.ts';
import { tenant } from '../accounts/tenants/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const tenantId = () =>
  uuid('tenant_id')
    .notNull()
    .references(() => tenant.tenantId);

/** An address that is told of events of a tenant. */
export const webhook = pgTable(
  'webhook',
  {
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    /** The API client that made it; null: an administrator. */
    clientId: uuid('client_id'),
    name: text('name').notNull(),
    url: text('url').notNull(),
    events: jsonb('events').notNull().$type<WebhookEvent[]>(),
    state: text('state', { enum: WEBHOOK_STATES }).notNull().default('active'),
    /** The secret, sealed; and the previous one, which signs, too, until a time. */
    sealed: text('sealed').notNull(),
    formerSealed: text('former_sealed'),
    formerUntil: time('former_until'),
    failingSince: time('failing_since'),
    /** A server process sends its deliveries, until then. */
    busyUntil: time('busy_until'),
    createdAt: time('created_at').notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    unique('webhook_tenant_id_key').on(t.tenantId, t.id),
    index('webhook_tenant_idx').on(t.tenantId),
    foreignKey({
      name: 'webhook_client_fk',
      columns: [t.tenantId, t.clientId],
      foreignColumns: [apiClient.tenantId, apiClient.id],
    }).onDelete('cascade'),
    check('webhook_state', sql`${t.state} in ('active', 'disabled', 'stopped')`),
  ],
);

/** One event for one webhook. Ids are in the order of the events. */
export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    webhookId: uuid('webhook_id').notNull(),
    event: text('event').notNull().$type<WebhookEvent | 'ping'>(),
    /** What happened, so that nothing is told twice: `recording.ready <id>`. Null where that cannot happen. */
    key: text('key'),
    at: time('at').notNull(),
    /** The body, as it is signed. */
    payload: text('payload').notNull(),
    state: text('state', { enum: DELIVERY_STATES }).notNull().default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    triedAt: time('tried_at'),
    nextAt: time('next_at'),
    status: integer('status'),
    answer: text('answer').notNull().default(''),
    ms: integer('ms'),
  },
  (t) => [
    index('webhook_delivery_webhook_idx').on(t.webhookId, t.id),
    index('webhook_delivery_waiting_idx')
      .on(t.webhookId, t.id)
      .where(sql`${t.state} = 'waiting'`),
    index('webhook_delivery_at_idx').on(t.at),
    uniqueIndex('webhook_delivery_key').on(t.webhookId, t.key),
    foreignKey({
      name: 'webhook_delivery_webhook_fk',
      columns: [t.tenantId, t.webhookId],
      foreignColumns: [webhook.tenantId, webhook.id],
    }).onDelete('cascade'),
    check('webhook_delivery_state', sql`${t.state} in ('waiting', 'delivered', 'failed')`),
  ],
);

export type WebhookRow = typeof webhook.$inferSelect;
export type DeliveryRow = typeof webhookDelivery.$inferSelect;
