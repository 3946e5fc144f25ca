import type { z } from 'zod';
import type { Tx } from '../db/index.ts';

export interface SendOptions {
  /** Not before this time. */
  startAfter?: Date;
  /** At most one waiting job of a name has this key. */
  key?: string;
}

/** Background work that survives a restart; on PostgreSQL any server process may run it. A failed job is tried again twice. */
export interface Jobs {
  /** Declares a job before start(). `run` may be called twice for one job, when a process dies in between. */
  define<S extends z.ZodType>(name: string, data: S, run: (data: z.output<S>) => Promise<void>): void;
  /** Queues a job; with `tx` only when it commits. */
  send(tx: Tx | undefined, name: string, data: object, options?: SendOptions): Promise<void>;
  /** Runs the job with `{}` by a cron expression of five fields, UTC; once in all server processes. */
  every(name: string, cron: string): void;
}
