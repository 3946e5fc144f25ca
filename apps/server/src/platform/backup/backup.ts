import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config/index.ts';
import { databaseName, hasEmbedded, openBackend, withEmbedded } from '../db/index.ts';
import { flushFolder, isDiskFull } from '../durable/index.ts';
import type { Log } from '../log/log.ts';
import { storageOf } from '../storage/index.ts';
import { dump, type Dumped } from './dump.ts';
import { writeBackup } from './format.ts';

/** The data folder contains nothing to back up. */
export class NothingThere extends Error {
  constructor(folder: string) {
    super(`There is no database in ${folder}. Set RMEET_DATA, or DATABASE_URL for a PostgreSQL server of your own.`);
    this.name = 'NothingThere';
  }
}

/** The target disk of a backup is full. */
export class NoRoomForBackup extends Error {
  constructor(folder: string, options?: ErrorOptions) {
    super(
      `The disk of ${folder} is full, so this backup was not written; the older ones are kept. Free some space ` +
        'there, or name a folder on another disk.',
      options,
    );
    this.name = 'NoRoomForBackup';
  }
}

/**
 * Writes a backup of this installation, whether it runs or not. The file appears under its name only when it is
 * complete.
 *
 * @throws NothingThere, NoRoomForBackup, or the file system's or database's error
 */
export async function backUp(config: Config, path: string, version: string, log: Log): Promise<Dumped> {
  const { databaseUrl, dataFolder } = config;
  const write = (url: string): Promise<Dumped> => backUpFrom(url, config, path, version, log);
  if (databaseUrl !== undefined) return write(databaseUrl);
  if (!hasEmbedded(dataFolder)) throw new NothingThere(dataFolder);
  return withEmbedded(dataFolder, write);
}

async function backUpFrom(url: string, config: Config, path: string, version: string, log: Log): Promise<Dumped> {
  const { dataFolder, secretKey } = config;
  const partial = `${path}.part`;
  await rm(partial, { force: true });
  const backend = await openBackend({ url, log, name: databaseName(config) });
  const writer = writeBackup(partial);
  try {
    const counts = await backend.transaction((tx) =>
      dump(tx, { writer, dataFolder, storage: storageOf(config), hasOwnKey: secretKey !== undefined, version }),
    );
    await writer.end();
    await rename(partial, path);
    await flushFolder(dirname(path));
    return counts;
  } catch (error) {
    await writer.abort();
    await rm(partial, { force: true });
    throw isDiskFull(error) ? new NoRoomForBackup(dirname(path), { cause: error }) : error;
  } finally {
    await backend.close();
  }
}
