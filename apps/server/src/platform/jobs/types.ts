import type { z } from 'zod';
import type { Tx } from '../db/index.ts';

export interface SendOptions {
  /** Not before this time. */
  startAfter?: Date;
  /** At most one waiting job of a name has this key. */
  key?: string;
}

export interface JobOptions {
  /** How often a failed job is retried, each time after twice the previous delay; default: twice. */
  retries?: number;
  /** Seconds until the first retry; default: five. */
  retryAfter?: number;
}

export interface Attempt {
  /** If it fails now, it is not retried. */
  isLast: boolean;
}

/** Background work that survives a restart; on PostgreSQL any server process may run it. */
export interface Jobs {
  /** Declares a job before start(). `run` may be called twice for one job, if a process dies in between. */
  define<S extends z.ZodType>(
    name: string,
    data: S,
    run: (data: z.output<S>, attempt: Attempt) => Promise<void>,
    options?: JobOptions,
  ): void;
  /** Queues a job; with `tx` only if it commits. */
  send(tx: Tx | undefined, name: string, data: object, options?: SendOptions): Promise<void>;
  /**
   * Runs the job with `{}` by a cron expression of five fields, UTC; once across all server processes. One that takes
   * longer than `expiresAfter` (seconds; default: 15 minutes, at most a day) counts as failed.
   */
  every(name: string, cron: string, options?: { expiresAfter?: number }): void;
}
