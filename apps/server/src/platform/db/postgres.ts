import { setTimeout as wait } from 'node:timers/promises';
import { Client, Pool, type PoolClient } from 'pg';
import { DrizzleQueryError } from 'drizzle-orm';
import type { Log } from '../log/log.ts';
import { isDamage, sqlError } from './errors.ts';

const POOL_SIZE = 10;
/** Longer than any request may take (30 s), so that only a lost client reaches it. */
const STATEMENT_TIMEOUT = 60_000;
/** How long a request waits if all connections are in use: nearly as long as it may take. */
const CONNECT_TIMEOUT = 25_000;

/**
 * Planner settings for many concurrent requests that read few rows each: pages are usually in memory, and parallel
 * workers or JIT compilation do not pay off their start-up time.
 */
const PLANNING = '-c random_page_cost=1.1 -c max_parallel_workers_per_gather=0 -c jit=off';

/** The pool of connections for requests and jobs of this process. */
export function openPool(url: string, log: Log): Pool {
  const pool = new Pool({
    connectionString: url,
    max: POOL_SIZE,
    application_name: 'rmeet',
    options: PLANNING,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT,
  });
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ error }, 'A database connection was lost');
  });
  return pool;
}

/** The PostgreSQL server is too old for the product's statements. */
export class DatabaseTooOld extends Error {
  constructor(version: string) {
    super(`DATABASE_URL leads to PostgreSQL ${version}; Rmeet needs 15 or newer.`);
    this.name = 'DatabaseTooOld';
  }
}

/** @throws DatabaseTooOld */
export async function checkVersion(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  const [server] = rows;
  if (server && server.number < 150_000) throw new DatabaseTooOld(server.version);
}

/** All connections stayed in use, or the server is unavailable; its SQLSTATE marks a temporary failure. */
class NoConnection extends Error {
  readonly code = '08001';
  constructor(cause: unknown) {
    super('The database gave no connection.', { cause });
    this.name = 'NoConnection';
  }
}

/** Whether the driver itself failed (the cause of Drizzle's error), and neither the database nor the product. */
function isOfDriver(error: unknown): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  return (
    cause instanceof Error &&
    sqlError(cause) === undefined &&
    /^(?:Connection terminated|Client has encountered a connection error|read |write )/.test(cause.message)
  );
}

/**
 * A transaction's connection as Drizzle uses it; it throws once the transaction is over, because others use the
 * connection then.
 */
export type Connection = Pick<PoolClient, 'query'>;

/**
 * Runs `work` in one transaction, started by the statements of `begin`; commits when it resolves, rolls back when it
 * rejects.
 */
export async function inTransaction<T>(
  pool: Pool,
  log: Log,
  begin: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw isDamage(error) ? error : new NoConnection(error);
  });
  const onLost = (error: Error): void => log.warn({ error }, 'A database connection was lost in a transaction');
  client.on('error', onLost);
  let isOver = false;
  let broken: Error | undefined;
  const query = (...args: unknown[]): unknown => {
    if (isOver) throw new Error('This transaction is over.');
    return (client.query as (...all: unknown[]) => unknown).apply(client, args);
  };
  try {
    await client.query(begin);
    const result = await work({ query } as Connection);
    isOver = true;
    await client.query('commit');
    return result;
  } catch (error) {
    isOver = true;
    await client.query('rollback').catch((cause: Error) => (broken = cause));
    // node-postgres's error for a broken connection has no SQLSTATE.
    throw broken && isOfDriver(error) ? new NoConnection(error) : error;
  } finally {
    client.off('error', onLost);
    client.release(broken);
  }
}

export interface Listener {
  listen(channel: string, onPayload: (payload: string) => void, onGap: () => void): Promise<void>;
  close(): Promise<void>;
}

const HEARTBEAT = 15_000;
const RECONNECT_DELAYS = [100, 500, 1_000, 2_000, 5_000];

/**
 * A connection that only listens. It reconnects if the connection is lost, and then notifies its listeners of the gap.
 */
// oxlint-disable-next-line max-lines-per-function -- the states of one connection belong together
export function createListener(url: string, log: Log): Listener {
  const handlers = new Map<string, { onPayload: (payload: string) => void; onGap: () => void }[]>();
  const stopping = new AbortController();
  let client: Client | undefined;

  async function connect(): Promise<Client> {
    const next = new Client({
      connectionString: url,
      application_name: 'rmeet-listen',
      keepAlive: true,
      query_timeout: 5_000,
      connectionTimeoutMillis: 10_000,
    });
    const heartbeat = setInterval(() => void next.query('select 1').catch((error: unknown) => lost(error)), HEARTBEAT);
    let isLost = false;
    const lost = (error?: unknown): void => {
      if (isLost) return;
      isLost = true;
      clearInterval(heartbeat);
      if (client === next) client = undefined;
      if (stopping.signal.aborted) return;
      log.warn({ error }, 'The listening database connection was lost');
      void discard(next);
      void reconnect();
    };
    next.on('error', lost);
    next.on('end', () => lost());
    next.on('notification', ({ channel, payload }) => {
      for (const handler of handlers.get(channel) ?? []) handler.onPayload(payload ?? '');
    });
    try {
      await next.connect();
      for (const channel of handlers.keys()) await next.query(`listen ${next.escapeIdentifier(channel)}`);
    } catch (error) {
      isLost = true;
      clearInterval(heartbeat);
      throw error;
    }
    client = next;
    return next;
  }

  async function discard(lostClient: Client): Promise<void> {
    try {
      await lostClient.end();
    } catch (error) {
      log.debug({ error }, 'Closing a lost database connection failed');
    }
  }

  async function reconnect(): Promise<void> {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      await wait(RECONNECT_DELAYS[attempt] ?? 5_000);
      if (stopping.signal.aborted) return;
      try {
        await connect();
        for (const list of handlers.values()) for (const handler of list) handler.onGap();
        return;
      } catch (error) {
        log.warn({ error, attempt }, 'The listening database connection could not be reestablished yet');
      }
    }
  }

  return {
    async listen(channel, onPayload, onGap) {
      const list = handlers.get(channel) ?? [];
      list.push({ onPayload, onGap });
      handlers.set(channel, list);
      const open = client ?? (await connect());
      await open.query(`listen ${open.escapeIdentifier(channel)}`);
    },
    async close() {
      stopping.abort();
      await client?.end();
    },
  };
}
