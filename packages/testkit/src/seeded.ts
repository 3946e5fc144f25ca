import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyDatabase, createDatabase, type TestDatabase } from './database.ts';

/** The data of a server with the demo accounts: creating it takes twice as long as starting on a copy. */
const FOLDER = 'RMEET_TEST_SEEDED';
const DATABASE_FILE = 'database-of-tests';

/** Creates the data that later processes of this run copy: once, in this folder, before any of them requests it. */
export async function shareSeededData(
  folder: string,
  start: (options: { data: string; env: NodeJS.ProcessEnv }) => Promise<{ stop(): Promise<void> }>,
): Promise<void> {
  const seeded = join(folder, 'seeded');
  await mkdir(seeded);
  const adminUrl = process.env['RMEET_TEST_DATABASE_URL'];
  const database = adminUrl === undefined ? undefined : await createDatabase(adminUrl);
  const server = await start({ data: seeded, env: database ? { DATABASE_URL: database.url } : {} });
  await server.stop();
  if (database) await writeFile(join(seeded, DATABASE_FILE), database.name);
  process.env[FOLDER] = seeded;
}

/**
 * Fills a data folder with the data of a freshly started server, and copies its database if it is on a PostgreSQL
 * server (`adminUrl`). Returns undefined before `shareSeededData`.
 */
export async function copySeededData(
  data: string,
  adminUrl: string | undefined,
): Promise<{ database: TestDatabase | undefined } | undefined> {
  const seeded = process.env[FOLDER];
  if (seeded === undefined) return undefined;
  await cp(seeded, data, { recursive: true });
  return {
    database:
      adminUrl === undefined
        ? undefined
        : await copyDatabase(adminUrl, await readFile(join(data, DATABASE_FILE), 'utf8')),
  };
}
