import { eq } from 'drizzle-orm';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log/log.ts';
import { tenant } from '../accounts/tenants/tables.ts';
import { dayOf, monthsOf } from './calendar.ts';
import { countSpan, countStorage, dueFrom, firstDay, forgetDetailed } from './counting.ts';
import { findSettings } from './settings.ts';
import { statisticSetting } from './tables.ts';

interface CountingDeps {
  db: Db;
  log: Log;
  now: () => Date;
}

/** Counts what happened in all tenants since the last time. */
export function createCounting({ db, log, now }: CountingDeps) {
  /** Counts the days of a tenant that may have changed; after a change of the time zone, all that have details. */
  async function countTenant(tenantId: string): Promise<void> {
    const at = now();
    const due = await db.tenant(tenantId, async (tx) => {
      const { timeZone, isStale } = await findSettings(tx);
      if (!isStale) return { timeZone, isStale, from: await dueFrom(tx, { now: at, timeZone }) };
      await forgetDetailed(tx, timeZone);
      return { timeZone, isStale, from: (await firstDay(tx, timeZone)) ?? dayOf(at, timeZone) };
    });
    const { timeZone, isStale, from } = due;
    for (const month of monthsOf({ from, to: dayOf(at, timeZone) }))
      await db.tenant(tenantId, (tx) => countSpan(tx, { ...month, timeZone, now: at }));
    await db.tenant(tenantId, async (tx) => {
      await countStorage(tx, { now: at, timeZone });
      if (isStale) await tx.update(statisticSetting, { isStale: false }, eq(statisticSetting.timeZone, timeZone));
    });
  }

  return {
    countTenant,

    /** Every tenant, the platform's own included, whose people sign in. One that fails does not stop the others. */
    async countAll(): Promise<void> {
      const failures: unknown[] = [];
      for (const { tenantId } of await db.platform((tx) => tx.find(tenant))) {
        try {
          await countTenant(tenantId);
        } catch (error) {
          log.error({ error, tenantId }, 'The statistics of a tenant could not be counted');
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'The statistics of some tenants are not up to date.');
    },
  };
}

export type Counting = ReturnType<typeof createCounting>;
