import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { RecordingIndex } from '@rmeet/contract';
import { recoverSpool, sizeOf, type ConferenceRecorder, type RecorderOptions, type SpooledFile } from '@rmeet/recorder';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import type { ReportRecording } from '../../conferences/index.ts';
import { release, renew, RENEW_EVERY, type Claim, type Credential } from '../control/leases.ts';
import { spaceOf } from '../control/space.ts';
import type { RecordingRow } from '../tables.ts';
import { Uploader } from '../upload/index.ts';
import { holderIn, noteHolder } from './dead-holders.ts';
import type { LiveOutputs } from './live.ts';
import { pauseOf, reportOf, type Facts, type Obstacle } from './progress.ts';
import { readIndex, readSpooledIndex, spoolIndex, writeIndex } from './stored-index.ts';
import { fetchUnlisted } from './unlisted.ts';

/** What a run needs of the recorder of packages/recorder. */
export type Writer = Pick<ConferenceRecorder, 'index' | 'size' | 'pause' | 'resume' | 'stop'>;

/** Joins a conference and writes it; `join` and the addresses are added by the process. */
export type StartWriter = (
  recording: RecordingRow,
  credential: Credential,
  options: Omit<RecorderOptions, 'url' | 'credentials' | 'meetId' | 'join' | 'insecure' | 'startsAt' | 'withTracks'>,
) => Promise<Writer>;

export interface RunDeps {
  db: Db;
  storage: Storage;
  log: Log;
  now: () => Date;
  report: ReportRecording;
  startWriter: StartWriter;
  /** Whether the spool's disk has room for more. */
  hasRoom: () => Promise<boolean>;
  /** The spool folder of a recording. */
  folderOf: (recordingId: string) => string;
  /** What gives the programmes to servers; without it, there are no live broadcasts. */
  live?: LiveOutputs;
}

/** How often the index is stored while it grows: ms, and for each of its segments, since it is written as a whole. */
const INDEX_EVERY = 10_000;
const INDEX_EVERY_PER_SEGMENT = 10;
/** How long the end of the process waits for files that are still in the spool. */
const LEAVE_WITHIN = 2_000;
/** How long it waits for each answer of the storage after that. */
const LAST_ANSWER_WITHIN = 500;

/** Whether work ends within so many ms; otherwise it goes on. Rejects as it does. */
function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  return Promise.race([work.then(() => true), wait(ms, false, { ref: false })]);
}

/** One recording of this process, from the lease to its end: here, with another recorder, or complete. */
export class Run {
  readonly id: string;
  readonly #deps: RunDeps;
  readonly #credential: Credential;
  readonly #uploader: Uploader;
  readonly #folder: string;
  /** Keys of files that are in the spool. */
  readonly #pending = new Set<string>();
  #row: RecordingRow;
  /** The recorder that held the recording before and did not give it back. */
  readonly #before: string | null;
  #writer: Writer | undefined;
  /** What an earlier recorder wrote. */
  #index: RecordingIndex | null = null;
  #facts: Facts = { isWriting: false, obstacle: null, isSpaceLow: false };
  #isStorageFull = false;
  /** Writing to the spool has failed. */
  #hasFailed = false;
  #pausedFor: string | undefined;
  /** When the index is stored next, by `performance.now()`. */
  #storesIndexAt = 0;
  /** The index is being stored. A storage that is stuck answers after minutes: the run goes on meanwhile. */
  #storing: Promise<void> | undefined;
  /** The index of the complete recording is being stored. */
  #completing: Promise<void> | undefined;
  #isLeaving = false;

  constructor(deps: RunDeps, { row, before }: Claim, credential: Credential) {
    this.id = row.id;
    this.#before = before;
    this.#deps = deps;
    this.#row = row;
    this.#credential = credential;
    this.#folder = deps.folderOf(row.id);
    this.#uploader = new Uploader({
      storage: deps.storage,
      onStored: ({ key }) => this.#pending.delete(key),
      onLost: ({ key }) => this.#pending.delete(key),
      onTrouble: (trouble) => {
        this.#isStorageFull = trouble?.reason === 'full';
      },
    });
  }

  /** Resolves when this process no longer has the recording. */
  async run(): Promise<void> {
    const { log } = this.#deps;
    let hasBegun = false;
    while (!this.#isLeaving) {
      try {
        if (!(await this.#renew())) return await this.#abandon();
        if (!hasBegun) await this.#recover();
        hasBegun = true;
        if (this.#row.state === 'processing') {
          if (await this.#finish()) return;
        } else await this.#follow();
      } catch (error) {
        log.warn({ error, recordingId: this.id }, 'A recording met an error; it is tried again');
      }
      await wait(RENEW_EVERY);
    }
  }

  /** The process ends: another one continues. */
  async leave(): Promise<void> {
    const { log, storage } = this.#deps;
    this.#isLeaving = true;
    await this.#writer?.stop();
    this.#deps.live?.leave(this.id);
    await this.#uploader.finish(AbortSignal.timeout(LEAVE_WITHIN)).catch(() => undefined);
    await endsWithin(this.#uploader.close(), LAST_ANSWER_WITHIN);
    if (!(await this.#renew())) return;
    const index = this.#currentIndex();
    try {
      if (index) await endsWithin(writeIndex(storage, this.id, index, this.#pending), LAST_ANSWER_WITHIN);
    } catch (error) {
      log.warn({ error, recordingId: this.id }, 'The index of a recording could not be stored');
    }
    await this.#tenant((tx) => release(tx, this.#lease));
  }

  get #lease() {
    return { id: this.id, holder: this.#credential.holder };
  }

  #tenant<T>(work: (tx: TenantTx) => Promise<T>): Promise<T> {
    return this.#deps.db.tenant(this.#row.tenantId, work);
  }

  /** Renews the lease; false if the recording is another recorder's. */
  async #renew(): Promise<boolean> {
    const size = this.#writer?.size ?? (this.#index ? sizeOf(this.#index) : {});
    const row = await this.#tenant((tx) => renew(tx, this.#lease, size, this.#deps.now()));
    if (row) this.#row = row;
    return row !== undefined;
  }

  #currentIndex(): RecordingIndex | null {
    return this.#writer?.index ?? this.#index;
  }

  /** Continues with what an earlier recorder left. */
  async #recover(): Promise<void> {
    const known = await this.#knownIndex();
    const { index, files } = await recoverSpool(this.#folder, known);
    this.#index = index;
    for (const file of files) this.#upload(file);
    try {
      if (index) await spoolIndex(this.#folder, index);
      await noteHolder(this.#folder, this.#credential.holder);
    } catch (error) {
      // The disk may be full. The next recorder waits for the lease to end, and asks the storage.
      this.#deps.log.warn({ error, recordingId: this.id }, 'The holder of a recording could not be noted');
    }
  }

  /**
   * The index of an earlier recorder: that of the spool if it died on this machine, so that the storage may be away;
   * otherwise that of the storage. A new recording has none.
   */
  async #knownIndex(): Promise<RecordingIndex | null> {
    const { storage } = this.#deps;
    const isOfThisMachine = this.#before !== null && (await holderIn(this.#folder))?.holder === this.#before;
    const spooled = isOfThisMachine ? await readSpooledIndex(this.#folder) : null;
    if (spooled || this.#row.bytes === 0) return spooled;
    const stored = await readIndex(storage, this.id);
    await fetchUnlisted(storage, this.id, this.#folder, stored);
    return stored;
  }

  #upload({ track, name, path }: SpooledFile): void {
    const key = `recordings/${this.id}/${track}/${name}`;
    this.#pending.add(key);
    this.#uploader.add({ key, path });
  }

  /** Another recorder has it: nothing more is written, here or to the storage. */
  async #abandon(): Promise<void> {
    this.#deps.log.warn({ recordingId: this.id }, 'Another recorder took a recording');
    this.#isLeaving = true;
    this.#deps.live?.leave(this.id);
    await Promise.all([this.#uploader.close(), this.#writer?.stop()]);
  }

  /** Does what people want, as far as it is possible now, and reports it. */
  async #follow(): Promise<void> {
    this.#facts.obstacle = await this.#obstacle();
    if (this.#writer) await this.#obey(this.#writer);
    else await this.#start();
    await this.#report();
    if (performance.now() >= this.#storesIndexAt) this.#storeIndex();
  }

  async #obstacle(): Promise<Obstacle> {
    const { hasRoom } = this.#deps;
    const space = await this.#tenant(spaceOf);
    this.#facts.isSpaceLow = space.isLow;
    const hasSpace = this.#facts.obstacle === 'quotaFull' ? space.isFree : !space.isFull;
    if (!hasSpace) return 'quotaFull';
    if (this.#isStorageFull) return 'diskFull';
    return (await hasRoom()) ? null : 'diskFull';
  }

  async #start(): Promise<void> {
    const { startWriter, log, live } = this.#deps;
    const startsAt = this.#index?.startsAt ?? this.#row.startedAt.getTime();
    const paused = pauseOf(this.#row, this.#facts.obstacle);
    const writer = await startWriter(this.#row, this.#credential, {
      folder: this.#folder,
      index: this.#index,
      ...(paused === undefined ? {} : { paused }),
      ...(live ? { live: live.open(this.#row, startsAt) } : {}),
      log: (line) => log.debug({ recordingId: this.id }, line),
      onFile: (file) => this.#upload(file),
      onFirstPart: () => {
        this.#facts.isWriting = true;
        void this.#report().catch((error: unknown) => log.warn({ error }, 'A recording could not be reported'));
      },
      onFailure: () => {
        this.#hasFailed = true;
      },
    });
    this.#pausedFor = paused;
    this.#writer = writer;
    // The process was told to end meanwhile.
    if (this.#isLeaving) await writer.stop();
  }

  async #obey(writer: Writer): Promise<void> {
    const wanted = pauseOf(this.#row, this.#facts.obstacle);
    // After a failure it ends what is written once, and resumes where there is room.
    const failed = this.#hasFailed;
    this.#hasFailed = false;
    if (failed) await writer.pause(wanted ?? 'diskFull');
    if (!failed && wanted === this.#pausedFor) return;
    this.#pausedFor = wanted;
    // The gap is in the index, whatever happens next.
    this.#storesIndexAt = 0;
    if (wanted === undefined) await writer.resume();
    else await writer.pause(wanted);
  }

  async #report(): Promise<void> {
    const { report } = this.#deps;
    await this.#tenant((tx) =>
      report(tx, this.#row, reportOf(this.#row, this.#facts), async () => {
        // As it is now: the conference is locked, so no command comes in between.
        const row = await renew(tx, this.#lease, {}, this.#deps.now());
        return row ? reportOf(row, this.#facts) : null;
      }),
    );
  }

  /** Begins to store the index. */
  #storeIndex(): void {
    const { storage, log } = this.#deps;
    const index = this.#currentIndex();
    if (!index) return;
    const failed = (error: unknown): void =>
      log.warn({ error, recordingId: this.id }, 'The index of a recording is stored later');
    spoolIndex(this.#folder, index).catch(failed);
    if (this.#storing) {
      this.#storesIndexAt = performance.now() + RENEW_EVERY;
      return;
    }
    const count = index.tracks.reduce((sum, { segments }) => sum + segments.length, 0);
    this.#storesIndexAt = performance.now() + INDEX_EVERY + count * INDEX_EVERY_PER_SEGMENT;
    this.#storing = writeIndex(storage, this.id, index, this.#pending)
      .catch(failed)
      .finally(() => {
        this.#storing = undefined;
      });
  }

  /** Stores the last index, after one that is being stored. */
  async #complete(index: RecordingIndex): Promise<void> {
    await this.#storing;
    await writeIndex(this.#deps.storage, this.id, { ...index, isComplete: true }, this.#pending);
  }

  /** Ends the recording once everything is stored; false while files are still in the spool. */
  async #finish(): Promise<boolean> {
    const { log, live } = this.#deps;
    const writer = this.#writer;
    if (writer) {
      this.#writer = undefined;
      await writer.stop();
      live?.end(this.id);
      this.#index = writer.index;
    }
    try {
      await this.#uploader.finish(AbortSignal.timeout(RENEW_EVERY));
    } catch {
      return false;
    }
    const index = this.#index;
    const size = index ? sizeOf(index) : { duration: 0, bytes: 0 };
    if (index) {
      this.#completing ??= this.#complete(index).finally(() => {
        this.#completing = undefined;
      });
      if (!(await endsWithin(this.#completing, RENEW_EVERY))) return false;
    }
    const state = size.bytes > 0 ? ('ready' as const) : ('failed' as const);
    await this.#tenant((tx) => release(tx, this.#lease, { ...size, state }));
    await this.#uploader.close();
    await rm(this.#folder, { recursive: true, force: true });
    log.info({ recordingId: this.id, state, ...size }, 'A recording is complete');
    return true;
  }
}
