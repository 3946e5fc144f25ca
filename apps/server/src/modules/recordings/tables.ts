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
  primaryKey,
  real,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { EXPORT_STATES, FOUND_IN, RECORDING_STATES, type RecordingEdit } from '@rmeet/contract';
import { RECORD_TROUBLES } from '@rmeet/conference';
import { searchIndex } from '../../platform/db/search-index.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';
import { conference } from '../conferences/tables.ts';
import { meeting } from '../meetings/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** What people want of a recording that is not over. */
export const RECORDING_WISHES = ['record', 'pause', 'stop'] as const;

/** A recording of a conference. Its media, and the list of its segments, are in the storage (recordingKeys). */
export const recording = pgTable(
  'recording',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    meetingId: uuid('meeting_id').notNull(),
    conferenceId: uuid('conference_id').notNull(),
    hostId: uuid('host_id').notNull(),
    subject: text('subject').notNull(),
    state: text('state', { enum: RECORDING_STATES }).notNull().default('recording'),
    wish: text('wish', { enum: RECORDING_WISHES }).notNull().default('record'),
    trouble: text('trouble', { enum: RECORD_TROUBLES }),
    /** Each terminal's sound and picture are stored by themselves, too. */
    withTracks: boolean('with_tracks').notNull(),
    startedAt: time('started_at').notNull(),
    endedAt: time('ended_at'),
    /** Of what is stored so far: ms that are played, and bytes. */
    duration: bigint('duration', { mode: 'number' }).notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    download: boolean('download').notNull(),
    watermark: boolean('watermark').notNull(),
    edit: jsonb('edit').$type<RecordingEdit>(),
    /** The recorder process that has it, and until when unless it renews; another one may take it then. */
    leaseHolder: uuid('lease_holder'),
    leaseUntil: time('lease_until'),
    /** Where that process gives it to servers while it runs; null: nowhere. */
    liveOrigin: text('live_origin'),
    /** In the bin since. */
    deletedAt: time('deleted_at'),
    /** Deleted for good: it is not shown any more, and the row goes as soon as its files are deleted. */
    isGone: boolean('is_gone').notNull().default(false),
    /** When its texts were stored (recording_text). */
    textsAt: time('texts_at'),
  },
  (t) => [
    unique('recording_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({
      name: 'recording_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }),
    foreignKey({
      name: 'recording_conference_fk',
      columns: [t.tenantId, t.conferenceId],
      foreignColumns: [conference.tenantId, conference.id],
    }),
    foreignKey({
      name: 'recording_host_fk',
      columns: [t.tenantId, t.hostId],
      foreignColumns: [account.tenantId, account.id],
    }),
    index('recording_list_idx').on(t.tenantId, t.startedAt.desc(), t.id),
    index('recording_meeting_idx').on(t.meetingId),
    index('recording_conference_idx').on(t.conferenceId),
    index('recording_host_idx').on(t.hostId),
    searchIndex('recording_search_idx', t.tenantId, [t.subject]),
    index('recording_texts_idx')
      .on(t.endedAt)
      .where(sql`${t.textsAt} is null`),
    index('recording_running_idx')
      .on(t.leaseUntil)
      .where(sql`${t.state} in ('recording', 'processing')`),
    index('recording_deleted_idx')
      .on(t.deletedAt)
      .where(sql`${t.deletedAt} is not null`),
    check('recording_state', sql`${t.state} in ('recording', 'processing', 'ready', 'failed')`),
    check('recording_lease', sql`num_nulls(${t.leaseHolder}, ${t.leaseUntil}) in (0, 2)`),
  ],
);
export type RecordingRow = typeof recording.$inferSelect;

/** Who may watch the recordings of a meeting, besides its host and administrators. */
export const recordingGrant = pgTable(
  'recording_grant',
  {
    tenantId: uuid('tenant_id').notNull(),
    meetingId: uuid('meeting_id').notNull(),
    accountId: uuid('account_id').notNull(),
    grantedAt: time('granted_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'recording_grant_pk', columns: [t.meetingId, t.accountId] }),
    foreignKey({
      name: 'recording_grant_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }),
    foreignKey({
      name: 'recording_grant_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }),
    index('recording_grant_account_idx').on(t.accountId),
  ],
);

/**
 * What a search finds in a recording besides its subject: names of people, messages to all, captions. Stored once its
 * conference is over, since nothing of it changes then.
 */
export const recordingText = pgTable(
  'recording_text',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    recordingId: uuid('recording_id').notNull(),
    foundIn: text('found_in', { enum: FOUND_IN }).notNull(),
    text: text('text').notNull(),
    /** Ms by the clock since the start of the recording; null for names. */
    at: bigint('at', { mode: 'number' }),
  },
  (t) => [
    foreignKey({
      name: 'recording_text_recording_fk',
      columns: [t.tenantId, t.recordingId],
      foreignColumns: [recording.tenantId, recording.id],
    }).onDelete('cascade'),
    index('recording_text_recording_idx').on(t.recordingId),
    searchIndex('recording_text_search_idx', t.tenantId, [t.text]),
  ],
);

/** A link that opens a recording without sign-in. */
export const recordingShare = pgTable(
  'recording_share',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    recordingId: uuid('recording_id').notNull(),
    /** SHA-256 of the token in the link. */
    tokenHash: text('token_hash').notNull(),
    /** Null: none. */
    passwordHash: text('password_hash'),
    expiresAt: time('expires_at'),
    maxViews: integer('max_views'),
    views: integer('views').notNull().default(0),
    download: boolean('download').notNull(),
    watermark: boolean('watermark').notNull(),
    createdBy: uuid('created_by').notNull(),
    createdAt: time('created_at').notNull(),
    revokedAt: time('revoked_at'),
  },
  (t) => [
    unique('recording_share_token_key').on(t.tokenHash),
    unique('recording_share_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({
      name: 'recording_share_recording_fk',
      columns: [t.tenantId, t.recordingId],
      foreignColumns: [recording.tenantId, recording.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'recording_share_account_fk',
      columns: [t.tenantId, t.createdBy],
      foreignColumns: [account.tenantId, account.id],
    }),
    index('recording_share_recording_idx').on(t.recordingId),
    index('recording_share_account_idx').on(t.createdBy),
  ],
);
export type RecordingShareRow = typeof recordingShare.$inferSelect;

/** One viewer of a link. */
export const recordingView = pgTable(
  'recording_view',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    shareId: uuid('share_id').notNull(),
    /** SHA-256 of what the page sends to continue its view. */
    tokenHash: text('token_hash').notNull(),
    name: text('name').notNull(),
    openedAt: time('opened_at').notNull(),
  },
  (t) => [
    unique('recording_view_token_key').on(t.tokenHash),
    foreignKey({
      name: 'recording_view_share_fk',
      columns: [t.tenantId, t.shareId],
      foreignColumns: [recordingShare.tenantId, recordingShare.id],
    }).onDelete('cascade'),
    index('recording_view_share_idx').on(t.shareId),
  ],
);
export type RecordingViewRow = typeof recordingView.$inferSelect;

/** An MP4 that is made of a recording. */
export const recordingExport = pgTable(
  'recording_export',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    recordingId: uuid('recording_id').notNull(),
    ownerId: uuid('owner_id').notNull(),
    track: text('track').notNull(),
    /** As stored, without the recording's edits. */
    whole: boolean('whole').notNull(),
    state: text('state', { enum: EXPORT_STATES }).notNull().default('waiting'),
    /** 0 to 1. */
    progress: real('progress').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }),
    storageKey: text('storage_key'),
    createdAt: time('created_at').notNull(),
    /** When the server that makes it last said so. */
    updatedAt: time('updated_at').notNull(),
    expiresAt: time('expires_at'),
  },
  (t) => [
    unique('recording_export_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({
      name: 'recording_export_recording_fk',
      columns: [t.tenantId, t.recordingId],
      foreignColumns: [recording.tenantId, recording.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'recording_export_owner_fk',
      columns: [t.tenantId, t.ownerId],
      foreignColumns: [account.tenantId, account.id],
    }),
    index('recording_export_recording_idx').on(t.recordingId),
    index('recording_export_owner_idx').on(t.ownerId),
    check('recording_export_progress', sql`${t.progress} between 0 and 1`),
  ],
);
export type RecordingExportRow = typeof recordingExport.$inferSelect;
