import { sql } from 'drizzle-orm';
import {
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
import { CONFERENCE_TEMPLATES, type ConferenceTemplateId } from '@rmeet/conference';
import { APPROVALS, MEETING_STATUSES, MEETING_TYPES } from '@rmeet/contract';
import { searchIndex } from '../../platform/db/search-index.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Nine-digit numbers people dial, unique over all tenants: for one meeting, for a series, or personal. */
export const meetingNumber = pgTable(
  'meeting_number',
  {
    number: text('number').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    kind: text('kind', { enum: ['meeting', 'series', 'personal'] }).notNull(),
    /** The owner of a personal number. */
    accountId: uuid('account_id'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'meeting_number_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }),
    uniqueIndex('meeting_number_personal_key')
      .on(t.accountId)
      .where(sql`${t.kind} = 'personal'`),
    check('meeting_number_form', sql`${t.number} ~ '^[1-9][0-9]{8}$'`),
    check('meeting_number_kind', sql`${t.kind} in ('meeting', 'series', 'personal')`),
    check('meeting_number_owner', sql`(${t.kind} = 'personal') = (${t.accountId} is not null)`),
  ],
);

/**
 * Recurring meetings with one rule; each of them is a row of `meeting`. If a change splits a series, the second part
 * continues as another one with the same number, so that sent links stay valid.
 */
export const meetingSeries = pgTable(
  'meeting_series',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    number: text('number')
      .notNull()
      .references(() => meetingNumber.number),
    hostId: uuid('host_id').notNull(),
    subject: text('subject').notNull(),
    /** The earliest start of its first meeting, the DTSTART of RFC 5545. */
    startTime: time('start_time').notNull(),
    /** IANA name of the time zone of the rule. */
    timeZone: text('time_zone').notNull(),
    /** Recurrence rule, RFC 5545 section 3.3.10. */
    rule: text('rule').notNull(),
    /** Excluded starts of the rule, ISO 8601. */
    except: jsonb('except').$type<string[]>().notNull().default([]),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    unique('meeting_series_tenant_id_key').on(t.tenantId, t.id),
    index('meeting_series_number_idx').on(t.number),
    foreignKey({
      name: 'meeting_series_host_fk',
      columns: [t.tenantId, t.hostId],
      foreignColumns: [account.tenantId, account.id],
    }),
  ],
);

const TEMPLATE_IDS = CONFERENCE_TEMPLATES.map(({ id }) => id) as [ConferenceTemplateId, ...ConferenceTemplateId[]];

/** One occurrence of a booked meeting. The status changes as described in status.ts. */
export const meeting = pgTable(
  'meeting',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    seriesId: uuid('series_id'),
    /** Its start by the rule of its series, the RECURRENCE-ID of RFC 5545; unchanged if it was moved. */
    recurrenceId: time('recurrence_id'),
    /** It was changed separately from the others of its series. */
    detached: boolean('detached').notNull().default(false),
    number: text('number')
      .notNull()
      .references(() => meetingNumber.number),
    type: text('type', { enum: MEETING_TYPES }).notNull(),
    subject: text('subject').notNull(),
    agenda: text('agenda').notNull().default(''),
    startTime: time('start_time').notNull(),
    /** Minutes. */
    duration: integer('duration').notNull(),
    /** startTime plus duration, stored so that an index finds meetings that overlap a day. */
    endTime: time('end_time').notNull(),
    /** Members see the password, so it is sealed, not hashed; null if there is none. */
    passwordSealed: text('password_sealed'),
    waitingRoom: boolean('waiting_room').notNull().default(false),
    /** IANA name of the zone it was booked in. */
    timeZone: text('time_zone').notNull().default('UTC'),
    joinBeforeHost: boolean('join_before_host').notNull().default(true),
    muteOnEntry: boolean('mute_on_entry').notNull().default(false),
    template: text('template', { enum: TEMPLATE_IDS }).notNull().default('standard'),
    /** Fixed once its conference runs. */
    e2ee: boolean('e2ee').notNull().default(false),
    /** People meet in a conference; a broadcast of an outside stream has none. */
    hasConference: boolean('has_conference').notNull().default(true),
    /** The recording starts with the first person who comes in. */
    autoRecord: boolean('auto_record').notNull().default(false),
    vip: boolean('vip').notNull().default(false),
    approval: text('approval', { enum: APPROVALS }).notNull().default('none'),
    status: text('status', { enum: MEETING_STATUSES }).notNull().default('SCHEDULE'),
    hostId: uuid('host_id').notNull(),
    version: integer('version').notNull().default(1),
    cancelledAt: time('cancelled_at'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (t) => [
    unique('meeting_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({
      name: 'meeting_host_fk',
      columns: [t.tenantId, t.hostId],
      foreignColumns: [account.tenantId, account.id],
    }),
    foreignKey({
      name: 'meeting_series_fk',
      columns: [t.tenantId, t.seriesId],
      foreignColumns: [meetingSeries.tenantId, meetingSeries.id],
    }),
    index('meeting_number_idx').on(t.number),
    index('meeting_series_idx').on(t.seriesId, t.recurrenceId),
    index('meeting_tenant_start_idx').on(t.tenantId, t.startTime),
    index('meeting_host_start_idx').on(t.hostId, t.startTime),
    index('meeting_running_idx')
      .on(t.tenantId, t.startTime)
      .where(sql`${t.status} in ('ONLINE', 'PENDING', 'ABNORMAL')`),
    // Lists are read in the order of these; each contains all columns needed for meetings that are not on the page.
    index('meeting_status_start_idx')
      .on(t.tenantId, t.status, t.startTime, t.id)
      .where(sql`${t.cancelledAt} is null`),
    index('meeting_type_start_idx')
      .on(t.tenantId, t.type, t.startTime, t.id)
      .where(sql`${t.cancelledAt} is null`),
    index('meeting_type_subject_idx')
      .on(t.tenantId, t.type, t.subject, t.id)
      .where(sql`${t.cancelledAt} is null`),
    index('meeting_type_duration_idx')
      .on(t.tenantId, t.type, t.duration, t.id)
      .where(sql`${t.cancelledAt} is null`),
    index('meeting_type_number_idx')
      .on(t.tenantId, t.type, t.number, t.id)
      .where(sql`${t.cancelledAt} is null`),
    index('meeting_open_end_idx')
      .on(t.endTime)
      .where(sql`${t.status} <> 'OFFLINE'`),
    searchIndex('meeting_search_idx', t.tenantId, [t.subject, t.number]),
    check(
      'meeting_type',
      sql`${t.type} in ('VIDEO_MEETING', 'NETWORK_MEETING', 'LIVE_MEETING', 'PHONE_MEETING', 'LOCAL_MEETING')`,
    ),
    check('meeting_status', sql`${t.status} in ('ONLINE', 'SCHEDULE', 'PENDING', 'OFFLINE', 'ABNORMAL')`),
    check('meeting_duration', sql`${t.duration} between 1 and 1440`),
    check('meeting_end', sql`${t.endTime} = ${t.startTime} + ${t.duration} * interval '1 minute'`),
    check('meeting_cancelled', sql`${t.cancelledAt} is null or ${t.status} = 'OFFLINE'`),
    check(
      'meeting_guest_gate',
      sql`${t.passwordSealed} is not null or ${t.waitingRoom} or ${t.type} = 'LOCAL_MEETING'`,
    ),
    check('meeting_approval', sql`${t.approval} in ('none', 'waiting', 'approved', 'refused')`),
    check(
      'meeting_recurrence',
      sql`(${t.seriesId} is null) = (${t.recurrenceId} is null) and (${t.seriesId} is not null or not ${t.detached})`,
    ),
    check('meeting_version', sql`${t.version} > 0`),
  ],
);

/** A participant: a person of the tenant, an outside mail address, or a party who is called by telephone. */
export const meetingParticipant = pgTable(
  'meeting_participant',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    meetingId: uuid('meeting_id').notNull(),
    accountId: uuid('account_id'),
    email: text('email'),
    phone: text('phone'),
    /** The name of a party with a telephone number. */
    name: text('name'),
    /** The order in which they were entered. */
    position: integer('position').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'meeting_participant_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'meeting_participant_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }),
    uniqueIndex('meeting_participant_account_key')
      .on(t.meetingId, t.accountId)
      .where(sql`${t.accountId} is not null`),
    uniqueIndex('meeting_participant_email_key')
      .on(t.meetingId, sql`lower(${t.email})`)
      .where(sql`${t.email} is not null`),
    index('meeting_participant_meeting_idx').on(t.meetingId, t.position),
    index('meeting_participant_account_idx').on(t.accountId, t.meetingId),
    uniqueIndex('meeting_participant_phone_key')
      .on(t.meetingId, t.phone)
      .where(sql`${t.phone} is not null`),
    check('meeting_participant_one', sql`num_nonnulls(${t.accountId}, ${t.email}, ${t.phone}) = 1`),
    check('meeting_participant_name', sql`${t.name} is null or ${t.phone} is not null`),
  ],
);

/** An account with the host's rights to a meeting that another account booked. */
export const meetingGrant = pgTable(
  'meeting_grant',
  {
    meetingId: uuid('meeting_id').notNull(),
    accountId: uuid('account_id').notNull(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    grantedBy: text('granted_by').notNull(),
    grantedAt: time('granted_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'meeting_grant_pkey', columns: [t.meetingId, t.accountId] }),
    foreignKey({
      name: 'meeting_grant_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'meeting_grant_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('meeting_grant_account_idx').on(t.accountId),
  ],
);

/**
 * A file uploaded with a booking. Meetings of a series may share a stored file, which is deleted with the last of them.
 */
export const meetingFile = pgTable(
  'meeting_file',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    meetingId: uuid('meeting_id').notNull(),
    name: text('name').notNull(),
    /** Bytes. */
    size: integer('size').notNull(),
    /** Its key in platform/storage. */
    storageKey: text('storage_key').notNull(),
    position: integer('position').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    // Without a cascade: the stored file must be deleted with the row.
    foreignKey({
      name: 'meeting_file_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }),
    index('meeting_file_meeting_idx').on(t.meetingId, t.position),
    index('meeting_file_key_idx').on(t.storageKey),
  ],
);

export type MeetingFileRow = typeof meetingFile.$inferSelect;
/**
 * Who may enter a meeting without an invitation: an account, all people of a department, or a telephone number.
 */
export const meetingWhiteList = pgTable(
  'meeting_white_list',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    meetingId: uuid('meeting_id').notNull(),
    accountId: uuid('account_id'),
    /** Path in the organisation, including all departments below it. */
    department: text('department'),
    phone: text('phone'),
    /** The order in which they were entered. */
    position: integer('position').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'meeting_white_list_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'meeting_white_list_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    index('meeting_white_list_meeting_idx').on(t.meetingId),
    index('meeting_white_list_account_idx').on(t.accountId),
    check('meeting_white_list_one', sql`num_nonnulls(${t.accountId}, ${t.department}, ${t.phone}) = 1`),
  ],
);

/** Settings of meetings on a fixed number, which is the personal number of meeting_number. */
export const fixedNumber = pgTable(
  'fixed_number',
  {
    accountId: uuid('account_id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    number: text('number')
      .notNull()
      .references(() => meetingNumber.number),
    /** The owner sees the password, so it is sealed, not hashed; null if there is none. */
    passwordSealed: text('password_sealed'),
    waitingRoom: boolean('waiting_room').notNull(),
    joinBeforeHost: boolean('join_before_host').notNull(),
    muteOnEntry: boolean('mute_on_entry').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'fixed_number_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    uniqueIndex('fixed_number_number_key').on(t.number),
    check('fixed_number_guest_gate', sql`${t.passwordSealed} is not null or ${t.waitingRoom}`),
  ],
);

/** A named list of people to invite, visible to its owner only. */
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
    /** The order in which they were chosen. */
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

export type FixedNumberRow = typeof fixedNumber.$inferSelect;
export type WhiteListRow = typeof meetingWhiteList.$inferSelect;
export type MeetingRow = typeof meeting.$inferSelect;
export type MeetingSeriesRow = typeof meetingSeries.$inferSelect;
export type MeetingGrantRow = typeof meetingGrant.$inferSelect;
export type MeetingParticipantRow = typeof meetingParticipant.$inferSelect;
export type ParticipantGroupRow = typeof participantGroup.$inferSelect;
