import { getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

export { PLATFORM_TENANT_ID } from '@rmeet/contract';

/** The database role of tenant transactions: it owns nothing and cannot bypass row security. */
export const APPLICATION_ROLE = 'rmeet_app';

/**
 * Tables whose rows of the platform's tenant every tenant may read, and none but the platform's may write. Named here
 * and not where the tables are, because the policies of the database (row-security.ts) need them as well.
 */
export const SHARED_TABLES: ReadonlySet<string> = new Set(['permission', 'role', 'role_permission']);

/** Tables tenants only add to and read. */
export const APPEND_ONLY_TABLES: ReadonlySet<string> = new Set(['audit_log']);

/** Whether all tenants read the platform's rows of this table. */
export function isShared(table: PgTable): boolean {
  return SHARED_TABLES.has(getTableName(table));
}
