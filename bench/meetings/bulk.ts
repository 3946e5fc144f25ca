import { openPool } from '../../apps/server/src/platform/db/postgres.ts';
import { createLog } from '../../apps/server/src/platform/log/log.ts';

/**
 * Tables that get so many rows that updating an index row by row costs several times as much as building it at once.
 */
const TABLES = [
  'account',
  'meeting',
  'meeting_number',
  'meeting_participant',
  'room_booking',
  'conference',
  'terminal_session',
  'conference_command',
];
/** Indexes built at the same time. */
const LANES = 2;

/**
 * Runs `work`, which inserts rows, without the tables' indexes except their primary keys; builds the indexes
 * afterwards, and leaves the database in the state that maintenance reaches in the long run: with statistics, all rows
 * visible to all, and nothing left to write. Needs a superuser, because it marks the indexes as unused until they are
 * built.
 */
export async function inBulk(url: string, work: () => Promise<void>): Promise<void> {
  const pool = openPool(url, createLog('bench', 'silent'));
  // Each free lane takes the next; the largest are the search indexes.
  const next = async (names: string[]): Promise<void> => {
    const client = await pool.connect();
    try {
      await client.query(
        `set statement_timeout = 0; set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 0`,
      );
      for (let name = names.shift(); name !== undefined; name = names.shift())
        await client.query(`reindex index ${client.escapeIdentifier(name)}`);
    } finally {
      client.release(true);
    }
  };
  try {
    const { rows } = await pool.query<{ name: string }>(
      `with marked as (update pg_index set indisready = false, indisvalid = false
        where indrelid = any($1::text[]::regclass[]) and not indisprimary returning indexrelid)
      select relname as name from marked join pg_class on oid = indexrelid join pg_am on pg_am.oid = relam
        order by amname = 'gin' desc, relname`,
      [TABLES],
    );
    await work();
    const names = rows.map(({ name }) => name);
    await Promise.all(Array.from({ length: LANES }, () => next(names)));
    const client = await pool.connect();
    await client.query('set statement_timeout = 0');
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
    client.release(true);
  } finally {
    await pool.end();
  }
}
