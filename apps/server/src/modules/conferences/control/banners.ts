import type { ConferenceControl } from '@rmeet/conference';
import type { Db } from '../../../platform/db/index.ts';
import { findRunning } from '../repo.ts';
import type { ConferenceRow } from '../tables.ts';
import type { Control } from './control.ts';
import { SERVER } from './authorization.ts';

/** Whose captions have expired: termIds, and null for the caption shown to everybody. */
function expiredIn({ banner, terminals }: ConferenceControl, now: Date): (string | null)[] {
  const isExpired = (one: ConferenceControl['banner'] | undefined): boolean =>
    !!one?.until && Date.parse(one.until) <= now.getTime();
  const ofTerminals = Object.keys(terminals).filter((termId) => isExpired(terminals[termId]?.banner));
  return isExpired(banner) ? [null, ...ofTerminals] : ofTerminals;
}

/** Removes expired captions from the state, for terminals that arrive later. Terminals hide them by themselves. */
export async function clearBanners(
  { db, control, now }: { db: Db; control: Control; now: () => Date },
  running: readonly ConferenceRow[],
): Promise<void> {
  for (const one of running) {
    if (expiredIn(one.control, now()).length === 0) continue;
    await db.tenant(one.tenantId, async (tx) => {
      const conference = await findRunning(tx, one.meetingId, true);
      if (conference?.id !== one.id) return;
      for (const termId of expiredIn(conference.control, now()))
        await control.execute(tx, conference, { verb: 'banner', termId, banner: null }, SERVER, null);
    });
  }
}
