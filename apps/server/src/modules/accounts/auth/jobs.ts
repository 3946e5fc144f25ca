import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import { dropOldFailures } from './attempts.ts';
import { dropOldCaptchas } from './captcha.ts';
import { dropOldDevices } from './devices.ts';
import { dropOldFactorRows } from './factors/repo.ts';
import { dropOldTickets } from './handover.ts';
import { dropOldChallenges } from './passkeys/repo.ts';
import { dropOldCodes } from './phone-codes.ts';
import { dropOldScans } from './scan.ts';
import type { Sessions } from './sessions.ts';

interface ClearDeps {
  db: Db;
  sessions: Sessions;
  now: () => Date;
}

/** Deletes captchas, failed attempts, tickets, challenges, devices and sessions that have expired. */
export async function clearExpired({ db, sessions, now }: ClearDeps): Promise<void> {
  await db.platform(async (tx) => {
    await dropOldCaptchas(tx, now());
    await dropOldFailures(tx, now());
    await dropOldTickets(tx, now());
    await dropOldScans(tx, now());
    await dropOldCodes(tx, now());
    await dropOldFactorRows(tx, now());
    await dropOldChallenges(tx, now());
    await dropOldDevices(tx, now());
    await sessions.dropExpired(tx);
  });
}

export function defineAuthJobs(jobs: Jobs, deps: ClearDeps): void {
  jobs.define('auth-clear', z.object({}), () => clearExpired(deps));
  jobs.every('auth-clear', '7 * * * *');
}
