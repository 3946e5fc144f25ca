import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '../../../src/platform/db/index.ts';
import { createLog } from '../../../src/platform/log/log.ts';
import { addEverybody } from './people.ts';

/** What a new store holds: all tables, and everybody of the tests besides. */
export type Content = 'tables' | 'people';

const CONTENTS: readonly Content[] = ['tables', 'people'];
const NAME_FILE = 'name-of-database';
const adminUrl = process.env['RMEET_TEST_DATABASE_URL'];

/** Where the files of a run share databases they copy; vitest's global set-up. */
export default function setup(): () => Promise<void> {
  const shared = mkdtempSync(join(tmpdir(), 'rmeet-template-'));
  process.env['RMEET_TEST_TEMPLATE'] = shared;
  return async () => {
    for (const content of CONTENTS) {
      const file = join(shared, content, NAME_FILE);
      if (adminUrl && existsSync(file)) await (await import('@rmeet/testkit')).dropDatabase(adminUrl, readFileSync(file, 'utf8'));
    }
    rmSync(shared, { recursive: true, force: true });
  };
}

/**
 * Puts a database into a data folder, or one of its own on the PostgreSQL server of RMEET_TEST_DATABASE_URL: copying one
 * takes a fraction of the work of making it.
 */
export async function copyTemplate(folder: string, content: Content): Promise<{ url: string; drop: () => Promise<void> } | undefined> {
  const shared = process.env['RMEET_TEST_TEMPLATE'];
  if (shared === undefined) throw new Error('The tests run without their global set-up.');
  const template = join(shared, content);
  if (!existsSync(template)) await makeTemplate(shared, template, content);
  cpSync(template, folder, { recursive: true });
  if (!adminUrl) return undefined;
  // Loaded when needed: it brings browsers along.
  return (await import('@rmeet/testkit')).copyDatabase(adminUrl, readFileSync(join(template, NAME_FILE), 'utf8'));
}

async function makeTemplate(shared: string, template: string, content: Content): Promise<void> {
  const own = await mkdtemp(join(shared, 'making-'));
  const database = adminUrl ? await (await import('@rmeet/testkit')).createDatabase(adminUrl) : undefined;
  const { db } = await openDb({ url: database?.url, folder: own, log: createLog('test', 'silent'), onLost: (error) => { throw error; } });
  if (content === 'people') await addEverybody(db, new Date());
  await db.close();
  if (database) writeFileSync(join(own, NAME_FILE), database.name);
  // Another worker may have been first: then there is one already.
  await rename(own, template).catch(async () => {
    await rm(own, { recursive: true });
    await database?.drop();
  });
}
