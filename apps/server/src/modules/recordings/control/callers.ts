import type { Db } from '../../../platform/db/index.ts';
import type { DeskCaller } from '../../../platform/http/index.ts';
import { findHeld } from './leases.ts';

/**
 * The recorder of a token, as a desk that looks on: for the push topic of its recording's meeting, as long as it holds
 * the recording. Such a token opens no call.
 */
export function createRecorderCallers({ db }: { db: Db }) {
  return async (token: string): Promise<DeskCaller | undefined> => {
    const held = await db.platform((tx) => findHeld(tx, token));
    if (!held?.leaseHolder || !held.leaseUntil) return undefined;
    return {
      kind: 'desk',
      tenantId: held.tenantId,
      meetId: held.meetingId,
      part: 'deskViewer',
      scope: 'control',
      linkId: held.leaseHolder,
      name: '',
      expiresAt: held.leaseUntil,
    };
  };
}
