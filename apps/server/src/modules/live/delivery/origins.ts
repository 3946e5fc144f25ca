import { eq } from 'drizzle-orm';
import type { Db } from '../../../platform/db/index.ts';
import { recording } from '../../recordings/tables.ts';

/** Finds where the recorder of a recording gives it out now; undefined: it has no recorder. */
export const originsIn =
  (db: Db) =>
  async (recordingId: string): Promise<string | undefined> =>
    (await db.platform((tx) => tx.findOne(recording, eq(recording.id, recordingId))))?.liveOrigin ?? undefined;
