import { sql } from 'drizzle-orm';
import {
  bigint,
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
import {
  BROADCAST_ACCESS,
  BROADCAST_CHATS,
  BROADCAST_SOURCES,
  BROADCAST_STATES,
  MESSAGE_KINDS,
  MESSAGE_STATES,
} from '@rmeet/contract';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';
import { meeting } from '../meetings/tables.ts';
import { recording } from '../recordings/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** The broadcast of a live meeting. It has the id of its meeting, so that links need no look-up. */
export const broadcast = pgTable(
  'broadcast',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    state: text('state', { enum: BROADCAST_STATES }).notNull().default('scheduled'),
    /** A conference, or an outside stream (`broadcast_ingest`). */
    source: text('source', { enum: BROADCAST_SOURCES }).notNull().default('conference'),
    access: text('access', { enum: BROADCAST_ACCESS }).notNull(),
    chat: text('chat', { enum: BROADCAST_CHATS }).notNull(),
    slowSeconds: integer('slow_seconds').notNull(),
    questions: boolean('questions').notNull(),
    allowsLikes: boolean('allows_likes').notNull(),
    watermark: boolean('watermark').notNull(),
    announcement: text('announcement').notNull(),
    replay: boolean('replay').notNull(),
    /** argon2id, in PHC string form; null: none. */
    passwordHash: text('password_hash'),
    /** Counts the passwords: who knows an earlier one only is asked again. */
    passwordVersion: integer('password_version').notNull().default(0),
    /** When it first went on air. */
    startedAt: time('started_at'),
    endedAt: time('ended_at'),
    /** What viewers see is recorded here; after the end the one with most of it. */
    recordingId: uuid('recording_id'),
    /** The broadcast started the recording, so it ends with it. */
    ownsRecording: boolean('owns_recording').notNull().default(false),
    likes: integer('likes').notNull().default(0),
    peak: integer('peak').notNull().default(0),
    /** Counts changes of the broadcast and its messages. */
    version: integer('version').notNull().default(1),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    unique('broadcast_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({
      name: 'broadcast_meeting_fk',
      columns: [t.tenantId, t.id],
      foreignColumns: [meeting.tenantId, meeting.id],
    }),
    // Without a key to the recording's tenant: `on delete set null` would clear the tenant, too.
    foreignKey({
      name: 'broadcast_recording_fk',
      columns: [t.recordingId],
      foreignColumns: [recording.id],
    }).onDelete('set null'),
    index('broadcast_recording_idx').on(t.recordingId),
    index('broadcast_state_idx').on(t.tenantId, t.state),
    index('broadcast_open_idx')
      .on(t.id)
      .where(sql`${t.state} <> 'ended'`),
    check('broadcast_state', sql`${t.state} in ('scheduled', 'onAir', 'paused', 'ended')`),
    check('broadcast_source', sql`${t.source} in ('conference', 'push', 'play')`),
    check('broadcast_access', sql`${t.access} in ('public', 'password', 'organisation', 'whiteList')`),
    check('broadcast_chat', sql`${t.chat} in ('open', 'held', 'off')`),
    check('broadcast_password', sql`${t.access} <> 'password' or ${t.passwordHash} is not null`),
  ],
);
export type BroadcastRow = typeof broadcast.$inferSelect;

/** A stretch in which viewers saw the conference. */
export const broadcastSpan = pgTable(
  'broadcast_span',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    broadcastId: uuid('broadcast_id').notNull(),
    /** The recording; of an outside stream, which is not recorded, the broadcast itself. */
    recordingId: uuid('recording_id').notNull(),
    from: time('from').notNull(),
    until: time('until'),
  },
  (t) => [
    foreignKey({
      name: 'broadcast_span_broadcast_fk',
      columns: [t.tenantId, t.broadcastId],
      foreignColumns: [broadcast.tenantId, broadcast.id],
    }).onDelete('cascade'),
    index('broadcast_span_broadcast_idx').on(t.broadcastId, t.from),
    check('broadcast_span_order', sql`${t.until} is null or ${t.until} >= ${t.from}`),
  ],
);
export type BroadcastSpanRow = typeof broadcastSpan.$inferSelect;

/** An account that may watch a broadcast whose access is by white list. */
export const broadcastAllowed = pgTable(
  'broadcast_allowed',
  {
    tenantId: uuid('tenant_id').notNull(),
    broadcastId: uuid('broadcast_id').notNull(),
    accountId: uuid('account_id').notNull(),
  },
  (t) => [
    primaryKey({ name: 'broadcast_allowed_pk', columns: [t.broadcastId, t.accountId] }),
    foreignKey({
      name: 'broadcast_allowed_broadcast_fk',
      columns: [t.tenantId, t.broadcastId],
      foreignColumns: [broadcast.tenantId, broadcast.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'broadcast_allowed_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('broadcast_allowed_account_idx').on(t.accountId),
  ],
);

/** One open watch page of a person. */
export const broadcastViewer = pgTable(
  'broadcast_viewer',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    broadcastId: uuid('broadcast_id').notNull(),
    /** Null for viewers without account. */
    accountId: uuid('account_id'),
    name: text('name').notNull(),
    /** SHA-256 of what the page sends with its calls. */
    tokenHash: text('token_hash').notNull(),
    /** The password that the viewer knew. */
    passwordVersion: integer('password_version').notNull(),
    openedAt: time('opened_at').notNull(),
    lastSeenAt: time('last_seen_at').notNull(),
    leftAt: time('left_at'),
    /** Ms on the page while the broadcast was on air. */
    watched: bigint('watched', { mode: 'number' }).notNull().default(0),
    /** Since when the viewer may not write. */
    mutedAt: time('muted_at'),
  },
  (t) => [
    unique('broadcast_viewer_token_key').on(t.tokenHash),
    unique('broadcast_viewer_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({
      name: 'broadcast_viewer_broadcast_fk',
      columns: [t.tenantId, t.broadcastId],
      foreignColumns: [broadcast.tenantId, broadcast.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'broadcast_viewer_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }),
    index('broadcast_viewer_present_idx').on(t.broadcastId, t.lastSeenAt),
    index('broadcast_viewer_account_idx').on(t.accountId),
    index('broadcast_viewer_opened_idx').on(t.openedAt),
  ],
);
export type BroadcastViewerRow = typeof broadcastViewer.$inferSelect;

/** A message or question of a viewer. */
export const broadcastMessage = pgTable(
  'broadcast_message',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    broadcastId: uuid('broadcast_id').notNull(),
    viewerId: uuid('viewer_id').notNull(),
    name: text('name').notNull(),
    isHost: boolean('is_host').notNull(),
    kind: text('kind', { enum: MESSAGE_KINDS }).notNull(),
    state: text('state', { enum: MESSAGE_STATES }).notNull(),
    text: text('text').notNull(),
    answer: text('answer'),
    /** The version of the broadcast that its last change made. */
    version: integer('version').notNull(),
    at: time('at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'broadcast_message_broadcast_fk',
      columns: [t.tenantId, t.broadcastId],
      foreignColumns: [broadcast.tenantId, broadcast.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'broadcast_message_viewer_fk',
      columns: [t.tenantId, t.viewerId],
      foreignColumns: [broadcastViewer.tenantId, broadcastViewer.id],
    }).onDelete('cascade'),
    index('broadcast_message_version_idx').on(t.broadcastId, t.version),
    index('broadcast_message_viewer_idx').on(t.viewerId, t.at),
    check('broadcast_message_kind', sql`${t.kind} in ('chat', 'question')`),
    check('broadcast_message_state', sql`${t.state} in ('shown', 'held', 'deleted')`),
  ],
);
export type BroadcastMessageRow = typeof broadcastMessage.$inferSelect;

/** The most viewers at one time within a minute. */
export const broadcastMinute = pgTable(
  'broadcast_minute',
  {
    tenantId: uuid('tenant_id').notNull(),
    broadcastId: uuid('broadcast_id').notNull(),
    at: time('at').notNull(),
    viewers: integer('viewers').notNull(),
  },
  (t) => [
    primaryKey({ name: 'broadcast_minute_pk', columns: [t.broadcastId, t.at] }),
    foreignKey({
      name: 'broadcast_minute_broadcast_fk',
      columns: [t.tenantId, t.broadcastId],
      foreignColumns: [broadcast.tenantId, broadcast.id],
    }).onDelete('cascade'),
  ],
);
