import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { ApiScope } from '@rmeet/contract';
import { tenant } from '../tenants/tables.ts';
import { account } from '../users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const tenantId = () =>
  uuid('tenant_id')
    .notNull()
    .references(() => tenant.tenantId);

/**
 * A machine that calls the API for one tenant. It acts as `accountId`, an account of kind `service` that was made with
 * it, or as a person who granted that. Ended ones stay, because records name them.
 */
export const apiClient = pgTable(
  'api_client',
  {
    /** Also the `client_id`. */
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    accountId: uuid('account_id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    scopes: jsonb('scopes').notNull().$type<ApiScope[]>(),
    /** Addresses and networks (CIDR); empty: any. */
    networks: jsonb('networks').notNull().$type<string[]>(),
    perMinute: integer('per_minute').notNull(),
    /** Its own account has the rights of an administrator. */
    wholeTenant: boolean('whole_tenant').notNull(),
    actsForUsers: boolean('acts_for_users').notNull(),
    /** JWK set (RFC 7517), or empty: it has secrets. */
    publicKey: text('public_key').notNull(),
    enabled: boolean('enabled').notNull(),
    expiresAt: time('expires_at'),
    endedAt: time('ended_at'),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    lastUsedAt: time('last_used_at'),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    unique('api_client_tenant_id_key').on(t.tenantId, t.id),
    uniqueIndex('api_client_name_key')
      .on(t.tenantId, sql`lower(${t.name})`)
      .where(sql`${t.endedAt} is null`),
    foreignKey({
      name: 'api_client_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }),
    check('api_client_per_minute', sql`${t.perMinute} > 0`),
  ],
);

/** A secret of a client. Only its SHA-256 is stored, and its last characters, by which people tell two apart. */
export const apiSecret = pgTable(
  'api_secret',
  {
    hash: text('hash').primaryKey(),
    tenantId: tenantId(),
    clientId: uuid('client_id').notNull(),
    ending: text('ending').notNull(),
    createdAt: time('created_at').notNull(),
    /** Null until it is replaced. */
    expiresAt: time('expires_at'),
  },
  (t) => [
    index('api_secret_client_idx').on(t.clientId),
    foreignKey({
      name: 'api_secret_client_fk',
      columns: [t.tenantId, t.clientId],
      foreignColumns: [apiClient.tenantId, apiClient.id],
    }).onDelete('cascade'),
  ],
);

/** The consent that a client acts for a person, or, without an account, for every user of the tenant. */
export const apiGrant = pgTable(
  'api_grant',
  {
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    clientId: uuid('client_id').notNull(),
    accountId: uuid('account_id'),
    grantedBy: text('granted_by').notNull(),
    grantedAt: time('granted_at').notNull(),
    endedAt: time('ended_at'),
    lastUsedAt: time('last_used_at'),
  },
  (t) => [
    unique('api_grant_tenant_id_key').on(t.tenantId, t.id),
    uniqueIndex('api_grant_open_key')
      .on(t.clientId, sql`coalesce(${t.accountId}, '00000000-0000-0000-0000-000000000000')`)
      .where(sql`${t.endedAt} is null`),
    index('api_grant_account_idx').on(t.accountId),
    foreignKey({
      name: 'api_grant_client_fk',
      columns: [t.tenantId, t.clientId],
      foreignColumns: [apiClient.tenantId, apiClient.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'api_grant_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
  ],
);

/** An access token, stored as its SHA-256. */
export const apiToken = pgTable(
  'api_token',
  {
    hash: text('hash').primaryKey(),
    tenantId: tenantId(),
    clientId: uuid('client_id').notNull(),
    /** As whom it acts. */
    accountId: uuid('account_id').notNull(),
    /** The consent by which it acts for a person; null: for itself. */
    grantId: uuid('grant_id'),
    scopes: jsonb('scopes').notNull().$type<ApiScope[]>(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    index('api_token_client_idx').on(t.clientId),
    index('api_token_expires_idx').on(t.expiresAt),
    foreignKey({
      name: 'api_token_client_fk',
      columns: [t.tenantId, t.clientId],
      foreignColumns: [apiClient.tenantId, apiClient.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'api_token_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'api_token_grant_fk',
      columns: [t.tenantId, t.grantId],
      foreignColumns: [apiGrant.tenantId, apiGrant.id],
    }).onDelete('cascade'),
  ],
);

/** The `jti` of signed requests for tokens that were accepted, until these have expired: each is accepted once. */
export const apiAssertion = pgTable(
  'api_assertion',
  {
    /** SHA-256 of client and `jti`. */
    key: text('key').primaryKey(),
    tenantId: tenantId(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [index('api_assertion_expires_idx').on(t.expiresAt)],
);

/** Calls of clients, kept for 30 days. */
export const apiCall = pgTable(
  'api_call',
  {
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    clientId: uuid('client_id').notNull(),
    at: time('at').notNull(),
    /** The person for whom it acted. */
    accountId: uuid('account_id'),
    action: text('action').notNull(),
    status: integer('status').notNull(),
    ms: integer('ms').notNull(),
    address: text('address').notNull(),
    requestId: text('request_id').notNull(),
  },
  (t) => [
    index('api_call_client_idx').on(t.clientId, t.at, t.id),
    index('api_call_at_idx').on(t.at),
    foreignKey({
      name: 'api_call_client_fk',
      columns: [t.tenantId, t.clientId],
      foreignColumns: [apiClient.tenantId, apiClient.id],
    }).onDelete('cascade'),
  ],
);

export type ApiClientRow = typeof apiClient.$inferSelect;
export type ApiGrantRow = typeof apiGrant.$inferSelect;
export type ApiTokenRow = typeof apiToken.$inferSelect;
export type ApiCallRow = typeof apiCall.$inferSelect;
