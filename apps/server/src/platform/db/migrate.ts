import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { ensureRowSecurity } from './row-security.ts';
import type { Drizzle } from './scope.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
/** Any fixed number: the key of the advisory lock that keeps two starting servers from migrating at once. */
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
  /** Only the migrations of these hashes, as an older version had them. */
  only?: ReadonlySet<string>;
}

type Transaction = <T>(work: (tx: Drizzle) => Promise<T>) => Promise<T>;

/**
 * Brings the database to this version: all missing migrations and row security in one transaction, one server at a
 * time.
 *
 * @returns how many migrations were there before; 0 for a new database
 * @throws DatabaseNewer when the database has a migration this version does not know
 */
export async function migrate(
  transaction: Transaction,
  { folder = MIGRATIONS_FOLDER, only }: MigrateOptions = {},
): Promise<number> {
  const migrations = readMigrationFiles({ migrationsFolder: folder });
  return transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK_KEY})`);
    // Trigram indexes serve the searches by part of a name; on PostgreSQL the extensions are in the contrib package.
    await tx.execute(sql`create extension if not exists pg_trgm`);
    // No room is booked twice at a time: an exclusion constraint over an id and a stretch of time.
    await tx.execute(sql`create extension if not exists btree_gist`);
    await tx.execute(sql`create schema if not exists drizzle`);
    await tx.execute(
      sql`create table if not exists drizzle.migration (hash text primary key, created_at bigint not null)`,
    );
    const { rows } = (await tx.execute(sql`select hash from drizzle.migration`)) as { rows: { hash: string }[] };
    const applied = new Set(rows.map((row) => row.hash));
    const known = new Set(migrations.map((migration) => migration.hash));
    if (!applied.isSubsetOf(known) || (only && !only.isSubsetOf(known))) throw new DatabaseNewer();
    for (const migration of migrations) {
      if (applied.has(migration.hash) || (only && !only.has(migration.hash))) continue;
      for (const statement of migration.sql) await tx.execute(sql.raw(statement));
      await tx.execute(
        sql`insert into drizzle.migration (hash, created_at) values (${migration.hash}, ${migration.folderMillis})`,
      );
    }
    await ensureRowSecurity(tx);
    return applied.size;
  });
}
