import { z } from 'zod';
import type { Db } from '../../platform/db/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { recordAudit, systemOrigin } from './record.ts';
import { deleteAuditOlderThan } from './repo.ts';

interface RetentionDeps {
  db: Db;
  now: () => Date;
}

/** Rows deleted in one transaction. */
const BATCH = 1_000;

/**
 * Deletes rows older than each tenant's retention time, and records that in the log. The database rejects the deletion
 * of rows younger than six months.
 */
export async function clearAudit({ db, now }: RetentionDeps): Promise<void> {
  for (const { tenantId, name, auditMonths } of await db.platform((tx) => tx.find(tenant))) {
    let deleted = 0;
    for (let batch = BATCH; batch === BATCH; deleted += batch) {
      // As the platform: the role of tenants' own transactions may only insert into the log.
      batch = await db.platform((tx) => deleteAuditOlderThan(tx.asTenant(tenantId), now(), auditMonths, BATCH));
    }
    if (deleted === 0) continue;
    await db.tenant(tenantId, (tx) =>
      recordAudit(tx, systemOrigin('audit.clear'), now(), {
        target: { kind: 'tenant', id: tenantId, name },
        after: { deleted, months: auditMonths },
      }),
    );
  }
}

export function defineAuditJobs(jobs: Jobs, deps: RetentionDeps): void {
  jobs.define('audit-clear', z.object({}), () => clearAudit(deps));
  jobs.every('audit-clear', '23 3 * * *');
}
