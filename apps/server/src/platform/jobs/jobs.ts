import { PgBoss, fromDrizzle, type ConstructorOptions } from 'pg-boss';
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { asOwner, type JobStore, type Tx } from '../db/index.ts';
import type { Log } from '../log/log.ts';
import type { Attempt, Jobs } from './types.ts';

interface Definition {
  data: z.ZodType;
  run: (data: never, attempt: Attempt) => Promise<void>;
  retries: number;
  retryAfter: number;
}

interface Schedule {
  name: string;
  cron: string;
  options: { tz: string; expireInSeconds?: number };
}

function optionsOf(expiresAfter: number | undefined): Schedule['options'] {
  return { tz: 'UTC', ...(expiresAfter === undefined ? {} : { expireInSeconds: expiresAfter }) };
}

export interface JobRunner extends Jobs {
  /** Creates the queues and starts to process jobs; jobs sent before wait for it. */
  start(): Promise<void>;
  /** Lets running jobs finish, for at most two seconds. */
  stop(): Promise<void>;
}

/**
 * pg-boss's statements in the sender's transaction. Jobs belong to all tenants, so a tenant's own role has no access to
 * them.
 */
function within(tx: Tx): NonNullable<ConstructorOptions['db']> {
  return {
    executeSql: (text, values) => asOwner(tx, (drizzle) => fromDrizzle(drizzle as never, sql).executeSql(text, values)),
  };
}

const SCHEMA = 'jobs';
const STOP_WITHIN = 2_000;
const POLL_SECONDS = 2;
const RETRIES = 2;
const RETRY_AFTER = 5;

/** Creates a job's queue and runs its jobs. Returns the id of the worker that does. */
async function work(
  boss: PgBoss,
  log: Log,
  name: string,
  { data, run, retries, retryAfter }: Definition,
): Promise<string> {
  await boss.createQueue(name, {
    retryLimit: retries,
    retryDelay: retryAfter,
    retryBackoff: true,
    policy: 'standard',
  });
  const options = { pollingIntervalSeconds: POLL_SECONDS, batchSize: 1, includeMetadata: true } as const;
  return boss.work<object, void, typeof options>(name, options, async ([job]) => {
    if (!job) return;
    try {
      await run((await data.parseAsync(job.data ?? {})) as never, { isLast: job.retryCount >= job.retryLimit });
    } catch (error) {
      log.error({ error, job: name }, 'A job failed');
      throw error;
    }
  });
}

/** Jobs in the product's own database, with pg-boss. */
export function createJobs(store: JobStore, log: Log): JobRunner {
  const definitions = new Map<string, Definition>();
  const schedules: Schedule[] = [];
  const boss = new PgBoss({ ...store, schema: SCHEMA });
  boss.on('error', (error) => log.warn({ error }, 'The job queue met an error'));
  const workers = new Map<string, string>();
  /** Does not wait until the queue is read the next time. */
  const wake = (name: string): void => {
    const worker = workers.get(name);
    if (worker !== undefined) boss.notifyWorker(worker);
  };
  const started = Promise.withResolvers<void>();
  // Senders await it; if there are none, start() itself reports the failure.
  started.promise.catch(() => undefined);
  let isStarted = false;

  return {
    define(name, data, run, { retries = RETRIES, retryAfter = RETRY_AFTER } = {}) {
      if (definitions.has(name)) throw new Error(`Job ${name} is defined twice.`);
      definitions.set(name, { data, run, retries, retryAfter });
    },
    every(name, cron, { expiresAfter } = {}) {
      schedules.push({ name, cron, options: optionsOf(expiresAfter) });
    },
    async send(tx, name, data, { startAfter, key } = {}) {
      if (!definitions.has(name)) throw new Error(`Job ${name} is not defined.`);
      await started.promise;
      await boss.send(name, data, {
        ...(startAfter ? { startAfter } : {}),
        ...(key === undefined ? {} : { singletonKey: key }),
        ...(tx ? { db: within(tx) } : {}),
      });
      if (startAfter) return;
      if (tx) tx.afterCommit(() => wake(name));
      else wake(name);
    },
    async start() {
      try {
        await boss.start();
        isStarted = true;
        for (const [name, definition] of definitions) workers.set(name, await work(boss, log, name, definition));
        for (const schedule of schedules) await boss.schedule(schedule.name, schedule.cron, {}, schedule.options);
        const wanted = new Set(schedules.map(({ name }) => name));
        for (const { name } of await boss.getSchedules()) if (!wanted.has(name)) await boss.unschedule(name);
        started.resolve();
      } catch (error) {
        started.reject(error);
        throw error;
      }
    },
    async stop() {
      if (isStarted) await boss.stop({ graceful: true, timeout: STOP_WITHIN, close: true });
    },
  };
}
