import { inArray, lt } from 'drizzle-orm';
import { z } from 'zod';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { DOCUMENTS } from './content.ts';
import { meetingDocumentVersion, meetingUpload } from './tables.ts';
import { convertWaiting, scanWaiting, type WorkDeps } from './work.ts';

const SCAN = 'meetingFiles-scan';
const CONVERT = 'meetingFiles-convert';
const SWEEP = 'meetingFiles-sweep';
/** Contents that no row names are kept this long, longer than a request that is about to name one can take. Ms. */
const UNNAMED_KEPT = 24 * 3_600_000;
const BATCH = 500;

/**
 * Starts a job after the commit of a transaction. Not within it, so that a call does not wait for the queue; if the
 * process ends in between, the job of the next minute finds what was written.
 */
function soonBy(jobs: Jobs, log: Log, name: string): (tx: TenantTx) => void {
  return (tx) =>
    tx.afterCommit(() => {
      jobs
        .send(undefined, name, {}, { key: name })
        .catch((error: unknown) => log.warn({ error }, 'Meeting files wait for the next round'));
    });
}

export const scanSoonBy = (jobs: Jobs, log: Log) => soonBy(jobs, log, SCAN);
export const convertSoonBy = (jobs: Jobs, log: Log) => soonBy(jobs, log, CONVERT);

interface SweepDeps {
  db: Db;
  storage: Storage;
  log: Log;
  now: () => Date;
}

/** Those of the contents that a row names. */
async function namedOf(db: Db, ids: readonly string[]): Promise<Set<string>> {
  return db.platform(async (tx) => {
    const versions = await tx.find(meetingDocumentVersion, inArray(meetingDocumentVersion.id, [...ids]));
    const uploads = await tx.find(meetingUpload, inArray(meetingUpload.id, [...ids]));
    return new Set([...versions, ...uploads].map(({ id }) => id));
  });
}

/**
 * Deletes uploads that were not continued, and contents that no row names: of meetings that were deleted, and of
 * processes that died. Returns how many contents.
 */
export async function sweepDocuments({ db, storage, log, now }: SweepDeps): Promise<number> {
  await db.platform((tx) => tx.delete(meetingUpload, lt(meetingUpload.expiresAt, now())));
  const before = new Date(now().getTime() - UNNAMED_KEPT);
  let swept = 0;
  let old = new Set<string>();
  const sweep = async (): Promise<void> => {
    const named = await namedOf(db, [...old]);
    if (named.size === 0 && old.size === BATCH) {
      log.error('None of these meeting files is in the database. They are kept. Does it belong to this data folder?');
      old = new Set();
      return;
    }
    for (const id of old) {
      if (named.has(id)) continue;
      await storage.deleteFolder(`${DOCUMENTS}/${id}`);
      swept += 1;
    }
    old = new Set();
  };
  for await (const { key, modifiedAt } of storage.list(DOCUMENTS)) {
    const id = key.split('/')[1];
    if (id === undefined || modifiedAt >= before) continue;
    old.add(id);
    if (old.size >= BATCH) await sweep();
  }
  if (old.size > 0) await sweep();
  if (swept > 0) log.info({ swept }, 'Meeting files that no row names were deleted');
  return swept;
}

/** Scans and converts files as they come, again each minute if that failed, and sweeps each night. */
export function defineMeetingFileJobs(jobs: Jobs, work: WorkDeps): void {
  jobs.define(SCAN, z.object({}), async () => {
    await scanWaiting(work);
  });
  jobs.define(CONVERT, z.object({}), async () => {
    await convertWaiting(work);
  });
  jobs.define(SWEEP, z.object({}), async () => {
    await sweepDocuments(work);
  });
  if (work.clamd) jobs.every(SCAN, '* * * * *', { expiresAfter: 3_600 });
  if (work.soffice !== undefined) jobs.every(CONVERT, '* * * * *', { expiresAfter: 3_600 });
  jobs.every(SWEEP, '52 3 * * *');
}
