import {
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { role } from '../../roles/tables.ts';
import { tenant } from '../../tenants/tables.ts';
import { account } from '../../users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const tenantId = () =>
  uuid('tenant_id')
    .notNull()
    .references(() => tenant.tenantId);

/** A bearer token of a directory that pushes. Only its SHA-256 is stored. */
export const scimToken = pgTable(
  'scim_token',
  {
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    name: text('name').notNull(),
    hash: text('hash').notNull(),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at'),
  },
  (t) => [uniqueIndex('scim_token_hash_key').on(t.hash), index('scim_token_tenant_idx').on(t.tenantId)],
);

/** An account that a directory has pushed. */
export const scimUser = pgTable(
  'scim_user',
  {
    accountId: uuid('account_id').primaryKey(),
    tenantId: tenantId(),
    externalId: text('external_id').notNull().default(''),
    updatedAt: time('updated_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'scim_user_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
  ],
);

/** A group that a directory has pushed. */
export const scimGroup = pgTable(
  'scim_group',
  {
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    name: text('name').notNull(),
    externalId: text('external_id').notNull().default(''),
    roleId: uuid('role_id').references(() => role.id, { onDelete: 'set null' }),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (t) => [unique('scim_group_tenant_id_key').on(t.tenantId, t.id), index('scim_group_name_idx').on(t.tenantId, t.name)],
);

export const scimMember = pgTable(
  'scim_member',
  {
    groupId: uuid('group_id').notNull(),
    accountId: uuid('account_id').notNull(),
    tenantId: tenantId(),
  },
  (t) => [
    primaryKey({ name: 'scim_member_pkey', columns: [t.groupId, t.accountId] }),
    index('scim_member_account_idx').on(t.accountId),
    foreignKey({
      name: 'scim_member_group_fk',
      columns: [t.tenantId, t.groupId],
      foreignColumns: [scimGroup.tenantId, scimGroup.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'scim_member_user_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
  ],
);

export type ScimGroupRow = typeof scimGroup.$inferSelect;
