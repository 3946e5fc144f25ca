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
  uuid,
} from 'drizzle-orm/pg-core';
import { INGEST_STATES, INGEST_WAYS } from '@rmeet/contract';
import { tenant } from '../../accounts/tenants/tables.ts';
import { broadcast } from '../tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** The outside stream of a manual live broadcast: how it comes, and what arrives. */
export const broadcastIngest = pgTable(
  'broadcast_ingest',
  {
    broadcastId: uuid('broadcast_id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    /** The stream key, sealed for those who manage it, and its SHA-256 (hexadecimal) to find it by. */
    keySealed: text('key_sealed').notNull(),
    keyHash: text('key_hash').notNull(),
    /** Where it is taken from, sealed: it may contain a key. Null: encoders push it. */
    playSealed: text('play_sealed'),
    startsItself: boolean('starts_itself').notNull(),
    state: text('state', { enum: INGEST_STATES }).notNull().default('waiting'),
    reason: text('reason').notNull().default(''),
    /** Since when it arrives; null: it does not. */
    since: time('since'),
    way: text('way', { enum: INGEST_WAYS }),
    width: integer('width'),
    height: integer('height'),
    hasSound: boolean('has_sound').notNull().default(false),
    /** kbit/s. */
    bitrate: integer('bitrate').notNull().default(0),
    /** The process that takes it, until when, and where it gives it to servers. */
    leaseHolder: uuid('lease_holder'),
    leaseUntil: time('lease_until'),
    origin: text('origin'),
    /** Time 0 of its media, and the numbers that the next process continues with; null: nothing has arrived yet. */
    startsAt: time('starts_at'),
    nextSegment: integer('next_segment').notNull().default(1),
    nextInit: integer('next_init').notNull().default(1),
    /** When media arrived last. */
    arrivedAt: time('arrived_at'),
  },
  (t) => [
    foreignKey({
      name: 'broadcast_ingest_broadcast_fk',
      columns: [t.tenantId, t.broadcastId],
      foreignColumns: [broadcast.tenantId, broadcast.id],
    }).onDelete('cascade'),
    unique('broadcast_ingest_key_hash_key').on(t.keyHash),
    index('broadcast_ingest_lease_idx').on(t.leaseUntil),
    check('broadcast_ingest_state', sql`${t.state} in ('waiting', 'arriving', 'refused', 'lost')`),
    check('broadcast_ingest_way', sql`${t.way} in ('rtmp', 'whip', 'play')`),
  ],
);
export type BroadcastIngestRow = typeof broadcastIngest.$inferSelect;

/** A process that takes outside streams; one that is not seen for a while is gone. */
export const ingestHost = pgTable('ingest_host', {
  id: uuid('id').primaryKey(),
  /** The platform's. */
  tenantId: uuid('tenant_id')
    .notNull()
    .references(() => tenant.tenantId),
  /** Where servers reach it. */
  origin: text('origin').notNull(),
  /** The port for RTMP; null: another process of the machine has it. */
  rtmpPort: integer('rtmp_port'),
  seenAt: time('seen_at').notNull(),
});
export type IngestHostRow = typeof ingestHost.$inferSelect;
