import { mkdir, rm, stat } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { and, desc, eq, inArray, lt, or } from 'drizzle-orm';
import {
  EXPORT_HOURS,
  recordingKeys,
  type contract,
  type Data,
  type Input,
  type RecordingEdit,
  type RecordingExport,
  type RecordingTrack,
} from '@rmeet/contract';
import { joinMp4, NothingRecorded, storedSegments, type Cut, type SegmentSource } from '@rmeet/recorder/files';
import { z } from 'zod';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type Db, type TenantTx } from '../../../platform/db/index.ts';
import { AppError, FileAnswer, type Context, type UserCaller } from '../../../platform/http/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import type { Log } from '../../../platform/log/log.ts';
import { FileMissing, type Storage } from '../../../platform/storage/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { recording, recordingExport, type RecordingExportRow, type RecordingRow } from '../tables.ts';
import { seenBy, watchedBy } from './access.ts';
import type { IndexFiles } from './index-file.ts';
import { usageOf } from './usage.ts';

type UserContext = Context<UserCaller>;

export interface ExportDeps {
  db: Db;
  storage: Storage;
  indexes: IndexFiles;
  jobs: Jobs;
  log: Log;
  now: () => Date;
  /** Where files are joined before they are stored. */
  folder: string;
}

const JOB = 'recordings-export';
const jobData = z.object({ tenantId: z.uuid(), id: z.uuid() });
const HOUR = 3_600_000;
/** A running export whose server has not reported for so long was interrupted, and begins again. */
const INTERRUPTED_AFTER = 60_000;
/** How often progress is stored, and asked whether the export is still wanted. */
const REPORT_MS = 1_000;
/** Exports of one person that wait or run. */
const MOST_UNFINISHED = 10;

const unfinished = inArray(recordingExport.state, ['waiting', 'running']);

type Choice = Pick<RecordingExportRow, 'track' | 'whole'>;

/** The export is no longer wanted. */
class Cancelled extends Error {}

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

/** What an edit leaves out, in ms of the media. */
export function cutsOf(edit: RecordingEdit | null): Cut[] {
  if (!edit) return [];
  const { start, end, cuts } = edit;
  return [
    ...(start === null ? [] : [{ from: Number.NEGATIVE_INFINITY, to: start }]),
    ...cuts,
    ...(end === null ? [] : [{ from: end, to: Number.POSITIVE_INFINITY }]),
  ];
}

async function bytesOf(storage: Storage, key: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.get(key)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The segments of a track that the storage has. */
async function sourceOf(
  storage: Storage,
  id: string,
  index: Awaited<ReturnType<IndexFiles['read']>>,
  track: RecordingTrack,
): Promise<SegmentSource> {
  const folder = `${recordingKeys.folder(id)}/${track.id}`;
  const there = new Set<string>();
  for await (const { key } of storage.list(folder)) there.add(key);
  const segments = storedSegments(index, track).filter(
    ({ name, initName }) => there.has(`${folder}/${name}`) && there.has(`${folder}/${initName}`),
  );
  return { segments, read: (name) => bytesOf(storage, `${folder}/${name}`) };
}

/** Makes the MP4 files that people ask for, one after the other in each server process. */
function createExportWork({ db, storage, indexes, jobs, log, now, folder }: ExportDeps) {
  const set = (tenantId: string, id: string, values: Partial<RecordingExportRow>, from: 'waiting' | 'running') =>
    db.tenant(tenantId, (tx) =>
      tx.update(
        recordingExport,
        { ...values, updatedAt: now() },
        allOf(eq(recordingExport.id, id), eq(recordingExport.state, from)),
      ),
    );

  /** Joins the track to a file; stores progress, and stops when the export is cancelled. */
  async function joinTrack(row: RecordingExportRow, of: RecordingRow, path: string): Promise<void> {
    const index = await indexes.read(of);
    const track = index.tracks.find(({ id }) => id === row.track);
    if (!track) throw new NothingRecorded();
    const stop = new AbortController();
    let share = 0;
    let stored = 0;
    const report = setInterval(() => {
      if (share === stored) return;
      stored = share;
      set(row.tenantId, row.id, { progress: share }, 'running').then(
        (rows) => rows.length === 0 && stop.abort(new Cancelled()),
        (error: unknown) => log.warn({ error }, 'The progress of an export could not be stored'),
      );
    }, REPORT_MS);
    try {
      await joinMp4(await sourceOf(storage, of.id, index, track), path, {
        signal: stop.signal,
        cuts: row.whole ? [] : cutsOf(of.edit),
        onProgress: (done) => {
          // The last hundredth is for storing the file.
          share = Math.min(0.99, Math.round(done * 100) / 100);
        },
      });
    } finally {
      clearInterval(report);
    }
  }

  async function make(row: RecordingExportRow, of: RecordingRow): Promise<void> {
    const path = join(folder, `${row.id}.mp4`);
    const key = `${recordingKeys.folder(of.id)}/exports/${row.id}.mp4`;
    await mkdir(folder, { recursive: true });
    await rm(path, { force: true });
    try {
      await joinTrack(row, of, path);
      await storage.put(key, createReadStream(path));
      const { size: bytes } = await stat(path);
      const expiresAt = new Date(now().getTime() + EXPORT_HOURS * HOUR);
      const ready = await set(
        row.tenantId,
        row.id,
        { state: 'ready', progress: 1, bytes, storageKey: key, expiresAt },
        'running',
      );
      if (ready.length === 0) await storage.delete(key);
    } finally {
      await rm(path, { force: true });
    }
  }

  async function run({ tenantId, id }: z.output<typeof jobData>): Promise<void> {
    const [row] = await set(tenantId, id, { state: 'running', progress: 0 }, 'waiting');
    const of = row && (await db.tenant(tenantId, (tx) => tx.findOne(recording, eq(recording.id, row.recordingId))));
    if (!row || !of) return;
    try {
      await make(row, of);
    } catch (error) {
      if (error instanceof Cancelled) return;
      if (!(error instanceof NothingRecorded)) log.error({ error, export: id }, 'An MP4 could not be made');
      const expiresAt = new Date(now().getTime() + EXPORT_HOURS * HOUR);
      await set(tenantId, id, { state: 'failed', expiresAt }, 'running');
    }
  }

  jobs.define(JOB, jobData, run);
  return {
    run,
    /** What cannot be queued now is queued by `tidy`. */
    queue(tx: TenantTx, { tenantId, id }: RecordingExportRow): void {
      tx.afterCommit(() => {
        jobs
          .send(undefined, JOB, { tenantId, id })
          .catch((error: unknown) => log.warn({ error }, 'An export could not be queued; it is tried again'));
      });
    },

    /** Queues exports again that were interrupted, or not queued, and deletes expired ones. */
    async tidy(): Promise<void> {
      const interrupted = allOf(
        unfinished,
        lt(recordingExport.updatedAt, new Date(now().getTime() - INTERRUPTED_AFTER)),
      );
      await db.platform(async (tx) => {
        for (const { tenantId, id } of await tx.update(
          recordingExport,
          { state: 'waiting', updatedAt: now() },
          interrupted,
        ))
          await jobs.send(tx, JOB, { tenantId, id });
      });
      const expired = await db.platform((tx) => tx.find(recordingExport, lt(recordingExport.expiresAt, now())));
      for (const { id, storageKey } of expired) {
        if (storageKey !== null) await storage.delete(storageKey);
        await db.platform((tx) => tx.delete(recordingExport, eq(recordingExport.id, id)));
      }
    },
  };
}

/** The file of an export; its name says which recording. */
async function fileOf(storage: Storage, row: RecordingExportRow, of: RecordingRow): Promise<FileAnswer> {
  const key = row.storageKey;
  const found = key === null ? undefined : await storage.stat(key);
  if (key === null || !found) throw new AppError('NOT_FOUND');
  const part = row.track === 'programme' ? '' : ` ${row.track}`;
  return new FileAnswer({
    name: `${of.subject} ${of.startedAt.toISOString().slice(0, 10)}${part}.mp4`,
    type: 'video/mp4',
    body: {
      size: found.size,
      async open(range) {
        try {
          return await storage.get(key, range);
        } catch (error) {
          throw error instanceof FileMissing ? new AppError('NOT_FOUND') : error;
        }
      },
    },
  });
}

/** MP4 files of recordings. */
// oxlint-disable-next-line max-lines-per-function -- the calls about exports, each of them short
export function createExports(deps: ExportDeps) {
  const { db, storage, indexes, now } = deps;
  const work = createExportWork(deps);

  /** The newest export of the same media that this person has, unless it failed. */
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
      or(unfinished, eq(recordingExport.state, 'ready')),
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
    tidy: work.tidy,
    run: work.run,

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
     * @throws AppError NOT_FOUND, RECORDING_DOWNLOAD_OFF, RECORDING_RUNNING, RECORDING_EMPTY, RECORDINGS_FULL, DISK_FULL,
     * TOO_MANY_REQUESTS while the caller has many that are not finished
     */
    async startExport(
      context: UserContext,
      { params: { id }, body }: Input<typeof contract.recordings.startExport>,
    ): Promise<RecordingExport> {
      const { caller } = context;
      return db.tenant(caller.tenantId, async (tx) => {
        const { row: of, manages } = await watchedBy(tx, caller, id);
        if (!manages && !of.download) throw new AppError('RECORDING_DOWNLOAD_OFF');
        const row = (await known(tx, caller.userId, of, body)) ?? (await begin(tx, caller.userId, of, body));
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
     * @throws AppError SERVICE_BUSY while it is being made, and what startExport() throws
     */
    async sharedFile(of: RecordingRow, ownerId: string): Promise<FileAnswer> {
      const choice = { track: 'programme', whole: false };
      const row = await db.tenant(
        of.tenantId,
        async (tx) => (await known(tx, ownerId, of, choice)) ?? begin(tx, ownerId, of, choice),
      );
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
