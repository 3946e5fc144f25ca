import { eq } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { tenant, type TenantRow } from '../../accounts/tenants/tables.ts';
import { countAdmitted, countAdmittedOfTenant } from '../repo.ts';
import type { ConferenceRow } from '../tables.ts';

/**
 * When the tenant's limit on the length of meetings ends a conference; null if there is no limit. It applies to each
 * conference of a meeting separately.
 */
export function endsAt(
  { startedAt }: Pick<ConferenceRow, 'startedAt'>,
  { maxMeetingMinutes }: Pick<TenantRow, 'maxMeetingMinutes'>,
): Date | null {
  return maxMeetingMinutes === null ? null : new Date(startedAt.getTime() + maxMeetingMinutes * 60_000);
}

/**
 * The error if the tenant has no places for this many more terminals, else null. `lock` locks the tenant's row, so that
 * concurrent joins to any of its conferences are counted one after another.
 */
export async function capacityRefusal(tx: TenantTx, newcomers: number, lock = false): Promise<AppError | null> {
  const limit = (await findTenant(tx, tx.tenantId))?.maxTerminals ?? null;
  if (limit === null || newcomers === 0) return null;
  if (lock) await tx.findOne(tenant, eq(tenant.tenantId, tx.tenantId), { lock: 'no key update' });
  return (await countAdmittedOfTenant(tx)) + newcomers > limit ? new AppError('QUOTA_TERMINALS', { limit }) : null;
}

/**
 * Checks that there are places for terminals about to be admitted. The host of a conference does not count towards the
 * conference's capacity, but does count towards the tenant's places.
 *
 * @throws AppError MEETING_FULL, QUOTA_TERMINALS
 */
export async function reserveCapacity(
  tx: TenantTx,
  conference: ConferenceRow,
  newcomers: number,
  capacity: number,
): Promise<void> {
  if ((await countAdmitted(tx, conference.id)) + newcomers > capacity)
    throw new AppError('MEETING_FULL', { limit: capacity });
  const refusal = await capacityRefusal(tx, newcomers, true);
  if (refusal) throw refusal;
}
