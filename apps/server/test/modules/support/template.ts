import {
  createDatabase,
  copyDatabase,
  startPostgres,
  withAdvisoryLock,
  type TestDatabase,
} from '@rmeet/testkit/database';
import { openDb } from '../../../src/platform/db/index.ts';
import { createLog } from '../../../src/platform/log/log.ts';
import { addEverybody } from './people.ts';

/** What a new store holds: all tables, and everybody of the tests besides. */
export type Content = 'tables' | 'people';

/** PostgreSQL server of the tests: one of the run's own, or another version's. */
export const ADMIN_URL = 'RMEET_TEST_DATABASE_URL';

/** The files of a run share a PostgreSQL server, and the databases on it that they copy; vitest's global set-up. */
export default async function setup(): Promise<() => Promise<void>> {
  process.env['RMEET_TEST_TEMPLATES'] = `rmeet_template_${process.pid}`;
  if (process.env[ADMIN_URL] !== undefined) return async () => undefined;
  const postgres = await startPostgres();
  process.env[ADMIN_URL] = postgres.url;
  return postgres.stop;
}

export function adminUrl(): string {
  const url = process.env[ADMIN_URL];
  if (url === undefined) throw new Error('The tests run without their global set-up.');
  return url;
}

/**
 * A database of its own, copied from one that is made when the first asks: that takes a fraction of the work of making
 * it.
 */
export async function copyTemplate(content: Content): Promise<TestDatabase> {
  const name = `${process.env['RMEET_TEST_TEMPLATES']}_${content}`;
  await makeTemplate(name, content);
  return copyDatabase(adminUrl(), name);
}

const made = new Set<string>();
async function makeTemplate(name: string, content: Content): Promise<void> {
  if (made.has(name)) return;
  // Other workers wait.
  await withAdvisoryLock(adminUrl(), name, async (isThere) => {
    if (await isThere(name)) return;
    const making = await createDatabase(adminUrl());
    const { db } = await openDb({ url: making.url, log: createLog('test', 'silent') });
    if (content === 'people') await addEverybody(db, new Date());
    await db.close();
    await making.rename(name);
  });
  made.add(name);
}
