import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';

/**
 * An organisation. Its id is the `tenant_id` every other row carries.
 * One row of kind `platform` holds what belongs to no customer: operators, sign-in attempts, captchas.
 */
export const tenant = pgTable(
  'tenant',
  {
    tenantId: uuid('tenant_id').primaryKey(),
    kind: text('kind', { enum: ['platform', 'customer'] }).notNull().default('customer'),
    name: text('name').notNull(),
    enabled: boolean('enabled').notNull().default(true),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (t) => [
    uniqueIndex('tenant_name_key').on(sql`lower(${t.name})`),
    uniqueIndex('tenant_platform_key').on(t.kind).where(sql`${t.kind} = 'platform'`),
    check('tenant_kind', sql`${t.kind} in ('platform', 'customer')`),
  ],
);

export type TenantRow = typeof tenant.$inferSelect;
