import { FACTOR_WAYS, SIGN_IN_METHODS } from '@rmeet/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
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
import { tenant } from '../../tenants/tables.ts';
import { account } from '../../users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** The second factor of an account, and what its owner chose about it; without a row, none. */
export const secondFactor = pgTable(
  'second_factor',
  {
    accountId: uuid('account_id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    /** The secret of the authenticator app, sealed. */
    totpSealed: text('totp_sealed'),
    totpSince: time('totp_since'),
    /** The last time step of which a code was accepted; earlier ones are no longer (RFC 6238 section 5.2). */
    totpStep: bigint('totp_step', { mode: 'number' }),
    /** A secret that waits for its first code, sealed. */
    pendingSealed: text('pending_sealed'),
    pendingUntil: time('pending_until'),
    /** Until then no factor is asked: the way in when the organisation is locked out. */
    suspendedUntil: time('suspended_until'),
    /** Whether a mail is sent about sign-ins on new devices. */
    signInMail: boolean('sign_in_mail').notNull().default(true),
  },
  (t) => [
    foreignKey({
      name: 'second_factor_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    check('second_factor_totp', sql`(${t.totpSealed} is null) = (${t.totpSince} is null)`),
    check('second_factor_pending', sql`(${t.pendingSealed} is null) = (${t.pendingUntil} is null)`),
  ],
);

/** A code for emergencies that is not used yet; stored as a MAC with a key of the installation. */
export const recoveryCode = pgTable(
  'recovery_code',
  {
    accountId: uuid('account_id').notNull(),
    mac: text('mac').notNull(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
  },
  (t) => [
    primaryKey({ name: 'recovery_code_pkey', columns: [t.accountId, t.mac] }),
    foreignKey({
      name: 'recovery_code_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
  ],
);

/** A sign-in that waits for its second factor. Its browser knows the ticket; stored is its SHA-256. */
export const factorTicket = pgTable(
  'factor_ticket',
  {
    ticketHash: text('ticket_hash').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    accountId: uuid('account_id').notNull(),
    method: text('method', { enum: SIGN_IN_METHODS }).notNull(),
    /** Of the session that will be opened. */
    originId: uuid('origin_id'),
    /** The hashed mark of its browser; empty if it sent none. */
    deviceId: text('device_id').notNull(),
    ways: text('ways', { enum: FACTOR_WAYS }).array().notNull(),
    /** The account has no way yet and may set one up with the ticket. */
    mayEnrol: boolean('may_enrol').notNull(),
    /** Codes that were compared. */
    tries: integer('tries').notNull().default(0),
    /** A code that was sent, hashed together with the ticket, and by which way. */
    codeHash: text('code_hash'),
    codeWay: text('code_way', { enum: FACTOR_WAYS }),
    codeSentAt: time('code_sent_at'),
    /** The secret that is being set up, sealed. */
    pendingSealed: text('pending_sealed'),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'factor_ticket_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('factor_ticket_account_idx').on(t.accountId),
    index('factor_ticket_expires_idx').on(t.expiresAt),
    check('factor_ticket_tries', sql`${t.tries} >= 0`),
  ],
);
export type FactorTicketRow = typeof factorTicket.$inferSelect;

/** A browser on which the second factor of an account is not asked for some time. */
export const rememberedDevice = pgTable(
  'remembered_device',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    accountId: uuid('account_id').notNull(),
    /** The hashed mark of the browser. */
    deviceId: text('device_id').notNull(),
    userAgent: text('user_agent').notNull(),
    address: text('address').notNull(),
    rememberedAt: time('remembered_at').notNull(),
    lastUsedAt: time('last_used_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'remembered_device_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    uniqueIndex('remembered_device_key').on(t.accountId, t.deviceId),
    index('remembered_device_expires_idx').on(t.expiresAt),
  ],
);

/** The places where an account has signed in, by the names that its tenant gave them; empty for all others. */
export const signInPlace = pgTable(
  'sign_in_place',
  {
    accountId: uuid('account_id').notNull(),
    place: text('place').notNull(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    lastUsedAt: time('last_used_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'sign_in_place_pkey', columns: [t.accountId, t.place] }),
    foreignKey({
      name: 'sign_in_place_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
  ],
);
