import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { tenant } from '../tenants/tables.ts';
import { account } from '../users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const SESSION_ENDS = ['logout', 'anotherDevice', 'disabled', 'expired'] as const;

/** One sign-in. The token itself is never stored, only its SHA-256. Ended rows stay until they expire, to say why. */
export const session = pgTable(
  'session',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull().references(() => tenant.tenantId),
    accountId: uuid('account_id').notNull(),
    tokenHash: text('token_hash').notNull(),
    /** Mark a browser makes for itself and keeps; empty when it sends none. */
    deviceId: text('device_id').notNull().default(''),
    address: text('address').notNull(),
    createdAt: time('created_at').notNull(),
    lastSeenAt: time('last_seen_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    endedAt: time('ended_at'),
    endReason: text('end_reason', { enum: SESSION_ENDS }),
  },
  (t) => [
    uniqueIndex('session_token_hash_key').on(t.tokenHash),
    index('session_account_idx').on(t.accountId).where(sql`${t.endedAt} is null`),
    index('session_expires_idx').on(t.expiresAt),
    foreignKey({ name: 'session_account_fk', columns: [t.tenantId, t.accountId], foreignColumns: [account.tenantId, account.id] }).onDelete('cascade'),
    check('session_end', sql`(${t.endedAt} is null) = (${t.endReason} is null)`),
  ],
);

/**
 * Failed guesses at a secret, by what was guessed and from where; feeds delays, captchas and refusals.
 * Keys are SHA-256 of what identifies the guesser, because people type passwords into account fields.
 */
export const failedAttempt = pgTable(
  'failed_attempt',
  {
    tenantId: uuid('tenant_id').notNull().references(() => tenant.tenantId),
    scope: text('scope').notNull(),
    key: text('key').notNull(),
    failures: integer('failures').notNull(),
    lastFailedAt: time('last_failed_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'failed_attempt_pkey', columns: [t.scope, t.key] }),
    index('failed_attempt_last_idx').on(t.lastFailedAt),
    check('failed_attempt_failures', sql`${t.failures} > 0`),
  ],
);

/** A picture of characters that was handed out; deleted when tried. */
export const captcha = pgTable(
  'captcha',
  {
    id: text('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull().references(() => tenant.tenantId),
    answer: text('answer').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [index('captcha_expires_idx').on(t.expiresAt)],
);

/** What all servers on one database must share and nobody may read in it: values are sealed under the key of the installation. */
export const sealedSecret = pgTable('sealed_secret', {
  name: text('name').primaryKey(),
  tenantId: uuid('tenant_id').notNull().references(() => tenant.tenantId),
  sealed: text('sealed').notNull(),
  createdAt: time('created_at').notNull(),
});

export type SessionRow = typeof session.$inferSelect;
export type SessionEnd = (typeof SESSION_ENDS)[number];
