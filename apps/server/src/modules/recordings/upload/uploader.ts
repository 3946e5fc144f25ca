import { existsSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isDiskFull } from '../../../platform/durable/index.ts';
import { checkKey, type Storage } from '../../../platform/storage/index.ts';

/** The wait before a file is tried again, which doubles up to the longest. Ms. */
const WAITS = { first: 500, longest: 15_000 };

/** A complete file in the spool, and the key under which it is to be stored. */
export interface SpooledFile {
  key: string;
  path: string;
}

/** Why files stay in the spool. */
export interface UploadTrouble {
  /** `full`: the storage has no space left; `unreachable`: everything else. */
  reason: 'full' | 'unreachable';
  /** Since when files have not been stored. */
  since: Date;
  error: unknown;
}

export interface UploaderOptions {
  storage: Storage;
  /** Called for each file that is stored and no longer in the spool, with its size in bytes. */
  onStored?: (file: SpooledFile & { size: number }) => void;
  /** Called each time a file could not be stored, and with null as soon as all that had failed are stored. */
  onTrouble?: (trouble: UploadTrouble | null) => void;
  /** Called for a file that is neither in the spool nor in the storage; it does not count as pending any more. */
  onLost?: (file: SpooledFile) => void;
  /** How many files are stored at once. */
  atOnce?: number;
  waits?: typeof WAITS;
}

/**
 * Stores the completed files of one recording and removes them from the spool. A file that cannot be stored is tried
 * again until it is. The next recorder adds again what is in the spool when this process ends.
 */
export class Uploader {
  readonly #options: UploaderOptions;
  readonly #closing = new AbortController();
  /** Files that nothing works on yet, in order. */
  readonly #queue: SpooledFile[] = [];
  /** Bytes of each file that is not stored yet. */
  readonly #sizes = new Map<SpooledFile, number>();
  /** Files of which an attempt has failed. */
  readonly #failing = new Set<SpooledFile>();
  /** Ends of the workers, of which `#running` still take files. */
  readonly #workers = new Set<Promise<void>>();
  #running = 0;
  /** Those who wait until everything is stored. */
  readonly #finishing = new Set<() => void>();
  #troubleSince = new Date(0);

  constructor(options: UploaderOptions) {
    this.#options = options;
  }

  /** Bytes that are in the spool and not stored yet. */
  get pending(): number {
    return this.#sizes.values().reduce((sum, size) => sum + size, 0);
  }

  /** Throws only if the key is not a storage key. */
  add({ key, path }: SpooledFile): void {
    checkKey(key);
    const file = { key, path };
    this.#sizes.set(file, statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    this.#queue.push(file);
    if (this.#running >= (this.#options.atOnce ?? 2) || this.#closing.signal.aborted) return;
    this.#running += 1;
    const worker = this.#work().finally(() => this.#workers.delete(worker));
    this.#workers.add(worker);
  }

  /** Resolves when every file is stored; rejects with the signal's reason, but goes on storing then. */
  finish(signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => reject(signal?.reason);
    this.#finishing.add(resolve);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    this.#settle();
    return promise.finally(() => {
      this.#finishing.delete(resolve);
      signal?.removeEventListener('abort', abort);
    });
  }

  /** Stops storing: ends the attempts that run, then leaves the rest in the spool. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#workers);
  }

  async #work(): Promise<void> {
    for (let file = this.#queue.shift(); file; file = this.#queue.shift()) {
      await this.#store(file);
      if (this.#closing.signal.aborted) break;
    }
    this.#running -= 1;
  }

  async #store(file: SpooledFile): Promise<void> {
    const { first, longest } = this.#options.waits ?? WAITS;
    for (let pause = first; ; pause = Math.min(pause * 2, longest)) {
      try {
        const size = await this.#moveIn(file);
        this.#done(file);
        if (size === null) this.#options.onLost?.(file);
        else this.#options.onStored?.({ ...file, size });
        this.#settle();
        return;
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        this.#failed(file, error);
      }
      await wait(pause, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      if (this.#closing.signal.aborted) return;
    }
  }

  /** The size of what is stored; null if there is nothing to store. */
  async #moveIn({ key, path }: SpooledFile): Promise<number | null> {
    const { storage } = this.#options;
    if (existsSync(path)) return (await storage.moveIn(key, path)).size;
    // A recorder died after it had stored the file.
    return (await storage.stat(key))?.size ?? null;
  }

  #failed(file: SpooledFile, error: unknown): void {
    if (this.#failing.size === 0) this.#troubleSince = new Date();
    this.#failing.add(file);
    const reason = isDiskFull(error) ? 'full' : 'unreachable';
    this.#options.onTrouble?.({ reason, since: this.#troubleSince, error });
  }

  #done(file: SpooledFile): void {
    this.#sizes.delete(file);
    if (this.#failing.delete(file) && this.#failing.size === 0) this.#options.onTrouble?.(null);
  }

  #settle(): void {
    if (this.#sizes.size === 0) for (const resolve of this.#finishing) resolve();
  }
}
