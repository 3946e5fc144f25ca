import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Ledger, Reading } from './run.ts';

type Connect = () => Promise<Client>;

const WRITERS = 6;
const CHECKPOINT_EVERY = 1_500;
/** The writer of the rows that belong to a refilled table. */
const REFILLER = 0;
const REFILL_EVERY = 150;
/** Rows of 1.3 kB: below and above the 2 MB from which a new file is flushed instead of being logged. */
const FEWEST_ROWS = 200;
const MORE_ROWS = 3_000;
/** The content of each row, so that each can be checked alone. */
const PAYLOAD = "repeat(md5(writer || '/' || number), 12)";

/** The tables for the writes, and the extension that checks pages. */
export async function makeTables(connect: Connect): Promise<void> {
  const client = await connect();
  await client.query(`
    CREATE EXTENSION IF NOT EXISTS amcheck;
    CREATE TABLE IF NOT EXISTS writes (writer int, number int, payload text NOT NULL, PRIMARY KEY (writer, number));
    CREATE INDEX IF NOT EXISTS writes_by_payload ON writes (md5(payload));
    CREATE TABLE IF NOT EXISTS latest (writer int PRIMARY KEY, number int NOT NULL, payload text NOT NULL);
    INSERT INTO latest SELECT writer, 0, '' FROM generate_series(1, ${WRITERS}) writer ON CONFLICT DO NOTHING;
    CREATE TABLE IF NOT EXISTS refilled (number int NOT NULL, payload text NOT NULL);
  `);
  await client.end();
}

/** Each transaction inserts a row and changes another; both are stored, or neither. */
async function writer(connect: Connect, name: number, ledger: Ledger): Promise<void> {
  const client = await connect();
  for (;;) {
    const number = ledger.next();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO writes SELECT writer, number, ${PAYLOAD} FROM (SELECT $1::int AS writer, $2::int AS number)`,
      [name, number],
    );
    await client.query(
      'UPDATE latest SET number = writes.number, payload = writes.payload FROM writes WHERE latest.writer = $1 ' +
        'AND writes.writer = $1 AND writes.number = $2',
      [name, number],
    );
    await client.query('COMMIT');
    ledger.acknowledged(`${name}/${number}`);
  }
}

/**
 * Each transaction empties a table and fills it again. If its new file is large, it is not in the write-ahead log
 * (`wal_level=minimal`): it is flushed before the transaction is committed. The row in `writes` belongs to the same
 * transaction.
 */
async function refiller(connect: Connect, ledger: Ledger): Promise<void> {
  const client = await connect();
  for (;;) {
    const number = ledger.next();
    await client.query('BEGIN; TRUNCATE refilled');
    await client.query('INSERT INTO refilled SELECT $1::int, repeat(md5($1::text), 40) FROM generate_series(1, $2)', [
      number,
      FEWEST_ROWS + Math.floor(Math.random() * MORE_ROWS),
    ]);
    await client.query(
      `INSERT INTO writes SELECT writer, number, ${PAYLOAD} FROM (SELECT ${REFILLER} AS writer, $1::int AS number)`,
      [number],
    );
    await client.query('COMMIT');
    ledger.acknowledged(`${REFILLER}/${number}`);
    await sleep(REFILL_EVERY);
  }
}

/** Several writers, and checkpoints meanwhile; ends when the database is gone. */
export async function writeNumbers(connect: Connect, ledger: Ledger): Promise<void> {
  const checkpoints = async (): Promise<void> => {
    const client = await connect();
    for (;;) {
      await sleep(Math.random() * CHECKPOINT_EVERY);
      await client.query('CHECKPOINT');
    }
  };
  await Promise.allSettled([
    ...Array.from({ length: WRITERS }, (_, at) => writer(connect, at + 1, ledger)),
    refiller(connect, ledger),
    checkpoints(),
  ]);
}

/** Checks every heap and every index of the database page by page. */
export async function damage(client: Client): Promise<string[]> {
  const found: string[] = [];
  const { rows: relations } = await client.query<{ oid: number; name: string; kind: string }>(`
    SELECT c.oid, c.oid::regclass::text AS name, c.relkind AS kind FROM pg_class c LEFT JOIN pg_am a ON a.oid = c.relam
    WHERE c.relpersistence = 'p' AND (c.relkind IN ('r', 't', 'm') OR (c.relkind = 'i' AND a.amname = 'btree'))`);
  for (const { oid, name, kind } of relations) {
    try {
      if (kind === 'i') {
        await client.query('SELECT bt_index_check($1::oid::regclass, heapallindexed => true)', [oid]);
      } else {
        const { rows } = await client.query<{ msg: string }>(
          'SELECT msg FROM verify_heapam($1::oid::regclass, check_toast => true)',
          [oid],
        );
        found.push(...rows.map(({ msg }) => `${name}: ${msg}`));
      }
    } catch (error) {
      found.push(`${name}: ${String(error)}`);
    }
  }
  const {
    rows: [sums],
  } = await client.query<{ failures: number }>('SELECT sum(checksum_failures)::int AS failures FROM pg_stat_database');
  if (sums?.failures !== 0) found.push(`${String(sums?.failures)} pages have a wrong checksum`);
  return found;
}

/** The stored rows, read through the table and through its index; and errors in them. */
export async function readNumbers(connect: Connect): Promise<Reading> {
  const client = await connect();
  try {
    const corrupt = await damage(client);
    const read = async (setting: string): Promise<string[]> => {
      await client.query(
        'SET enable_seqscan = on; SET enable_indexscan = on; SET ' +
          `enable_indexonlyscan = on; SET enable_bitmapscan = on; ${setting}`,
      );
      const { rows } = await client.query<{ mark: string }>(
        `SELECT writer || '/' || number AS mark FROM writes WHERE payload = ${PAYLOAD} ORDER BY writer, number`,
      );
      return rows.map(({ mark }) => mark);
    };
    const found = await read('SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off');
    const byIndex = await read('SET enable_seqscan = off; SET enable_bitmapscan = off');
    if (found.join() !== byIndex.join())
      corrupt.push(`${found.length} rows are read through the table, ${byIndex.length} through the index`);
    const {
      rows: [count],
    } = await client.query<{ rows: number; apart: number; stale: number }>(`
      SELECT (SELECT count(*) FROM writes)::int AS rows,
        (SELECT count(*) FROM latest WHERE number <>
          coalesce((SELECT max(number) FROM writes WHERE writer = latest.writer), 0))::int AS apart,
        (SELECT count(*) FROM refilled WHERE number <>
          (SELECT max(number) FROM writes WHERE writer = ${REFILLER})
          OR payload <> repeat(md5(number::text), 40))::int
          + (EXISTS (SELECT FROM writes WHERE writer = ${REFILLER})
            AND NOT EXISTS (SELECT FROM refilled))::int AS stale`);
    if (count?.rows !== found.length)
      corrupt.push(`${count?.rows} rows are there, ${found.length} hold what was written`);
    if (count?.apart !== 0) corrupt.push(`${count?.apart} transactions are there by half`);
    if (count?.stale !== 0)
      corrupt.push(`${count?.stale} rows of a table that was filled anew are missing or of another filling`);
    return { found: new Set(found), corrupt };
  } finally {
    await client.end();
  }
}
