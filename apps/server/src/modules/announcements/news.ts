import { PLATFORM_TENANT_ID } from '@rmeet/contract';
import { z } from 'zod';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Push } from '../../platform/push/index.ts';
import { customerIds, findDue, setDue } from './repo.ts';
import type { AnnouncementRow } from './tables.ts';

interface NewsDeps {
  db: Db;
  push: Push;
  jobs: Jobs;
  log: Log;
  now: () => Date;
}

const ROUND = 'announcements-round';
const EVENT = { type: 'announcementsChanged' };

/** When a published announcement appears or disappears next; null if it does neither by itself any more. */
export function nextDue({ startsAt, endsAt }: Pick<AnnouncementRow, 'startsAt' | 'endsAt'>, now: Date): Date | null {
  if (startsAt !== null && startsAt > now) return startsAt;
  return endsAt !== null && endsAt > now ? endsAt : null;
}

/**
 * Notifies open pages that announcements appeared, changed or disappeared. A tenant's are notified within the
 * transaction of the change; the platform's concern every tenant, so the next round does that, one tenant after the
 * other, and holds no topic longer than one tenant takes.
 */
export function createNews({ db, push, jobs, log, now }: NewsDeps) {
  /** Notifies the pages of a tenant, or of all. */
  async function notify(tenantId: string): Promise<void> {
    const ids = tenantId === PLATFORM_TENANT_ID ? await db.platform(customerIds) : [tenantId];
    for (const id of ids) await db.tenant(id, (tx) => push.publish(tx, 'user', EVENT));
  }

  return {
    /**
     * Within the transaction of a change.
     *
     * @returns when the announcement is due next, for its row
     */
    async tell(tx: TenantTx, row: Pick<AnnouncementRow, 'startsAt' | 'endsAt' | 'state'>): Promise<Date | null> {
      if (tx.tenantId === PLATFORM_TENANT_ID) {
        // Not within the transaction, which would wait for the queue.
        tx.afterCommit(() => {
          jobs
            .send(undefined, ROUND, {}, { key: ROUND })
            .catch((error: unknown) => log.warn({ error }, 'Announcements wait for the next round'));
        });
        return now();
      }
      await push.publish(tx, 'user', EVENT);
      return row.state === 'published' ? nextDue(row, now()) : null;
    },

    /** Notifies pages about announcements that are due; returns how many. */
    async round(): Promise<number> {
      const due = await db.platform((tx) => findDue(tx, now()));
      for (const tenantId of new Set(due.map((row) => row.tenantId))) await notify(tenantId);
      for (const row of due) {
        const dueAt = row.state === 'published' ? nextDue(row, now()) : null;
        await db.tenant(row.tenantId, (tx) => setDue(tx, row, dueAt));
      }
      return due.length;
    },
  };
}

export type News = ReturnType<typeof createNews>;

/** Each minute, and when the platform publishes: what appears or disappears is shown on open pages. */
export function defineAnnouncementJobs(jobs: Jobs, news: News): void {
  jobs.define(ROUND, z.object({}), async () => {
    await news.round();
  });
  jobs.every(ROUND, '* * * * *');
}
