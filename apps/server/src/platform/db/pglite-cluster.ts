import { existsSync } from 'node:fs';
import { access, constants, cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomUUID } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';

const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url));

/**
 * Makes the folder of a new, empty database, unless it is there. It is made beside its place and moved there whole, so
 * that a process killed meanwhile leaves nothing half-made.
 *
 * Making one takes seconds of computing and always gives the same, so the first is kept in node_modules/.cache and
 * copied from then on, where that may be written.
 */
export async function ensureCluster(folder: string): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  const unfinished = `${folder}.new`;
  const kept = join(MODULES, '.cache', 'rmeet', `pglite-${await pgliteVersion()}`);
  await rm(unfinished, { recursive: true, force: true });
  if (await may(join(kept, 'PG_VERSION'), constants.R_OK)) {
    await cp(kept, unfinished, { recursive: true });
  } else {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await (await PGlite.create({ dataDir: unfinished })).close();
    await keep(unfinished, kept);
  }
  await rename(unfinished, folder);
}

/** Copies the folder to where the next one looks, if this user may; of several at once the first stays. */
async function keep(folder: string, kept: string): Promise<void> {
  const cache = dirname(dirname(kept));
  if (!(await may(existsSync(cache) ? cache : MODULES, constants.W_OK))) return;
  await mkdir(dirname(kept), { recursive: true });
  if (!(await may(dirname(kept), constants.W_OK))) return;
  const copy = `${kept}.${randomUUID()}`;
  await cp(folder, copy, { recursive: true });
  try {
    await rename(copy, kept);
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    if (!existsSync(kept)) throw error;
  }
}

async function may(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode);
    return true;
  } catch {
    return false; // not there, or another user's
  }
}

async function pgliteVersion(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve('@electric-sql/pglite'));
  const { version } = JSON.parse(await readFile(join(dirname(entry), '..', 'package.json'), 'utf8')) as { version: string };
  return version;
}
