import { foreignKey, index, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';
import { meeting } from '../meetings/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/**
 * A key with which a host starts one meeting from an outside client. Only its SHA-256 is stored. The row is deleted
 * when the key is used.
 */
export const hostKey = pgTable(
  'host_key',
  {
    hash: text('hash').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    meetingId: uuid('meeting_id').notNull(),
    /** The number that the client names with the key. */
    number: text('number').notNull(),
    accountId: uuid('account_id').notNull(),
    /** The session that got the key: a key does not outlive it. */
    sessionId: uuid('session_id').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    unique('host_key_account_key').on(t.accountId, t.meetingId),
    foreignKey({
      name: 'host_key_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'host_key_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('host_key_expires_idx').on(t.expiresAt),
  ],
);

export type HostKeyRow = typeof hostKey.$inferSelect;
