import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/index.ts';
import { databaseName, openBackend, withEmbedded } from '../db/index.ts';
import { ensureRole } from '../db/row-security.ts';
import type { Drizzle } from '../db/scope.ts';
import type { Log } from '../log/log.ts';
import { writeDurably } from '../durable/index.ts';
import { openSecretBox } from '../secrets/index.ts';
import { storageOf, type Storage } from '../storage/index.ts';
import { rowsOf } from './catalogue.ts';
import { readBackup, readBackupHead, type BackupHead } from './format.ts';
import { dropEverything, hasData, load, type FileSink } from './load.ts';
import { missingIn, type RecordingFile } from './recordings.ts';

/** The reason why this backup is not restored here, as a message for the user. */
export class RestoreRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'RestoreRefused';
  }
}

/** Stores the files of a backup one after the other, and keeps its list of recordings' files. */
function fileSink(storage: Storage, recordings: RecordingFile[]): FileSink {
  let open: { stream: PassThrough; stored: Promise<unknown> } | undefined;
  return {
    async begin(key) {
      const stream = new PassThrough();
      const stored = storage.put(key, stream);
      stored.catch((error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))));
      open = { stream, stored };
    },
    async piece(bytes) {
      if (open && !open.stream.write(bytes)) await once(open.stream, 'drain');
    },
    async end() {
      open?.stream.end();
      await open?.stored;
    },
    listed: (file) => recordings.push(file),
  };
}

async function keyIn(folder: string): Promise<string | undefined> {
  const file = join(folder, 'secret.key');
  return existsSync(file) ? (await readFile(file, 'utf8')).trim() : undefined;
}

/** The key for the sealed values of the backup: the one it contains, else the one of this installation. */
async function secretKeyFor(head: BackupHead, config: Config): Promise<string | undefined> {
  if (config.secretKey !== undefined && head.secretKey !== null && config.secretKey !== head.secretKey) {
    throw new RestoreRefused(
      'The backup was written under another key than RMEET_SECRET_KEY. Unset it, and the key of the backup is used.',
    );
  }
  return head.secretKey ?? config.secretKey ?? keyIn(config.dataFolder);
}

/** Rejects rows sealed with a key that is not available: all sign-ins would fail with them. */
async function checkKey(tx: Drizzle, key: string | undefined, dataFolder: string): Promise<void> {
  const sealed = await rowsOf<{ name: string; sealed: string }>(tx, 'select name, sealed from sealed_secret');
  if (sealed.length === 0) return;
  const reason =
    'The backup does not carry its key, because it came from RMEET_SECRET_KEY. ' +
    'Set RMEET_SECRET_KEY to the same value, then restore again.';
  if (key === undefined) throw new RestoreRefused(reason);
  const box = openSecretBox(dataFolder, key);
  try {
    for (const row of sealed) box.open(row.sealed, row.name);
  } catch {
    throw new RestoreRefused(reason);
  }
}

/** A server that was just stopped has connections for a moment longer. */
const STOPPED_WITHIN_MS = 2_000;

/** Whether a server is connected to the database. */
async function isServed(tx: Drizzle): Promise<boolean> {
  // Within a transaction, the view is otherwise the one that was read first.
  await tx.execute('select pg_stat_clear_snapshot()');
  const [server] = await rowsOf<{ found: boolean }>(
    tx,
    `
    select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name in ('rmeet', 'rmeet-listen', 'rmeet-jobs')) as found`,
  );
  return server?.found === true;
}

/** No server may use the database while all of its content is replaced. */
async function refuseWhileServed(tx: Drizzle): Promise<void> {
  const deadline = performance.now() + STOPPED_WITHIN_MS;
  while (await isServed(tx)) {
    if (performance.now() > deadline) throw new RestoreRefused('A server is running on this database. Stop it first.');
    await wait(100);
  }
}

async function putKey(key: string, folder: string): Promise<void> {
  const file = join(folder, 'secret.key');
  const present = await keyIn(folder);
  if (present === key) return;
  if (present !== undefined) await rename(file, join(folder, `secret.key.${Date.now()}`));
  writeDurably(file, `${key}\n`);
}

export interface RestoreOptions {
  /** Discards the existing content of the database. */
  replace: boolean;
}

/**
 * Restores a backup into this installation's database, from either kind of database. All rows or none: if it fails, the
 * database is unchanged. `missing` are files of recordings that the backup lists and the storage lacks.
 *
 * @throws RestoreRefused, BackupUnreadable, DatabaseNewer (the backup is of a newer version), LockTaken (a server runs
 * here)
 */
export async function restore(
  config: Config,
  path: string,
  options: RestoreOptions,
  log: Log,
): Promise<{ head: BackupHead; rows: number; missing: RecordingFile[] }> {
  const head = await readBackupHead(path);
  const key = await secretKeyFor(head, config);
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 });
  const bringIn = (url: string): Promise<Restored> => restoreInto(url, config, { path, head, key }, options, log);
  const { rows, recordings } =
    config.databaseUrl === undefined
      ? await withEmbedded(config.dataFolder, bringIn, { wantsAlone: true })
      : await bringIn(config.databaseUrl);
  return { head, rows, missing: await missingIn(storageOf(config), recordings) };
}

interface Restored {
  rows: number;
  recordings: RecordingFile[];
}

async function restoreInto(
  url: string,
  config: Config,
  { path, head, key }: { path: string; head: BackupHead; key: string | undefined },
  { replace }: RestoreOptions,
  log: Log,
): Promise<Restored> {
  const { dataFolder, secretKey } = config;
  const backend = await openBackend({ url, log, name: databaseName(config) });
  try {
    await ensureRole(backend.transaction);
    const recordings: RecordingFile[] = [];
    const rows = await backend.transaction(async (tx) => {
      await refuseWhileServed(tx);
      if (!replace && (await hasData(tx)))
        throw new RestoreRefused(
          'This database holds accounts already. To throw them away and restore in their place, add --replace.',
        );
      await dropEverything(tx);
      const loaded = await load(tx, head, readBackup(path), fileSink(storageOf(config), recordings));
      await checkKey(tx, key, dataFolder);
      return loaded.rows;
    });
    if (key !== undefined && secretKey === undefined) await putKey(key, dataFolder);
    await backend.transaction((tx) => rowsOf(tx, 'analyze'));
    return { rows, recordings };
  } finally {
    await backend.close();
  }
}
