import { eq } from 'drizzle-orm';
import type { TenantTx } from '../../../platform/db/index.ts';
import { AppError } from '../../../platform/http/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { tenant, type TenantRow } from '../../accounts/tenants/tables.ts';
import { countAdmitted, countAdmittedOfTenant } from '../repo.ts';
import type { ConferenceRow } from '../tables.ts';

/**
 * When the tenant's limit on the length of meetings ends a conference; null without one. Each conference of a meeting
 * counts anew.
 */
export function endsAt(
  { startedAt }: Pick<ConferenceRow, 'startedAt'>,
  { maxMeetingMinutes }: Pick<TenantRow, 'maxMeetingMinutes'>,
): Date | null {
  return maxMeetingMinutes === null ? null : new Date(startedAt.getTime() + maxMeetingMinutes * 60_000);
}

/**
 * Why the tenant has no places for this many more terminals; null when it has. `lock` holds the tenant's row, so that
 * terminals that come at once, in whichever conferences, are counted one after another.
 */
export async function placesRefusal(tx: TenantTx, newcomers: number, lock = false): Promise<AppError | null> {
  const limit = (await findTenant(tx, tx.tenantId))?.maxTerminals ?? null;
  if (limit === null || newcomers === 0) return null;
  if (lock) await tx.findOne(tenant, eq(tenant.tenantId, tx.tenantId), { lock: 'no key update' });
  return (await countAdmittedOfTenant(tx)) + newcomers > limit ? new AppError('QUOTA_TERMINALS', { limit }) : null;
}

/**
 * Makes sure there is room for terminals about to be let in. A conference takes its host beyond its own capacity, but
 * the tenant's places are what it has agreed on with the platform, hosts included.
 *
 * @throws AppError MEETING_FULL, QUOTA_TERMINALS
 */
export async function takePlaces(
  tx: TenantTx,
  conference: ConferenceRow,
  newcomers: number,
  capacity: number,
): Promise<void> {
  if ((await countAdmitted(tx, conference.id)) + newcomers > capacity)
    throw new AppError('MEETING_FULL', { limit: capacity });
  const refusal = await placesRefusal(tx, newcomers, true);
  if (refusal) throw refusal;
}
