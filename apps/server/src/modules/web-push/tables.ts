import { foreignKey, index, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { session } from '../accounts/auth/tables.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { account } from '../accounts/users/tables.ts';

/** A browser that receives its user's notifications, as long as the sign-in in it lasts. */
export const webPushSubscription = pgTable(
  'web_push_subscription',
  {
    id: uuid('id').primaryKey(),
    tenantId: uuid('tenant_id')
      .notNull()
      .references(() => tenant.tenantId),
    accountId: uuid('account_id').notNull(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => session.id, { onDelete: 'cascade' }),
    /** SHA-256 of the endpoint: the same browser again. */
    endpointHash: text('endpoint_hash').notNull(),
    /** The browser's address and keys, sealed: with them, anyone can send to it. */
    sealed: text('sealed').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (t) => [
    uniqueIndex('web_push_subscription_endpoint_key').on(t.endpointHash),
    index('web_push_subscription_account_idx').on(t.accountId),
    index('web_push_subscription_session_idx').on(t.sessionId),
    foreignKey({
      name: 'web_push_subscription_account_fk',
      columns: [t.tenantId, t.accountId],
      foreignColumns: [account.tenantId, account.id],
    }).onDelete('cascade'),
  ],
);

export type WebPushSubscriptionRow = typeof webPushSubscription.$inferSelect;
