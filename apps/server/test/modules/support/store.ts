import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTemplate, type Content } from './template.ts';

/** Where a test server keeps its data; outlives the server, so that another can go on with it. */
export interface Store {
  folder: string;
  databaseUrl: string;
  remove(): Promise<void>;
}

/** A new store, with a database of its own. */
export async function makeStore(content: Content = 'tables'): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'rmeet-modules-'));
  const database = await copyTemplate(content);
  return {
    folder,
    databaseUrl: database.url,
    async remove() {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
