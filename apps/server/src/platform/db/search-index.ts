import { sql } from 'drizzle-orm';
import { index, type IndexBuilder, type PgColumn } from 'drizzle-orm/pg-core';

/**
 * An index for `containing keyword` over texts of one table (used by search.ts). New entries wait in a pending list,
 * which every search reads completely, so it is kept shorter than PostgreSQL's default.
 */
export function searchIndex(name: string, tenantId: PgColumn, columns: PgColumn[]): IndexBuilder {
  const [first, ...others] = columns.map((column) => sql`search_grams(${tenantId}, ${column})`);
  if (!first) throw new Error('A search index needs a column.');
  return index(name)
    .using('gin', first, ...others)
    .with({ gin_pending_list_limit: 256 });
}
