import { Worker } from 'node:worker_threads';
import { refuseNested } from './guard.ts';
import type { QueryResult, WorkerAnswer, WorkerCall } from './pglite-rpc.ts';

interface QueryOptions {
  rowMode?: 'array' | 'object';
}

/** One query at a time; the part of PGlite's interface that Drizzle and pg-boss use. */
export interface PgliteTransaction {
  query(sql: string, params?: unknown[], options?: QueryOptions): Promise<QueryResult>;
  exec(sql: string): Promise<QueryResult[]>;
}

interface Pending {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * PGlite in its own thread, with the methods of PGlite that Drizzle and pg-boss call.
 * There is one connection: statements and transactions take turns. Using it inside a transaction of its own throws
 * NestedTransaction instead of waiting for ever.
 */
export class PgliteClient implements PgliteTransaction {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, Set<(payload: string) => void>>();
  readonly #ready: Promise<void>;
  #turn: Promise<void> = Promise.resolve();
  #lastId = 0;
  #ended: Error | undefined;

  /** @param onLost called when the thread dies by itself; the process cannot go on without it */
  static async open(folder: string, onLost: (error: Error) => void): Promise<PgliteClient> {
    const client = new PgliteClient(folder, onLost);
    await client.#ready;
    return client;
  }

  private constructor(folder: string, onLost: (error: Error) => void) {
    this.#worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), { workerData: { folder } });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#ready = promise;
    const lose = (error: Error): void => {
      if (this.#ended) return;
      this.#ended = error;
      reject(error);
      for (const pending of this.#pending.values()) pending.reject(error);
      this.#pending.clear();
      onLost(error);
    };
    this.#worker.on('message', (answer: WorkerAnswer) => {
      if ('ready' in answer) resolve();
      else if ('fatal' in answer) lose(new Error(answer.fatal));
      else this.#settle(answer);
    });
    this.#worker.on('error', (error) => lose(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', (code) => lose(new Error(`The database thread ended with code ${code}.`)));
  }

  #settle(answer: Exclude<WorkerAnswer, { ready: true } | { fatal: string }>): void {
    if ('channel' in answer) {
      for (const listener of this.#listeners.get(answer.channel) ?? []) listener(answer.payload);
      return;
    }
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if ('error' in answer) pending?.reject(Object.assign(new Error(answer.error.message), answer.error));
    else pending?.resolve(answer.result);
  }

  #call(call: WorkerCall): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      this.#worker.postMessage({ ...call, id });
    });
  }

  /** Waits for the connection; resolves with the function that gives it back. */
  async #takeTurn(): Promise<() => void> {
    refuseNested();
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#turn;
    this.#turn = promise;
    await before;
    return resolve;
  }

  async #alone(call: WorkerCall): Promise<unknown> {
    const done = await this.#takeTurn();
    try {
      return await this.#call(call);
    } finally {
      done();
    }
  }

  query(sql: string, params: unknown[] = [], { rowMode }: QueryOptions = {}): Promise<QueryResult> {
    return this.#alone({ kind: 'query', sql, params, rowMode, inTransaction: false }) as Promise<QueryResult>;
  }

  exec(sql: string): Promise<QueryResult[]> {
    return this.#alone({ kind: 'exec', sql, inTransaction: false }) as Promise<QueryResult[]>;
  }

  /** Runs `work` in one transaction, started by the statements of `begin`; commits when it resolves, rolls back when it rejects. */
  async transaction<T>(work: (tx: PgliteTransaction) => Promise<T>, begin = 'begin'): Promise<T> {
    const done = await this.#takeTurn();
    let open = true;
    const use = (call: WorkerCall): Promise<unknown> => {
      if (!open) throw new Error('This transaction is over.');
      return this.#call(call);
    };
    const tx: PgliteTransaction = {
      query: (sql, params = [], { rowMode } = {}) =>
        use({ kind: 'query', sql, params, rowMode, inTransaction: true }) as Promise<QueryResult>,
      exec: (sql) => use({ kind: 'exec', sql, inTransaction: true }) as Promise<QueryResult[]>,
    };
    try {
      await tx.exec(begin);
      const result = await work(tx);
      await tx.exec('commit');
      return result;
    } catch (error) {
      if (!this.#ended) await tx.exec('rollback');
      throw error;
    } finally {
      open = false;
      done();
    }
  }

  /** Calls `listener` with the payload of each NOTIFY on the channel. */
  async listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>> {
    const known = this.#listeners.get(channel);
    const listeners = known ?? new Set();
    listeners.add(listener);
    this.#listeners.set(channel, listeners);
    if (!known) await this.#alone({ kind: 'listen', channel, inTransaction: false });
    return async () => {
      listeners.delete(listener);
    };
  }

  /** Copies the database as it is now to a new folder; everything else waits meanwhile. */
  async snapshot(folder: string): Promise<void> {
    await this.#alone({ kind: 'snapshot', folder, inTransaction: false });
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    await this.#alone({ kind: 'close', inTransaction: false });
    this.#ended = new Error('The database is closed.');
    await this.#worker.terminate();
  }
}
