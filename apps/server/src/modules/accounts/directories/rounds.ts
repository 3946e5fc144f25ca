import { desc, eq, isNotNull, lt, lte, notInArray } from 'drizzle-orm';
import { z } from 'zod';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type PlatformTx, type TenantTx } from '../../../platform/db/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import type { Log } from '../../../platform/log/log.ts';
import { createRoundWork, type RoundDeps } from './round.ts';
import { directory, directoryRound, type DirectoryRoundRow } from './tables.ts';

const MINUTE = 60_000;
/** A round that has written nothing for this long died with its process. */
const DEAD_AFTER = 10 * MINUTE;
const KEPT = 30;
const DUE_AT_ONCE = 100;
const JOB = 'directory-rounds';
/** Seconds that all rounds of one job may take. */
const JOB_WITHIN = 6 * 3_600;

/** Ends rounds whose process died, and adds those that are due. */
async function prepare(tx: PlatformTx, now: Date): Promise<void> {
  await tx.update(
    directoryRound,
    { state: 'failed', problem: 'INTERRUPTED', endedAt: now },
    allOf(eq(directoryRound.state, 'running'), lt(directoryRound.beatAt, new Date(now.getTime() - DEAD_AFTER))),
  );
  const due = await tx.find(
    directory,
    allOf(eq(directory.enabled, true), isNotNull(directory.nextRoundAt), lte(directory.nextRoundAt, now)),
    { lock: 'update of free', limit: DUE_AT_ONCE },
  );
  for (const { id, tenantId, settings } of due) {
    const { everyMinutes } = settings;
    const nextRoundAt = everyMinutes === 0 ? null : new Date(now.getTime() + everyMinutes * MINUTE);
    await tx.update(directory, { nextRoundAt }, eq(directory.id, id));
    await tx
      .asTenant(tenantId)
      .insert(
        directoryRound,
        { id: newId(), directoryId: id, dryRun: false, state: 'waiting', startedAt: now, beatAt: now },
        'nothing',
      );
  }
}

/** Takes a round that waits, so that no other process does. */
async function takeNext(tx: PlatformTx, now: Date): Promise<DirectoryRoundRow | undefined> {
  const waiting = await tx.findOne(directoryRound, eq(directoryRound.state, 'waiting'), {
    orderBy: directoryRound.startedAt,
    lock: 'update of free',
  });
  if (!waiting) return undefined;
  const [row] = await tx.update(directoryRound, { state: 'running', beatAt: now }, eq(directoryRound.id, waiting.id));
  return row;
}

async function dropOld(tx: PlatformTx, { directoryId }: DirectoryRoundRow): Promise<void> {
  const kept = await tx.find(directoryRound, eq(directoryRound.directoryId, directoryId), {
    orderBy: desc(directoryRound.startedAt),
    limit: KEPT,
  });
  await tx.delete(
    directoryRound,
    allOf(
      eq(directoryRound.directoryId, directoryId),
      notInArray(
        directoryRound.id,
        kept.map(({ id }) => id),
      ),
    ),
  );
}

/** Synchronisations that wait or are due, one after the other. */
export function createRounds(deps: RoundDeps) {
  const { db, now } = deps;
  const work = createRoundWork(deps);
  return async (): Promise<void> => {
    await db.platform((tx) => prepare(tx, now()));
    for (;;) {
      const round = await db.platform((tx) => takeNext(tx, now()));
      if (!round) return;
      await work(round);
      await db.platform((tx) => dropOld(tx, round));
    }
  };
}

export function defineDirectoryJobs(jobs: Jobs, run: () => Promise<void>): void {
  jobs.define(JOB, z.object({}), run);
  jobs.every(JOB, '*/5 * * * *', { expiresAfter: JOB_WITHIN });
}

/** Runs a round that was added in the transaction, at once. */
export function runSoon({ jobs, log }: { jobs: Jobs; log: Log }, tx: TenantTx): void {
  // Not awaited. If it fails, the round runs with the next job of the schedule.
  tx.afterCommit(() => {
    jobs
      .send(undefined, JOB, {}, { key: JOB })
      .catch((error: unknown) => log.warn({ error }, 'A synchronisation waits for the next job'));
  });
}
