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
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** People somebody invites together, kept under a name for themselves alone. */
export const participantGroup = pgTable(
  'participant_group',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    ownerId: uuid('owner_id').notNull(),
    name: text('name').notNull(),
    createdAt: time('created_at').notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    unique('participant_group_tenant_id_key').on(t.tenantId, t.id),
    uniqueIndex('participant_group_name_key').on(t.ownerId, sql`lower(${t.name})`),
    foreignKey({
      name: 'participant_group_owner_fk',
      columns: [t.tenantId, t.ownerId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    check('participant_group_version', sql`${t.version} > 0`),
  ],
);

export const participantGroupMember = pgTable(
  'participant_group_member',
  {
    groupId: uuid('group_id').notNull(),
    accountId: uuid('account_id').notNull(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    /** Order in which they were chosen. */
    position: integer('position').notNull(),
  },
  (t) => [
    primaryKey({ name: 'participant_group_member_pkey', columns: [t.groupId, t.accountId] }),
    foreignKey({
      name: 'participant_group_member_group_fk',
      columns: [t.tenantId, t.groupId],
      foreignColumns: [participantGroup.tenantId, participantGroup.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'participant_group_member_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('participant_group_member_account_idx').on(t.accountId),
  ],
);

export type ParticipantGroupRow = typeof participantGroup.$inferSelect;
