import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { LockTaken, openBackend, type Backend } from '../db/index.ts';
import type { Log } from '../log/log.ts';
import { requestSnapshot } from './control.ts';
import { dump } from './dump.ts';
import { writeBackup } from './format.ts';

const SNAPSHOT = /^snapshot-(\d+)$/;

/** There is nothing to back up in this data folder. */
export class NothingThere extends Error {
  constructor(folder: string) {
    super(`There is no database in ${folder}. Set RMEET_DATA, or DATABASE_URL for PostgreSQL.`);
    this.name = 'NothingThere';
  }
}

function lost(error: Error): never {
  throw error;
}

/** The database to read: PostgreSQL, the embedded one when nobody has it open, else a copy the running server makes. */
async function openSource({ databaseUrl, dataFolder }: Config, log: Log): Promise<{ backend: Backend; remove: () => Promise<void> }> {
  const keep = async (): Promise<void> => undefined;
  if (databaseUrl !== undefined) return { backend: await openBackend({ url: databaseUrl, folder: dataFolder, log, onLost: lost }), remove: keep };
  if (!existsSync(join(dataFolder, 'database'))) throw new NothingThere(dataFolder);
  await removeStaleSnapshots(dataFolder);
  const name = `snapshot-${process.pid}`;
  const folder = join(dataFolder, name);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    if (await requestSnapshot(dataFolder, name)) return { backend: await openBackend({ url: undefined, folder, log, onLost: lost }), remove };
    return { backend: await openBackend({ url: undefined, folder: dataFolder, log, onLost: lost, lockPatience: 0 }), remove: keep };
  } catch (error) {
    await remove();
    // Between its start and its first answer a server holds the lock and serves no copies yet.
    throw error instanceof LockTaken ? new Error('The server is just starting or stopping. Try again in a moment.', { cause: error }) : error;
  }
}

/** Copies left behind by backups that were killed. */
async function removeStaleSnapshots(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    const pid = SNAPSHOT.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(dataFolder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Writes a backup of this installation, while it runs or not. The file appears under its name only once it is whole.
 *
 * @throws NothingThere, or the file system's or database's error
 */
export async function backUp(config: Config, path: string, version: string, log: Log): Promise<{ rows: number; files: number }> {
  const partial = `${path}.part`;
  await rm(partial, { force: true });
  const { backend, remove } = await openSource(config, log);
  const writer = writeBackup(partial);
  try {
    const counts = await backend.transaction((tx) => dump(tx, { writer, dataFolder: config.dataFolder, hasOwnKey: config.secretKey !== undefined, version }));
    await writer.end();
    await rename(partial, path);
    return counts;
  } catch (error) {
    writer.abort();
    await rm(partial, { force: true });
    throw error;
  } finally {
    await backend.close();
    await remove();
  }
}
