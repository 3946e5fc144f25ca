import { sql } from 'drizzle-orm';
import { migrate } from '../db/migrate.ts';
import type { Drizzle } from '../db/scope.ts';
import { quoted, rowsOf, tablesOf } from './catalogue.ts';
import { BackupUnreadable, type BackupHead, type BackupLine } from './format.ts';
import type { RecordingFile } from './recordings.ts';

/** Characters of rows sent to the database at once. */
const BATCH_CHARACTERS = 1_000_000;
const BATCH_ROWS = 1_000;

/** Whether the database already contains user data. */
export async function hasData(tx: Drizzle): Promise<boolean> {
  const [table] = await rowsOf<{ found: boolean }>(tx, `select to_regclass('public.account') is not null as found`);
  if (!table?.found) return false;
  const [account] = await rowsOf<{ found: boolean }>(tx, 'select exists (select from account) as found');
  return account?.found === true;
}

/** Removes every table and function of the product. */
export async function dropEverything(tx: Drizzle): Promise<void> {
  const tables = await rowsOf<{ name: string }>(
    tx,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'drizzle')`,
  );
  for (const { name } of tables) await tx.execute(sql.raw(`drop table ${name} cascade`));
  const functions = await rowsOf<{ name: string }>(
    tx,
    `
    select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  );
  for (const { name } of functions) await tx.execute(sql.raw(`drop function ${name} cascade`));
  await tx.execute(sql.raw('drop schema if exists jobs cascade'));
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** Drops the foreign keys, so that rows may be inserted in any order; returns how to restore them. */
async function dropForeignKeys(tx: Drizzle): Promise<ForeignKey[]> {
  const keys = await rowsOf<ForeignKey>(
    tx,
    `
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  for (const { table, name } of keys) await tx.execute(sql.raw(`alter table ${table} drop constraint ${name}`));
  return keys;
}

/** Inserts rows table by table, in batches. */
class Loader {
  readonly #tx: Drizzle;
  #target: { name: string; columns: string } | undefined;
  #rows: string[] = [];
  #characters = 0;
  count = 0;

  constructor(tx: Drizzle) {
    this.#tx = tx;
  }

  async table(name: string, columns: readonly string[]): Promise<void> {
    await this.flush();
    this.#target = { name: quoted(name), columns: columns.map(quoted).join(', ') };
  }

  async row(json: string): Promise<void> {
    this.#rows.push(json);
    this.#characters += json.length;
    this.count += 1;
    if (this.#rows.length >= BATCH_ROWS || this.#characters >= BATCH_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#rows.length === 0) return;
    if (!this.#target) throw new BackupUnreadable('rows come before their table');
    const { name, columns } = this.#target;
    const rows = `[${this.#rows.join(',')}]`;
    this.#rows = [];
    this.#characters = 0;
    // The database parses the JSON itself: numbers and times keep every digit.
    await this.#tx.execute(sql`insert into ${sql.raw(name)} (${sql.raw(columns)}) overriding system value
      select ${sql.raw(columns)} from jsonb_populate_recordset(null::${sql.raw(name)}, ${rows}::jsonb)`);
  }
}

/** Sets every sequence to a value after the inserted rows. */
async function advanceSequences(tx: Drizzle): Promise<void> {
  // From the catalogue itself: with pg_get_serial_sequence, the planner may evaluate it on tables of other schemas
  // first.
  const sequences = await rowsOf<{ table: string; column: string; sequence: string }>(
    tx,
    `
    select owner.oid::regclass::text as table, quote_ident(attribute.attname) as column,
           depend.objid::regclass::text as sequence
      from pg_depend depend
      join pg_class sequence on sequence.oid = depend.objid and sequence.relkind = 'S'
      join pg_class owner on owner.oid = depend.refobjid and owner.relnamespace = 'public'::regnamespace
      join pg_attribute attribute on attribute.attrelid = owner.oid and attribute.attnum = depend.refobjsubid
     where depend.classid = 'pg_class'::regclass and depend.refclassid = 'pg_class'::regclass
       and depend.deptype in ('a', 'i')`,
  );
  for (const { table, column, sequence } of sequences) {
    await tx.execute(
      sql.raw(`select setval('${sequence}', greatest((select coalesce(max(${column}), 0) from ${table}), 1))`),
    );
  }
}

/** Receives pieces of stored files. */
export interface FileSink {
  begin(key: string): Promise<void>;
  piece(bytes: Buffer): Promise<void>;
  end(): Promise<void>;
  /** A file of a recording that the backup only lists. */
  listed(file: RecordingFile): void;
}

/**
 * Fills an empty database from a backup: its tables at the backup's version, its rows, then the newer migrations of
 * this version.
 *
 * @throws DatabaseNewer when the backup is of a newer version, BackupUnreadable
 */
export async function load(
  tx: Drizzle,
  head: BackupHead,
  lines: AsyncIterable<BackupLine>,
  files: FileSink,
): Promise<{ rows: number }> {
  await tx.execute(sql.raw('set local statement_timeout = 0'));
  await migrate((work) => work(tx), { only: new Set(head.migrations) });
  const keys = await dropForeignKeys(tx);
  const tables = await tablesOf(tx);
  if (tables.length > 0) await tx.execute(sql.raw(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`));
  const known = new Set(tables.map(({ name }) => name));
  const loader = new Loader(tx);
  let inFile = false;
  for await (const line of lines) {
    if ('row' in line) await loader.row(line.row);
    else if ('piece' in line) await files.piece(line.piece);
    else if ('table' in line) {
      if (!known.has(line.table)) throw new BackupUnreadable(`there is no table ${line.table}`);
      await loader.table(line.table, line.columns);
    } else if ('file' in line) {
      if (inFile) await files.end();
      await files.begin(line.file);
      inFile = true;
    } else if ('recordingFile' in line) files.listed({ key: line.recordingFile, size: line.size });
  }
  await loader.flush();
  if (inFile) await files.end();
  for (const { table, name, definition } of keys)
    await tx.execute(sql.raw(`alter table ${table} add constraint ${name} ${definition}`));
  await advanceSequences(tx);
  await migrate((work) => work(tx));
  return { rows: loader.count };
}
