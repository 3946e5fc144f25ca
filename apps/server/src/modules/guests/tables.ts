import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, pgTable, text, timestamp, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { meeting } from '../meetings/tables.ts';
import { tenant } from '../accounts/tenants/tables.ts';

const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/**
 * The guest link of a meeting. Only the SHA-256 of its secret is stored. Revoked ones stay, because presences refer to
 * them; a meeting has at most one valid link.
 */
export const guestToken = pgTable(
  'guest_token',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    meetingId: uuid('meeting_id').notNull(),
    tokenHash: text('token_hash').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    /** How often it was used to join. */
    uses: integer('uses').notNull().default(0),
    revokedAt: time('revoked_at'),
  },
  (t) => [
    unique('guest_token_tenant_id_key').on(t.tenantId, t.id),
    foreignKey({
      name: 'guest_token_meeting_fk',
      columns: [t.tenantId, t.meetingId],
      foreignColumns: [meeting.tenantId, meeting.id],
    }).onDelete('cascade'),
    uniqueIndex('guest_token_hash_key').on(t.tokenHash),
    uniqueIndex('guest_token_meeting_key')
      .on(t.meetingId)
      .where(sql`${t.revokedAt} is null`),
    index('guest_token_meeting_idx').on(t.meetingId, t.createdAt),
  ],
);

export type GuestTokenRow = typeof guestToken.$inferSelect;
