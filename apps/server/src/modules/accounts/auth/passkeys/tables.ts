import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { tenant } from '../../tenants/tables.ts';
import { account } from '../../users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** What a challenge is for. */
const CHALLENGE_PURPOSES = ['add', 'signIn', 'factor', 'proof'] as const;
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number];

/** A passkey of an account: the public half of a key pair that belongs to one host name. */
export const passkey = pgTable(
  'passkey',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    accountId: uuid('account_id').notNull(),
    /** In base64url, as the browser names it. */
    credentialId: text('credential_id').notNull(),
    /** The host name that it belongs to. */
    rpId: text('rp_id').notNull(),
    /** COSE_Key (RFC 9052 section 7) in base64url. */
    publicKey: text('public_key').notNull(),
    /** Its signatures, as its device counts them; many devices count none. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** How browsers reach its device. */
    transports: text('transports').array().notNull(),
    name: text('name').notNull(),
    /** Of the browser that added it. */
    userAgent: text('user_agent').notNull(),
    isBackedUp: boolean('is_backed_up').notNull(),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at'),
  },
  (t) => [
    foreignKey({
      name: 'passkey_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    uniqueIndex('passkey_credential_key').on(t.credentialId),
    index('passkey_account_idx').on(t.accountId),
    check('passkey_counter', sql`${t.counter} >= 0`),
  ],
);
export type PasskeyRow = typeof passkey.$inferSelect;

/**
 * A challenge that waits for the signature of a passkey. Only its browser knows it; stored is its SHA-256. It belongs
 * to that browser, session or waiting sign-in, and to one host name.
 */
export const passkeyChallenge = pgTable(
  'passkey_challenge',
  {
    hash: text('hash').primaryKey(),
    /** Of the account; the platform's while the account is unknown. */
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    purpose: text('purpose', { enum: CHALLENGE_PURPOSES }).notNull(),
    /** SHA-256 of what it is bound to: the mark of the browser, the id of the session, or the ticket. */
    boundTo: text('bound_to').notNull(),
    rpId: text('rp_id').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    index('passkey_challenge_expires_idx').on(t.expiresAt),
    check('passkey_challenge_purpose', sql`${t.purpose} in ('add', 'signIn', 'factor', 'proof')`),
  ],
);
