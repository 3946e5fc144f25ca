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
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import {
  CONFERENCE_ROLES,
  NO_CONTROL,
  type ConferenceCommand,
  type ConferenceControl,
  type ControlChange,
  type SceneSettings,
} from '@rmeet/conference';
import { MEETING_TYPES, type Commander, type TerminalReport } from '@rmeet/contract';
import { meeting } from '../meetings/tables.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';
import { storedFile } from '../files/tables.ts';
import { guestToken } from '../guests/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** One running session of a meeting; a meeting has at most one at a time, and may have several over its lifetime. */
export const conference = pgTable(
  'conference',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    meetingId: uuid('meeting_id').notNull(),
    /** The meeting's type, which never changes: copied so that the history of a type has an index. */
    type: text('type', { enum: MEETING_TYPES }).notNull(),
    /** Counts the media rooms this conference has had; the current one is `<id>.<generation>`. */
    generation: integer('generation').notNull().default(1),
    /** The media zone it is in, and the media server it was assigned to there; null for any. */
    zoneId: text('zone_id').notNull().default('local'),
    mcuId: text('mcu_id'),
    /**
     * The zone of the previous room, and when its terminals were told to move; null while there has been only one room.
     */
    previousZoneId: text('previous_zone_id'),
    movedAt: time('moved_at'),
    startedAt: time('started_at').notNull(),
    /** The control state, changed only by commands; each command is a row of conference_command. */
    control: jsonb('control').notNull().$type<ConferenceControl>().default(NO_CONTROL),
    /** Since when its room on the media engine is missing; null while it exists. */
    roomLostAt: time('room_lost_at'),
    /** Since when it is empty; null while a terminal is present. */
    emptySince: time('empty_since'),
    endedAt: time('ended_at'),
    endReason: text('end_reason', { enum: ['ended', 'empty'] }),
    /** Maximum number of terminals present at the same time. */
    peakTerminals: integer('peak_terminals').notNull().default(0),
  },
  (t) => [
    unique('conference_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({
      name: 'conference_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }),
    uniqueIndex('conference_running_key')
      .on(t.meetingId)
      .where(sql`${t.endedAt} is null`),
    index('conference_meeting_idx').on(t.meetingId, t.startedAt),
    index('conference_tenant_started_idx').on(t.tenantId, t.startedAt, t.id),
    index('conference_type_started_idx').on(t.tenantId, t.type, t.startedAt, t.id),
    index('conference_type_duration_idx').on(t.tenantId, t.type, sql`(${t.endedAt} - ${t.startedAt})`, t.id),
    index('conference_tenant_duration_idx').on(t.tenantId, sql`(${t.endedAt} - ${t.startedAt})`, t.id),
    check('conference_end', sql`(${t.endedAt} is null) = (${t.endReason} is null)`),
    check('conference_generation', sql`${t.generation} > 0`),
  ],
);

export const TERMINAL_STATES = ['waiting', 'admitted', 'left', 'lost', 'removed', 'refused'] as const;

/**
 * One presence of one terminal in a conference. `termId` is its LiveKit identity; only the SHA-256 of its session token
 * is stored. `lost` is a terminal that disappeared without leaving and may return with its token.
 */
export const terminalSession = pgTable(
  'terminal_session',
  {
    termId: text('term_id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    conferenceId: uuid('conference_id').notNull(),
    meetingId: uuid('meeting_id').notNull(),
    /** Its account; null for guests who are not signed in, and for people of other tenants. */
    accountId: uuid('account_id'),
    tokenHash: text('token_hash').notNull(),
    name: text('name').notNull(),
    role: text('role', { enum: CONFERENCE_ROLES }).notNull(),
    state: text('state', { enum: TERMINAL_STATES }).notNull(),
    /** The guest link it used. */
    guestTokenId: uuid('guest_token_id'),
    /** Code of the product's device table. */
    deviceType: integer('device_type').notNull(),
    /** Empty, and not read: formerly the address of this server as its browser sent it, which anybody could forge. */
    origin: text('origin').notNull(),
    createdAt: time('created_at').notNull(),
    admittedAt: time('admitted_at'),
    /** When it was first admitted; unchanged when it is sent back to the waiting room, or is lost and returns. */
    firstInsideAt: time('first_inside_at'),
    /** When it was first seen on the media engine. */
    joinedAt: time('joined_at'),
    leftAt: time('left_at'),
    /** While it waits: when a server last detected its push socket. */
    lastSeenAt: time('last_seen_at').notNull(),
    handRaisedAt: time('hand_raised_at'),
    /** The message of a waiting person. */
    message: text('message'),
    /** SHA-256 of the mark that its browser keeps. */
    deviceMark: text('device_mark'),
    /** It waits only for a host, and is admitted when one arrives. */
    awaitsHost: boolean('awaits_host').notNull().default(false),
    /** Removed, and may not return to this conference. */
    banned: boolean('banned').notNull().default(false),
  },
  (t) => [
    foreignKey({
      name: 'terminal_session_conference_fk',
      columns: [t.tenantId, t.conferenceId],
      foreignColumns: [conference.tenantId, conference.id],
    }),
    foreignKey({
      name: 'terminal_session_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }),
    foreignKey({
      name: 'terminal_session_guest_fk',
      columns: [t.tenantId, t.guestTokenId],
      foreignColumns: [guestToken.tenantId, guestToken.id],
    }),
    index('terminal_session_guest_idx')
      .on(t.meetingId, t.createdAt)
      .where(sql`${t.guestTokenId} is not null`),
    index('terminal_session_tenant_present_idx')
      .on(t.tenantId)
      .where(sql`${t.state} = 'admitted'`),
    uniqueIndex('terminal_session_token_hash_key').on(t.tokenHash),
    index('terminal_session_present_idx')
      .on(t.conferenceId)
      .where(sql`${t.state} in ('waiting', 'admitted')`),
    index('terminal_session_conference_idx').on(t.conferenceId, t.createdAt),
    index('terminal_session_account_idx').on(t.accountId),
    index('terminal_session_banned_idx')
      .on(t.conferenceId)
      .where(sql`${t.banned}`),
    check('terminal_session_role', sql`${t.role} in ('host', 'member', 'guest')`),
    check('terminal_session_state', sql`${t.state} in ('waiting', 'admitted', 'left', 'lost', 'removed', 'refused')`),
    check('terminal_session_admitted', sql`${t.state} <> 'admitted' or ${t.admittedAt} is not null`),
    check('terminal_session_left', sql`(${t.leftAt} is null) = (${t.state} in ('waiting', 'admitted'))`),
  ],
);

/** The messages of a conference's chat. The sender creates `id`, so it is unique only within its conference. */
export const chatMessage = pgTable(
  'chat_message',
  {
    conferenceId: uuid('conference_id').notNull(),
    id: uuid('id').notNull(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    termId: text('term_id')
      .notNull()
      .references(() => terminalSession.termId),
    name: text('name').notNull(),
    /** Empty once it is deleted. */
    text: text('text').notNull(),
    /** The file that came with it, until it is deleted. */
    fileId: uuid('file_id'),
    sentAt: time('sent_at').notNull(),
    /** The receiver of a private message; null for a message to all. */
    toTermId: text('to_term_id').references(() => terminalSession.termId),
    toName: text('to_name'),
    /** Id of the message that it answers. */
    replyTo: uuid('reply_to'),
    deletedAt: time('deleted_at'),
  },
  (t) => [
    primaryKey({ name: 'chat_message_pkey', columns: [t.conferenceId, t.id] }),
    foreignKey({
      name: 'chat_message_conference_fk',
      columns: [t.tenantId, t.conferenceId],
      foreignColumns: [conference.tenantId, conference.id],
    }),
    foreignKey({
      name: 'chat_message_file_fk',
      columns: [t.tenantId, t.fileId],
      foreignColumns: [storedFile.tenantId, storedFile.id],
    }),
    uniqueIndex('chat_message_file_key')
      .on(t.fileId)
      .where(sql`${t.fileId} is not null`),
    index('chat_message_sent_idx').on(t.conferenceId, t.sentAt),
  ],
);

/**
 * One command to a conference: who gave it, its input, and its changes. Never changed, and not deleted while the
 * conference is kept.
 */
export const conferenceCommand = pgTable(
  'conference_command',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    conferenceId: uuid('conference_id').notNull(),
    /** The version of the control that it created. */
    version: integer('version').notNull(),
    verb: text('verb').notNull(),
    command: jsonb('command').notNull().$type<ConferenceCommand>(),
    commander: jsonb('commander').notNull().$type<Commander>(),
    changes: jsonb('changes').notNull().$type<ControlChange[]>(),
    /** termIds that must obey. */
    affected: text('affected').array().notNull(),
    /** The version of the push topic that announced it. */
    pushVersion: bigint('push_version', { mode: 'number' }).notNull(),
    /** The command that this one undoes. */
    undoes: uuid('undoes'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'conference_command_conference_fk',
      columns: [t.tenantId, t.conferenceId],
      foreignColumns: [conference.tenantId, conference.id],
    }),
    unique('conference_command_version_key').on(t.conferenceId, t.version),
    uniqueIndex('conference_command_undoes_key')
      .on(t.undoes)
      .where(sql`${t.undoes} is not null`),
    index('conference_command_push_idx').on(t.conferenceId, t.pushVersion),
    unique('conference_command_tenant_id_key').on(t.tenantId, t.id),
  ],
);

/** A terminal (or the engine, `@engine`) has obeyed a command, or could not. */
export const commandAck = pgTable(
  'command_ack',
  {
    commandId: uuid('command_id').notNull(),
    termId: text('term_id').notNull(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    /** Milliseconds from the command to its acknowledgement. */
    latency: integer('latency').notNull(),
    failed: text('failed'),
    /** Milliseconds without media, for a command that moved the terminal's media. */
    gap: integer('gap'),
    at: time('at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'command_ack_pkey', columns: [t.commandId, t.termId] }),
    foreignKey({
      name: 'command_ack_command_fk',
      columns: [t.tenantId, t.commandId],
      foreignColumns: [conferenceCommand.tenantId, conferenceCommand.id],
    }),
  ],
);

/** A signed link to the desk or the status wall of a meeting; only the SHA-256 of its secret is stored. */
export const deskLink = pgTable(
  'desk_link',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    meetingId: uuid('meeting_id').notNull(),
    part: text('part', { enum: ['chair', 'viewer'] }).notNull(),
    scope: text('scope', { enum: ['control', 'status'] }).notNull(),
    tokenHash: text('token_hash').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    revokedAt: time('revoked_at'),
    lastUsedAt: time('last_used_at'),
  },
  (t) => [
    unique('desk_link_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({
      name: 'desk_link_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    uniqueIndex('desk_link_hash_key').on(t.tokenHash),
    index('desk_link_meeting_idx').on(t.meetingId, t.createdAt),
  ],
);

/** A desk opened by a link: the SHA-256 of its token. It ends with the link. */
export const deskSession = pgTable(
  'desk_session',
  {
    tokenHash: text('token_hash').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    linkId: uuid('link_id').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'desk_session_link_fk',
      columns: [t.tenantId, t.linkId],
      foreignColumns: [deskLink.tenantId, deskLink.id],
    }).onDelete('cascade'),
    index('desk_session_link_idx').on(t.linkId),
  ],
);

/** A desk's hidden, listening place on the media engine; `identity` is its LiveKit identity. */
export const watcher = pgTable(
  'watcher',
  {
    identity: text('identity').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    conferenceId: uuid('conference_id').notNull(),
    /** Its owner: a desk link, or an account's session. */
    linkId: uuid('link_id'),
    sessionId: uuid('session_id'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'watcher_conference_fk',
      columns: [t.tenantId, t.conferenceId],
      foreignColumns: [conference.tenantId, conference.id],
    }).onDelete('cascade'),
    index('watcher_conference_idx').on(t.conferenceId),
    check('watcher_one', sql`(${t.linkId} is null) <> (${t.sessionId} is null)`),
  ],
);

/** The newest report of each terminal of a watched conference, so that desks at other server processes receive it. */
export const mediaReport = pgTable(
  'media_report',
  {
    termId: text('term_id')
      .primaryKey()
      .references(() => terminalSession.termId, { onDelete: 'cascade' }),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    conferenceId: uuid('conference_id').notNull(),
    report: jsonb('report').notNull().$type<TerminalReport>(),
    at: time('at').notNull(),
  },
  (t) => [index('media_report_conference_idx').on(t.conferenceId, t.at)],
);

/** A call to an invited person: one row per person or outside address and conference, for the newest call. */
export const conferenceCall = pgTable(
  'conference_call',
  {
    conferenceId: uuid('conference_id').notNull(),
    /** The called person, as in desk calls: `U` and the account's id, or `M` and the id of an outside invitation. */
    target: text('target').notNull(),
    accountId: uuid('account_id'),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    calledAt: time('called_at').notNull(),
    /** The caller's name, shown with the ring. */
    calledBy: text('called_by').notNull(),
    /** When it stops ringing automatically. */
    until: time('until').notNull(),
    declinedAt: time('declined_at'),
    /** When it stopped ringing: declined, joined, or not answered. */
    overAt: time('over_at'),
    /** When the newest mail was queued. */
    mailedAt: time('mailed_at'),
    mail: text('mail', { enum: ['none', 'SENDING', 'SUCCESS', 'FAIL'] }).notNull(),
  },
  (t) => [
    primaryKey({ name: 'conference_call_pkey', columns: [t.conferenceId, t.target] }),
    foreignKey({
      name: 'conference_call_conference_fk',
      columns: [t.tenantId, t.conferenceId],
      foreignColumns: [conference.tenantId, conference.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'conference_call_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('conference_call_ringing_idx')
      .on(t.until)
      .where(sql`${t.overAt} is null`),
  ],
);

/**
 * Saved settings of a conference, with a name; they belong to the meeting, so that all its conferences can use them.
 */
export const scene = pgTable(
  'scene',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    meetingId: uuid('meeting_id').notNull(),
    name: text('name').notNull(),
    /** Terminals by their termIds when it was saved. */
    settings: jsonb('settings').notNull().$type<SceneSettings>(),
    /** The people with those termIds, so that the same people are found under their current ones. */
    people: jsonb('people').notNull().$type<Record<string, string>>(),
    /** When it is applied automatically, and when that happened. */
    at: time('at'),
    appliedAt: time('applied_at'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    unique('scene_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({
      name: 'scene_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    unique('scene_name_key').on(t.meetingId, t.name),
    index('scene_due_idx')
      .on(t.at)
      .where(sql`${t.at} is not null and ${t.appliedAt} is null`),
  ],
);

/** A ballot. For a secret vote it does not reveal the voter. */
export const ballot = pgTable(
  'ballot',
  {
    voteId: uuid('vote_id').notNull(),
    /** SHA-256 of the vote and the person: one ballot per person, from any terminal. */
    voter: text('voter').notNull(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    conferenceId: uuid('conference_id').notNull(),
    /** Null in a secret vote. */
    name: text('name'),
    /** Counts from 0. */
    option: integer('option').notNull(),
  },
  (t) => [
    primaryKey({ name: 'ballot_pkey', columns: [t.voteId, t.voter] }),
    foreignKey({
      name: 'ballot_conference_fk',
      columns: [t.tenantId, t.conferenceId],
      foreignColumns: [conference.tenantId, conference.id],
    }).onDelete('cascade'),
    index('ballot_conference_idx').on(t.conferenceId),
  ],
);

/** Which server process is responsible for the running conferences; another one may take over after `expires_at`. */
export const reconcilerLease = pgTable('reconciler_lease', {
  name: text('name').primaryKey(),
  tenantId: uuid('tenant_id')
    .notNull()
    .references(() => tenant.tenantId),
  holder: uuid('holder').notNull(),
  expiresAt: time('expires_at').notNull(),
});

export type ConferenceRow = typeof conference.$inferSelect;
export type TerminalRow = typeof terminalSession.$inferSelect;
export type ChatMessageRow = typeof chatMessage.$inferSelect;
export type CallRow = typeof conferenceCall.$inferSelect;
export type CommandRow = typeof conferenceCommand.$inferSelect;
export type DeskLinkRow = typeof deskLink.$inferSelect;
export type SceneRow = typeof scene.$inferSelect;
export type BallotRow = typeof ballot.$inferSelect;
export type WatcherRow = typeof watcher.$inferSelect;
