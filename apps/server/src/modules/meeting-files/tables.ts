import { sql } from 'drizzle-orm';
import {
  bigint,
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
import { FILE_AUDIENCES, FILE_KINDS, FILE_PREVIEWS, FILE_SCANS } from '@rmeet/contract';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';
import { meeting } from '../meetings/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
const ofTenant = () =>
  uuid('tenant_id')
    .notNull()
    .references(() => tenant.tenantId);

/** A part of a file, as one request brought it: a stored file `documents/<content>/<key>` of so many bytes. */
export interface Piece {
  key: string;
  size: number;
}

/** A folder of a meeting's files. */
export const meetingFolder = pgTable(
  'meeting_folder',
  {
    id: uuid('id').primaryKey(),
    tenantId: ofTenant(),
    meetingId: uuid('meeting_id').notNull(),
    /** Null: in the meeting itself. */
    parentId: uuid('parent_id'),
    name: text('name').notNull(),
    createdBy: uuid('created_by').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    unique('meeting_folder_tenant_id_key').on(t.tenantId, t.id),
    uniqueIndex('meeting_folder_name_key').on(
      t.meetingId,
      sql`coalesce(${t.parentId}, '00000000-0000-0000-0000-000000000000')`,
      sql`lower(${t.name})`,
    ),
    index('meeting_folder_parent_idx').on(t.parentId),
    // The rows go with the meeting's; the sweep deletes the stored files that no row names.
    foreignKey({
      name: 'meeting_folder_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'meeting_folder_parent_fk',
      columns: [t.tenantId, t.parentId],
      foreignColumns: [t.tenantId, t.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'meeting_folder_author_fk',
      columns: [t.tenantId, t.createdBy],
      foreignColumns: [account.tenantId, account.id],
    }),
  ],
);

/** A file of a meeting, apart from those of its booking (meeting_file). Its content is its newest version's. */
export const meetingDocument = pgTable(
  'meeting_document',
  {
    id: uuid('id').primaryKey(),
    tenantId: ofTenant(),
    meetingId: uuid('meeting_id').notNull(),
    folderId: uuid('folder_id'),
    name: text('name').notNull(),
    audience: text('audience', { enum: FILE_AUDIENCES }).notNull(),
    /** Hidden from members until the meeting starts. */
    secretUntilStart: boolean('secret_until_start').notNull(),
    /** The newest version. */
    version: integer('version').notNull(),
    createdBy: uuid('created_by').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    unique('meeting_document_tenant_id_key').on(t.tenantId, t.id),
    index('meeting_document_list_idx').on(t.meetingId, t.folderId, t.name, t.id),
    index('meeting_document_folder_idx').on(t.folderId),
    foreignKey({
      name: 'meeting_document_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'meeting_document_folder_fk',
      columns: [t.tenantId, t.folderId],
      foreignColumns: [meetingFolder.tenantId, meetingFolder.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'meeting_document_author_fk',
      columns: [t.tenantId, t.createdBy],
      foreignColumns: [account.tenantId, account.id],
    }),
    check('meeting_document_audience', sql`${t.audience} in ('members', 'managers')`),
    check('meeting_document_version', sql`${t.version} > 0`),
  ],
);

/** A version of a file. */
export const meetingDocumentVersion = pgTable(
  'meeting_document_version',
  {
    /** Also the folder of its pieces in the storage. */
    id: uuid('id').primaryKey(),
    tenantId: ofTenant(),
    documentId: uuid('document_id').notNull(),
    version: integer('version').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    /** CRC-32 of its content, which ZIP files need. */
    crc: bigint('crc', { mode: 'number' }).notNull(),
    pieces: jsonb('pieces').$type<Piece[]>().notNull(),
    /** Told from its content. */
    kind: text('kind', { enum: FILE_KINDS }).notNull(),
    /** How pages show it, and the MIME type for that; null if they cannot. */
    preview: text('preview', { enum: FILE_PREVIEWS }),
    mediaType: text('media_type'),
    scan: text('scan', { enum: FILE_SCANS }).notNull(),
    /** What the scanner found. */
    finding: text('finding').notNull().default(''),
    /** A server process scans or converts it until then. */
    claimedUntil: time('claimed_until'),
    /** Of an office file that was asked for: whether its PDF is still to be made, is there, or could not be made. */
    conversion: text('conversion', { enum: ['waiting', 'done', 'failed'] }),
    uploadedBy: uuid('uploaded_by').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    unique('meeting_document_version_key').on(t.documentId, t.version),
    foreignKey({
      name: 'meeting_document_version_document_fk',
      columns: [t.tenantId, t.documentId],
      foreignColumns: [meetingDocument.tenantId, meetingDocument.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'meeting_document_version_author_fk',
      columns: [t.tenantId, t.uploadedBy],
      foreignColumns: [account.tenantId, account.id],
    }),
    index('meeting_document_version_tenant_idx').on(t.tenantId, t.size),
    index('meeting_document_version_scan_idx')
      .on(t.createdAt)
      .where(sql`${t.scan} = 'pending'`),
    index('meeting_document_version_conversion_idx')
      .on(t.createdAt)
      .where(sql`${t.conversion} = 'waiting'`),
    check('meeting_document_version_size', sql`${t.size} > 0 and ${t.version} > 0`),
    check('meeting_document_version_scan', sql`${t.scan} in ('off', 'pending', 'clean', 'infected', 'tooLarge')`),
    check(
      'meeting_document_version_preview',
      sql`num_nulls(${t.preview}, ${t.mediaType}) in (0, 2) and (${t.conversion} is null or ${t.preview} = 'office')`,
    ),
  ],
);

/** An upload that is not complete (tus 1.0). */
export const meetingUpload = pgTable(
  'meeting_upload',
  {
    /** Becomes the id of the version. */
    id: uuid('id').primaryKey(),
    tenantId: ofTenant(),
    meetingId: uuid('meeting_id').notNull(),
    folderId: uuid('folder_id'),
    /** The file of which it is the next version. */
    documentId: uuid('document_id'),
    name: text('name').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    received: bigint('received', { mode: 'number' }).notNull(),
    /** CRC-32 of what has arrived. */
    crc: bigint('crc', { mode: 'number' }).notNull(),
    pieces: jsonb('pieces').$type<Piece[]>().notNull(),
    audience: text('audience', { enum: FILE_AUDIENCES }).notNull(),
    secretUntilStart: boolean('secret_until_start').notNull(),
    createdBy: uuid('created_by').notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'meeting_upload_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'meeting_upload_folder_fk',
      columns: [t.tenantId, t.folderId],
      foreignColumns: [meetingFolder.tenantId, meetingFolder.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'meeting_upload_document_fk',
      columns: [t.tenantId, t.documentId],
      foreignColumns: [meetingDocument.tenantId, meetingDocument.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'meeting_upload_author_fk',
      columns: [t.tenantId, t.createdBy],
      foreignColumns: [account.tenantId, account.id],
    }),
    index('meeting_upload_author_idx').on(t.createdBy, t.meetingId),
    index('meeting_upload_expires_idx').on(t.expiresAt),
    check('meeting_upload_received', sql`${t.size} > 0 and ${t.received} between 0 and ${t.size}`),
  ],
);

export type FolderRow = typeof meetingFolder.$inferSelect;
export type DocumentRow = typeof meetingDocument.$inferSelect;
export type VersionRow = typeof meetingDocumentVersion.$inferSelect;
export type UploadRow = typeof meetingUpload.$inferSelect;
