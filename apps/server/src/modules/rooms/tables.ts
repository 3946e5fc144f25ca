import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { ROOM_EQUIPMENT, type OpeningTimes } from '@rmeet/contract';
import { tenant } from '../accounts/tenants/tables.ts';
import { meeting } from '../meetings/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Where rooms are. Deleted ones are kept for the names of past bookings. */
export const building = pgTable(
  'building',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    name: text('name').notNull(),
    /** The sort key of the name (natural-order.ts). */
    sortName: text('sort_name').notNull(),
    address: text('address').notNull().default(''),
    /** IANA name. */
    timeZone: text('time_zone').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: time('created_at').notNull(),
    deletedAt: time('deleted_at'),
  },
  (t) => [
    unique('building_tenant_id_key').on(t.tenantId, t.id),
    uniqueIndex('building_name_key')
      .on(t.tenantId, sql`lower(${t.name})`)
      .where(sql`${t.deletedAt} is null`),
    check('building_version', sql`${t.version} > 0`),
  ],
);

/** A physical meeting room. Deleted ones are kept for their past bookings. */
export const room = pgTable(
  'room',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    buildingId: uuid('building_id').notNull(),
    name: text('name').notNull(),
    /** Sort keys of name and floor. */
    sortName: text('sort_name').notNull(),
    floor: text('floor').notNull(),
    sortFloor: text('sort_floor').notNull(),
    capacity: integer('capacity').notNull(),
    equipment: text('equipment', { enum: ROOM_EQUIPMENT })
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** In the time zone of the building; null for any time. */
    opening: jsonb('opening').$type<OpeningTimes>(),
    releaseMinutes: integer('release_minutes'),
    note: text('note').notNull().default(''),
    enabled: boolean('enabled').notNull().default(true),
    version: integer('version').notNull().default(1),
    createdAt: time('created_at').notNull(),
    deletedAt: time('deleted_at'),
  },
  (t) => [
    unique('room_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({
      name: 'room_building_fk',
      columns: [t.tenantId, t.buildingId],
      foreignColumns: [building.tenantId, building.id],
    }),
    uniqueIndex('room_name_key')
      .on(t.buildingId, sql`lower(${t.name})`)
      .where(sql`${t.deletedAt} is null`),
    check('room_capacity', sql`${t.capacity} > 0`),
    check('room_release_minutes', sql`${t.releaseMinutes} > 0`),
    check('room_version', sql`${t.version} > 0`),
  ],
);

/**
 * A room that a meeting has booked. The constraint `room_booking_once` of the migration, which drizzle cannot declare,
 * prevents double bookings.
 */
export const roomBooking = pgTable(
  'room_booking',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    meetingId: uuid('meeting_id').notNull(),
    roomId: uuid('room_id').notNull(),
    /** The order of rooms in the meeting. */
    position: integer('position').notNull(),
    startTime: time('start_time').notNull(),
    endTime: time('end_time').notNull(),
    /** When the meeting was checked in, or its conference was found running. */
    checkedInAt: time('checked_in_at'),
    /** When the room was released, by a person or by the server. */
    releasedAt: time('released_at'),
  },
  (t) => [
    foreignKey({
      name: 'room_booking_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'room_booking_room_fk',
      columns: [t.tenantId, t.roomId],
      foreignColumns: [room.tenantId, room.id],
    }),
    uniqueIndex('room_booking_meeting_key')
      .on(t.meetingId, t.roomId)
      .where(sql`${t.releasedAt} is null`),
    index('room_booking_room_start_idx').on(t.roomId, t.startTime),
    index('room_booking_unused_idx')
      .on(t.startTime)
      .where(sql`${t.checkedInAt} is null and ${t.releasedAt} is null`),
    check('room_booking_times', sql`${t.endTime} > ${t.startTime}`),
  ],
);

export type BuildingRow = typeof building.$inferSelect;
export type RoomRow = typeof room.$inferSelect;
export type RoomBookingRow = typeof roomBooking.$inferSelect;
