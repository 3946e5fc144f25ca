import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A new, empty database on a PostgreSQL server; `adminUrl` may create databases. Returns its URL and how to drop it. */
export async function createDatabase(adminUrl: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `rmeet_${randomBytes(6).toString('hex')}`;
  const run = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: adminUrl });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  // Nobody is ever connected to template0; to template1 autovacuum may be, and then it cannot be copied.
  await run(`create database ${name} template template0`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => run(`drop database if exists ${name} with (force)`) };
}
