import { sql, type SQL } from 'drizzle-orm';
import {
  TASK_ITEM_STATES,
  type AccountChange,
  type ErrorCode,
  type USER_COLUMNS,
  type USER_FAULTS,
} from '@rmeet/contract';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { searchIndex } from '../../../platform/db/search-index.ts';
import { tenant } from '../tenants/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Users that are not deleted. Statements must use exactly this expression to use the indexes below. */
export const isUserThere = sql.raw(`"kind" = 'user' and "deleted_at" is null`);

/** The digits of a phone number (digitsOf); statements must use exactly this expression to use the index below. */
export const phoneDigits = (phone: AnyPgColumn): SQL =>
  sql`regexp_replace(regexp_replace(${phone}, '[\\s-]', '', 'g'), '^\\+86', '')`;

/**
 * An account that can sign in: a person of a tenant (`user`) or of the platform's staff (`operator`); or that of an API
 * client (`service`), which has no password and is in no list of people. Names are unique
 * within a tenant (case-insensitive), and nothing is disclosed about names in other tenants. Sign-in by the name alone
 * tries the oldest accounts that have it (docs/decisions/account-names.md).
 */
export const account = pgTable(
  'account',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    kind: text('kind', { enum: ['user', 'operator', 'service'] })
      .notNull()
      .default('user'),
    account: text('account').notNull(),
    name: text('name').notNull(),
    email: text('email').notNull().default(''),
    phone: text('phone').notNull().default(''),
    /** Path in the organisation, levels separated by `/`. */
    department: text('department').notNull().default(''),
    locale: text('locale', { enum: ['zh', 'en'] })
      .notNull()
      .default('zh'),
    /** argon2id, in PHC string form. */
    passwordHash: text('password_hash').notNull(),
    isTenantAdmin: boolean('is_tenant_admin').notNull().default(false),
    isSuperAdmin: boolean('is_super_admin').notNull().default(false),
    /**
     * Part of the demo data; the server checks that its published password was changed before it listens beyond
     * loopback.
     */
    isDemo: boolean('is_demo').notNull().default(false),
    enabled: boolean('enabled').notNull().default(true),
    /** Who keeps its data and checks its password: this server, or a directory (module directories). */
    managedBy: text('managed_by', { enum: ['local', 'directory'] })
      .notNull()
      .default('local'),
    createdAt: time('created_at').notNull(),
    version: integer('version').notNull().default(1),
    /** When the password was last set; null if never since the account was created. */
    passwordChangedAt: time('password_changed_at'),
    /** The password was set by another person, so it must be changed at the next sign-in. */
    passwordDue: boolean('password_due').notNull().default(false),
    lastLoginAt: time('last_login_at'),
    /** Deleted accounts can be restored for 30 days; they are disabled meanwhile. */
    deletedAt: time('deleted_at'),
  },
  (t) => [
    // The name of a deleted account is free; brought back, it may need another (docs/decisions/account-names.md).
    uniqueIndex('account_tenant_account_key')
      .on(t.tenantId, sql`lower(${t.account})`)
      .where(sql`${t.deletedAt} is null`),
    // Returns the oldest accounts of a name in order, so that sign-in takes equally long for any number of tenants.
    index('account_account_idx')
      .on(sql`lower(${t.account})`, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    unique('account_tenant_id_key').on(t.tenantId, t.id),
    searchIndex('account_search_idx', t.tenantId, [t.name, t.account, t.email, t.phone, t.department]),
    index('account_phone_idx')
      .on(phoneDigits(t.phone))
      .where(sql`${t.phone} <> '' and ${isUserThere}`),
    index('account_demo_idx')
      .on(t.id)
      .where(sql`${t.isDemo}`),
    index('account_tenant_department_idx').on(t.tenantId, t.department.op('text_pattern_ops')),
    // The sort orders of the user list; each index returns a page in order without reading other rows. The last one
    // serves the count.
    index('account_users_name_idx').on(t.tenantId, t.name, t.id).where(isUserThere),
    index('account_users_account_idx').on(t.tenantId, t.account, t.id).where(isUserThere),
    index('account_users_department_idx').on(t.tenantId, t.department, t.id).where(isUserThere),
    index('account_users_created_idx').on(t.tenantId, t.createdAt, t.id).where(isUserThere),
    index('account_users_login_idx').on(t.tenantId, t.lastLoginAt.desc().nullsLast(), t.id.desc()).where(isUserThere),
    index('account_users_enabled_idx').on(t.tenantId, t.enabled).where(isUserThere),
    index('account_deleted_idx')
      .on(t.deletedAt)
      .where(sql`${t.deletedAt} is not null`),
    check('account_deleted_disabled', sql`${t.deletedAt} is null or not ${t.enabled}`),
    // People of a directory with the mail address of another account.
    index('account_email_idx')
      .on(t.tenantId, sql`lower(${t.email})`)
      .where(sql`${t.email} <> '' and ${isUserThere}`),
    check('account_managed_by', sql`${t.managedBy} in ('local', 'directory')`),
    check('account_kind', sql`${t.kind} in ('user', 'operator', 'service')`),
    check('account_locale', sql`${t.locale} in ('zh', 'en')`),
    check(
      'account_admin_kind',
      sql`not (${t.kind} = 'operator' and ${t.isTenantAdmin}) and not (${t.kind} <> 'operator' and ${t.isSuperAdmin})`,
    ),
  ],
);

/** Former passwords of an account; argon2id, in PHC string form. */
export const formerPassword = pgTable(
  'former_password',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    accountId: uuid('account_id').notNull(),
    passwordHash: text('password_hash').notNull(),
    replacedAt: time('replaced_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'former_password_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('former_password_account_idx').on(t.accountId, t.replacedAt),
  ],
);

/**
 * The department paths in use in a tenant, stored next to the accounts so that the tree need not be computed from them.
 */
export const department = pgTable(
  'department',
  {
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    path: text('path').notNull(),
  },
  (t) => [primaryKey({ name: 'department_pkey', columns: [t.tenantId, t.path] })],
);

export type AccountRow = typeof account.$inferSelect;

/**
 * An account whose owner was invited to set the first password; it has no row once a password is set. The secret of the
 * link is only in the mail; its SHA-256 finds the row.
 */
export const invitation = pgTable(
  'invitation',
  {
    accountId: uuid('account_id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    /** Null before the mail is sent, and after the invitation was withdrawn. */
    tokenHash: text('token_hash'),
    expiresAt: time('expires_at'),
    /** When to send the mail, or to try again; null if it was sent, or no further attempt is made. */
    dueAt: time('due_at'),
    tries: integer('tries').notNull().default(0),
    sentAt: time('sent_at'),
    createdAt: time('created_at').notNull(),
    revokedAt: time('revoked_at'),
  },
  (t) => [
    uniqueIndex('invitation_token_hash_key').on(t.tokenHash),
    index('invitation_due_idx')
      .on(t.dueAt)
      .where(sql`${t.dueAt} is not null`),
    foreignKey({
      name: 'invitation_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
  ],
);
export type InvitationRow = typeof invitation.$inferSelect;

/** The account in whose name a task runs, as in the audit log, with the rights it had when it started the task. */
export interface TaskActor {
  kind: 'user' | 'operator';
  userId: string;
  tenantId: string;
  account: string;
  name: string;
  permissions: string[];
  isTenantAdmin: boolean;
  isSuperAdmin: boolean;
  address: string;
  requestId: string;
}

/** An import of users or a change of many: checked, then done in the background. */
export const userTask = pgTable(
  'user_task',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    kind: text('kind', { enum: ['import', 'change'] }).notNull(),
    /** The imported file. */
    name: text('name').notNull().default(''),
    change: jsonb('change').$type<AccountChange>(),
    state: text('state', { enum: ['checked', 'running', 'done', 'cancelled'] })
      .notNull()
      .default('checked'),
    actor: jsonb('actor').$type<TaskActor>().notNull(),
    firstAccess: text('first_access', { enum: ['invitation', 'password'] }),
    /** While it runs: not to be continued by another process before this time. */
    turnAt: time('turn_at'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    unique('user_task_tenant_id_key').on(t.tenantId, t.id),
    index('user_task_turn_idx')
      .on(t.turnAt)
      .where(sql`${t.state} = 'running'`),
    index('user_task_created_idx').on(t.createdAt),
    check('user_task_state', sql`${t.state} in ('checked', 'running', 'done', 'cancelled')`),
  ],
);
export type UserTaskRow = typeof userTask.$inferSelect;

/** What a row of a sheet says about an account; missing fields are left as they are. */
export interface SheetUser {
  account: string;
  name: string;
  phone?: string;
  email?: string;
  department?: string;
  roleIds?: string[];
  locale?: 'zh' | 'en';
}

/** A wrong cell of a sheet. */
interface ItemFault {
  column: (typeof USER_COLUMNS)[number];
  fault: (typeof USER_FAULTS)[number];
  value: string;
}

/** An account in a task. */
export const userTaskItem = pgTable(
  'user_task_item',
  {
    taskId: uuid('task_id').notNull(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    /** From 1, in the order in which they are done. */
    position: integer('position').notNull(),
    row: integer('row'),
    /** Of an existing account. */
    accountId: uuid('account_id'),
    account: text('account').notNull().default(''),
    name: text('name').notNull().default(''),
    state: text('state', { enum: TASK_ITEM_STATES }).notNull(),
    /** Of an import. */
    values: jsonb('values').$type<SheetUser>(),
    columns: jsonb('columns').$type<ItemFault['column'][]>().notNull().default([]),
    faults: jsonb('faults').$type<ItemFault[]>().notNull().default([]),
    /** Why it failed: a code of the contract, and its parameters. */
    failure: jsonb('failure').$type<{ code: ErrorCode; params: Record<string, string | number> }>(),
    /** The first password until it is downloaded, sealed. */
    sealedPassword: text('sealed_password'),
  },
  (t) => [
    primaryKey({ columns: [t.taskId, t.position] }),
    index('user_task_item_state_idx').on(t.taskId, t.state, t.position),
    foreignKey({
      name: 'user_task_item_task_fk',
      columns: [t.tenantId, t.taskId],
      foreignColumns: [userTask.tenantId, userTask.id],
    }).onDelete('cascade'),
  ],
);
export type UserTaskItemRow = typeof userTaskItem.$inferSelect;
