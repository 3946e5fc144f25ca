import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export interface TestDatabase {
  name: string;
  url: string;
  drop: () => Promise<void>;
  rename: (name: string) => Promise<void>;
}

/**
 * A new, empty database on a PostgreSQL server; `adminUrl` may create databases. Template0 never has connections;
 * template1 may have one of autovacuum, and then it cannot be copied.
 */
export const createDatabase = (adminUrl: string): Promise<TestDatabase> => copyDatabase(adminUrl, 'template0');

/** A copy of a database without connections. */
export async function copyDatabase(adminUrl: string, source: string): Promise<TestDatabase> {
  const name = `rmeet_${randomBytes(6).toString('hex')}`;
  // Files are copied directly: with the write-ahead log, copying would take longer for such a small database.
  await run(adminUrl, `create database ${name} template ${source} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.toString(),
    drop: () => dropDatabase(adminUrl, name),
    rename: (to) => run(adminUrl, `alter database ${name} rename to ${to}`),
  };
}

export const dropDatabase = (adminUrl: string, name: string): Promise<void> =>
  run(adminUrl, `drop database if exists ${name} with (force)`);

/** Every row of every table of the product, as text. */
export async function allRows(url: string): Promise<string> {
  const rows: string[] = [];
  await connected(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    for (const { name } of tables.rows) {
      const found = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      rows.push(...found.rows.map(({ row }) => row));
    }
  });
  return rows.join('\n');
}

/** Runs `work` while no other process runs one with this key; it can check whether a database exists. */
export async function withAdvisoryLock(
  adminUrl: string,
  key: string,
  work: (isThere: (name: string) => Promise<boolean>) => Promise<void>,
): Promise<void> {
  await connected(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [key]);
    await work(
      async (name) => (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1,
    );
  });
}

const run = (adminUrl: string, statement: string): Promise<void> =>
  connected(adminUrl, async (client) => {
    await client.query(statement);
  });

/** Runs `work` with a connection to a database. */
export async function connected(adminUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
