import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eq, inArray, lt } from 'drizzle-orm';
import { EXPORT_HOURS, recordingKeys, type RecordingEdit, type RecordingTrack } from '@rmeet/contract';
import { joinMp4, NothingRecorded, storedSegments, type Cut, type SegmentSource } from '@rmeet/recorder/files';
import { z } from 'zod';
import { allOf } from '../../../platform/db/conditions.ts';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Jobs } from '../../../platform/jobs/types.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { recording, recordingExport, type RecordingExportRow, type RecordingRow } from '../tables.ts';
import type { IndexFiles } from './index-file.ts';

export interface ExportDeps {
  db: Db;
  storage: Storage;
  indexes: IndexFiles;
  jobs: Jobs;
  log: Log;
  now: () => Date;
  /** Where films are joined before they are stored. */
  folder: string;
}

const JOB = 'recordings-export';
const jobData = z.object({ tenantId: z.uuid(), id: z.uuid() });
const HOUR = 3_600_000;
/** How often progress is stored, and asked whether the export is still wanted. */
const REPORT_MS = 1_000;
/** An export of which nothing was heard for so long was interrupted or not queued: it begins again. */
const INTERRUPTED_AFTER = 60_000;

/** The export is no longer wanted. */
class Cancelled extends Error {}

/** What an edit leaves out, in ms of the media. */
function cutsOf(edit: RecordingEdit | null): Cut[] {
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

type Change = Partial<RecordingExportRow>;

/** Changes an export that is in a state; returns the rows that were, none if it is not. */
function change(
  { db, now }: ExportDeps,
  { tenantId, id }: Pick<RecordingExportRow, 'tenantId' | 'id'>,
  from: 'waiting' | 'running',
  values: Change,
): Promise<RecordingExportRow[]> {
  return db.tenant(tenantId, (tx) =>
    tx.update(
      recordingExport,
      { ...values, updatedAt: now() },
      allOf(eq(recordingExport.id, id), eq(recordingExport.state, from)),
    ),
  );
}

/** Joins the track of an export to a file. */
async function joinTrack(
  { storage, indexes }: ExportDeps,
  row: RecordingExportRow,
  of: RecordingRow,
  { path, ...options }: { path: string; signal: AbortSignal; onProgress: (share: number) => void },
): Promise<void> {
  const index = await indexes.read(of);
  const track = index.tracks.find(({ id }) => id === row.track);
  if (!track) throw new NothingRecorded();
  const source = await sourceOf(storage, of.id, index, track);
  await joinMp4(source, path, { ...options, cuts: row.whole ? [] : cutsOf(of.edit) });
}

/** Deletes the file of an export that was cancelled at the last moment; not that of another process that made it. */
async function dropUnwanted(
  { db, storage }: ExportDeps,
  { id }: RecordingExportRow,
  storageKey: string,
): Promise<void> {
  const row = await db.platform((tx) => tx.findOne(recordingExport, eq(recordingExport.id, id)));
  if (!row || row.state === 'cancelled') await storage.delete(storageKey);
}

/** Makes the file of an export and stores it; progress is reported, and asked whether it is still wanted. */
async function make(deps: ExportDeps, row: RecordingExportRow, of: RecordingRow): Promise<void> {
  const { storage, log, now, folder } = deps;
  const path = join(folder, `${row.id}.mp4`);
  const storageKey = `${recordingKeys.folder(of.id)}/exports/${row.id}.mp4`;
  const stop = new AbortController();
  let progress = 0;
  const report = setInterval(() => {
    change(deps, row, 'running', { progress }).then(
      (rows) => rows.length === 0 && stop.abort(new Cancelled()),
      (error: unknown) => log.warn({ error }, 'The progress of an export could not be stored'),
    );
  }, REPORT_MS);
  const onProgress = (share: number): void => {
    // The last hundredth is for storing the file.
    progress = Math.min(0.99, share);
  };
  try {
    await mkdir(folder, { recursive: true });
    await rm(path, { force: true });
    await joinTrack(deps, row, of, { path, signal: stop.signal, onProgress });
    const { size: bytes } = await storage.moveIn(storageKey, path);
    const expiresAt = new Date(now().getTime() + EXPORT_HOURS * HOUR);
    const ready = await change(deps, row, 'running', { state: 'ready', progress: 1, bytes, storageKey, expiresAt });
    if (ready.length === 0) await dropUnwanted(deps, row, storageKey);
  } finally {
    clearInterval(report);
    await rm(path, { force: true });
  }
}

/** Makes an export, unless another server process does, or it is not wanted any more. */
async function run(deps: ExportDeps, export_: z.output<typeof jobData>): Promise<void> {
  const { db, log, now } = deps;
  const [row] = await change(deps, export_, 'waiting', { state: 'running', progress: 0 });
  const of = row && (await db.tenant(row.tenantId, (tx) => tx.findOne(recording, eq(recording.id, row.recordingId))));
  if (!row || !of) return;
  try {
    await make(deps, row, of);
  } catch (error) {
    if (error instanceof Cancelled) return;
    if (!(error instanceof NothingRecorded)) log.error({ error, export: row.id }, 'An MP4 could not be made');
    const expiresAt = new Date(now().getTime() + EXPORT_HOURS * HOUR);
    await change(deps, row, 'running', { state: 'failed', expiresAt });
  }
}

/** Queues exports again that were interrupted, or not queued. */
async function resume({ db, jobs, now }: ExportDeps): Promise<void> {
  const before = new Date(now().getTime() - INTERRUPTED_AFTER);
  const due = allOf(inArray(recordingExport.state, ['waiting', 'running']), lt(recordingExport.updatedAt, before));
  await db.platform(async (tx) => {
    const rows = await tx.update(recordingExport, { state: 'waiting', updatedAt: now() }, due);
    for (const { tenantId, id } of rows) await jobs.send(tx, JOB, { tenantId, id }, { key: id });
  });
}

/** Deletes exports that have expired, and files that were being joined for exports that are over. */
async function dropOld({ db, storage, now, folder }: ExportDeps): Promise<void> {
  const expired = await db.platform((tx) => tx.find(recordingExport, lt(recordingExport.expiresAt, now())));
  for (const { id, storageKey } of expired) {
    if (storageKey !== null) await storage.delete(storageKey);
    await db.platform((tx) => tx.delete(recordingExport, eq(recordingExport.id, id)));
  }
  for (const name of await readdir(folder).catch(() => [])) {
    const id = name.replace('.mp4', '');
    const running = eq(recordingExport.state, 'running');
    const rows = await db.platform((tx) => tx.count(recordingExport, allOf(eq(recordingExport.id, id), running)));
    if (rows === 0) await rm(join(folder, name), { force: true });
  }
}

/** Makes the MP4 files that people ask for, one after the other in each server process. */
export function createExportWork(deps: ExportDeps) {
  const { jobs, log } = deps;
  jobs.define(JOB, jobData, (data) => run(deps, data));
  return {
    /** What cannot be queued now is queued by `tidy`. */
    queue(tx: TenantTx, { tenantId, id }: RecordingExportRow): void {
      tx.afterCommit(() => {
        jobs
          .send(undefined, JOB, { tenantId, id }, { key: id })
          .catch((error: unknown) => log.warn({ error }, 'An export could not be queued; it is tried again'));
      });
    },

    async tidy(): Promise<void> {
      await resume(deps);
      await dropOld(deps);
    },
  };
}
