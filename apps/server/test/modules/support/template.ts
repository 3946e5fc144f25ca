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

/** Content of a new store: all tables, optionally with all people of the tests. */
export type Content = 'tables' | 'people';

/** PostgreSQL server of the tests: one started for this run, or one of another version. */
export const ADMIN_URL = 'RMEET_TEST_DATABASE_URL';

/** The files of a run share a PostgreSQL server, and the template databases that they copy; vitest's global set-up. */
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

/** A separate database, copied from a template that is created on first use: that takes a fraction of the time. */
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
