import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@rmeet/testkit/database';
import { openDb, type OpenedDb } from '../../../src/platform/db/index.ts';
import { MIGRATIONS_FOLDER } from '../../../src/platform/db/migrate.ts';
import { createLog, type Log } from '../../../src/platform/log/log.ts';
import { adminUrl } from '../../modules/support/template.ts';

export const quiet: Log = createLog('test', 'silent');

/** A separate folder for one test. */
export async function tempFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'rmeet-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export interface TestDb extends OpenedDb {
  /** A second connection, like that of another server process. */
  another(): Promise<OpenedDb>;
  /** Closes it and opens it again with the product's own migrations. */
  reopen(): Promise<OpenedDb>;
  drop(): Promise<void>;
}

/** A new database, without the product's tables if `migrations` gives others. */
export async function openTestDb(migrations?: string): Promise<TestDb> {
  const database = await createDatabase(adminUrl());
  const open = (folder = migrations): Promise<OpenedDb> =>
    openDb({ url: database.url, log: quiet, ...(folder === undefined ? {} : { migrations: folder }) });
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
      await database.drop();
    },
  };
}
