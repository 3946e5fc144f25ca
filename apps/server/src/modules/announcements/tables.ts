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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { role } from '../accounts/roles/tables.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** An announcement of an organisation; those of the platform's tenant are for all organisations. */
export const announcement = pgTable(
  'announcement',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    title: text('title').notNull(),
    /** Cleaned text with light marks (contract, announcement-text.ts). */
    body: text('body').notNull(),
    /** Empty for none. */
    url: text('url').notNull().default(''),
    important: boolean('important').notNull().default(false),
    /** For all people of its tenant, or of all tenants; else for those of its rows in announcement_audience. */
    wholeTenant: boolean('whole_tenant').notNull().default(false),
    /** When it is shown; null: from its publication, and until it is withdrawn. */
    startsAt: time('starts_at'),
    endsAt: time('ends_at'),
    state: text('state', { enum: ['draft', 'published', 'withdrawn'] })
      .notNull()
      .default('draft'),
    publishedAt: time('published_at'),
    /** When open pages must next be notified that it appears or disappears; null: never by itself. */
    dueAt: time('due_at'),
    authorName: text('author_name').notNull(),
    createdAt: time('created_at').notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    unique('announcement_tenant_id_key').on(t.tenantId, t.id),
    index('announcement_tenant_created_idx').on(t.tenantId, t.createdAt),
    index('announcement_published_idx')
      .on(t.tenantId, t.publishedAt)
      .where(sql`${t.state} = 'published'`),
    index('announcement_due_idx')
      .on(t.dueAt)
      .where(sql`${t.dueAt} is not null`),
    check('announcement_state', sql`${t.state} in ('draft', 'published', 'withdrawn')`),
    check('announcement_published', sql`${t.state} <> 'published' or ${t.publishedAt} is not null`),
    check('announcement_times', sql`${t.endsAt} > ${t.startsAt}`),
  ],
);

/** Whom an announcement is for: a department including all below it, the people with a role, or one person. */
export const announcementAudience = pgTable(
  'announcement_audience',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    announcementId: uuid('announcement_id').notNull(),
    /** Path in the organisation, levels separated by `/`. */
    department: text('department'),
    roleId: uuid('role_id').references(() => role.id, { onDelete: 'cascade' }),
    accountId: uuid('account_id'),
  },
  (t) => [
    foreignKey({
      name: 'announcement_audience_announcement_fk',
      columns: [t.tenantId, t.announcementId],
      foreignColumns: [announcement.tenantId, announcement.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'announcement_audience_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    uniqueIndex('announcement_audience_department_key')
      .on(t.announcementId, t.department)
      .where(sql`${t.department} is not null`),
    uniqueIndex('announcement_audience_role_key')
      .on(t.announcementId, t.roleId)
      .where(sql`${t.roleId} is not null`),
    uniqueIndex('announcement_audience_account_key')
      .on(t.announcementId, t.accountId)
      .where(sql`${t.accountId} is not null`),
    index('announcement_audience_department_idx').on(t.tenantId, t.department),
    index('announcement_audience_role_idx').on(t.roleId),
    index('announcement_audience_account_idx').on(t.accountId),
    check('announcement_audience_one', sql`num_nonnulls(${t.department}, ${t.roleId}, ${t.accountId}) = 1`),
  ],
);

/**
 * Who has read an announcement. The tenant is the reader's; the announcement may be the platform's, so it is referred
 * to by its id alone.
 */
export const announcementRead = pgTable(
  'announcement_read',
  {
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    announcementId: uuid('announcement_id')
      .notNull()
      .references(() => announcement.id, { onDelete: 'cascade' }),
    accountId: uuid('account_id').notNull(),
    readAt: time('read_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'announcement_read_pkey', columns: [t.announcementId, t.accountId] }),
    foreignKey({
      name: 'announcement_read_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('announcement_read_account_idx').on(t.accountId),
    index('announcement_read_time_idx').on(t.announcementId, t.readAt, t.accountId),
  ],
);

export type AnnouncementRow = typeof announcement.$inferSelect;
export type AudienceRow = typeof announcementAudience.$inferSelect;
