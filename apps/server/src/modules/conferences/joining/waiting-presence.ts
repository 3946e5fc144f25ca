import type { Log } from '../../../platform/log/log.ts';
import type { Db } from '../../../platform/db/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import { touchWaiting } from '../repo.ts';

/** How often the presence of waiting terminals with a socket here is recorded. */
const TOUCH_EVERY = 10_000;

/**
 * Records in the database which waiting terminals still have a push socket at this server process. They are not on the
 * media engine, so the socket is the only sign of their presence.
 */
export function createWaitingPresence({ db, push, now, log }: { db: Db; push: Push; now: () => Date; log: Log }) {
  const here = new Set<string>();
  let touchedAt = 0;

  push.onConnection((caller, state) => {
    if (caller.kind !== 'terminal') return;
    if (state === 'open' && caller.state === 'waiting') here.add(caller.termId);
    else here.delete(caller.termId);
  });

  return {
    /** Call about once a second. */
    async touch(): Promise<void> {
      const at = now();
      if (here.size === 0 || at.getTime() - touchedAt < TOUCH_EVERY) return;
      for (const termId of here) if (!push.connected(termId)) here.delete(termId);
      await db.platform((tx) => touchWaiting(tx, [...here], at));
      touchedAt = at.getTime();
      log.trace({ waiting: here.size }, 'Recorded the presence of waiting terminals');
    },
  };
}
