import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { ensureRowSecurity } from './row-security.ts';
import type { Drizzle } from './scope.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
/** Folder below it: the migrations that its first one replaces. Databases and backups may have some of them. */
const BEFORE_FOLDER = 'before';
/** Any fixed number: the key of the advisory lock that prevents two starting servers from migrating at once. */
const LOCK_KEY = 7_263_810;

/** The database was written by a newer version of Rmeet. */
export class DatabaseNewer extends Error {
  constructor() {
    super(
      'The database belongs to a newer version of Rmeet than this one. ' +
        'Install that version again, or restore a backup made before it.',
    );
    this.name = 'DatabaseNewer';
  }
}

export interface MigrateOptions {
  folder?: string | undefined;
  /** Only the migrations with these hashes, as in an older version. */
  only?: ReadonlySet<string>;
}

type Transaction = <T>(work: (tx: Drizzle) => Promise<T>) => Promise<T>;

type MigrationMeta = ReturnType<typeof readMigrationFiles>[number];

/**
 * Brings the database to this version: all missing migrations and row security in one transaction, one server at a
 * time. A database with migrations of `before/` gets the rest of those instead of the first migration, which creates
 * the same schema (docs/decisions/squashed-migrations.md).
 *
 * @returns how many migrations were applied before; 0 for a new database
 * @throws DatabaseNewer if the database has a migration this version does not know
 */
export async function migrate(
  transaction: Transaction,
  { folder = MIGRATIONS_FOLDER, only }: MigrateOptions = {},
): Promise<number> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  const beforeFolder = join(folder, BEFORE_FOLDER);
  const before = existsSync(beforeFolder) ? readMigrationFiles({ migrationsFolder: beforeFolder }) : [];
  return transaction(async (tx) => {
    const applied = await readApplied(tx);
    const known = new Set([...before, ...migrations].map(({ hash }) => hash));
    if (!applied.isSubsetOf(known) || (only && !only.isSubsetOf(known))) throw new DatabaseNewer();
    const missing = (migration: MigrationMeta): boolean =>
      !applied.has(migration.hash) && (!only || only.has(migration.hash));
    let remaining = migrations;
    if (before.some(({ hash }) => (only ?? applied).has(hash))) {
      await apply(tx, before.filter(missing));
      if (!only) remaining = await replaceBefore(tx, before, migrations);
    }
    await apply(tx, remaining.filter(missing));
    await ensureRowSecurity(tx);
    return applied.size;
  });
}

/** Locks the list of applied migrations, creating it in a new database, and returns the hashes in it. */
async function readApplied(tx: Drizzle): Promise<Set<string>> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK_KEY})`);
  // Searches by part of a name use trigram indexes; for an external PostgreSQL, the extensions are in the contrib
  // package.
  await tx.execute(sql`create extension if not exists pg_trgm`);
  // A room has one booking at a time: an exclusion constraint on an id and a time interval.
  await tx.execute(sql`create extension if not exists btree_gist`);
  await tx.execute(sql`create schema if not exists drizzle`);
  await tx.execute(
    sql`create table if not exists drizzle.migration (hash text primary key, created_at bigint not null)`,
  );
  const { rows } = (await tx.execute(sql`select hash from drizzle.migration`)) as { rows: { hash: string }[] };
  return new Set(rows.map((row) => row.hash));
}

async function apply(tx: Drizzle, migrations: readonly MigrationMeta[]): Promise<void> {
  for (const migration of migrations) {
    for (const statement of migration.sql) await tx.execute(sql.raw(statement));
    await record(tx, migration);
  }
}

async function record(tx: Drizzle, { hash, folderMillis }: MigrationMeta): Promise<void> {
  await tx.execute(sql`insert into drizzle.migration (hash, created_at) values (${hash}, ${folderMillis})`);
}

/**
 * Records the first migration in place of those before it, so that the database equals a new one.
 *
 * @returns the migrations after the first
 */
async function replaceBefore(
  tx: Drizzle,
  before: readonly MigrationMeta[],
  [first, ...rest]: readonly MigrationMeta[],
): Promise<MigrationMeta[]> {
  if (!first) throw new Error('There is no migration in place of those before it.');
  await tx.execute(sql`delete from drizzle.migration where hash in ${before.map(({ hash }) => hash)}`);
  await record(tx, first);
  return rest;
}
