import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { PUSH_PROVIDERS, PUSH_STATES } from '@rmeet/contract';
import { broadcast } from '../tables.ts';

/** A server that a broadcast is pushed to. Addresses contain keys, so they are sealed. */
export const broadcastTarget = pgTable(
  'broadcast_target',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id').notNull(),
    broadcastId: uuid('broadcast_id').notNull(),
    position: integer('position').notNull(),
    name: text('name').notNull(),
    provider: text('provider', { enum: PUSH_PROVIDERS }).notNull(),
    addressSealed: text('address_sealed').notNull(),
    /** Empty: unknown. */
    play: text('play').notNull(),
    /** What addresses are signed with; null: they are not. */
    keySealed: text('key_sealed'),
    state: text('state', { enum: PUSH_STATES }).notNull().default('idle'),
    /** After a failure. */
    reason: text('reason').notNull().default(''),
  },
  (t) => [
    foreignKey({
      name: 'broadcast_target_broadcast_fk',
      columns: [t.tenantId, t.broadcastId],
      foreignColumns: [broadcast.tenantId, broadcast.id],
    }).onDelete('cascade'),
    index('broadcast_target_broadcast_idx').on(t.broadcastId, t.position),
    check('broadcast_target_provider', sql`${t.provider} in ('rtmp', 'aliyun', 'tencent')`),
    check('broadcast_target_state', sql`${t.state} in ('idle', 'connecting', 'live', 'refused', 'lost')`),
  ],
);
export type BroadcastTargetRow = typeof broadcastTarget.$inferSelect;
