import { SSO_KINDS, type ProviderRules, type ProviderSettings } from '@rmeet/contract';
import { sql } from 'drizzle-orm';
import {
  boolean,
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

/** An identity provider of a tenant. It signs in people of this tenant only. */
export const identityProvider = pgTable(
  'identity_provider',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    kind: text('kind', { enum: SSO_KINDS }).notNull(),
    name: text('name').notNull(),
    enabled: boolean('enabled').notNull().default(true),
    sort: integer('sort').notNull().default(0),
    settings: jsonb('settings').$type<ProviderSettings>().notNull(),
    /** The client's secret, sealed for this row. */
    secretSealed: text('secret_sealed'),
    rules: jsonb('rules').$type<ProviderRules>().notNull(),
    createdAt: time('created_at').notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    unique('identity_provider_tenant_id_key').on(t.tenantId, t.id),
    uniqueIndex('identity_provider_name_key').on(t.tenantId, sql`lower(${t.name})`),
  ],
);
export type IdentityProviderRow = typeof identityProvider.$inferSelect;

/** A person at an identity provider, by a subject that never changes, and the account that is theirs. */
export const accountIdentity = pgTable(
  'account_identity',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    providerId: uuid('provider_id').notNull(),
    accountId: uuid('account_id').notNull(),
    subject: text('subject').notNull(),
    /** The person's account or mail address there, to recognise it. */
    label: text('label').notNull().default(''),
    /** Its first sign-in created the account, whose password no one knows. */
    madeAccount: boolean('made_account').notNull().default(false),
    since: time('since').notNull(),
    lastUsedAt: time('last_used_at'),
  },
  (t) => [
    uniqueIndex('account_identity_subject_key').on(t.providerId, t.subject),
    uniqueIndex('account_identity_account_key').on(t.accountId, t.providerId),
    foreignKey({
      name: 'account_identity_provider_fk',
      columns: [t.tenantId, t.providerId],
      foreignColumns: [identityProvider.tenantId, identityProvider.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'account_identity_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
  ],
);
export type AccountIdentityRow = typeof accountIdentity.$inferSelect;

/**
 * A sign-in that a browser began at an identity provider. `state` goes there and comes back; the browser also keeps a
 * secret. Both are stored as SHA-256.
 */
export const ssoAttempt = pgTable(
  'sso_attempt',
  {
    stateHash: text('state_hash').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    providerId: uuid('provider_id').notNull(),
    secretHash: text('secret_hash').notNull(),
    /** What the answer is checked with: nonce, PKCE verifier, where it is sent; sealed for this row. */
    keptSealed: text('kept_sealed').notNull(),
    redirect: text('redirect').notNull(),
    /** The account that links an identity; null: a sign-in. */
    accountId: uuid('account_id'),
    /** An answer that the browser posted here (SAML), sealed for this row, and the SHA-256 of the code in its place. */
    answerSealed: text('answer_sealed'),
    codeHash: text('code_hash'),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'sso_attempt_provider_fk',
      columns: [t.tenantId, t.providerId],
      foreignColumns: [identityProvider.tenantId, identityProvider.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'sso_attempt_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('sso_attempt_expires_idx').on(t.expiresAt),
  ],
);
export type SsoAttemptRow = typeof ssoAttempt.$inferSelect;

/**
 * The session of an identity provider that opened sessions here (session.origin_id): the first one, and those that were
 * handed over from it. For the end of either.
 */
export const ssoSession = pgTable(
  'sso_session',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    providerId: uuid('provider_id').notNull(),
    accountId: uuid('account_id').notNull(),
    subject: text('subject').notNull(),
    /** Its id there; empty if it has none. */
    sid: text('sid').notNull().default(''),
    /** What the global logout is asked with (id_token_hint), sealed for this row. */
    hintSealed: text('hint_sealed'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'sso_session_provider_fk',
      columns: [t.tenantId, t.providerId],
      foreignColumns: [identityProvider.tenantId, identityProvider.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'sso_session_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('sso_session_subject_idx').on(t.providerId, t.subject),
    index('sso_session_sid_idx')
      .on(t.providerId, t.sid)
      .where(sql`${t.sid} <> ''`),
    index('sso_session_created_idx').on(t.createdAt),
  ],
);
export type SsoSessionRow = typeof ssoSession.$inferSelect;

/** Messages of identity providers that must not be accepted twice, by SHA-256, while they are valid. */
export const ssoUsed = pgTable(
  'sso_used',
  {
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    providerId: uuid('provider_id').notNull(),
    hash: text('hash').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'sso_used_pkey', columns: [t.providerId, t.hash] }),
    foreignKey({
      name: 'sso_used_provider_fk',
      columns: [t.tenantId, t.providerId],
      foreignColumns: [identityProvider.tenantId, identityProvider.id],
    }).onDelete('cascade'),
    index('sso_used_expires_idx').on(t.expiresAt),
  ],
);

/** What a provider lets this server call it with for hours (WeCom's access_token); all servers use the same one. */
export const ssoToken = pgTable(
  'sso_token',
  {
    providerId: uuid('provider_id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    /** The version of the provider whose secret it was obtained with. */
    version: integer('version').notNull(),
    /** Sealed for this row; null until the first one arrives. */
    tokenSealed: text('token_sealed'),
    expiresAt: time('expires_at').notNull(),
    /** Until then, one server asks for a new one, and the others wait. */
    leasedUntil: time('leased_until').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'sso_token_provider_fk',
      columns: [t.tenantId, t.providerId],
      foreignColumns: [identityProvider.tenantId, identityProvider.id],
    }).onDelete('cascade'),
  ],
);
export type SsoTokenRow = typeof ssoToken.$inferSelect;
