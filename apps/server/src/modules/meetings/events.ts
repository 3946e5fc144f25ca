import type { TenantTx } from '../../platform/db/index.ts';
import type { Push } from '../../platform/push/index.ts';

/** Notifies all people of the tenant that lists of meetings are stale. */
export async function announceMeeting(push: Push, tx: TenantTx, meetId: string): Promise<void> {
  await push.publish(tx, 'activity', { type: 'meetingsChanged', meetId });
}
