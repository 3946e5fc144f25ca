import { z } from 'zod';
import type { Db } from '../../platform/db/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import { dropOldFailures } from './attempts.ts';
import { dropOldCaptchas } from './captcha.ts';
import type { Sessions } from './sessions.ts';

/** Clears away what has expired. */
export function defineAuthJobs(jobs: Jobs, { db, sessions, now }: { db: Db; sessions: Sessions; now: () => Date }): void {
  jobs.define('auth-clear', z.object({}), async () => {
    await db.platform(async (tx) => {
      await dropOldCaptchas(tx, now());
      await dropOldFailures(tx, now());
      await sessions.dropExpired(tx);
    });
  });
  jobs.every('auth-clear', '7 * * * *');
}
