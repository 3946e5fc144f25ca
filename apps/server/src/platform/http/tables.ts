import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { TicketHolder } from './calls/context.ts';

/** Tickets for one download each. */
export const downloadTicket = pgTable(
  'download_ticket',
  {
    tenantId: uuid('tenant_id').notNull(),
    /** SHA-256 of the ticket, hexadecimal. */
    hash: text('hash').primaryKey(),
    /** The caller who requested it, with the rights of that moment. */
    caller: jsonb('caller').notNull().$type<TicketHolder>(),
    /** The path and query it is valid for. */
    path: text('path').notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('download_ticket_expires_at').on(table.expiresAt)],
);
