import { readdir, readFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join, sep } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Drizzle } from '../db/scope.ts';
import { quoted, rowsOf, tablesOf, type TableShape } from './catalogue.ts';
import type { BackupWriter } from './format.ts';

const ROWS_AT_ONCE = 500;
const PIECE_BYTES = 48 * 1024;

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

/** Every file below the folder; names that begin with a dot are incomplete files. */
async function filesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function dumpFiles(folder: string, writer: BackupWriter): Promise<number> {
  const paths = await filesBelow(folder);
  for (const path of paths) {
    await writer.head({ file: path.slice(folder.length + 1).replaceAll(sep, '/') });
    for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES }))
      await writer.piece(piece as Buffer);
  }
  return paths.length;
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
  /** The folder with the files and the key. */
  dataFolder: string;
  /** The key comes from the environment and is not part of the backup. */
  hasOwnKey: boolean;
  version: string;
  /** Leaves out the stored files, which stay in place. */
  leavesFiles?: boolean;
}

/**
 * Writes all data of the product: the rows as of one moment, stored files, and the installation's key if it is in the
 * data folder. Waiting jobs are left out; regular ones are declared again at the next start.
 *
 * @param tx a transaction without earlier statements
 */
export async function dump(
  tx: Drizzle,
  { writer, dataFolder, hasOwnKey, version, leavesFiles = false }: DumpOptions,
): Promise<{ rows: number; files: number }> {
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
  const files = leavesFiles ? 0 : await dumpFiles(join(dataFolder, 'files'), writer);
  return { rows, files };
}
