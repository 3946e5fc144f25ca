import { sql } from 'drizzle-orm';
import { drizzleOf } from './scope.ts';
import type { PlatformTx } from './types.ts';

interface DatabaseState {
  /** As the server calls itself, such as `16.4`. */
  version: string;
  /** Bytes. */
  size: number;
  migrations: number;
  /** The largest tables with their indexes; rows as PostgreSQL estimates them. */
  tables: { name: string; size: number; rows: number }[];
}

const LARGEST = 40;

/** The database's version and sizes, for diagnostics. No row is read. */
export async function databaseState(tx: PlatformTx): Promise<DatabaseState> {
  const drizzle = drizzleOf(tx);
  const rowsOf = async <R>(query: ReturnType<typeof sql>): Promise<R[]> =>
    ((await drizzle.execute(query)) as { rows: unknown[] }).rows as R[];
  const [about] = await rowsOf<{ version: string; size: string; migrations: string }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size,
      (select count(*) from drizzle.migration) as migrations`);
  const tables = await rowsOf<{ name: string; size: string; rows: string }>(sql`
    select relname as name, pg_total_relation_size(oid) as size, greatest(reltuples, 0)::bigint as rows
    from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
    order by 2 desc, 1 limit ${LARGEST}::int`);
  return {
    version: about?.version ?? '',
    size: Number(about?.size ?? 0),
    migrations: Number(about?.migrations ?? 0),
    tables: tables.map(({ name, size, rows }) => ({ name, size: Number(size), rows: Number(rows) })),
  };
}
