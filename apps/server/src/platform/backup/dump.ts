import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Drizzle } from '../db/scope.ts';
import { quoted, rowsOf, tablesOf, type TableShape } from './catalogue.ts';
import type { Storage } from '../storage/index.ts';
import type { BackupWriter } from './format.ts';
import { isOfRecording, type RecordingFile } from './recordings.ts';

const ROWS_AT_ONCE = 500;

async function dumpTable(tx: Drizzle, { name, columns, key }: TableShape, writer: BackupWriter): Promise<number> {
  await writer.head({ table: name, columns });
  const order = key.length > 0 ? ` order by ${key.map(quoted).join(', ')}` : '';
  // With a cursor, so that a large table is never completely in memory.
  await tx.execute(
    sql.raw(
      'declare backup_rows no scroll cursor for select to_jsonb(t)::text as row from (select ' +
        `${columns.map(quoted).join(', ')} from ${quoted(name)}${order}) t`,
    ),
  );
  let count = 0;
  for (;;) {
    const rows = await rowsOf<{ row: string }>(tx, `fetch ${ROWS_AT_ONCE} from backup_rows`);
    for (const { row } of rows) await writer.row(row);
    count += rows.length;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await tx.execute(sql.raw('close backup_rows'));
  return count;
}

/** Writes the stored files, and the list of those of recordings. */
async function dumpFiles(storage: Storage, writer: BackupWriter): Promise<Omit<Dumped, 'rows'>> {
  const keys: string[] = [];
  const recordings: RecordingFile[] = [];
  for await (const { key, size } of storage.list())
    if (isOfRecording(key)) recordings.push({ key, size });
    else keys.push(key);
  for (const key of keys.toSorted()) {
    const content = await storage.get(key);
    await writer.head({ file: key });
    for await (const piece of content) await writer.piece(piece as Buffer);
  }
  for (const { key, size } of recordings) await writer.head({ recordingFile: key, size });
  return { files: keys.length, recordings };
}

async function secretKeyOf(dataFolder: string): Promise<string | null> {
  try {
    return (await readFile(join(dataFolder, 'secret.key'), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export interface DumpOptions {
  writer: BackupWriter;
  /** The folder with the key. */
  dataFolder: string;
  /** The stored files; null leaves them out, and they stay in place. */
  storage: Storage | null;
  /** The key comes from the environment and is not part of the backup. */
  hasOwnKey: boolean;
  version: string;
}

/** What a backup contains. */
export interface Dumped {
  rows: number;
  files: number;
  /** The files that it only lists. */
  recordings: RecordingFile[];
}

/**
 * Writes all data of the product: the rows as of one moment, stored files, and the installation's key if it is in the
 * data folder. Waiting jobs are left out; regular ones are declared again at the next start.
 *
 * @param tx a transaction without earlier statements
 */
export async function dump(
  tx: Drizzle,
  { writer, dataFolder, storage, hasOwnKey, version }: DumpOptions,
): Promise<Dumped> {
  await tx.execute(sql.raw('set transaction isolation level repeatable read, read only'));
  await tx.execute(sql.raw('set local statement_timeout = 0'));
  await tx.execute(sql.raw('set local idle_in_transaction_session_timeout = 0'));
  const migrations = await rowsOf<{ hash: string }>(tx, 'select hash from drizzle.migration order by created_at');
  await writer.head({
    rmeet: 'backup',
    format: 1,
    version,
    createdAt: new Date().toISOString(),
    migrations: migrations.map(({ hash }) => hash),
    secretKey: hasOwnKey ? null : await secretKeyOf(dataFolder),
  });
  let rows = 0;
  for (const table of await tablesOf(tx)) rows += await dumpTable(tx, table, writer);
  // After the rows: a file that a row names existed before the row.
  const stored = storage === null ? { files: 0, recordings: [] } : await dumpFiles(storage, writer);
  return { rows, ...stored };
}
