import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { tenant } from '../accounts/tenants/tables.ts';
import { storedFile } from '../files/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** A package of a client, an uploaded file or a link. All rows belong to the platform's tenant. */
export const clientPackage = pgTable(
  'client_package',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    /** CLIENT_PACKAGE_TYPES. */
    type: integer('type').notNull(),
    version: text('version').notNull(),
    /** The four numbers of the version, missing ones 0: what orders packages. */
    versionParts: integer('version_parts').array().notNull(),
    minimalVersion: text('minimal_version'),
    notes: text('notes').notNull(),
    fileId: uuid('file_id'),
    link: text('link'),
    rolloutKind: text('rollout_kind', { enum: ['all', 'percent', 'tenants'] }).notNull(),
    /** Of the accounts; 100 unless the kind is `percent`. */
    rolloutPercent: integer('rollout_percent').notNull(),
    /** Ids of tenants; empty unless the kind is `tenants`. */
    rolloutTenants: jsonb('rollout_tenants').notNull().$type<string[]>(),
    publishedBy: text('published_by').notNull(),
    publishedAt: time('published_at').notNull(),
    withdrawnAt: time('withdrawn_at'),
    edition: integer('edition').notNull().default(1),
  },
  (t) => [
    foreignKey({
      name: 'client_package_file_fk',
      columns: [t.tenantId, t.fileId],
      foreignColumns: [storedFile.tenantId, storedFile.id],
    }),
    uniqueIndex('client_package_version_key')
      .on(t.tenantId, t.type, t.versionParts)
      .where(sql`${t.withdrawnAt} is null`),
    index('client_package_order_idx').on(t.type, t.versionParts),
    check('client_package_source', sql`num_nulls(${t.fileId}, ${t.link}) = 1`),
    check('client_package_percent', sql`${t.rolloutPercent} between 1 and 100`),
  ],
);

export type ClientPackageRow = typeof clientPackage.$inferSelect;
