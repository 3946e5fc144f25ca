import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createDatabase, startPostgres } from '../src/databases.ts';

test('a PostgreSQL server of the test accepts databases and is gone afterwards', async () => {
  const server = await startPostgres();
  const database = await createDatabase(server.url);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ major: number }>(
    "select current_setting('server_version_num')::int / 10000 as major",
  );
  await client.end();
  await database.drop();
  await server.stop();
  expect(rows[0]?.major).toBeGreaterThanOrEqual(15);
  const again = new Client({ connectionString: server.url });
  await expect(again.connect()).rejects.toThrow('ECONNREFUSED');
});
