import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';
import { meeting } from '../meetings/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Media capacity of a tenant that meetings run on. Deleted ones are kept for the names of past bookings. */
export const meetingResource = pgTable(
  'meeting_resource',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    name: text('name').notNull(),
    /** The media region it represents; empty for any. */
    zone: text('zone').notNull().default(''),
    /** Maximum number of terminals at one time; null for no limit. */
    ports: integer('ports'),
    /** Meeting hours per calendar month; null for no limit. */
    hours: integer('hours'),
    /** IANA name of the time zone that determines the calendar months. */
    timeZone: text('time_zone').notNull().default('UTC'),
    /** Everybody of the tenant may book it, in addition to the assignees. */
    everybody: boolean('everybody').notNull().default(false),
    enabled: boolean('enabled').notNull().default(true),
    version: integer('version').notNull().default(1),
    createdAt: time('created_at').notNull(),
    deletedAt: time('deleted_at'),
  },
  (t) => [
    unique('meeting_resource_tenant_id_key').on(t.tenantId, t.id),
    uniqueIndex('meeting_resource_name_key')
      .on(t.tenantId, sql`lower(${t.name})`)
      .where(sql`${t.deletedAt} is null`),
    check('meeting_resource_ports', sql`${t.ports} > 0`),
    check('meeting_resource_hours', sql`${t.hours} > 0`),
    check('meeting_resource_version', sql`${t.version} > 0`),
  ],
);

/** Who may book a resource: an account, or a department including all below it. */
export const resourceAssignment = pgTable(
  'resource_assignment',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    resourceId: uuid('resource_id').notNull(),
    accountId: uuid('account_id'),
    /** Path in the organisation, levels separated by `/`. */
    department: text('department'),
  },
  (t) => [
    foreignKey({
      name: 'resource_assignment_resource_fk',
      columns: [t.tenantId, t.resourceId],
      foreignColumns: [meetingResource.tenantId, meetingResource.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'resource_assignment_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
    uniqueIndex('resource_assignment_account_key')
      .on(t.resourceId, t.accountId)
      .where(sql`${t.accountId} is not null`),
    uniqueIndex('resource_assignment_department_key')
      .on(t.resourceId, t.department)
      .where(sql`${t.department} is not null`),
    index('resource_assignment_account_idx').on(t.accountId),
    check('resource_assignment_one', sql`num_nonnulls(${t.accountId}, ${t.department}) = 1`),
  ],
);

/** A meeting's share of its resource. */
export const resourceBooking = pgTable(
  'resource_booking',
  {
    meetingId: uuid('meeting_id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    resourceId: uuid('resource_id').notNull(),
    /** Expected people and terminals. */
    ports: integer('ports').notNull(),
    startTime: time('start_time').notNull(),
    endTime: time('end_time').notNull(),
    /** When it was released; its use before then stays counted. */
    releasedAt: time('released_at'),
  },
  (t) => [
    foreignKey({
      name: 'resource_booking_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'resource_booking_resource_fk',
      columns: [t.tenantId, t.resourceId],
      foreignColumns: [meetingResource.tenantId, meetingResource.id],
    }),
    index('resource_booking_resource_start_idx').on(t.resourceId, t.startTime),
    check('resource_booking_ports', sql`${t.ports} > 0`),
    check('resource_booking_times', sql`${t.endTime} >= ${t.startTime}`),
  ],
);

export type MeetingResourceRow = typeof meetingResource.$inferSelect;
export type ResourceAssignmentRow = typeof resourceAssignment.$inferSelect;
export type ResourceBookingRow = typeof resourceBooking.$inferSelect;
