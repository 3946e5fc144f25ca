import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import { recordAudit, systemOrigin } from '../../audit/index.ts';
import { INVITATION_JOB, type Invitations } from './invitations.ts';
import { RESTORABLE_FOR } from './policy.ts';
import type { AccountSessions } from './ports.ts';
import { purgeAccount } from './purge.ts';
import { accountsToPurge } from './repo.ts';
import { TASK_JOB, type UserTasks } from './tasks/index.ts';

interface PurgeDeps {
  db: Db;
  now: () => Date;
  sessions: Pick<AccountSessions, 'eraseFactors'>;
}

const BATCH = 200;

/** Erases accounts that were deleted 30 days ago. */
export async function purgeDeleted({ db, now, sessions }: PurgeDeps): Promise<void> {
  for (;;) {
    const purged = await db.platform(async (tx) => {
      const rows = await accountsToPurge(tx, new Date(now().getTime() - RESTORABLE_FOR), BATCH);
      for (const { id, tenantId } of rows) {
        const own = tx.asTenant(tenantId);
        await purgeAccount(own, sessions, id);
        // Without the name, which is personal data.
        await recordAudit(own, systemOrigin('users.purge'), now(), { target: { kind: 'account', id, name: '' } });
      }
      return rows.length;
    });
    if (purged < BATCH) return;
  }
}

interface JobDeps extends PurgeDeps {
  invitations: Pick<Invitations, 'send'>;
  tasks: Pick<UserTasks, 'run' | 'clear'>;
}

export function defineUserJobs(jobs: Jobs, { invitations, tasks, ...deps }: JobDeps): void {
  jobs.define('users-purge', z.object({}), async () => {
    await purgeDeleted(deps);
    await tasks.clear();
  });
  jobs.every('users-purge', '23 2 * * *');
  // Each minute, for what a server left that has stopped, and for mails that the mail server refused for now.
  jobs.define(INVITATION_JOB, z.object({}), () => invitations.send());
  jobs.every(INVITATION_JOB, '* * * * *');
  jobs.define(TASK_JOB, z.object({}), () => tasks.run());
  jobs.every(TASK_JOB, '* * * * *');
}
