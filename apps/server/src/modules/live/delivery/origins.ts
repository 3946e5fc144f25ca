import { and, eq, gt } from 'drizzle-orm';
import type { Db } from '../../../platform/db/index.ts';
import { recording } from '../../recordings/tables.ts';
import { broadcastIngest } from '../ingest/tables.ts';

/**
 * Finds where the recorder of a recording, or of an outside stream by the id of its broadcast, gives it out now;
 * undefined: it has no recorder.
 */
export const originsIn =
  (db: Db, now: () => Date) =>
  async (id: string): Promise<string | undefined> =>
    db.platform(async (tx) => {
      const recorded = await tx.findOne(recording, eq(recording.id, id));
      if (recorded) return recorded.liveOrigin ?? undefined;
      const isHeldNow = and(eq(broadcastIngest.broadcastId, id), gt(broadcastIngest.leaseUntil, now()));
      return (await tx.findOne(broadcastIngest, isHeldNow))?.origin ?? undefined;
    });
