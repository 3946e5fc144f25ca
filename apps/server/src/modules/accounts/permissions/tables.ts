import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { tenant } from '../tenants/tables.ts';
import { account } from '../users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/**
 * The list of menu entries and permissions (product document, sections 2 and 3). It belongs to the platform's tenant.
 */
export const permission = pgTable(
  'permission',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    pid: uuid('pid').references((): AnyPgColumn => permission.id),
    /** 0 menu, 1 page, 2 permission. */
    type: smallint('type').notNull().$type<0 | 1 | 2>(),
    /** The code of a permission; for a menu entry the code required to see it. */
    code: text('code'),
    name: text('name').notNull(),
    nameEn: text('name_en').notNull().default(''),
    url: text('url').notNull().default(''),
    redirect: text('redirect').notNull().default(''),
    icon: text('icon').notNull().default(''),
    isAdmin: boolean('is_admin').notNull().default(false),
    component: text('component').notNull().default(''),
    componentName: text('component_name').notNull().default(''),
    hidden: boolean('hidden').notNull().default(false),
    userManageType: smallint('user_manage_type').notNull().default(1).$type<1 | 2 | 3 | 4>(),
    sort: integer('sort').notNull().default(0),
    /** Name of a built-in entry; null for manually created ones. */
    builtIn: text('built_in'),
    createdAt: time('created_at').notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    uniqueIndex('permission_code_key')
      .on(t.code)
      .where(sql`${t.type} = 2`),
    uniqueIndex('permission_built_in_key').on(t.builtIn),
    index('permission_pid_idx').on(t.pid, t.sort),
    check('permission_type', sql`${t.type} in (0, 1, 2)`),
    check('permission_has_code', sql`${t.type} <> 2 or ${t.code} is not null`),
    check('permission_user_manage_type', sql`${t.userManageType} between 1 and 4`),
    check('permission_not_its_own_parent', sql`${t.pid} <> ${t.id}`),
  ],
);

/** A permission or menu entry granted directly to one account. */
export const accountPermission = pgTable(
  'account_permission',
  {
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    accountId: uuid('account_id').notNull(),
    permissionId: uuid('permission_id')
      .notNull()
      .references(() => permission.id),
  },
  (t) => [
    primaryKey({ name: 'account_permission_pkey', columns: [t.accountId, t.permissionId] }),
    foreignKey({
      name: 'account_permission_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('account_permission_permission_idx').on(t.permissionId),
  ],
);

export type PermissionRow = typeof permission.$inferSelect;
