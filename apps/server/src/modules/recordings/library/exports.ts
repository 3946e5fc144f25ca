import { and, desc, eq, inArray } from 'drizzle-orm';
import type { contract, Data, Input, RecordingExport, RecordingTrack } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type FileAnswer, type UserCaller } from '../../../platform/http/index.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { recording, recordingExport, type RecordingExportRow, type RecordingRow } from '../tables.ts';
import { seenBy, watchedBy } from './access.ts';
import { createExportWork, type ExportDeps } from './export-work.ts';
import { storedAnswer } from './stored-answer.ts';
import { usageOf } from './usage.ts';

type UserContext = Context<UserCaller>;
type Choice = Pick<RecordingExportRow, 'track' | 'whole'>;

const HOUR = 3_600_000;
/** Exports of one person that wait or run. */
const MOST_UNFINISHED = 10;

const NO_SPACE: ReadonlySet<string> = new Set(['RECORDINGS_FULL', 'DISK_FULL']);

/** There will be no file. */
const isOver = ({ state }: RecordingExportRow): boolean => state === 'failed' || state === 'cancelled';

const unfinished = inArray(recordingExport.state, ['waiting', 'running']);

function present(row: RecordingExportRow, tracks: readonly RecordingTrack[]): RecordingExport {
  const { id, recordingId, track, state, progress, bytes, createdAt, expiresAt } = row;
  const found = tracks.find((one) => one.id === track);
  return {
    id,
    recordingId,
    track,
    kind: found?.kind ?? 'programme',
    name: found?.name ?? '',
    state,
    progress,
    bytes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/** The file of an export; its name says which recording. @throws AppError NOT_FOUND */
async function fileOf(
  storage: Storage,
  { storageKey, track }: RecordingExportRow,
  { subject, startedAt }: RecordingRow,
): Promise<FileAnswer> {
  if (storageKey === null) throw new AppError('NOT_FOUND');
  const part = track === 'programme' ? '' : ` ${track}`;
  const name = `${subject} ${startedAt.toISOString().slice(0, 10)}${part}.mp4`;
  return storedAnswer(storage, storageKey, { name, type: 'video/mp4' });
}

/** MP4 files of recordings. */
// oxlint-disable-next-line max-lines-per-function -- the calls about exports, each of them short
export function createExports(deps: ExportDeps) {
  const { db, storage, indexes, now } = deps;
  const work = createExportWork(deps);

  /** The newest export of the same media that this person has, whatever became of it. */
  function known(
    tx: TenantTx,
    ownerId: string,
    of: RecordingRow,
    { track, whole }: Choice,
  ): Promise<RecordingExportRow | undefined> {
    const same = and(
      eq(recordingExport.recordingId, of.id),
      eq(recordingExport.ownerId, ownerId),
      eq(recordingExport.track, track),
      eq(recordingExport.whole, whole),
    );
    return tx.findOne(recordingExport, same, { orderBy: desc(recordingExport.createdAt) });
  }

  async function begin(tx: TenantTx, ownerId: string, of: RecordingRow, choice: Choice): Promise<RecordingExportRow> {
    await mustHaveMedia(tx, of, choice.track);
    const waiting = await tx.count(recordingExport, and(eq(recordingExport.ownerId, ownerId), unfinished));
    if (waiting >= MOST_UNFINISHED) throw new AppError('TOO_MANY_REQUESTS', { seconds: 60 });
    const [row] = await tx.insert(recordingExport, {
      id: newId(),
      recordingId: of.id,
      ownerId,
      ...choice,
      createdAt: now(),
      updatedAt: now(),
    });
    if (!row) throw new Error('An export was not stored.');
    work.queue(tx, row);
    return row;
  }

  /** Refuses what cannot become a file. */
  async function mustHaveMedia(tx: TenantTx, of: RecordingRow, track: string): Promise<void> {
    if (of.state === 'recording' || of.state === 'processing') throw new AppError('RECORDING_RUNNING');
    const { tracks } = await indexes.read(of);
    const found = tracks.find(({ id }) => id === track);
    if (!found && track !== 'programme') throw new AppError('NOT_FOUND');
    if (!found || found.segments.length === 0) throw new AppError('RECORDING_EMPTY');
    const { bytes, limit } = await usageOf(tx);
    const size = found.segments.reduce((sum, segment) => sum + segment.bytes, 0);
    if (limit !== null && bytes + size > limit) throw new AppError('RECORDINGS_FULL');
    if (!(await storage.hasRoom())) throw new AppError('DISK_FULL');
  }

  /** An export of the caller. @throws AppError NOT_FOUND */
  async function ownExport(tx: TenantTx, { userId }: UserCaller, id: string): Promise<RecordingExportRow> {
    const row = await tx.findOne(recordingExport, and(eq(recordingExport.id, id), eq(recordingExport.ownerId, userId)));
    if (!row) throw new AppError('NOT_FOUND');
    return row;
  }

  return {
    tidy: () => work.tidy(),

    /** @throws AppError NOT_FOUND */
    async exports({ caller }: UserContext, id: string): Promise<Data<typeof contract.recordings.exports>> {
      return db.tenant(caller.tenantId, async (tx) => {
        const { row } = await watchedBy(tx, caller, id);
        const own = and(eq(recordingExport.recordingId, id), eq(recordingExport.ownerId, caller.userId));
        const rows = await tx.find(recordingExport, own, {
          orderBy: [desc(recordingExport.createdAt), desc(recordingExport.id)],
        });
        const { tracks } = await indexes.read(row);
        return { records: rows.map((one) => present(one, tracks)) };
      });
    },

    /**
     * @throws AppError NOT_FOUND, RECORDING_DOWNLOAD_OFF, RECORDING_RUNNING, RECORDING_EMPTY, RECORDINGS_FULL,
     * DISK_FULL, TOO_MANY_REQUESTS while the caller has many that are not finished
     */
    async startExport(
      context: UserContext,
      { params: { id }, body }: Input<typeof contract.recordings.startExport>,
    ): Promise<RecordingExport> {
      const { caller } = context;
      return db.tenant(caller.tenantId, async (tx) => {
        const { row: of, manages } = await watchedBy(tx, caller, id);
        if (!manages && !of.download) throw new AppError('RECORDING_DOWNLOAD_OFF');
        const before = await known(tx, caller.userId, of, body);
        const row = before && !isOver(before) ? before : await begin(tx, caller.userId, of, body);
        const { tracks } = await indexes.read(of);
        await recordAudit(tx, context, now(), {
          target: { kind: 'recording', id, name: of.subject },
          after: { track: body.track, whole: body.whole },
        });
        return present(row, tracks);
      });
    },

    /** @throws AppError NOT_FOUND */
    async cancelExport(context: UserContext, id: string): Promise<void> {
      const { caller } = context;
      await db.tenant(caller.tenantId, async (tx) => {
        const { recordingId, track, storageKey } = await ownExport(tx, caller, id);
        const of = await tx.findOne(recording, eq(recording.id, recordingId));
        const expiresAt = new Date(now().getTime() + HOUR);
        const cancelled = await tx.update(
          recordingExport,
          { state: 'cancelled', expiresAt },
          allOf(eq(recordingExport.id, id), unfinished),
        );
        if (cancelled.length === 0) {
          await tx.delete(recordingExport, eq(recordingExport.id, id));
          tx.afterCommit(() => (storageKey === null ? undefined : storage.delete(storageKey)));
        }
        await recordAudit(tx, context, now(), {
          target: { kind: 'recording', id: recordingId, name: of?.subject ?? '' },
          before: { track },
        });
      });
    },

    /** @throws AppError NOT_FOUND, also once the caller may not save it any more */
    async exportFile({ caller }: UserContext, id: string): Promise<FileAnswer> {
      const [row, of] = await db.tenant(caller.tenantId, async (tx) => {
        const found = await ownExport(tx, caller, id);
        const seen = await seenBy(tx, caller, found.recordingId);
        if (!seen.watches || !(seen.manages || seen.row.download)) throw new AppError('NOT_FOUND');
        return [found, seen.row];
      });
      return fileOf(storage, row, of);
    },

    /**
     * The MP4 of the programme for the viewers of a link, made once for all of them in the name of the link's author.
     *
     * @param again one that failed is made anew
     * @throws AppError SERVICE_BUSY while it is being made, EXPORT_FAILED, and what startExport() throws
     */
    async sharedFile(of: RecordingRow, ownerId: string, again: boolean): Promise<FileAnswer> {
      const choice = { track: 'programme', whole: false };
      const row = await db
        .tenant(of.tenantId, async (tx) => {
          const before = await known(tx, ownerId, of, choice);
          return before && !(again && isOver(before)) ? before : begin(tx, ownerId, of, choice);
        })
        .catch((error: unknown) => {
          // The space of the organisation is none of the viewer's concern.
          throw error instanceof AppError && NO_SPACE.has(error.code) ? new AppError('EXPORT_FAILED') : error;
        });
      if (isOver(row)) throw new AppError('EXPORT_FAILED');
      if (row.state !== 'ready') throw new AppError('SERVICE_BUSY');
      return fileOf(storage, row, of);
    },

    /** Deletes the files that follow the edits of a recording, because these have changed. */
    async editChanged(tx: TenantTx, { id }: RecordingRow): Promise<void> {
      const rows = await tx.delete(
        recordingExport,
        allOf(eq(recordingExport.recordingId, id), eq(recordingExport.whole, false)),
      );
      tx.afterCommit(async () => {
        for (const { storageKey } of rows) if (storageKey !== null) await storage.delete(storageKey);
      });
    },
  };
}

export type Exports = ReturnType<typeof createExports>;
