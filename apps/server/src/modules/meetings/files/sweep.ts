import { inArray } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../platform/db/index.ts';
import { UPLOADS } from '../../../platform/http/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { meetingFile } from '../tables.ts';

const HOUR = 3_600_000;
/** A stored file that no meeting names is kept this long: far longer than a call may take that is about to name it. */
export const UNNAMED_KEPT = 24 * HOUR;
/** How many files the database is asked for at once. */
const BATCH = 500;
/**
 * So many in a batch of which no meeting names one are not what crashes leave, but the files of another database: they
 * stay.
 */
const MOST_LEFT_BEHIND = 100;
const SWEEP = 'meetings-sweepFiles';

export interface SweepDeps {
  db: Db;
  storage: Storage;
  log: Log;
  now: () => Date;
}

/**
 * Deletes stored files that no meeting names, and what was half-written, once they are older than UNNAMED_KEPT. A
 * process that dies between storing and committing, or between committing and deleting, leaves them. A file that is
 * named keeps being named until it goes: meetings of a series take it from one another. Files beside which none is
 * known at all are another database's, and are kept. Returns how many went.
 */
export async function sweepFiles({ db, storage, log, now }: SweepDeps): Promise<number> {
  const before = new Date(now().getTime() - UNNAMED_KEPT);
  let swept = await storage.dropPartial(before);
  const sweep = async (keys: readonly string[]): Promise<void> => {
    if (keys.length === 0) return;
    const named = new Set(
      (await db.platform((tx) => tx.find(meetingFile, inArray(meetingFile.storageKey, [...keys])))).map(
        ({ storageKey }) => storageKey,
      ),
    );
    if (named.size === 0 && keys.length > MOST_LEFT_BEHIND) {
      log.error(
        { files: keys.length },
        'Of these stored files the database knows none, and they are kept: does it belong to this data folder?',
      );
      return;
    }
    for (const key of keys) {
      if (named.has(key)) continue;
      await storage.delete(key);
      swept += 1;
    }
  };
  let old: string[] = [];
  for await (const { key, modifiedAt } of storage.list(UPLOADS)) {
    if (modifiedAt >= before) continue;
    old.push(key);
    if (old.length < BATCH) continue;
    await sweep(old);
    old = [];
  }
  await sweep(old);
  if (swept > 0) log.info({ swept }, 'Stored files that nothing refers to were deleted');
  return swept;
}

/** Sweeps each night. */
export function defineFileJobs(jobs: Jobs, deps: SweepDeps): void {
  jobs.define(SWEEP, z.object({}), async () => {
    await sweepFiles(deps);
  });
  jobs.every(SWEEP, '37 3 * * *');
}

/** Sweeps at the start as well, for it was perhaps a crash that it follows; nobody waits for it. */
export function sweepSoon(jobs: Jobs, log: Log): void {
  jobs
    .send(undefined, SWEEP, {}, { key: SWEEP })
    .catch((error: unknown) => log.warn({ error }, 'Stored files are looked through in the night'));
}
