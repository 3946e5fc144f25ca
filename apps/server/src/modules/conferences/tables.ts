import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, pgTable, primaryKey, text, timestamp, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { CONFERENCE_ROLES } from '@rmeet/contract';
import { meeting } from '../meetings/tables.ts';
import { tenant } from '../tenants/tables.ts';
import { account } from '../users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** One running session of a meeting; a meeting has one at a time at most, and may have several over its life. */
export const conference = pgTable(
  'conference',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull().references(() => tenant.tenantId),
    meetingId: uuid('meeting_id').notNull(),
    /** Counts the media rooms this conference has had; the present one is `<id>.<generation>`. */
    generation: integer('generation').notNull().default(1),
    startedAt: time('started_at').notNull(),
    /** Since when nobody is inside; null while somebody is. */
    emptySince: time('empty_since'),
    endedAt: time('ended_at'),
    endReason: text('end_reason', { enum: ['ended', 'empty'] }),
  },
  (t) => [
    unique('conference_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({ name: 'conference_meeting_fk', columns: [t.tenantId, t.meetingId], foreignColumns: [meeting.tenantId, meeting.id] }),
    uniqueIndex('conference_running_key').on(t.meetingId).where(sql`${t.endedAt} is null`),
    index('conference_meeting_idx').on(t.meetingId, t.startedAt),
    check('conference_end', sql`(${t.endedAt} is null) = (${t.endReason} is null)`),
    check('conference_generation', sql`${t.generation} > 0`),
  ],
);

export const TERMINAL_STATES = ['waiting', 'admitted', 'left', 'lost', 'removed', 'refused'] as const;

/**
 * One presence of one terminal in a conference. `termId` is its LiveKit identity; of its session token only the
 * SHA-256 is stored. `lost` is a terminal that vanished without leaving and may come back with its token.
 */
export const terminalSession = pgTable(
  'terminal_session',
  {
    termId: text('term_id').primaryKey(),
    tenantId: uuid('tenant_id').notNull().references(() => tenant.tenantId),
    conferenceId: uuid('conference_id').notNull(),
    meetingId: uuid('meeting_id').notNull(),
    /** The account behind it; null for guests who are not signed in, and for people of other tenants. */
    accountId: uuid('account_id'),
    tokenHash: text('token_hash').notNull(),
    name: text('name').notNull(),
    role: text('role', { enum: CONFERENCE_ROLES }).notNull(),
    state: text('state', { enum: TERMINAL_STATES }).notNull(),
    /** Code of the product's device table. */
    deviceType: integer('device_type').notNull(),
    /** The address its browser sees of this server, for links that are pushed to it. */
    origin: text('origin').notNull(),
    createdAt: time('created_at').notNull(),
    admittedAt: time('admitted_at'),
    /** When it was first seen on the media engine. */
    joinedAt: time('joined_at'),
    leftAt: time('left_at'),
    /** While it waits: when a server last saw its push socket. */
    lastSeenAt: time('last_seen_at').notNull(),
    handRaisedAt: time('hand_raised_at'),
  },
  (t) => [
    foreignKey({ name: 'terminal_session_conference_fk', columns: [t.tenantId, t.conferenceId], foreignColumns: [conference.tenantId, conference.id] }),
    foreignKey({ name: 'terminal_session_account_fk', columns: [t.tenantId, t.accountId], foreignColumns: [account.tenantId, account.id] }),
    uniqueIndex('terminal_session_token_hash_key').on(t.tokenHash),
    index('terminal_session_present_idx').on(t.conferenceId).where(sql`${t.state} in ('waiting', 'admitted')`),
    index('terminal_session_conference_idx').on(t.conferenceId, t.createdAt),
    index('terminal_session_account_idx').on(t.accountId),
    check('terminal_session_role', sql`${t.role} in ('host', 'member', 'guest')`),
    check('terminal_session_state', sql`${t.state} in ('waiting', 'admitted', 'left', 'lost', 'removed', 'refused')`),
    check('terminal_session_admitted', sql`${t.state} <> 'admitted' or ${t.admittedAt} is not null`),
    check('terminal_session_left', sql`(${t.leftAt} is null) = (${t.state} in ('waiting', 'admitted'))`),
  ],
);

/** What was said in a conference's chat. `id` is made by the sender, so it is unique within its conference only. */
export const chatMessage = pgTable(
  'chat_message',
  {
    conferenceId: uuid('conference_id').notNull(),
    id: uuid('id').notNull(),
    tenantId: uuid('tenant_id').notNull().references(() => tenant.tenantId),
    termId: text('term_id').notNull().references(() => terminalSession.termId),
    name: text('name').notNull(),
    text: text('text').notNull(),
    sentAt: time('sent_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'chat_message_pkey', columns: [t.conferenceId, t.id] }),
    foreignKey({ name: 'chat_message_conference_fk', columns: [t.tenantId, t.conferenceId], foreignColumns: [conference.tenantId, conference.id] }),
    index('chat_message_sent_idx').on(t.conferenceId, t.sentAt),
  ],
);

/** Which server process looks after the running conferences; another may once `expires_at` is over. */
export const reconcilerLease = pgTable('reconciler_lease', {
  name: text('name').primaryKey(),
  tenantId: uuid('tenant_id').notNull().references(() => tenant.tenantId),
  holder: uuid('holder').notNull(),
  expiresAt: time('expires_at').notNull(),
});

export type ConferenceRow = typeof conference.$inferSelect;
export type TerminalRow = typeof terminalSession.$inferSelect;
export type ChatMessageRow = typeof chatMessage.$inferSelect;
