import { sql } from 'drizzle-orm';
import {
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
  NOTICE_CHANNELS,
  NOTICE_FAILURES,
  NOTICE_KINDS,
  NOTICE_STATUSES,
  REMINDER_DEFAULT,
  TEXT_CHANNELS,
  type SmsGateway,
} from '@rmeet/contract';
import { meeting, meetingSeries } from '../meetings/tables.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';
import type { MeetingSnapshot } from './changes/snapshot.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
/** For checks. Computed, because drizzle-kit treats a line break of the formatter as a change. */
const KINDS = sql.raw(NOTICE_KINDS.map((kind) => `'${kind}'`).join(', '));

/** The editions of a meeting or series, one for each time people were notified; kept, because calendars number them. */
export const noticeEdition = pgTable(
  'notice_edition',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    /** One of these two. */
    meetingId: uuid('meeting_id'),
    seriesId: uuid('series_id'),
    /** For invited people, or about an approval for approvers and the host. */
    about: text('about', { enum: ['meeting', 'approval'] })
      .notNull()
      .default('meeting'),
    /** Counted per kind; for invited people it is SEQUENCE of RFC 5545 section 3.8.7.4. */
    sequence: integer('sequence').notNull(),
    snapshot: jsonb('snapshot').$type<MeetingSnapshot>().notNull(),
    /** Sealed like the meeting's own password; null if there is none. */
    passwordSealed: text('password_sealed'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    unique('notice_edition_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({
      name: 'notice_edition_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'notice_edition_series_fk',
      columns: [t.tenantId, t.seriesId],
      foreignColumns: [meetingSeries.tenantId, meetingSeries.id],
    }).onDelete('cascade'),
    uniqueIndex('notice_edition_meeting_key')
      .on(t.meetingId, t.about, t.sequence)
      .where(sql`${t.meetingId} is not null`),
    uniqueIndex('notice_edition_series_key')
      .on(t.seriesId, t.about, t.sequence)
      .where(sql`${t.seriesId} is not null`),
    check('notice_edition_one', sql`num_nonnulls(${t.meetingId}, ${t.seriesId}) = 1`),
    check('notice_edition_about', sql`${t.about} in ('meeting', 'approval')`),
    check('notice_edition_sequence', sql`${t.sequence} >= 0`),
  ],
);

/** A notice to one recipient by one channel. */
export const notice = pgTable(
  'notice',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    editionId: uuid('edition_id').notNull(),
    /** The recipient, one of these three. The address and number of an account are looked up when sending. */
    accountId: uuid('account_id'),
    email: text('email'),
    phone: text('phone'),
    /** The name for a telephone number. */
    name: text('name').notNull().default(''),
    kind: text('kind', { enum: NOTICE_KINDS }).notNull(),
    channel: text('channel', { enum: NOTICE_CHANNELS }).notNull(),
    status: text('status', { enum: NOTICE_STATUSES }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    failure: text('failure', { enum: NOTICE_FAILURES }),
    createdAt: time('created_at').notNull(),
    /** Not tried before this time. */
    dueAt: time('due_at').notNull(),
    /** Claimed by a server process until then. */
    claimedUntil: time('claimed_until'),
    /** The last attempt. */
    triedAt: time('tried_at'),
    /** When the reader marked it as read; only in the notice centre. */
    readAt: time('read_at'),
    /** When the reader cleared it from the notice centre; it stays visible in the delivery status. */
    clearedAt: time('cleared_at'),
  },
  (t) => [
    foreignKey({
      name: 'notice_edition_fk',
      columns: [t.tenantId, t.editionId],
      foreignColumns: [noticeEdition.tenantId, noticeEdition.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'notice_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('notice_edition_idx').on(t.editionId),
    index('notice_centre_idx')
      .on(t.accountId, t.createdAt, t.id)
      .where(sql`${t.channel} = 'centre' and ${t.clearedAt} is null`),
    index('notice_unread_idx')
      .on(t.accountId)
      .where(sql`${t.channel} = 'centre' and ${t.readAt} is null and ${t.clearedAt} is null`),
    index('notice_due_idx')
      .on(t.dueAt)
      .where(sql`${t.status} = 'SENDING'`),
    check('notice_one', sql`num_nonnulls(${t.accountId}, ${t.email}, ${t.phone}) = 1`),
    check('notice_kind', sql`${t.kind} in (${KINDS})`),
    check('notice_channel', sql`${t.channel} in ('mail', 'sms', 'centre')`),
    check('notice_status', sql`${t.status} in ('SUCCESS', 'SENDING', 'FAIL')`),
    check('notice_failure', sql`(${t.status} = 'FAIL') = (${t.failure} is not null)`),
    check('notice_centre', sql`${t.channel} <> 'centre' or (${t.status} = 'SUCCESS' and ${t.accountId} is not null)`),
  ],
);

/** Starts of meetings that people were reminded of, or need not be reminded of. */
export const noticeReminder = pgTable(
  'notice_reminder',
  {
    meetingId: uuid('meeting_id').notNull(),
    startTime: time('start_time').notNull(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
  },
  (t) => [
    primaryKey({ name: 'notice_reminder_pkey', columns: [t.meetingId, t.startTime] }),
    foreignKey({
      name: 'notice_reminder_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
  ],
);

/** A tenant's own texts. */
export const noticeText = pgTable(
  'notice_text',
  {
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    kind: text('kind', { enum: NOTICE_KINDS }).notNull(),
    channel: text('channel', { enum: TEXT_CHANNELS }).notNull(),
    locale: text('locale', { enum: ['zh', 'en'] }).notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
  },
  (t) => [
    primaryKey({ name: 'notice_text_pkey', columns: [t.tenantId, t.kind, t.channel, t.locale] }),
    check('notice_text_kind', sql`${t.kind} in (${KINDS})`),
    check('notice_text_channel', sql`${t.channel} in ('mail', 'sms')`),
    check('notice_text_locale', sql`${t.locale} in ('zh', 'en')`),
  ],
);

/** A tenant's own settings for reminders and text messages. */
export const noticeSetting = pgTable(
  'notice_setting',
  {
    tenantId: uuid('tenant_id')
      .primaryKey()
      .references(() => tenant.tenantId),
    reminderMinutes: integer('reminder_minutes').notNull().default(REMINDER_DEFAULT),
    gateway: jsonb('gateway').$type<SmsGateway>(),
    gatewaySecretSealed: text('gateway_secret_sealed'),
    version: integer('version').notNull(),
  },
  (t) => [
    check('notice_setting_reminder', sql`${t.reminderMinutes} in (0, 5, 15, 30, 60)`),
    check('notice_setting_secret', sql`${t.gatewaySecretSealed} is null or ${t.gateway} is not null`),
  ],
);

export type NoticeEditionRow = typeof noticeEdition.$inferSelect;
export type NoticeRow = typeof notice.$inferSelect;
export type NoticeSettingRow = typeof noticeSetting.$inferSelect;
