import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DiskFull,
  keepPostgres,
  preparePostgres,
  type KeepPostgresOptions,
  type PostgresKeeper,
} from '@rmeet/postgres';
import { isDiskFull } from '../durable/index.ts';
import { freeTcpPort } from '../process/ports.ts';
import { takeLock, type Lock } from './lock.ts';

/** The embedded PostgreSQL's own folder in the data folder. */
export const EMBEDDED_FOLDER = 'postgres';
/** The name of the database in messages: the folder of the embedded one, else the setting with its URL. */
export const databaseName = ({
  databaseUrl,
  dataFolder,
}: {
  databaseUrl?: string | undefined;
  dataFolder: string;
}): string => (databaseUrl === undefined ? join(dataFolder, EMBEDDED_FOLDER) : 'DATABASE_URL');
/** Where versions of Rmeet before PostgreSQL kept the embedded database. */
export const FORMER_FOLDER = 'database';

/** The data folder or its content cannot be used until a person acts; the message says how. */
export class DataFolderUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DataFolderUnusable';
  }
}

/** The database of a version before this one, which has to be moved first. */
class FormerDatabase extends DataFolderUnusable {
  constructor(dataFolder: string) {
    super(
      `The database in ${join(dataFolder, FORMER_FOLDER)} is of an earlier version of Rmeet, which stored it in ` +
        'another form. Bring it into this one: npm run move-database. It is kept as it is beside the new one.',
    );
  }
}

function writingTrouble(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (isDiskFull(error)) return new DiskFull(folder, { cause: error });
  const sentences: Record<string, string> = {
    EROFS: `${folder} lies on a file system that is read-only. Mount it writable, or set RMEET_DATA to another folder.`,
    EACCES:
      `This account may not write in ${folder}. Give it the folder ` +
      'and everything in it, or set RMEET_DATA to another one.',
    EPERM:
      `This account may not write in ${folder}. Give it the folder ` +
      'and everything in it, or set RMEET_DATA to another one.',
    ENOTDIR: `${folder} is no folder. Set RMEET_DATA to one.`,
    EEXIST: `${folder} is no folder. Set RMEET_DATA to one.`,
  };
  const sentence = sentences[code ?? ''];
  return sentence === undefined ? error : new DataFolderUnusable(sentence, { cause: error });
}

/**
 * Creates the data folder if it does not exist, and takes its lock: only one supervisor or one command-line program
 * works in it at a time.
 *
 * @param patience milliseconds to wait for another one that is ending
 * @throws LockTaken, DataFolderUnusable, DiskFull
 */
export async function holdDataFolder(folder: string, patience = 0): Promise<Lock> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await takeLock(join(folder, 'supervisor.lock'), patience);
  } catch (error) {
    throw writingTrouble(error, folder);
  }
}

/** @throws DataFolderUnusable */
function refuseFormer(dataFolder: string): void {
  if (!existsSync(join(dataFolder, EMBEDDED_FOLDER)) && existsSync(join(dataFolder, FORMER_FOLDER, 'PG_VERSION')))
    throw new FormerDatabase(dataFolder);
}

/** Whether there is a database in the data folder. */
export const hasEmbedded = (dataFolder: string): boolean =>
  existsSync(join(dataFolder, EMBEDDED_FOLDER)) || existsSync(join(dataFolder, FORMER_FOLDER, 'PG_VERSION'));

/** Where it runs: in its folder, on a socket; Windows needs a port. */
async function placeOf(dataFolder: string): Promise<{ folder: string; port?: number }> {
  const folder = join(dataFolder, EMBEDDED_FOLDER);
  return process.platform === 'win32' ? { folder, port: await freeTcpPort() } : { folder };
}

/**
 * The embedded database, kept running; it starts during this call.
 *
 * @throws DataFolderUnusable, PostgresUnusable
 */
export async function keepEmbedded(
  dataFolder: string,
  handlers: Pick<KeepPostgresOptions, 'onStarted' | 'onTrouble' | 'onGiveUp'>,
): Promise<PostgresKeeper> {
  refuseFormer(dataFolder);
  return keepPostgres({ ...(await placeOf(dataFolder)), ...handlers });
}

/**
 * Runs `work` on the embedded database of a data folder: that of the running server, or one started for this purpose.
 *
 * @param wantsAlone rejects the running server's database, since `work` needs exclusive use
 * @throws LockTaken, DataFolderUnusable, PostgresUnusable, or what `work` throws
 */
export async function withEmbedded<T>(
  dataFolder: string,
  work: (url: string) => Promise<T>,
  { wantsAlone = false } = {},
): Promise<T> {
  refuseFormer(dataFolder);
  const prepared = await preparePostgres(await placeOf(dataFolder));
  if (!wantsAlone && (await prepared.isRunning())) return work(prepared.url);
  const lock = await holdDataFolder(dataFolder);
  try {
    const postgres = await prepared.start();
    try {
      return await work(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    await lock.release();
  }
}
