import { getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

export { PLATFORM_TENANT_ID } from '@rmeet/contract';

/** The database role of tenant transactions: it owns nothing and cannot bypass row security. */
export const APPLICATION_ROLE = 'rmeet_app';

/**
 * Tables in which every tenant may read the platform's rows, and only the platform may write them. Listed here and not
 * next to the tables, because the database's policies (row-security.ts) need them, too.
 */
export const SHARED_TABLES: ReadonlySet<string> = new Set(['permission', 'role', 'role_permission']);

/** Tables that tenants can only read and insert into. */
export const APPEND_ONLY_TABLES: ReadonlySet<string> = new Set(['audit_log']);

/** Whether all tenants read the platform's rows of this table. */
export function isShared(table: PgTable): boolean {
  return SHARED_TABLES.has(getTableName(table));
}
