import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { DOCUMENT_KINDS } from '@rmeet/contract';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';
import { meeting } from '../meetings/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const tenantId = () =>
  uuid('tenant_id')
    .notNull()
    .references(() => tenant.tenantId);

/** Minutes, a notice, or a template of them. Its content is the sum of its updates. */
export const document = pgTable(
  'document',
  {
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    kind: text('kind', { enum: DOCUMENT_KINDS }).notNull(),
    title: text('title').notNull(),
    isTemplate: boolean('is_template').notNull(),
    ownerId: uuid('owner_id').notNull(),
    meetingId: uuid('meeting_id'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    updatedBy: text('updated_by').notNull(),
    /** When a version was last kept while it was edited. */
    versionedAt: time('versioned_at').notNull(),
    version: integer('version').notNull().default(1),
    /** Number of the last update. */
    seq: integer('seq').notNull().default(0),
    /** Rows of updates, and their bytes; both fall when they are put together. */
    pending: integer('pending').notNull().default(0),
    bytes: integer('bytes').notNull().default(0),
  },
  (t) => [
    unique('document_tenant_id_key').on(t.tenantId, t.id),
    index('document_owner_idx').on(t.ownerId),
    index('document_meeting_idx').on(t.meetingId),
    index('document_updated_idx').on(t.tenantId, t.updatedAt),
    foreignKey({
      name: 'document_owner_fk',
      columns: [t.tenantId, t.ownerId],
      foreignColumns: [account.tenantId, account.id],
    }),
    foreignKey({
      name: 'document_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }),
    check('document_template', sql`not (${t.isTemplate} and ${t.meetingId} is not null)`),
  ],
);

/** A person who may read or write a document beside those who may by themselves. */
export const documentMember = pgTable(
  'document_member',
  {
    tenantId: tenantId(),
    documentId: uuid('document_id').notNull(),
    accountId: uuid('account_id').notNull(),
    canWrite: boolean('can_write').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.documentId, t.accountId] }),
    index('document_member_account_idx').on(t.accountId),
    foreignKey({
      name: 'document_member_document_fk',
      columns: [t.tenantId, t.documentId],
      foreignColumns: [document.tenantId, document.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'document_member_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
  ],
);

/** A change of a document, as a Yjs update in base64; numbered in the order of commits. */
export const documentUpdate = pgTable(
  'document_update',
  {
    tenantId: tenantId(),
    documentId: uuid('document_id').notNull(),
    seq: integer('seq').notNull(),
    data: text('data').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.documentId, t.seq] }),
    foreignKey({
      name: 'document_update_document_fk',
      columns: [t.tenantId, t.documentId],
      foreignColumns: [document.tenantId, document.id],
    }).onDelete('cascade'),
  ],
);

/** The whole content of a document at a time, as a Yjs update in base64. */
export const documentVersion = pgTable(
  'document_version',
  {
    id: uuid('id').primaryKey(),
    tenantId: tenantId(),
    documentId: uuid('document_id').notNull(),
    name: text('name').notNull(),
    kind: text('kind', { enum: ['auto', 'named', 'restore'] }).notNull(),
    data: text('data').notNull(),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by').notNull(),
  },
  (t) => [
    index('document_version_document_idx').on(t.documentId, t.createdAt),
    foreignKey({
      name: 'document_version_document_fk',
      columns: [t.tenantId, t.documentId],
      foreignColumns: [document.tenantId, document.id],
    }).onDelete('cascade'),
  ],
);

export type DocumentTableRow = typeof document.$inferSelect;
export type DocumentVersionRow = typeof documentVersion.$inferSelect;
