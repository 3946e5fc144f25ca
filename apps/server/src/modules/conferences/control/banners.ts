import type { ConferenceControl } from '@rmeet/conference';
import type { Db } from '../../../platform/db/index.ts';
import { findRunning } from '../repo.ts';
import type { ConferenceRow } from '../tables.ts';
import type { Control } from './control.ts';
import { SERVER } from './authorization.ts';

/** Whose captions are over: termIds, and null for those of all. */
function overIn({ banner, terminals }: ConferenceControl, now: Date): (string | null)[] {
  const isOver = (one: ConferenceControl['banner'] | undefined): boolean =>
    !!one?.until && Date.parse(one.until) <= now.getTime();
  const ofTerminals = Object.keys(terminals).filter((termId) => isOver(terminals[termId]?.banner));
  return isOver(banner) ? [null, ...ofTerminals] : ofTerminals;
}

/**
 * Takes captions away whose time is over. Terminals hide them by themselves; this is for the state, and for who comes
 * later.
 */
export async function clearBanners(
  { db, control, now }: { db: Db; control: Control; now: () => Date },
  running: readonly ConferenceRow[],
): Promise<void> {
  for (const one of running) {
    if (overIn(one.control, now()).length === 0) continue;
    await db.tenant(one.tenantId, async (tx) => {
      const conference = await findRunning(tx, one.meetingId, true);
      if (conference?.id !== one.id) return;
      for (const termId of overIn(conference.control, now()))
        await control.execute(tx, conference, { verb: 'banner', termId, banner: null }, SERVER, null);
    });
  }
}
