import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shareSeededData, startPostgres, startServer } from '@rmeet/testkit';

/** The servers of a run start with copies of one server's data, on one PostgreSQL server. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-seeded-'));
  const postgres = process.env['RMEET_TEST_DATABASE_URL'] === undefined ? await startPostgres() : undefined;
  if (postgres) process.env['RMEET_TEST_DATABASE_URL'] = postgres.url;
  await shareSeededData(folder, startServer);
  return async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
