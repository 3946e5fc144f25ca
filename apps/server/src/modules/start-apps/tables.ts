import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { role } from '../accounts/roles/tables.ts';
import { tenant } from '../accounts/tenants/tables.ts';

/** An app of a tenant's start page: a link with name and icon. */
export const startApp = pgTable(
  'start_app',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    name: text('name').notNull(),
    nameEn: text('name_en').notNull().default(''),
    /** A name from the icon gallery. */
    icon: text('icon').notNull(),
    /** https, or a path of this server. */
    url: text('url').notNull(),
    sort: integer('sort').notNull(),
    /** Whether only people with one of the roles in start_app_role see it. */
    isLimited: boolean('is_limited').notNull().default(false),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    unique('start_app_tenant_id_key').on(t.tenantId, t.id),
    index('start_app_sort_idx').on(t.tenantId, t.sort),
    check('start_app_sort', sql`${t.sort} >= 0`),
  ],
);

/** A role that sees an app. */
export const startAppRole = pgTable(
  'start_app_role',
  {
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    appId: uuid('app_id').notNull(),
    roleId: uuid('role_id')
      .notNull()
      .references(() => role.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ name: 'start_app_role_pkey', columns: [t.appId, t.roleId] }),
    foreignKey({
      name: 'start_app_role_app_fk',
      columns: [t.tenantId, t.appId],
      foreignColumns: [startApp.tenantId, startApp.id],
    }).onDelete('cascade'),
    index('start_app_role_role_idx').on(t.roleId),
  ],
);

export type StartAppRow = typeof startApp.$inferSelect;
