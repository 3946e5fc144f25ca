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
import { checkVersion, createListener, openPool } from './postgres.ts';
import { platformTx, tenantTx, type Drizzle } from './scope.ts';
import type { Db } from './types.ts';

const LOCK_PATIENCE = 10_000;

interface Backend extends Pick<Db, 'kind' | 'listen' | 'close'> {
  transaction: <T>(work: (tx: Drizzle) => Promise<T>) => Promise<T>;
  jobStore: JobStore;
}

/** How pg-boss reaches the same database. */
export type JobStore = Pick<ConstructorOptions, 'db' | 'backend' | 'connectionString' | 'max' | 'application_name'>;

export interface OpenedDb {
  db: Db;
  jobStore: JobStore;
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
 * @throws LockTaken, DatabaseNewer, DatabaseTooOld, or the driver's error when it cannot be reached
 */
export async function openDb(options: OpenOptions): Promise<OpenedDb> {
  const backend = options.url ? await openPostgres(options.url, options.log) : await openPglite(options);
  try {
    const before = await migrate(backend.transaction, options.migrations);
    return { db: createDb(backend, options.log), jobStore: backend.jobStore, isNew: before === 0 };
  } catch (error) {
    await backend.close();
    throw error;
  }
}

async function openPglite({ folder, onLost, lockPatience = LOCK_PATIENCE }: OpenOptions): Promise<Backend> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await takeLock(join(folder, 'database.lock'), lockPatience);
  try {
    const client = await PgliteClient.open(join(folder, 'database'), onLost);
    return {
      kind: 'pglite',
      transaction: (work) => client.transaction((tx) => work(drizzleOver({ client: asPgClient(tx) as never }))),
      jobStore: { db: fromPglite(client as never), backend: 'pglite' },
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
  const drizzle = drizzleOver({ client: pool });
  return {
    kind: 'postgres',
    transaction: (work) => drizzle.transaction(work),
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
  async function transaction<T>(work: (tx: Drizzle, afterCommit: (run: () => void | Promise<void>) => void) => Promise<T>): Promise<T> {
    refuseNested();
    const afterwards: (() => void | Promise<void>)[] = [];
    const result = await begin((tx) => insideTransaction(() => work(tx, (run) => afterwards.push(run))));
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
    tenant: (tenantId, work) => transaction((tx, afterCommit) => work(tenantTx(tx, tenantId, afterCommit))),
    platform: (work) => transaction((tx, afterCommit) => work(platformTx(tx, afterCommit))),
    notify: async (channel, payload) => {
      await transaction((tx) => tx.execute(sql`select pg_notify(${channel}, ${payload})`));
    },
    ping: async () => {
      await transaction((tx) => tx.execute(sql`select 1`));
    },
  };
}
