import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTemplate, type Content } from './template.ts';

/** The data of a test server; it outlives the server, so that another one can continue with it. */
export interface Store {
  folder: string;
  databaseUrl: string;
  remove(): Promise<void>;
}

/** A new store, with its own database. */
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
