import { bigint, index, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** The newest version of each push topic. */
export const pushTopic = pgTable(
  'push_topic',
  {
    tenantId: uuid('tenant_id').notNull(),
    topic: text('topic').notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.topic] })],
);

/** The last events of each topic, for terminals that reconnect. */
export const pushEvent = pgTable(
  'push_event',
  {
    tenantId: uuid('tenant_id').notNull(),
    topic: text('topic').notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
    /** The only terminal or user it is for; all subscribers if both are null. */
    termId: text('term_id'),
    userId: uuid('user_id'),
    event: jsonb('event').notNull().$type<Record<string, unknown>>(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.topic, table.version] }),
    index('push_event_created_at').on(table.createdAt),
  ],
);
