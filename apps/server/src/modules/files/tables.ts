import { sql } from 'drizzle-orm';
import { bigint, check, foreignKey, index, integer, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import { FILE_KINDS } from '@rmeet/contract';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';

/**
 * What files are stored for. `chat`: the chat of a conference; `clientPackage`: a package of a client; `document`: the
 * pictures of a document.
 */
export const FILE_PURPOSES = ['chat', 'clientPackage', 'document'] as const;
export type FilePurpose = (typeof FILE_PURPOSES)[number];

/** A file that people have sent: what it is, whose it is and what for. Its content is in the storage. */
export const storedFile = pgTable(
  'stored_file',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    purpose: text('purpose', { enum: FILE_PURPOSES }).notNull(),
    /** What it belongs to: for `chat` the conference, for `clientPackage` the package, for `document` the document. */
    subjectId: uuid('subject_id').notNull(),
    /** The account that sent it; null for guests. */
    ownerId: uuid('owner_id'),
    name: text('name').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    /** SHA-256 of its content, hexadecimal. */
    sha256: text('sha256').notNull(),
    /** Told from its content. */
    kind: text('kind', { enum: FILE_KINDS }).notNull(),
    /** MIME type and pixels, if pages may show it as a picture. */
    pictureType: text('picture_type'),
    pictureWidth: integer('picture_width'),
    pictureHeight: integer('picture_height'),
    storageKey: text('storage_key').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (t) => [
    unique('stored_file_tenant_id_key').on(t.tenantId, t.id),
    unique('stored_file_storage_key').on(t.storageKey),
    foreignKey({
      name: 'stored_file_owner_fk',
      columns: [t.tenantId, t.ownerId],
      foreignColumns: [account.tenantId, account.id],
    }),
    index('stored_file_subject_idx').on(t.purpose, t.subjectId),
    index('stored_file_owner_idx').on(t.ownerId),
    check('stored_file_picture', sql`num_nulls(${t.pictureType}, ${t.pictureWidth}, ${t.pictureHeight}) in (0, 3)`),
  ],
);

export type StoredFileRow = typeof storedFile.$inferSelect;
