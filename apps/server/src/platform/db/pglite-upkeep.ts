import type { PgliteClient } from './pglite-client.ts';

/**
 * Tables that changed so much that PostgreSQL's autovacuum would see to them (its own thresholds), and those nobody ever
 * looked at: the counts start anew with the process.
 */
const DUE = `
  select format('%I.%I', schemaname, stat.relname) as name
  from pg_stat_user_tables as stat join pg_class on pg_class.oid = relid
  where reltuples < 0 or n_mod_since_analyze > 50 + 0.1 * reltuples or n_dead_tup > 50 + 0.2 * reltuples`;

/** Does what autovacuum does elsewhere, which the embedded database lacks: frees dead rows and gathers statistics, one table at a time. */
export async function upkeepOf(client: PgliteClient): Promise<void> {
  const { rows } = (await client.query(DUE)) as { rows: { name: string }[] };
  for (const { name } of rows) await client.exec(`vacuum (analyze) ${name}`);
}
