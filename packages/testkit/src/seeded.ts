import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { copyDatabase, createDatabase, type TestDatabase } from './database.ts';
import type { startServer } from './server.ts';

/** The data of a server as it stands once the demo people are in it: making it takes twice as long as starting on a copy. */
const FOLDER = 'RMEET_TEST_SEEDED';
const DATABASE_FILE = 'database-of-tests';

/** Says where the processes of one run, which start after this, keep the data they copy. */
export function shareSeededData(folder: string): void {
  process.env[FOLDER] = folder;
}

/**
 * Fills a data folder with what a server has made of an empty one, and copies its database where that is a PostgreSQL
 * server's (`adminUrl`); the first to ask makes it. Returns undefined where nobody called `shareSeededData`.
 */
export async function copySeededData(
  data: string, adminUrl: string | undefined, start: typeof startServer,
): Promise<{ database: TestDatabase | undefined } | undefined> {
  const shared = process.env[FOLDER];
  if (shared === undefined) return undefined;
  const seeded = join(shared, 'seeded');
  if (!existsSync(seeded)) await makeSeededData(shared, seeded, adminUrl, start);
  await cp(seeded, data, { recursive: true });
  return { database: adminUrl === undefined ? undefined : await copyDatabase(adminUrl, await readFile(join(data, DATABASE_FILE), 'utf8')) };
}

async function makeSeededData(shared: string, seeded: string, adminUrl: string | undefined, start: typeof startServer): Promise<void> {
  const own = await mkdtemp(join(shared, 'making-'));
  const database = adminUrl === undefined ? undefined : await createDatabase(adminUrl);
  const server = await start({ data: own, env: database ? { DATABASE_URL: database.url } : {} });
  await server.stop();
  if (database) await writeFile(join(own, DATABASE_FILE), database.name);
  // Another worker may have been first: then there is one already.
  await rename(own, seeded).catch(async () => {
    await rm(own, { recursive: true });
    await database?.drop();
  });
}
