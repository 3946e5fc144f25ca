import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { tenant } from '../accounts/tenants/tables.ts';

/** Data about this installation as a whole: one row, of the platform's tenant. */
export const installation = pgTable('installation', {
  tenantId: uuid('tenant_id')
    .primaryKey()
    .references(() => tenant.tenantId),
  /** SHA-256 of the setup link's secret; null if there is none. */
  setupHash: text('setup_hash'),
  /** The address people use, as an origin. RMEET_PUBLIC_URL overrides it. */
  publicUrl: text('public_url'),
  changedAt: timestamp('changed_at', { withTimezone: true, precision: 3 }).notNull(),
});
