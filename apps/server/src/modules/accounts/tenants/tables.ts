import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import {
  CAMERA_CODECS,
  CHAT_FILE_LIMITS,
  FILE_KINDS,
  INITIAL_CHAT_FILE_KINDS,
  initialSecondFactor,
  RECORDING_STARTERS,
  RECORDING_VIEWERS,
  SIGN_IN_MODES,
  type SecondFactorSettings,
} from '@rmeet/contract';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/**
 * An organisation. Its id is the `tenant_id` of every other row. One row of kind `platform` holds what belongs to no
 * customer: operators, sign-in attempts, captchas.
 */
export const tenant = pgTable(
  'tenant',
  {
    tenantId: uuid('tenant_id').primaryKey(),
    kind: text('kind', { enum: ['platform', 'customer'] })
      .notNull()
      .default('customer'),
    name: text('name').notNull(),
    enabled: boolean('enabled').notNull().default(true),
    createdAt: time('created_at').notNull(),
    version: integer('version').notNull().default(1),
    /** Quotas; null for no limit. */
    maxUsers: integer('max_users'),
    maxTerminals: integer('max_terminals'),
    maxRecordingBytes: bigint('max_recording_bytes', { mode: 'number' }),
    maxMeetingFileBytes: bigint('max_meeting_file_bytes', { mode: 'number' }),
    maxMeetingMinutes: integer('max_meeting_minutes'),
    /** Codes of features its users may not have, regardless of their grants. */
    deniedFeatures: text('denied_features')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** `#rrggbb`. */
    colour: text('colour'),
    /** The version of the tenant that set its logo, so that browsers fetch a new one; 0 without a logo. */
    logoVersion: integer('logo_version').notNull().default(0),
    /** The sentence that greets people who are about to join a meeting; empty for none. */
    welcomeZh: text('welcome_zh').notNull().default(''),
    welcomeEn: text('welcome_en').notNull().default(''),
    meetingAdminName: text('meeting_admin_name').notNull().default(''),
    meetingAdminPhone: text('meeting_admin_phone').notNull().default(''),
    serviceDeskName: text('service_desk_name').notNull().default(''),
    serviceDeskPhone: text('service_desk_phone').notNull().default(''),
    passwordMinLength: integer('password_min_length').notNull().default(8),
    /** How many of lower case, upper case, digits and others a password needs. */
    passwordMinClasses: integer('password_min_classes').notNull().default(2),
    /** How many former passwords must not be reused. */
    passwordHistory: integer('password_history').notNull().default(3),
    passwordMaxAgeDays: integer('password_max_age_days'),
    /** How its people sign in, the usual way first (signInSettings). */
    signInModes: text('sign_in_modes', { enum: SIGN_IN_MODES })
      .array()
      .notNull()
      .default([...SIGN_IN_MODES]),
    /** When its people are asked for a second factor, and its places. */
    secondFactor: jsonb('second_factor').$type<SecondFactorSettings>().notNull().default(initialSecondFactor),
    /** Files in the chats of its meetings: whether, how large, and of which kinds. */
    chatFiles: boolean('chat_files').notNull().default(true),
    chatFileMegabytes: integer('chat_file_megabytes').notNull().default(CHAT_FILE_LIMITS.megabytes.initial),
    chatFileKinds: text('chat_file_kinds', { enum: FILE_KINDS })
      .array()
      .notNull()
      .default([...INITIAL_CHAT_FILE_KINDS]),
    /** Recordings of its meetings (recordingSettings). */
    recordings: boolean('recordings').notNull().default(true),
    recordingStartedBy: text('recording_started_by', { enum: RECORDING_STARTERS }).notNull().default('chairs'),
    recordingWatchedBy: text('recording_watched_by', { enum: RECORDING_VIEWERS }).notNull().default('hosts'),
    recordingTracks: boolean('recording_tracks').notNull().default(true),
    recordingDownload: boolean('recording_download').notNull().default(true),
    recordingWatermark: boolean('recording_watermark').notNull().default(false),
    recordingKeptDays: integer('recording_kept_days'),
    /** What cameras and shares send in its meetings unless their template says otherwise. */
    codec: text('codec', { enum: CAMERA_CODECS }).notNull().default('h264'),
    /** How long its audit log is kept. */
    auditMonths: integer('audit_months').notNull().default(12),
  },
  (t) => [
    uniqueIndex('tenant_name_key').on(sql`lower(${t.name})`),
    uniqueIndex('tenant_platform_key')
      .on(t.kind)
      .where(sql`${t.kind} = 'platform'`),
    index('tenant_name_trgm_idx').using('gin', t.name.op('gin_trgm_ops')),
    check('tenant_kind', sql`${t.kind} in ('platform', 'customer')`),
    check(
      'tenant_quotas',
      sql`${t.maxUsers} > 0 and ${t.maxTerminals} > 0 and ${t.maxRecordingBytes} >= 0 and ${t.maxMeetingMinutes} > 0`,
    ),
    check('tenant_meeting_files', sql`${t.maxMeetingFileBytes} >= 0`),
    check('tenant_colour', sql`${t.colour} ~ '^#[0-9a-f]{6}$'`),
    check('tenant_chat_files', sql`${t.chatFileMegabytes} > 0`),
    check('tenant_recording_kept_days', sql`${t.recordingKeptDays} > 0`),
    check('tenant_audit_months', sql`${t.auditMonths} >= 6`),
  ],
);

/** The logo of a tenant that has its own. */
export const tenantLogo = pgTable('tenant_logo', {
  tenantId: uuid('tenant_id')
    .primaryKey()
    .references(() => tenant.tenantId),
  /** MIME type, detected from its bytes. */
  type: text('type').notNull(),
  /** The picture in base64. */
  data: text('data').notNull(),
});

export type TenantRow = typeof tenant.$inferSelect;
