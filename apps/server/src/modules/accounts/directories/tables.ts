import { DIRECTORY_CHANGES, DIRECTORY_PROBLEMS, DIRECTORY_REASONS, ROUND_STATES } from '@rmeet/contract';
import type { DirectorySettings } from '@rmeet/contract';
import { sql } from 'drizzle-orm';
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
} from 'drizzle-orm/pg-core';
import { tenant } from '../tenants/tables.ts';
import { account } from '../users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const tenantId = () =>
  uuid('tenant_id')
    .notNull()
    .references(() => tenant.tenantId);

/** A directory (LDAP, Active Directory) whose people have accounts of the tenant. */
export const directory = pgTable(
  'directory',
  {
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    enabled: boolean('enabled').notNull(),
    /** An unknown person who signs in gets an account. */
    makesAccounts: boolean('makes_accounts').notNull(),
    settings: jsonb('settings').notNull().$type<DirectorySettings>(),
    /** The password of the account that searches, sealed and bound to this row. */
    sealedPassword: text('sealed_password').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: time('created_at').notNull(),
    /** When the next synchronisation is due; null: only when started by hand. */
    nextRoundAt: time('next_round_at'),
  },
  (t) => [
    unique('directory_tenant_id_key').on(t.tenantId, t.id),
    index('directory_due_idx')
      .on(t.nextRoundAt)
      .where(sql`${t.enabled}`),
  ],
);

/** An account whose person is in a directory, which checks its password. */
export const directoryAccount = pgTable(
  'directory_account',
  {
    accountId: uuid('account_id').primaryKey(),
    tenantId: tenantId(),
    directoryId: uuid('directory_id').notNull(),
    /** The value of the attribute that does not change; binary values in hexadecimal. */
    uniqueId: text('unique_id').notNull(),
    dn: text('dn').notNull(),
    /** The last round that found the person, and whether the directory said that the account is locked. */
    seenIn: uuid('seen_in'),
    isLockedThere: boolean('is_locked_there').notNull().default(false),
    /** The account was disabled by a round; rounds enable no other accounts. */
    disabledByRound: boolean('disabled_by_round').notNull().default(false),
    /** When the password was last changed, as the directory writes it; null: unknown, or changed from here. */
    passwordStamp: text('password_stamp'),
    lastSeenAt: time('last_seen_at'),
  },
  (t) => [
    uniqueIndex('directory_account_unique_key').on(t.directoryId, t.uniqueId),
    index('directory_account_seen_idx').on(t.directoryId, t.seenIn),
    foreignKey({
      name: 'directory_account_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'directory_account_directory_fk',
      columns: [t.tenantId, t.directoryId],
      foreignColumns: [directory.tenantId, directory.id],
    }).onDelete('cascade'),
  ],
);

/** One synchronisation, or a dry run. */
export const directoryRound = pgTable(
  'directory_round',
  {
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    directoryId: uuid('directory_id').notNull(),
    dryRun: boolean('dry_run').notNull(),
    /** People are disabled even above the limit of the settings. */
    force: boolean('force').notNull().default(false),
    state: text('state', { enum: ROUND_STATES }).notNull(),
    startedAt: time('started_at').notNull(),
    /** Written with every page; a round that has not been for a while died with its process. */
    beatAt: time('beat_at').notNull(),
    endedAt: time('ended_at'),
    isCancelled: boolean('is_cancelled').notNull().default(false),
    people: integer('people').notNull().default(0),
    created: integer('created').notNull().default(0),
    changed: integer('changed').notNull().default(0),
    disabled: integer('disabled').notNull().default(0),
    restored: integer('restored').notNull().default(0),
    collision: integer('collision').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    problem: text('problem', { enum: DIRECTORY_PROBLEMS }),
    detail: text('detail').notNull().default(''),
  },
  (t) => [
    unique('directory_round_tenant_id_key').on(t.tenantId, t.id),
    // One at a time.
    uniqueIndex('directory_round_open_key')
      .on(t.directoryId)
      .where(sql`${t.endedAt} is null`),
    index('directory_round_started_idx').on(t.directoryId, t.startedAt),
    foreignKey({
      name: 'directory_round_directory_fk',
      columns: [t.tenantId, t.directoryId],
      foreignColumns: [directory.tenantId, directory.id],
    }).onDelete('cascade'),
    check('directory_round_end', sql`(${t.endedAt} is null) = (${t.state} in ('waiting', 'running'))`),
  ],
);

/** A person whom a round changed, or would change. */
export const directoryChange = pgTable(
  'directory_change',
  {
    roundId: uuid('round_id').notNull(),
    id: uuid('id').notNull(),
    tenantId: tenantId(),
    kind: text('kind', { enum: DIRECTORY_CHANGES }).notNull(),
    account: text('account').notNull(),
    name: text('name').notNull(),
    dn: text('dn').notNull(),
    reason: text('reason', { enum: DIRECTORY_REASONS }),
    fields: jsonb('fields').notNull().$type<Record<string, [string, string]>>(),
    /** Of a collision: the person, and the account that is in the way. */
    uniqueId: text('unique_id').notNull().default(''),
    otherAccountId: uuid('other_account_id'),
  },
  (t) => [
    primaryKey({ name: 'directory_change_pkey', columns: [t.roundId, t.id] }),
    index('directory_change_kind_idx').on(t.roundId, t.kind, t.id),
    foreignKey({
      name: 'directory_change_round_fk',
      columns: [t.tenantId, t.roundId],
      foreignColumns: [directoryRound.tenantId, directoryRound.id],
    }).onDelete('cascade'),
  ],
);

export type DirectoryRow = typeof directory.$inferSelect;
export type DirectoryAccountRow = typeof directoryAccount.$inferSelect;
export type DirectoryRoundRow = typeof directoryRound.$inferSelect;
export type DirectoryChangeRow = typeof directoryChange.$inferSelect;
