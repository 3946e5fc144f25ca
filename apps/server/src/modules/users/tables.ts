import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, timestamp, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { tenant } from '../tenants/tables.ts';

/**
 * Somebody who can sign in: a person of a tenant (`user`) or of the platform's staff (`operator`).
 * Sign-in asks for the account name alone, so names are unique over all tenants, whatever their case.
 */
export const account = pgTable(
  'account',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull().references(() => tenant.tenantId),
    kind: text('kind', { enum: ['user', 'operator'] }).notNull().default('user'),
    account: text('account').notNull(),
    name: text('name').notNull(),
    email: text('email').notNull().default(''),
    /** Path in the organisation, levels parted by `/`. */
    department: text('department').notNull().default(''),
    locale: text('locale', { enum: ['zh', 'en'] }).notNull().default('zh'),
    /** argon2id, in PHC string form. */
    passwordHash: text('password_hash').notNull(),
    isTenantAdmin: boolean('is_tenant_admin').notNull().default(false),
    isSuperAdmin: boolean('is_super_admin').notNull().default(false),
    /** Came with the demo data; the server checks that its published password is gone before it listens beyond loopback. */
    isDemo: boolean('is_demo').notNull().default(false),
    enabled: boolean('enabled').notNull().default(true),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (t) => [
    uniqueIndex('account_account_key').on(sql`lower(${t.account})`),
    unique('account_tenant_id_key').on(t.tenantId, t.id),
    index('account_tenant_name_idx').on(t.tenantId, t.name),
    index('account_name_trgm_idx').using('gin', t.name.op('gin_trgm_ops')),
    index('account_account_trgm_idx').using('gin', t.account.op('gin_trgm_ops')),
    index('account_demo_idx').on(t.id).where(sql`${t.isDemo}`),
    check('account_kind', sql`${t.kind} in ('user', 'operator')`),
    check('account_locale', sql`${t.locale} in ('zh', 'en')`),
    check('account_admin_kind', sql`not (${t.kind} = 'operator' and ${t.isTenantAdmin}) and not (${t.kind} = 'user' and ${t.isSuperAdmin})`),
  ],
);

export type AccountRow = typeof account.$inferSelect;
