import { PgBoss, fromDrizzle } from 'pg-boss';
import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import { drizzleOf, type JobStore } from '../db/index.ts';
import type { Log } from '../log/log.ts';
import type { Jobs } from './types.ts';

interface Definition {
  data: z.ZodType;
  run: (data: never) => Promise<void>;
}

interface Schedule {
  name: string;
  cron: string;
}

export interface JobRunner extends Jobs {
  /** Makes the queues and begins to work; jobs sent before wait for it. */
  start(): Promise<void>;
  /** Lets running jobs finish, for two seconds at most. */
  stop(): Promise<void>;
}

const SCHEMA = 'jobs';
const STOP_WITHIN = 2_000;
const POLL_SECONDS = 2;

/** Jobs in the product's own database, by pg-boss. */
export function createJobs(store: JobStore, log: Log): JobRunner {
  const definitions = new Map<string, Definition>();
  const schedules: Schedule[] = [];
  const boss = new PgBoss({ ...store, schema: SCHEMA });
  boss.on('error', (error) => log.warn({ error }, 'The job queue met an error'));
  const started = Promise.withResolvers<void>();
  // Whoever sends awaits it; a start that fails with nobody waiting is reported by start() itself.
  started.promise.catch(() => undefined);
  let isStarted = false;

  async function work(name: string, { data, run }: Definition): Promise<void> {
    await boss.createQueue(name, { retryLimit: 2, retryDelay: 5, retryBackoff: true, policy: 'standard' });
    await boss.work<object>(name, { pollingIntervalSeconds: POLL_SECONDS, batchSize: 1 }, async ([job]) => {
      if (!job) return;
      try {
        await run((await data.parseAsync(job.data ?? {})) as never);
      } catch (error) {
        log.error({ error, job: name }, 'A job failed');
        throw error;
      }
    });
  }

  return {
    define(name, data, run) {
      if (definitions.has(name)) throw new Error(`Job ${name} is defined twice.`);
      definitions.set(name, { data, run });
    },
    every(name, cron) {
      schedules.push({ name, cron });
    },
    async send(tx, name, data, { startAfter, key } = {}) {
      if (!definitions.has(name)) throw new Error(`Job ${name} is not defined.`);
      await started.promise;
      await boss.send(name, data, {
        ...(startAfter ? { startAfter } : {}),
        ...(key === undefined ? {} : { singletonKey: key }),
        ...(tx ? { db: fromDrizzle(drizzleOf(tx) as never, sql) } : {}),
      });
    },
    async start() {
      try {
        await boss.start();
        isStarted = true;
        for (const [name, definition] of definitions) await work(name, definition);
        for (const { name, cron } of schedules) await boss.schedule(name, cron, {}, { tz: 'UTC' });
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
