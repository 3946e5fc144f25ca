import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import { recordAudit, systemOrigin } from '../../audit/index.ts';
import { knownDevice, session } from '../auth/tables.ts';
import { directoryAccount } from '../directories/tables.ts';
import { accountPermission } from '../permissions/tables.ts';
import { accountRole } from '../roles/tables.ts';
import { broadcastAllowed } from '../../live/tables.ts';
import { recordingGrant } from '../../recordings/tables.ts';
import { RESTORABLE_FOR } from './policy.ts';
import { accountsToPurge } from './repo.ts';
import { account, formerPassword } from './tables.ts';

interface PurgeDeps {
  db: Db;
  now: () => Date;
}

const BATCH = 200;

/**
 * Removes sessions, grants and personal data of accounts deleted 30 days ago, and frees their names. The rows stay,
 * because meetings refer to them.
 */
export async function purgeDeleted({ db, now }: PurgeDeps): Promise<void> {
  for (;;) {
    const purged = await db.platform(async (tx) => {
      const rows = await accountsToPurge(tx, new Date(now().getTime() - RESTORABLE_FOR), BATCH);
      for (const { id, tenantId } of rows) {
        await tx.delete(session, eq(session.accountId, id));
        await tx.delete(knownDevice, eq(knownDevice.accountId, id));
        await tx.delete(accountRole, eq(accountRole.accountId, id));
        await tx.delete(accountPermission, eq(accountPermission.accountId, id));
        await tx.delete(recordingGrant, eq(recordingGrant.accountId, id));
        await tx.delete(broadcastAllowed, eq(broadcastAllowed.accountId, id));
        await tx.delete(formerPassword, eq(formerPassword.accountId, id));
        await tx.delete(directoryAccount, eq(directoryAccount.accountId, id));
        // A name that no account can have, so that the job cannot fail on a taken one.
        await tx.update(
          account,
          {
            account: `#${id}`,
            name: '',
            email: '',
            phone: '',
            department: '',
            passwordHash: '',
            isTenantAdmin: false,
            managedBy: 'local',
            lastLoginAt: null,
          },
          eq(account.id, id),
        );
        // Without the name, which is personal data.
        await recordAudit(tx.asTenant(tenantId), systemOrigin('users.purge'), now(), {
          target: { kind: 'account', id, name: '' },
        });
      }
      return rows.length;
    });
    if (purged < BATCH) return;
  }
}

export function defineUserJobs(jobs: Jobs, deps: PurgeDeps): void {
  jobs.define('users-purge', z.object({}), () => purgeDeleted(deps));
  jobs.every('users-purge', '23 2 * * *');
}
