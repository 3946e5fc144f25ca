import { z } from 'zod';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import { REPORT_JOB, reportJob, type Mailing } from './mailing.ts';
import type { Counting } from './rounds.ts';

const COUNT_JOB = 'statistics-count';
const COUNT_ALL_JOB = 'statistics-count-all';
const QUEUE_JOB = 'statistics-reports';
/** The first count of a large installation reads years. */
const COUNT_WITHIN = 6 * 3_600;

/** Counts every hour, and sends the reports of the last month each morning until all are sent. */
export function defineStatisticsJobs(
  jobs: Jobs,
  { counting, mailing }: { counting: Counting; mailing: Mailing },
): void {
  jobs.define(COUNT_ALL_JOB, z.object({}), () => counting.countAll());
  jobs.every(COUNT_ALL_JOB, '11 * * * *', { expiresAfter: COUNT_WITHIN });
  jobs.define(COUNT_JOB, z.object({ tenantId: z.uuid() }), ({ tenantId }) => counting.countTenant(tenantId));
  jobs.define(QUEUE_JOB, z.object({}), () => mailing.queue());
  jobs.every(QUEUE_JOB, '41 5 * * *');
  jobs.define(REPORT_JOB, reportJob, (job) => mailing.send(job), { retries: 5, retryAfter: 300 });
}

/** Counts a tenant soon. If that cannot be queued, the hourly count does it. */
export const countSoonBy =
  (jobs: Jobs, log: Log) =>
  (tenantId: string): void => {
    jobs
      .send(undefined, COUNT_JOB, { tenantId }, { key: tenantId })
      .catch((error: unknown) => log.warn({ error, tenantId }, 'A count of statistics could not be queued'));
  };
