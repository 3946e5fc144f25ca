import { sql } from 'drizzle-orm';
import { check, foreignKey, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { UPGRADE_FREQUENCIES } from '@rmeet/contract';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** The versions of the product that ran on this database; rows of the platform's tenant. */
export const installedVersion = pgTable('installed_version', {
  version: text('version').primaryKey(),
  tenantId: uuid('tenant_id')
    .notNull()
    .references(() => tenant.tenantId),
  /** When it first started. */
  installedAt: time('installed_at').notNull(),
});

/** How an account put release notes off. */
export const releaseNoteReminder = pgTable(
  'release_note_reminder',
  {
    accountId: uuid('account_id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    frequency: text('frequency', { enum: UPGRADE_FREQUENCIES }).notNull(),
    /** The notes of this version and older ones were put off. */
    version: text('version').notNull(),
    /** Those of this version and older ones are not shown any more; empty: none. */
    doneVersion: text('done_version').notNull().default(''),
    putOffAt: time('put_off_at').notNull(),
    /** The session in which that was. */
    sessionId: uuid('session_id').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'release_note_reminder_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    check('release_note_reminder_frequency', sql`${t.frequency} in ('NEVER', 'DAILY', 'WEEKLY', 'EACH')`),
  ],
);

export type ReminderRow = typeof releaseNoteReminder.$inferSelect;
