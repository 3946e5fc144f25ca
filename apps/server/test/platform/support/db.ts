import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb, type OpenedDb } from '../../../src/platform/db/index.ts';
import { MIGRATIONS_FOLDER } from '../../../src/platform/db/migrate.ts';
import { createLog, type Log } from '../../../src/platform/log/log.ts';

export const quiet: Log = createLog('test', 'silent');

/** A folder of its own for one test. */
export async function tempFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'rmeet-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export interface TestDb extends OpenedDb {
  /** A second connection, as another server process would have it; PostgreSQL only. */
  another(): Promise<OpenedDb>;
  /** Closes it and opens it again with the product's own migrations. */
  reopen(): Promise<OpenedDb>;
  drop(): Promise<void>;
}

/** A new database: on the PostgreSQL server of RMEET_TEST_DATABASE_URL, else embedded. */
export async function openTestDb(migrations?: string): Promise<TestDb> {
  const admin = process.env['RMEET_TEST_DATABASE_URL'];
  // Loaded when needed: it brings browsers along.
  const database = admin ? await (await import('@rmeet/testkit')).createDatabase(admin) : undefined;
  const folder = await tempFolder();
  const open = (folderOfMigrations = migrations): Promise<OpenedDb> =>
    openDb({
      url: database?.url, folder: folder.path, log: quiet, onLost: (error) => { throw error; },
      ...(folderOfMigrations === undefined ? {} : { migrations: folderOfMigrations }),
    });
  const opened = await open();
  const others: OpenedDb[] = [];
  let isOpen = true;
  return {
    ...opened,
    async another() {
      const other = await open();
      others.push(other);
      return other;
    },
    async reopen() {
      await opened.db.close();
      isOpen = false;
      return open(MIGRATIONS_FOLDER);
    },
    async drop() {
      for (const { db } of isOpen ? [opened, ...others] : others) await db.close();
      await database?.drop();
      await folder.remove();
    },
  };
}
