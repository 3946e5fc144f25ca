import { eq, or, lte } from 'drizzle-orm';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type Db } from '../../../platform/db/index.ts';
import { PLATFORM_TENANT_ID } from '../../accounts/tenants/index.ts';
import { reconcilerLease } from '../tables.ts';

const NAME = 'conferences';
/** After a process died, another one takes over after this long. */
const LEASE = 5_000;
const RENEW_AT = 2_500;

/** Makes one server process among several responsible for running conferences. */
export interface Lease {
  /** Whether this process has the lease now. Takes it if it is free, and renews it in time. */
  hold(): Promise<boolean>;
  release(): Promise<void>;
}

export function createLease(db: Db, now: () => Date): Lease {
  const holder = newId();
  let expiresAt = 0;

  return {
    async hold() {
      const at = now();
      if (expiresAt - at.getTime() > RENEW_AT) return true;
      const next = new Date(at.getTime() + LEASE);
      const held = await db.platform(async (tx) => {
        const mine = or(eq(reconcilerLease.holder, holder), lte(reconcilerLease.expiresAt, at));
        const renewed =
          mine &&
          (await tx.update(reconcilerLease, { holder, expiresAt: next }, allOf(eq(reconcilerLease.name, NAME), mine)));
        if (renewed && renewed.length > 0) return true;
        const first = await tx.insert(
          reconcilerLease,
          { name: NAME, tenantId: PLATFORM_TENANT_ID, holder, expiresAt: next },
          'nothing',
        );
        return first.length > 0;
      });
      expiresAt = held ? next.getTime() : 0;
      return held;
    },
    async release() {
      if (expiresAt === 0) return;
      expiresAt = 0;
      await db.platform((tx) => tx.delete(reconcilerLease, eq(reconcilerLease.holder, holder)));
    },
  };
}
