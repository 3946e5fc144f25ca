import { inArray } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../platform/db/index.ts';
import { UPLOADS } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { meetingFile } from '../meetings/tables.ts';
import { storedFile } from './tables.ts';

const HOUR = 3_600_000;
/** Unreferenced stored files are kept this long, far longer than a request that is about to reference one can take. */
export const UNREFERENCED_KEPT = 24 * HOUR;
/** How many files are looked up at once. */
const BATCH = 500;
/**
 * If none of so many files in a batch is referenced, they were not left by crashes but belong to another database, and
 * are kept.
 */
const LEFT_BEHIND_MAX = 100;
/** The name dates from when only meetings had files; running installations have it scheduled. */
const SWEEP = 'meetings-sweepFiles';

export interface SweepDeps {
  db: Db;
  storage: Storage;
  log: Log;
  now: () => Date;
}

/** Those of the keys that a row names. */
async function namedOf(db: Db, keys: readonly string[]): Promise<Set<string>> {
  return db.platform(async (tx) => {
    const rows = [
      ...(await tx.find(meetingFile, inArray(meetingFile.storageKey, [...keys]))),
      ...(await tx.find(storedFile, inArray(storedFile.storageKey, [...keys]))),
    ];
    return new Set(rows.map(({ storageKey }) => storageKey));
  });
}

/**
 * Deletes unreferenced and partial files that are older than UNREFERENCED_KEPT. A process that dies between storing and
 * committing, or between committing and deleting, leaves them. A referenced file stays referenced until it is deleted:
 * meetings of a series share it. Returns how many were deleted.
 */
export async function sweepFiles({ db, storage, log, now }: SweepDeps): Promise<number> {
  const before = new Date(now().getTime() - UNREFERENCED_KEPT);
  let swept = await storage.dropPartial(before);
  const sweep = async (keys: readonly string[]): Promise<void> => {
    if (keys.length === 0) return;
    const named = await namedOf(db, keys);
    if (named.size === 0 && keys.length > LEFT_BEHIND_MAX) {
      log.error(
        { files: keys.length },
        'None of these stored files is in the database. They are kept. Does the database belong to this data folder?',
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
  if (swept > 0) log.info({ swept }, 'Unreferenced stored files were deleted');
  return swept;
}

/** Sweeps stored files each night. */
export function defineFileJobs(jobs: Jobs, deps: SweepDeps): void {
  jobs.define(SWEEP, z.object({}), async () => {
    await sweepFiles(deps);
  });
  jobs.every(SWEEP, '37 3 * * *');
}

/** Also sweeps after the start, which may follow a crash; runs in the background. */
export function sweepSoon(jobs: Jobs, log: Log): void {
  jobs
    .send(undefined, SWEEP, {}, { key: SWEEP })
    .catch((error: unknown) =>
      log.warn({ error }, 'The sweep of stored files could not be scheduled; it runs at night'),
    );
}
