import { MEETING_TYPES, QUALITY_CAUSES, SIGN_IN_METHODS, STORAGE_KINDS } from '@rmeet/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { tenant } from '../accounts/tenants/tables.ts';

const sum = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);
const day = () => date('day', { mode: 'string' }).notNull();
const tenantId = () =>
  uuid('tenant_id')
    .notNull()
    .references(() => tenant.tenantId);

/** How the statistics of an organisation, or of the platform, are made and sent; without a row, as at first. */
export const statisticSetting = pgTable(
  'statistic_setting',
  {
    tenantId: uuid('tenant_id')
      .primaryKey()
      .references(() => tenant.tenantId),
    /** IANA name of the zone in which its days begin. */
    timeZone: text('time_zone').notNull(),
    /** Mail addresses that receive the report of each month. */
    recipients: text('recipients')
      .array()
      .notNull()
      .default(sql`'{}'`),
    locale: text('locale', { enum: ['zh', 'en'] }).notNull(),
    /** The first day of the last month whose report was queued, so that each is sent once. */
    reportedMonth: date('reported_month', { mode: 'string' }),
    /** The time zone was changed: everything that still has its details is counted again. */
    isStale: boolean('is_stale').notNull().default(false),
    version: integer('version').notNull().default(1),
  },
  (t) => [check('statistic_setting_version', sql`${t.version} > 0`)],
);

/** In place of a department, network or device: all of them together, so that whole organisations are few rows. */
export const ALL = '/';
export const ALL_DEVICES = -1;

/**
 * What happened on a day of the tenant's time zone, by the department of the meeting's host (ALL: of every department)
 * and by the meeting's type. Sums, except for `peak`. The rows stay when the details are deleted.
 */
export const statisticDay = pgTable(
  'statistic_day',
  {
    tenantId: tenantId(),
    day: day(),
    department: text('department').notNull(),
    type: text('type', { enum: MEETING_TYPES }).notNull(),
    booked: sum('booked'),
    cancelled: sum('cancelled'),
    meetings: sum('meetings'),
    seconds: sum('seconds'),
    terminals: sum('terminals'),
    terminalSeconds: sum('terminal_seconds'),
    peak: sum('peak'),
    calls: sum('calls'),
    declined: sum('declined'),
    recordings: sum('recordings'),
    recordedSeconds: sum('recorded_seconds'),
    recordedBytes: sum('recorded_bytes'),
    broadcasts: sum('broadcasts'),
    viewers: sum('viewers'),
    watchedSeconds: sum('watched_seconds'),
  },
  (t) => [
    primaryKey({ name: 'statistic_day_pkey', columns: [t.tenantId, t.day, t.department, t.type] }),
    index('statistic_day_department_idx').on(t.tenantId, t.department.op('text_pattern_ops'), t.day),
  ],
);

/**
 * How many different people took part in the conferences that began in a day, week or month. `department` is a path
 * with all below it, a path and `/` for that department alone if that is another number, or empty for the whole
 * tenant; `type` empty for all types.
 */
export const statisticPeople = pgTable(
  'statistic_people',
  {
    tenantId: tenantId(),
    unit: text('unit', { enum: ['day', 'week', 'month'] }).notNull(),
    /** Its first day. */
    day: day(),
    department: text('department').notNull(),
    type: text('type').notNull(),
    people: integer('people').notNull(),
  },
  (t) => [
    primaryKey({ name: 'statistic_people_pkey', columns: [t.tenantId, t.unit, t.day, t.department, t.type] }),
    check('statistic_people_unit', sql`${t.unit} in ('day', 'week', 'month')`),
  ],
);

/**
 * How terminals reported their media, by their person's department, and by what may be the cause; with ALL as
 * department and network, and ALL_DEVICES, together. Seconds.
 */
export const statisticQuality = pgTable(
  'statistic_quality',
  {
    tenantId: tenantId(),
    day: day(),
    department: text('department').notNull(),
    type: text('type', { enum: MEETING_TYPES }).notNull(),
    cause: text('cause', { enum: QUALITY_CAUSES }).notNull(),
    /** The network of the person's sign-in, an IPv4 /24 or IPv6 /48; empty if it is not known. */
    network: text('network').notNull(),
    /** Code of the product's device table. */
    device: integer('device').notNull(),
    terminals: sum('terminals'),
    good: sum('good'),
    fair: sum('fair'),
    poor: sum('poor'),
  },
  (t) => [
    primaryKey({
      name: 'statistic_quality_pkey',
      columns: [t.tenantId, t.day, t.department, t.type, t.cause, t.network, t.device],
    }),
    index('statistic_quality_department_idx').on(t.tenantId, t.department.op('text_pattern_ops'), t.day),
    check('statistic_quality_cause', sql`${t.cause} in ('loss', 'delay', 'other', 'none')`),
  ],
);

/** Use of a meeting room or a media resource by meetings that were booked to begin on a day. */
export const statisticUse = pgTable(
  'statistic_use',
  {
    tenantId: tenantId(),
    day: day(),
    kind: text('kind', { enum: ['room', 'resource'] }).notNull(),
    /** The room or the resource. */
    subjectId: uuid('subject_id').notNull(),
    department: text('department').notNull(),
    type: text('type', { enum: MEETING_TYPES }).notNull(),
    bookings: sum('bookings'),
    seconds: sum('seconds'),
    /** Seconds multiplied by ports. */
    portSeconds: sum('port_seconds'),
  },
  (t) => [
    primaryKey({
      name: 'statistic_use_pkey',
      columns: [t.tenantId, t.day, t.kind, t.subjectId, t.department, t.type],
    }),
    check('statistic_use_kind', sql`${t.kind} in ('room', 'resource')`),
  ],
);

export const statisticSignIn = pgTable(
  'statistic_sign_in',
  {
    tenantId: tenantId(),
    day: day(),
    /** Of the account; ALL: of every department. */
    department: text('department').notNull(),
    method: text('method', { enum: SIGN_IN_METHODS }).notNull(),
    count: sum('count'),
  },
  (t) => [
    primaryKey({ name: 'statistic_sign_in_pkey', columns: [t.tenantId, t.day, t.department, t.method] }),
    index('statistic_sign_in_department_idx').on(t.tenantId, t.department.op('text_pattern_ops'), t.day),
  ],
);

/** Stored bytes at the last count of a day. */
export const statisticStorage = pgTable(
  'statistic_storage',
  {
    tenantId: tenantId(),
    day: day(),
    kind: text('kind', { enum: STORAGE_KINDS }).notNull(),
    bytes: sum('bytes'),
  },
  (t) => [primaryKey({ name: 'statistic_storage_pkey', columns: [t.tenantId, t.day, t.kind] })],
);

/** What is counted separately, because its details are deleted at different times. */
export const STATISTIC_PARTS = [
  'bookings',
  'meetings',
  'quality',
  'recordings',
  'broadcasts',
  'rooms',
  'resources',
  'signIns',
  'people.day',
  'people.week',
  'people.month',
  /** Counted at each run, on its day alone, because its past is stored nowhere. */
  'storage',
] as const;
export type StatisticPartName = (typeof STATISTIC_PARTS)[number];

/**
 * When a part of a day (of people: of the day, week or month that begins then) was counted, and from how many rows of
 * details: with fewer left, it is not counted again.
 */
export const statisticCount = pgTable(
  'statistic_count',
  {
    tenantId: tenantId(),
    part: text('part', { enum: STATISTIC_PARTS }).notNull(),
    day: day(),
    details: integer('details').notNull(),
    countedAt: timestamp('counted_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (t) => [
    primaryKey({ name: 'statistic_count_pkey', columns: [t.tenantId, t.part, t.day] }),
    index('statistic_count_counted_idx').on(t.tenantId, t.countedAt),
  ],
);

export type StatisticSettingRow = typeof statisticSetting.$inferSelect;
