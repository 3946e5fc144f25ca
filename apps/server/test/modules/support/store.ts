import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTemplate } from './template.ts';

/** Where a test server keeps its data; outlives the server, so that another can go on with it. */
export interface Store {
  folder: string;
  /** PostgreSQL; the embedded database in the folder when undefined. */
  databaseUrl: string | undefined;
  remove(): Promise<void>;
}

/** A new store: on the PostgreSQL server of RMEET_TEST_DATABASE_URL, else embedded. */
export async function makeStore(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'rmeet-modules-'));
  const admin = process.env['RMEET_TEST_DATABASE_URL'];
  // Loaded when needed: it brings browsers along.
  const database = admin ? await (await import('@rmeet/testkit')).createDatabase(admin) : undefined;
  if (!database) await copyTemplate(folder);
  return {
    folder,
    databaseUrl: database?.url,
    async remove() {
      await database?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
