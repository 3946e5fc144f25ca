import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

export interface TestDatabase {
  name: string;
  url: string;
  drop: () => Promise<void>;
}

/**
 * A new, empty database on a PostgreSQL server; `adminUrl` may create databases. Nobody is ever connected to template0;
 * to template1 autovacuum may be, and then it cannot be copied.
 */
export const createDatabase = (adminUrl: string): Promise<TestDatabase> => copyDatabase(adminUrl, 'template0');

/** A copy of a database that nobody is connected to. */
export async function copyDatabase(adminUrl: string, source: string): Promise<TestDatabase> {
  const name = `rmeet_${randomBytes(6).toString('hex')}`;
  await run(adminUrl, `create database ${name} template ${source}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { name, url: url.toString(), drop: () => dropDatabase(adminUrl, name) };
}

export const dropDatabase = (adminUrl: string, name: string): Promise<void> => run(adminUrl, `drop database if exists ${name} with (force)`);

async function run(adminUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
