import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MIGRATIONS_FOLDER } from '../../../src/platform/db/migrate.ts';
import { tempFolder } from './db.ts';

/** The migrations that the first one replaces. */
export const BEFORE_FOLDER = join(MIGRATIONS_FOLDER, 'before');

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
}

/** A copy of a folder of migrations, with another list of them. */
export async function copyMigrations(
  source: string,
  change: (entries: Journal['entries']) => Journal['entries'],
): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await tempFolder();
  await cp(source, folder.path, { recursive: true });
  const path = join(folder.path, 'meta', '_journal.json');
  const journal = JSON.parse(await readFile(path, 'utf8')) as Journal;
  await writeFile(path, JSON.stringify({ ...journal, entries: change(journal.entries) }));
  return folder;
}

/** The first `count` of the migrations that the first one replaces: the folder of an older version. */
export const firstOfBefore = (count: number) => copyMigrations(BEFORE_FOLDER, (entries) => entries.slice(0, count));
