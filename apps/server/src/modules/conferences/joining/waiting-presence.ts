import type { Log } from '../../../platform/log/log.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { touchWaiting } from '../repo.ts';

/** How often waiting terminals with a socket here are noted as being there. */
const TOUCH_EVERY = 10_000;

/**
 * Keeps in the database which waiting terminals still have a push socket, at whichever server process: people who wait
 * are not on the media engine, so nothing else tells that they are there.
 */
export function createPresence({ db, push, now, log }: { db: Db; push: Push; now: () => Date; log: Log }) {
  const here = new Set<string>();
  let touchedAt = 0;

  push.onConnection((caller, state) => {
    if (caller.kind !== 'terminal') return;
    if (state === 'open' && caller.state === 'waiting') here.add(caller.termId);
    else here.delete(caller.termId);
  });

  return {
    /** To be called about once a second. */
    async touch(): Promise<void> {
      const at = now();
      if (here.size === 0 || at.getTime() - touchedAt < TOUCH_EVERY) return;
      for (const termId of here) if (!push.connected(termId)) here.delete(termId);
      await db.platform((tx) => touchWaiting(tx, [...here], at));
      touchedAt = at.getTime();
      log.trace({ waiting: here.size }, 'Noted waiting terminals');
    },
  };
}
