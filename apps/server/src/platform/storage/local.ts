import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkKey, FileMissing, type Storage } from './storage.ts';

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** Files below one folder, which is made when missing. */
export function localStorage(folder: string): Storage {
  const pathOf = (key: string): string => {
    checkKey(key);
    return join(folder, key);
  };
  return {
    async put(key, source) {
      const path = pathOf(key);
      // Names of keys do not begin with a dot, so nothing half-written can be read.
      const partial = join(folder, `.partial-${randomUUID()}`);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        await pipeline(Buffer.isBuffer(source) ? Readable.from([source]) : source, createWriteStream(partial, { mode: 0o600, flush: true }));
        const { size } = await stat(partial);
        await rename(partial, path);
        return { size };
      } finally {
        await rm(partial, { force: true });
      }
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
      try {
        const found = await stat(pathOf(key));
        return found.isFile() ? { size: found.size, modifiedAt: found.mtime } : undefined;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}
