import { CERT_LIST_FAULTS, CERT_MATCHES } from '@rmeet/contract';
import { sql } from 'drizzle-orm';
import {
  boolean,
  foreignKey,
  index,
  integer,
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

/** A certificate authority that a tenant trusts, for its own people only. */
export const certificateAuthority = pgTable(
  'certificate_authority',
  {
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    /** Base64 of DER. */
    certificate: text('certificate').notNull(),
    /** SHA-256, hexadecimal. */
    fingerprint: text('fingerprint').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    unique('certificate_authority_tenant_id_key').on(t.tenantId, t.id),
    uniqueIndex('certificate_authority_fingerprint_key').on(t.tenantId, t.fingerprint),
  ],
);
export type CertificateAuthorityRow = typeof certificateAuthority.$inferSelect;

/** The revocation list of an authority. Without a row, revoked certificates of the authority are not noticed. */
export const certificateList = pgTable(
  'certificate_list',
  {
    authorityId: uuid('authority_id').primaryKey(),
    tenantId: tenantId(),
    /** Where it is fetched from; empty: it is uploaded. */
    address: text('address').notNull().default(''),
    /** Null: there is none yet. */
    thisUpdate: time('this_update'),
    nextUpdate: time('next_update'),
    revoked: integer('revoked').notNull().default(0),
    fetchedAt: time('fetched_at'),
    fault: text('fault', { enum: CERT_LIST_FAULTS }),
  },
  (t) => [
    foreignKey({
      name: 'certificate_list_authority_fk',
      columns: [t.tenantId, t.authorityId],
      foreignColumns: [certificateAuthority.tenantId, certificateAuthority.id],
    }).onDelete('cascade'),
    index('certificate_list_address_idx')
      .on(t.authorityId)
      .where(sql`${t.address} <> ''`),
  ],
);
export type CertificateListRow = typeof certificateList.$inferSelect;

/** The certificates on a revocation list. */
export const certificateRevoked = pgTable(
  'certificate_revoked',
  {
    tenantId: tenantId(),
    authorityId: uuid('authority_id').notNull(),
    /** Hexadecimal. */
    serial: text('serial').notNull(),
  },
  (t) => [
    primaryKey({ name: 'certificate_revoked_pkey', columns: [t.authorityId, t.serial] }),
    foreignKey({
      name: 'certificate_revoked_authority_fk',
      columns: [t.tenantId, t.authorityId],
      foreignColumns: [certificateAuthority.tenantId, certificateAuthority.id],
    }).onDelete('cascade'),
  ],
);

/** Whom certificates sign in. Without a row: only bound ones, and never without a current revocation list. */
export const certificateRules = pgTable('certificate_rules', {
  tenantId: uuid('tenant_id')
    .primaryKey()
    .references(() => tenant.tenantId),
  match: text('match', { enum: CERT_MATCHES }).notNull(),
  domains: text('domains').array().notNull(),
  refuseStale: boolean('refuse_stale').notNull(),
});

/** A certificate that signs in to one account, whatever the rules say. */
export const accountCertificate = pgTable(
  'account_certificate',
  {
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    accountId: uuid('account_id').notNull(),
    fingerprint: text('fingerprint').notNull(),
    subject: text('subject').notNull(),
    issuer: text('issuer').notNull(),
    expiresAt: time('expires_at').notNull(),
    since: time('since').notNull(),
    lastUsedAt: time('last_used_at'),
  },
  (t) => [
    uniqueIndex('account_certificate_fingerprint_key').on(t.tenantId, t.fingerprint),
    index('account_certificate_account_idx').on(t.accountId),
    foreignKey({
      name: 'account_certificate_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
  ],
);
export type AccountCertificateRow = typeof accountCertificate.$inferSelect;

/** A challenge that a browser is to have signed. It and the secret of the browser are stored as SHA-256. */
export const certificateChallenge = pgTable(
  'certificate_challenge',
  {
    challengeHash: text('challenge_hash').primaryKey(),
    tenantId: tenantId(),
    secretHash: text('secret_hash').notNull(),
    /** The account that binds a certificate; null: a sign-in. */
    accountId: uuid('account_id'),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'certificate_challenge_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('certificate_challenge_expires_idx').on(t.expiresAt),
  ],
);
export type CertificateChallengeRow = typeof certificateChallenge.$inferSelect;
