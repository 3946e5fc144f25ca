import { sql } from 'drizzle-orm';
import { drizzle as drizzleOver } from 'drizzle-orm/node-postgres';
import type { ConstructorOptions } from 'pg-boss';
import type { Log } from '../log/log.ts';
import { DatabaseDamaged, isDamage, sqlError } from './errors.ts';
import { insideTransaction, refuseNested } from './guard.ts';
import { migrate } from './migrate.ts';
import { checkVersion, createListener, inTransaction, openPool } from './postgres.ts';
import { beginAs, ensureRole } from './row-security.ts';
import { fencedTx, platformTx, type Drizzle } from './scope.ts';
import type { Db } from './types.ts';

/** A database that is only opened. */
export interface Backend extends Pick<Db, 'listen' | 'close'> {
  /** One transaction, started by the statements of `begin`; without them, across tenants. */
  transaction: <T>(work: (tx: Drizzle) => Promise<T>, begin?: string) => Promise<T>;
  jobStore: JobStore;
  /** Damage found since it was opened. */
  damage: () => DatabaseDamaged | undefined;
}

/** How pg-boss connects to the same database. */
export type JobStore = Pick<ConstructorOptions, 'connectionString' | 'max' | 'application_name'>;

export interface OpenedDb {
  db: Db;
  jobStore: JobStore;
  /** Whether this start created the database. */
  isNew: boolean;
}

export interface OpenOptions {
  /** postgres:// URL. */
  url: string;
  log: Log;
  /** Its name in messages: the folder of the embedded database; default: DATABASE_URL. */
  name?: string;
  /** Migrations to use instead of the product's. */
  migrations?: string;
}

/**
 * Opens the database and brings it to this version.
 *
 * @throws DatabaseNewer, DatabaseTooOld, DatabaseDamaged, NoApplicationRole, or the driver's error if it cannot be
 * reached
 */
export async function openDb(options: OpenOptions): Promise<OpenedDb> {
  const backend = await openBackend(options);
  try {
    await ensureRole(backend.transaction);
    const before = await migrate(backend.transaction, { folder: options.migrations });
    return { db: createDb(backend, options.log), jobStore: backend.jobStore, isNew: before === 0 };
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/**
 * Opens the database without migrating it.
 *
 * @throws DatabaseTooOld, DatabaseDamaged, or the driver's error if it cannot be reached
 */
export async function openBackend({ url, log, name = 'DATABASE_URL' }: OpenOptions): Promise<Backend> {
  const pool = openPool(url, log);
  let damage: DatabaseDamaged | undefined;
  /** The error to throw instead of the original one: damage is remembered, and logged once. */
  const seen = (error: unknown): unknown => {
    if (!isDamage(error)) return error;
    const found = new DatabaseDamaged(name, sqlError(error)?.message ?? '', { cause: error });
    if (!damage) log.error(found.message);
    damage ??= found;
    return found;
  };
  try {
    await checkVersion(pool);
  } catch (error) {
    await pool.end();
    throw seen(error);
  }
  const listener = createListener(url, log);
  return {
    transaction: async (work, begin = 'begin') => {
      try {
        return await inTransaction(pool, log, begin, (connection) =>
          work(drizzleOver({ client: connection as never })),
        );
      } catch (error) {
        throw seen(error);
      }
    },
    damage: () => damage,
    jobStore: { connectionString: url, max: 4, application_name: 'rmeet-jobs' },
    listen: (channel, onPayload, onGap) => listener.listen(channel, onPayload, onGap),
    close: async () => {
      await listener.close();
      await pool.end();
    },
  };
}

function createDb({ transaction: begin, damage, listen, close }: Backend, log: Log): Db {
  /** One transaction; functions registered with afterCommit run once it is committed and the connection is free. */
  async function transaction<T>(
    work: (tx: Drizzle, afterCommit: (run: () => void | Promise<void>) => void) => Promise<T>,
    statements?: string,
  ): Promise<T> {
    refuseNested();
    const afterwards: (() => void | Promise<void>)[] = [];
    const result = await begin((tx) => insideTransaction(() => work(tx, (run) => afterwards.push(run))), statements);
    for (const run of afterwards) {
      try {
        await run();
      } catch (error) {
        log.error({ error }, 'Work after a commit failed');
      }
    }
    return result;
  }
  return {
    listen,
    close,
    tenant: async (tenantId, work) =>
      transaction((tx, afterCommit) => work(fencedTx(tx, tenantId, afterCommit)), beginAs(tenantId)),
    platform: (work) => transaction((tx, afterCommit) => work(platformTx(tx, afterCommit))),
    notify: async (channel, payload) => {
      await transaction((tx) => tx.execute(sql`select pg_notify(${channel}, ${payload})`));
    },
    ping: async () => {
      const found = damage();
      if (found) throw found;
      await transaction((tx) => tx.execute(sql`select 1`));
    },
  };
}
