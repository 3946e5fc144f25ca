import { and, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { BIN_DAYS, recordingKeys, type contract, type Data, type Input } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { recordAudit, systemOrigin } from '../../audit/index.ts';
import { tenant } from '../../accounts/tenants/tables.ts';
import { recording, recordingShare, type RecordingRow } from '../tables.ts';
import { managedRecording } from './access.ts';

type UserContext = Context<UserCaller>;

export interface RemovalDeps {
  db: Db;
  storage: Storage;
  jobs: Jobs;
  log: Log;
  now: () => Date;
}

/** Deletes the files of recordings that are deleted for good. */
export const PURGE = 'recordings-purge';
const DAY = 86_400_000;
/** Rows for one transaction. */
const BATCH = 100;

const targetOf = ({ id, subject }: RecordingRow) => ({ kind: 'recording', id, name: subject });

/** Those that are over can be deleted. */
function mustBeOver({ state }: RecordingRow): void {
  if (state === 'recording' || state === 'processing') throw new AppError('RECORDING_RUNNING');
}

/** Its links end for good: they do not work again if it is restored. */
async function moveToBin(tx: TenantTx, { id }: RecordingRow, at: Date): Promise<void> {
  await tx.update(recording, { deletedAt: at }, eq(recording.id, id));
  await tx.update(
    recordingShare,
    { revokedAt: at },
    allOf(eq(recordingShare.recordingId, id), isNull(recordingShare.revokedAt)),
  );
}

/** Moves recordings to the bin, takes them out again, and deletes them. */
export function createRemoval({ db, jobs, log, now }: Omit<RemovalDeps, 'storage'>) {
  /** Locks in one order, so that two calls do not wait for each other. */
  async function each(
    { caller }: UserContext,
    ids: readonly string[],
    change: (tx: TenantTx, row: RecordingRow) => Promise<boolean>,
  ): Promise<string[]> {
    const changed: string[] = [];
    await db.tenant(caller.tenantId, async (tx) => {
      for (const id of [...new Set(ids)].toSorted())
        if (await change(tx, await managedRecording(tx, caller, id))) changed.push(id);
    });
    return changed;
  }

  async function toBin(context: UserContext, tx: TenantTx, row: RecordingRow): Promise<boolean> {
    mustBeOver(row);
    if (row.deletedAt !== null) return false;
    await moveToBin(tx, row, now());
    await recordAudit(tx, context, now(), { target: targetOf(row), after: { deletedAt: now() } });
    return true;
  }

  async function forGood(context: UserContext, tx: TenantTx, row: RecordingRow): Promise<boolean> {
    if (row.deletedAt === null) return false;
    await tx.update(recording, { isGone: true }, eq(recording.id, row.id));
    await recordAudit(tx, context, now(), {
      target: targetOf(row),
      before: { subject: row.subject, bytes: row.bytes, deletedAt: row.deletedAt },
    });
    tx.afterCommit(() => {
      jobs
        .send(undefined, PURGE, {}, { key: PURGE })
        .catch((error: unknown) => log.warn({ error }, 'Deleting files could not be queued; it is tried each hour'));
    });
    return true;
  }

  return {
    /** @throws AppError NOT_FOUND, FORBIDDEN, RECORDING_RUNNING; then none is changed */
    async remove(
      context: UserContext,
      { ids, forGood: isForGood }: Input<typeof contract.recordings.remove>['body'],
    ): Promise<Data<typeof contract.recordings.remove>> {
      const removed = await each(context, ids, (tx, row) => (isForGood ? forGood : toBin)(context, tx, row));
      return { removed };
    },

    /** @throws AppError NOT_FOUND, FORBIDDEN */
    async restore(context: UserContext, ids: readonly string[]): Promise<Data<typeof contract.recordings.restore>> {
      const restored = await each(context, ids, async (tx, row) => {
        if (row.deletedAt === null) return false;
        await tx.update(recording, { deletedAt: null }, eq(recording.id, row.id));
        await recordAudit(tx, context, now(), { target: targetOf(row), before: { deletedAt: row.deletedAt } });
        return true;
      });
      return { restored };
    },
  };
}

/** Moves recordings to the bin that are kept longer than their organisation wants. */
async function retire(tx: PlatformTx, now: Date): Promise<number> {
  const kept = sql`(select ${tenant.recordingKeptDays} from ${tenant} where ${tenant.tenantId} =
    ${recording.tenantId})`;
  const due = and(
    isNull(recording.deletedAt),
    inArray(recording.state, ['ready', 'failed']),
    sql`${recording.endedAt} < ${now.toISOString()}::timestamptz - make_interval(days => ${kept})`,
  );
  const rows = await tx.find(recording, due, { limit: BATCH });
  for (const row of rows) {
    const own = tx.asTenant(row.tenantId);
    await moveToBin(own, row, now);
    await recordAudit(own, systemOrigin('recordings.remove'), now, {
      target: targetOf(row),
      after: { deletedAt: now },
    });
  }
  return rows.length;
}

/** Deletes what was in the bin for BIN_DAYS. */
async function emptyBin(tx: PlatformTx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - BIN_DAYS * DAY);
  const due = and(isNotNull(recording.deletedAt), lt(recording.deletedAt, before), eq(recording.isGone, false));
  const rows = await tx.find(recording, due, { limit: BATCH });
  for (const row of rows) {
    await tx.update(recording, { isGone: true }, eq(recording.id, row.id));
    await recordAudit(tx.asTenant(row.tenantId), systemOrigin('recordings.remove'), now, {
      target: targetOf(row),
      before: { subject: row.subject, bytes: row.bytes, deletedAt: row.deletedAt },
    });
  }
  return rows.length;
}

/** Deletes the files of recordings that are deleted for good, then their rows: what fails is tried again. */
export async function purgeGone({ db, storage, log }: Pick<RemovalDeps, 'db' | 'storage' | 'log'>): Promise<number> {
  const rows = await db.platform((tx) => tx.find(recording, eq(recording.isGone, true)));
  let purged = 0;
  for (const { id } of rows) {
    try {
      await storage.deleteFolder(recordingKeys.folder(id));
      await db.platform((tx) => tx.delete(recording, allOf(eq(recording.id, id), eq(recording.isGone, true))));
      purged += 1;
    } catch (error) {
      log.warn({ error, recording: id }, 'The files of a deleted recording could not be deleted; it is tried again');
    }
  }
  return purged;
}

/** Retention: from the list to the bin, from the bin for good. */
export async function retireRecordings(deps: Omit<RemovalDeps, 'jobs'>): Promise<void> {
  const { db, now } = deps;
  while ((await db.platform((tx) => retire(tx, now()))) === BATCH);
  while ((await db.platform((tx) => emptyBin(tx, now()))) === BATCH);
  await purgeGone(deps);
}

const FOLDER = /^recordings\/([0-9a-f-]{36})\//;
/** Files of unknown recordings are kept this long: their row may be about to be stored. */
const UNKNOWN_KEPT = DAY;
/** If so many recordings are unknown and none is known, the storage belongs to another database. */
const UNKNOWN_MOST = 20;

/** Deletes files that belong to no recording, as a restored backup leaves them. Returns how many folders. */
export async function sweepRecordings({ db, storage, log, now }: Omit<RemovalDeps, 'jobs'>): Promise<number> {
  const before = new Date(now().getTime() - UNKNOWN_KEPT);
  const isOld = new Map<string, boolean>();
  for await (const { key, modifiedAt } of storage.list('recordings')) {
    const [, id] = FOLDER.exec(key) ?? [];
    if (id !== undefined) isOld.set(id, (isOld.get(id) ?? true) && modifiedAt < before);
  }
  const ids = [...isOld.keys()];
  const known = new Set<string>();
  for (let n = 0; n < ids.length; n += 500) {
    const rows = await db.platform((tx) => tx.find(recording, inArray(recording.id, ids.slice(n, n + 500))));
    for (const { id } of rows) known.add(id);
  }
  const unknown = ids.filter((id) => !known.has(id) && isOld.get(id) === true);
  if (known.size === 0 && unknown.length > UNKNOWN_MOST) {
    log.error({ recordings: unknown.length }, 'None of the stored recordings is in the database. They are kept.');
    return 0;
  }
  for (const id of unknown) await storage.deleteFolder(recordingKeys.folder(id));
  if (unknown.length > 0) log.info({ swept: unknown.length }, 'Files that belong to no recording were deleted');
  return unknown.length;
}

export type Removal = ReturnType<typeof createRemoval>;
