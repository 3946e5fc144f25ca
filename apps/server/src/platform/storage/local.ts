import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, statSync, type Stats } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { hasRoom } from '@rmeet/postgres';
import { flushFolder } from '../durable/index.ts';
import { checkKey, FileMissing, type Storage, type StoredFile } from './storage.ts';

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Names in keys do not begin with a dot, so no incomplete file can be read. */
const PARTIAL = '.partial-';
/** How many files are listed before other work has its turn. */
const LISTED_AT_ONCE = 200;

/** Size and time of a file; undefined if it no longer exists. */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Flushes the name of a new file, and those of the folders created for it; `made` is the outermost of them. */
async function flushNames(folder: string, made: string | undefined): Promise<void> {
  await flushFolder(folder);
  if (made !== undefined && folder.startsWith(made)) await flushNames(dirname(folder), made);
}

/**
 * Whether the disk of a folder, or of its future location, has free space: as much as the embedded database needs,
 * which is on the same disk by default, so that both report a full disk together; and operators are warned before the
 * last file fails.
 */
async function folderHasRoom(folder: string): Promise<boolean> {
  try {
    return await hasRoom(folder);
  } catch (error) {
    if (isMissing(error) && dirname(folder) !== folder) return folderHasRoom(dirname(folder));
    throw error;
  }
}

/** The files below a path, relative to the folder. */
async function* listFiles(folder: string, top: string): AsyncGenerator<StoredFile> {
  const entries = await readdir(top, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  let files = 0;
  for (const entry of entries) {
    const path = join(top, entry.name);
    if (entry.isDirectory()) yield* listFiles(folder, path);
    if (!entry.isFile() || entry.name.startsWith('.')) continue;
    files += 1;
    if (files % LISTED_AT_ONCE === 0) await setImmediate();
    // There may be very many: asking for each one on another thread takes ten times as much processor time.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found) yield { key: relative(folder, path).replaceAll(sep, '/'), size: found.size, modifiedAt: found.mtime };
  }
}

/** Deletes files that were never completed and are older than a time; returns how many. */
async function dropPartial(folder: string, before: Date): Promise<number> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  let dropped = 0;
  for (const name of names.filter((one) => one.startsWith(PARTIAL))) {
    const found = await statOf(join(folder, name));
    if (!found || found.mtime >= before) continue;
    await rm(join(folder, name), { force: true });
    dropped += 1;
  }
  return dropped;
}

/** Makes the content of a file survive a power loss; returns its size. */
async function flushFile(path: string): Promise<number> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** Renames a file; false if the new place is on another disk. */
async function renameOnDisk(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return false;
    throw error;
  }
}

/** Stores files below one folder, which is created if missing. */
export function localStorage(folder: string): Storage {
  const pathOf = (key: string): string => {
    checkKey(key);
    return join(folder, key);
  };
  const put: Storage['put'] = async (key, source) => {
    const path = pathOf(key);
    const partial = join(folder, `${PARTIAL}${randomUUID()}`);
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await pipeline(
        Buffer.isBuffer(source) ? Readable.from([source]) : source,
        createWriteStream(partial, { mode: 0o600, flush: true }),
      );
      const { size } = await stat(partial);
      await rename(partial, path);
      await flushNames(dirname(path), made);
      return { size };
    } finally {
      await rm(partial, { force: true });
    }
  };
  return {
    put,
    async moveIn(key, from) {
      const path = pathOf(key);
      const size = await flushFile(from);
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      if (!(await renameOnDisk(from, path))) {
        await put(key, createReadStream(from));
        await rm(from, { force: true });
      }
      await flushNames(dirname(path), made);
      return { size };
    },
    async get(key, range) {
      try {
        const file = await open(pathOf(key));
        await file.close();
      } catch (error) {
        throw isMissing(error) ? new FileMissing(key) : error;
      }
      return createReadStream(pathOf(key), range);
    },
    async stat(key) {
      const found = await statOf(pathOf(key));
      return found && { size: found.size };
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
    async deleteFolder(below) {
      await rm(pathOf(below), { recursive: true, force: true });
    },
    address: () => Promise.resolve(null),
    list: (below) => listFiles(folder, below === undefined ? folder : pathOf(below)),
    hasRoom: () => folderHasRoom(folder),
    dropPartial: (before) => dropPartial(folder, before),
  };
}
