import { API_CALL_DAYS, ONE_DAY } from '@rmeet/contract';
import { inArray, lt, lte } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import { apiAssertion, apiCall, apiSecret, apiToken } from './tables.ts';

interface ClearDeps {
  db: Db;
  now: () => Date;
}

/** Calls deleted in one transaction. */
const BATCH = 10_000;

/** Deletes calls after 30 days, and what has expired: tokens, replaced secrets, numbers of signed requests. */
export async function clearApiRecords({ db, now }: ClearDeps): Promise<void> {
  await db.platform(async (tx) => {
    await tx.delete(apiToken, lte(apiToken.expiresAt, now()));
    await tx.delete(apiSecret, lte(apiSecret.expiresAt, now()));
    await tx.delete(apiAssertion, lte(apiAssertion.expiresAt, now()));
  });
  const before = new Date(now().getTime() - API_CALL_DAYS * ONE_DAY);
  for (let deleted = BATCH; deleted === BATCH;) {
    deleted = await db.platform(async (tx) => {
      const old = await tx.find(apiCall, lt(apiCall.at, before), { limit: BATCH });
      const ids = old.map((row) => row.id);
      if (ids.length > 0) await tx.delete(apiCall, inArray(apiCall.id, ids));
      return ids.length;
    });
  }
}

export function defineApiRecordJobs(jobs: Jobs, deps: ClearDeps): void {
  jobs.define('api-records-clear', z.object({}), () => clearApiRecords(deps));
  jobs.every('api-records-clear', '41 * * * *');
}
