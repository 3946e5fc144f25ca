import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { drizzle as drizzleOver } from 'drizzle-orm/node-postgres';
import { fromPglite, type ConstructorOptions } from 'pg-boss';
import type { Log } from '../log/log.ts';
import { insideTransaction, refuseNested } from './guard.ts';
import { takeLock } from './lock.ts';
import { migrate } from './migrate.ts';
import { PgliteClient, type PgliteTransaction } from './pglite-client.ts';
import { upkeepOf } from './pglite-upkeep.ts';
import { checkVersion, createListener, inTransaction, openPool } from './postgres.ts';
import { beginAs, ensureRole } from './row-security.ts';
import { fencedTx, platformTx, type Drizzle } from './scope.ts';
import type { Db } from './types.ts';

const LOCK_PATIENCE = 10_000;

/** A database, opened and nothing else done. */
export interface Backend extends Pick<Db, 'kind' | 'listen' | 'close'> {
  /** One transaction, started by the statements of `begin`; across tenants without. */
  transaction: <T>(work: (tx: Drizzle) => Promise<T>, begin?: string) => Promise<T>;
  jobStore: JobStore;
  /** Copies the embedded database to a new folder, as it is now; PostgreSQL has its own ways. */
  snapshot?: (folder: string) => Promise<void>;
  /** Frees dead rows and gathers statistics where the embedded database needs it; PostgreSQL has autovacuum. */
  upkeep?: () => Promise<void>;
}

/** How pg-boss reaches the same database. */
export type JobStore = Pick<ConstructorOptions, 'db' | 'backend' | 'connectionString' | 'max' | 'application_name'>;

export interface OpenedDb {
  db: Db;
  jobStore: JobStore;
  snapshot: Backend['snapshot'];
  upkeep: Backend['upkeep'];
  /** Whether this start made the database. */
  isNew: boolean;
}

export interface OpenOptions {
  /** postgres:// URL; the embedded database in `folder` when missing. */
  url: string | undefined;
  folder: string;
  log: Log;
  /** The database is gone for good (its thread died); the process should end and be started again. */
  onLost: (error: Error) => void;
  /** Other migrations than the product's. */
  migrations?: string;
  /** Milliseconds to wait for the server before this one to let go of the data folder. */
  lockPatience?: number;
}

/**
 * Opens the database and brings it to this version.
 *
 * @throws LockTaken, DatabaseNewer, DatabaseTooOld, NoApplicationRole, or the driver's error when it cannot be reached
 */
export async function openDb(options: OpenOptions): Promise<OpenedDb> {
  const backend = await openBackend(options);
  try {
    await ensureRole(backend.transaction);
    const before = await migrate(backend.transaction, { folder: options.migrations });
    const { jobStore, snapshot, upkeep } = backend;
    return { db: createDb(backend, options.log), jobStore, snapshot, upkeep, isNew: before === 0 };
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/** Opens the database as it is. Throws like openDb, but for DatabaseNewer. */
export function openBackend(options: OpenOptions): Promise<Backend> {
  return options.url ? openPostgres(options.url, options.log) : openPglite(options);
}

async function openPglite({ folder, onLost, lockPatience = LOCK_PATIENCE }: OpenOptions): Promise<Backend> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await takeLock(join(folder, 'database.lock'), lockPatience);
  try {
    const client = await PgliteClient.open(join(folder, 'database'), onLost);
    return {
      kind: 'pglite',
      transaction: (work, begin) => client.transaction((tx) => work(drizzleOver({ client: asPgClient(tx) as never })), begin),
      jobStore: { db: fromPglite(client as never), backend: 'pglite' },
      snapshot: (target) => client.snapshot(target),
      upkeep: () => upkeepOf(client),
      listen: async (channel, onPayload) => {
        await client.listen(channel, onPayload);
      },
      close: async () => {
        await client.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * The embedded database's transaction as node-postgres' client, of which Drizzle uses query() alone. Drizzle's own
 * PGlite driver would load PGlite into this thread too, half a second of every start.
 */
function asPgClient(tx: PgliteTransaction): object {
  return { query: (config: { text: string; rowMode?: 'array' }, params: unknown[]) => tx.query(config.text, params, { rowMode: config.rowMode ?? 'object' }) };
}

async function openPostgres(url: string, log: Log): Promise<Backend> {
  const pool = openPool(url, log);
  try {
    await checkVersion(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const listener = createListener(url, log);
  return {
    kind: 'postgres',
    transaction: (work, begin = 'begin') => inTransaction(pool, log, begin, (connection) => work(drizzleOver({ client: connection as never }))),
    jobStore: { connectionString: url, max: 4, application_name: 'rmeet-jobs' },
    listen: (channel, onPayload, onGap) => listener.listen(channel, onPayload, onGap),
    close: async () => {
      await listener.close();
      await pool.end();
    },
  };
}

function createDb({ transaction: begin, kind, listen, close }: Backend, log: Log): Db {
  /** One transaction; what was registered with afterCommit runs once it is committed and the connection is free. */
  async function transaction<T>(work: (tx: Drizzle, afterCommit: (run: () => void | Promise<void>) => void) => Promise<T>, statements?: string): Promise<T> {
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
    kind,
    listen,
    close,
    tenant: async (tenantId, work) => transaction((tx, afterCommit) => work(fencedTx(tx, tenantId, afterCommit)), beginAs(tenantId)),
    platform: (work) => transaction((tx, afterCommit) => work(platformTx(tx, afterCommit))),
    notify: async (channel, payload) => {
      await transaction((tx) => tx.execute(sql`select pg_notify(${channel}, ${payload})`));
    },
    ping: async () => {
      await transaction((tx) => tx.execute(sql`select 1`));
    },
  };
}
