import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { tenant } from '../accounts/tenants/tables.ts';

/**
 * Who changed what. Rows are only inserted; a trigger rejects every change, and the deletion of rows younger than six
 * months.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    /** Names, here and below, are those at that time. */
    tenantName: text('tenant_name').notNull().default(''),
    at: timestamp('at', { withTimezone: true, precision: 3 }).notNull(),
    actorKind: text('actor_kind', { enum: ['user', 'operator', 'terminal', 'desk', 'system'] }).notNull(),
    actorId: text('actor_id').notNull(),
    actorName: text('actor_name').notNull(),
    /** The API client that acted in the actor's name; empty: none. */
    clientId: text('client_id').notNull().default(''),
    clientName: text('client_name').notNull().default(''),
    address: text('address').notNull(),
    /** `domain.name` of the route. */
    action: text('action').notNull(),
    targetKind: text('target_kind').notNull(),
    targetId: text('target_id').notNull(),
    targetName: text('target_name').notNull(),
    /** The fields that changed. */
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
    requestId: text('request_id').notNull(),
  },
  (t) => [
    index('audit_log_tenant_at_idx').on(t.tenantId, t.at, t.id),
    index('audit_log_at_idx').on(t.at, t.id),
    index('audit_log_action_idx').on(t.tenantId, t.action, t.at),
    index('audit_log_actor_idx').on(t.tenantId, t.actorId, t.at),
    index('audit_log_client_idx')
      .on(t.tenantId, t.clientId, t.at)
      .where(sql`${t.clientId} <> ''`),
    index('audit_log_target_idx').on(t.tenantId, t.targetId, t.at),
    check('audit_log_actor_kind', sql`${t.actorKind} in ('user', 'operator', 'terminal', 'desk', 'system')`),
  ],
);

export type AuditRow = typeof auditLog.$inferSelect;
