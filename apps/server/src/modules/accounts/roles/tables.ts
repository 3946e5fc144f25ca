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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { permission } from '../permissions/tables.ts';
import { tenant } from '../tenants/tables.ts';
import { account } from '../users/tables.ts';

/**
 * A named set of permissions and menu entries. Roles belong to the platform's tenant; all tenants grant the same ones.
 */
export const role = pgTable(
  'role',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    name: text('name').notNull(),
    nameEn: text('name_en').notNull().default(''),
    description: text('description').notNull().default(''),
    kind: text('kind', { enum: ['user', 'operator'] }).notNull(),
    isDefault: boolean('is_default').notNull().default(false),
    /** Name of a built-in role; null for manually created ones. */
    builtIn: text('built_in'),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    uniqueIndex('role_name_key').on(sql`lower(${t.name})`),
    uniqueIndex('role_built_in_key').on(t.builtIn),
    check('role_kind', sql`${t.kind} in ('user', 'operator')`),
  ],
);

/** The grants of a role. */
export const rolePermission = pgTable(
  'role_permission',
  {
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    roleId: uuid('role_id')
      .notNull()
      .references(() => role.id, { onDelete: 'cascade' }),
    permissionId: uuid('permission_id')
      .notNull()
      .references(() => permission.id),
  },
  (t) => [
    primaryKey({ name: 'role_permission_pkey', columns: [t.roleId, t.permissionId] }),
    index('role_permission_permission_idx').on(t.permissionId),
  ],
);

/** The accounts that have a role. */
export const accountRole = pgTable(
  'account_role',
  {
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    accountId: uuid('account_id').notNull(),
    roleId: uuid('role_id')
      .notNull()
      .references(() => role.id),
  },
  (t) => [
    primaryKey({ name: 'account_role_pkey', columns: [t.accountId, t.roleId] }),
    foreignKey({
      name: 'account_role_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('account_role_role_idx').on(t.roleId, t.tenantId),
  ],
);

export type RoleRow = typeof role.$inferSelect;
