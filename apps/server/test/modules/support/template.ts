import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '../../../src/platform/db/index.ts';
import { createLog } from '../../../src/platform/log/log.ts';

/** Where the files of a run share an embedded database with its tables made; vitest's global set-up. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-template-'));
  process.env['RMEET_TEST_TEMPLATE'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Puts an empty embedded database with all its tables into a data folder: copying one takes a third of the work of making it. */
export async function copyTemplate(folder: string): Promise<void> {
  const shared = process.env['RMEET_TEST_TEMPLATE'];
  if (shared === undefined) return;
  const template = join(shared, 'made');
  if (!existsSync(template)) {
    const own = await mkdtemp(join(shared, 'making-'));
    const { db } = await openDb({ url: undefined, folder: own, log: createLog('test', 'silent'), onLost: (error) => { throw error; } });
    await db.close();
    // Another worker may have been first: then there is one already.
    await rename(own, template).catch(() => rm(own, { recursive: true }));
  }
  await cp(template, folder, { recursive: true });
}
