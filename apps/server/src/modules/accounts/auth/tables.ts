import { FACTOR_MARKS, SIGN_IN_METHODS } from '@rmeet/contract';
import { sql } from 'drizzle-orm';
import {
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
import { tenant } from '../tenants/tables.ts';
import { account } from '../users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** An account may be signed in on one device of each kind (docs/decisions/single-device.md). */
export const DEVICE_KINDS = ['computer', 'phone'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

export const SESSION_ENDS = ['logout', 'anotherDevice', 'disabled', 'expired', 'password', 'ended'] as const;

/**
 * One sign-in. The token itself is never stored, only its SHA-256. Ended rows stay until they expire, to give the
 * reason.
 */
export const session = pgTable(
  'session',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    accountId: uuid('account_id').notNull(),
    tokenHash: text('token_hash').notNull(),
    /** SHA-256 of the mark that a browser creates and keeps; empty if it sends none. */
    deviceId: text('device_id').notNull().default(''),
    deviceKind: text('device_kind', { enum: DEVICE_KINDS }).notNull().default('computer'),
    method: text('method', { enum: SIGN_IN_METHODS }).notNull().default('PASSWORD'),
    /** How it met the demand for a second factor; null if none was asked. */
    secondFactor: text('second_factor', { enum: FACTOR_MARKS }),
    /** When its holder last proved the password or a second factor. */
    provenAt: time('proven_at'),
    /** The session of an identity provider that it comes from (sso_session); null: of none. */
    originId: uuid('origin_id'),
    address: text('address').notNull(),
    userAgent: text('user_agent').notNull().default(''),
    createdAt: time('created_at').notNull(),
    lastSeenAt: time('last_seen_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    endedAt: time('ended_at'),
    endReason: text('end_reason', { enum: SESSION_ENDS }),
  },
  (t) => [
    uniqueIndex('session_token_hash_key').on(t.tokenHash),
    index('session_account_idx')
      .on(t.accountId)
      .where(sql`${t.endedAt} is null`),
    index('session_expires_idx').on(t.expiresAt),
    index('session_origin_idx')
      .on(t.originId)
      .where(sql`${t.originId} is not null`),
    foreignKey({
      name: 'session_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    check('session_device_kind', sql`${t.deviceKind} in ('computer', 'phone')`),
    check('session_end', sql`(${t.endedAt} is null) = (${t.endReason} is null)`),
  ],
);

/** A single-use ticket that signs its account in elsewhere. Only its SHA-256 is stored. */
export const handoverTicket = pgTable(
  'handover_ticket',
  {
    hash: text('hash').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    accountId: uuid('account_id').notNull(),
    /** The device of the session that requested it; the new session counts as the same device's. */
    deviceId: text('device_id').notNull(),
    deviceKind: text('device_kind', { enum: DEVICE_KINDS }).notNull().default('computer'),
    /** As of that session. */
    originId: uuid('origin_id'),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'handover_ticket_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('handover_ticket_expires_idx').on(t.expiresAt),
    check('handover_ticket_device_kind', sql`${t.deviceKind} in ('computer', 'phone')`),
  ],
);

/**
 * A QR code of a sign-in page. Its browser knows `id`, its picture contains `code`; both are stored as SHA-256. Until a
 * phone scans it, it belongs to no account.
 */
export const scanLogon = pgTable(
  'scan_logon',
  {
    idHash: text('id_hash').primaryKey(),
    /** The platform's. */
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    codeHash: text('code_hash').notNull(),
    /** Where the browser is, and what it is. */
    address: text('address').notNull(),
    userAgent: text('user_agent').notNull(),
    state: text('state', { enum: ['waiting', 'scanned', 'confirmed', 'refused'] }).notNull(),
    /** The account that scanned it. */
    accountId: uuid('account_id'),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('scan_logon_code_key').on(t.codeHash),
    index('scan_logon_expires_idx').on(t.expiresAt),
    check('scan_logon_state', sql`${t.state} in ('waiting', 'scanned', 'confirmed', 'refused')`),
    check('scan_logon_account', sql`(${t.accountId} is null) = (${t.state} = 'waiting')`),
  ],
);
export type ScanLogonRow = typeof scanLogon.$inferSelect;

/**
 * A code that was sent to the phone of an account. The browser that asked for it knows a ticket; its SHA-256 finds the
 * row, and that of ticket and code together is compared, which no one can guess from the row.
 */
export const phoneCode = pgTable(
  'phone_code',
  {
    ticketHash: text('ticket_hash').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    accountId: uuid('account_id').notNull(),
    codeHash: text('code_hash').notNull(),
    /** Codes that were compared. */
    tries: integer('tries').notNull().default(0),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'phone_code_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('phone_code_expires_idx').on(t.expiresAt),
    check('phone_code_tries', sql`${t.tries} >= 0`),
  ],
);
export type PhoneCodeRow = typeof phoneCode.$inferSelect;

/**
 * Failed guesses at a secret, by target and origin; used for delays, captchas and refusals. Keys are SHA-256 of what
 * identifies the guesser, because people type passwords into account fields.
 */
export const failedAttempt = pgTable(
  'failed_attempt',
  {
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
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

/**
 * Devices people have signed in on. A guesser has no such mark, so failures of others do not delay an attempt from such
 * a device. The key is the SHA-256 of account name and mark; people of several tenants may have the name, so a row
 * belongs to one account.
 */
export const knownDevice = pgTable(
  'known_device',
  {
    key: text('key').notNull(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    accountId: uuid('account_id').notNull(),
    lastUsedAt: time('last_used_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'known_device_pkey', columns: [t.key, t.accountId] }),
    foreignKey({
      name: 'known_device_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('known_device_account_idx').on(t.accountId, t.lastUsedAt),
    index('known_device_used_idx').on(t.lastUsedAt),
  ],
);

/** A captcha that was issued; deleted when tried. Id and answer are stored hashed. */
export const captcha = pgTable(
  'captcha',
  {
    id: text('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    answer: text('answer').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [index('captcha_expires_idx').on(t.expiresAt)],
);

/** Secrets shared by all servers on one database: values are sealed with the installation's key. */
export const sealedSecret = pgTable('sealed_secret', {
  name: text('name').primaryKey(),
  tenantId: uuid('tenant_id')
    .notNull()
    .references(() => tenant.tenantId),
  sealed: text('sealed').notNull(),
  createdAt: time('created_at').notNull(),
});

/**
 * SHA-256 of encrypted passwords that were used for a sign-in; kept while their key pair can still decrypt anything.
 */
export const usedCiphertext = pgTable(
  'used_ciphertext',
  {
    hash: text('hash').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    usedAt: time('used_at').notNull(),
  },
  (t) => [index('used_ciphertext_used_idx').on(t.usedAt)],
);

export type SessionRow = typeof session.$inferSelect;
export type SessionEnd = (typeof SESSION_ENDS)[number];
