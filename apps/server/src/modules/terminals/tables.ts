import { sql } from 'drizzle-orm';
import {
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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { TERMINAL_KINDS } from '@rmeet/contract';
import { searchIndex } from '../../platform/db/search-index.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { meeting } from '../meetings/tables.ts';
import { room } from '../rooms/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** A device of a meeting room that can be called into meetings. */
export const registeredTerminal = pgTable(
  'registered_terminal',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    name: text('name').notNull(),
    address: text('address').notNull(),
    /** The key for comparing addresses: addressKeyOf(). Stored, because databases differ in lower case. */
    addressKey: text('address_key').notNull(),
    kind: text('kind', { enum: TERMINAL_KINDS }).notNull(),
    /** The room it is in; a deleted one counts as none. */
    roomId: uuid('room_id'),
    zone: text('zone').notNull().default(''),
    department: text('department').notNull().default(''),
    note: text('note').notNull().default(''),
    enabled: boolean('enabled').notNull().default(true),
    lastSeenAt: time('last_seen_at'),
    createdAt: time('created_at').notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    unique('registered_terminal_tenant_id_key').on(t.tenantId, t.id),
    uniqueIndex('registered_terminal_address_key').on(t.tenantId, t.addressKey),
    foreignKey({
      name: 'registered_terminal_room_fk',
      columns: [t.tenantId, t.roomId],
      foreignColumns: [room.tenantId, room.id],
    }),
    searchIndex('registered_terminal_search_idx', t.tenantId, [t.name, t.address]),
    index('registered_terminal_name_idx').on(t.tenantId, t.name, t.id),
    index('registered_terminal_room_idx').on(t.tenantId, t.roomId),
    check('registered_terminal_kind', sql`${t.kind} in ('sip', 'h323', 'rooms', 'phone', 'rtsp')`),
    check('registered_terminal_version', sql`${t.version} > 0`),
  ],
);

/** A terminal that is called into a meeting. A deleted terminal is removed from all meetings. */
export const meetingTerminal = pgTable(
  'meeting_terminal',
  {
    meetingId: uuid('meeting_id').notNull(),
    terminalId: uuid('terminal_id').notNull(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    /** The order in which they were chosen. */
    position: integer('position').notNull(),
  },
  (t) => [
    primaryKey({ name: 'meeting_terminal_pkey', columns: [t.meetingId, t.terminalId] }),
    foreignKey({
      name: 'meeting_terminal_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'meeting_terminal_terminal_fk',
      columns: [t.tenantId, t.terminalId],
      foreignColumns: [registeredTerminal.tenantId, registeredTerminal.id],
    }).onDelete('cascade'),
    index('meeting_terminal_terminal_idx').on(t.terminalId),
  ],
);

export type TerminalRow = typeof registeredTerminal.$inferSelect;
