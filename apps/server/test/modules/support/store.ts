import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTemplate, type Content } from './template.ts';

/** Where a test server keeps its data; outlives the server, so that another can go on with it. */
export interface Store {
  folder: string;
  /** PostgreSQL; the embedded database in the folder when undefined. */
  databaseUrl: string | undefined;
  remove(): Promise<void>;
}

/** A new store: on the PostgreSQL server of RMEET_TEST_DATABASE_URL, else embedded. */
export async function makeStore(content: Content = 'tables'): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'rmeet-modules-'));
  const database = await copyTemplate(folder, content);
  return {
    folder,
    databaseUrl: database?.url,
    async remove() {
      await database?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
