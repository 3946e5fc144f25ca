import type { Readable } from 'node:stream';

/** Files by key: in a local folder, or in an S3 bucket. */
export interface Storage {
  /** Stores all data of the source under the key, replacing an existing file; all or nothing. */
  put(key: string, source: Readable | Buffer): Promise<{ size: number }>;
  /**
   * Stores the file at a path under the key, replacing an existing one, and removes it from the path; all or nothing.
   * If it fails, the file is still at the path.
   */
  moveIn(key: string, path: string): Promise<{ size: number }>;
  /** The bytes from `start` to `end` inclusive; without them, all. Throws FileMissing. */
  get(key: string, range?: { start: number; end?: number }): Promise<Readable>;
  /** Size in bytes; undefined if there is no such file. */
  stat(key: string): Promise<{ size: number } | undefined>;
  /** Deletes the file; does nothing if it does not exist. */
  delete(key: string): Promise<void>;
  /** Deletes all files whose keys begin with `<folder>/`. */
  deleteFolder(folder: string): Promise<void>;
  /**
   * An address from which browsers can read the file directly for this many seconds, without any further right; null if
   * they cannot, so that the server must send it.
   */
  address(key: string, seconds: number): Promise<string | null>;
  /**
   * The files whose keys begin with `<folder>/`, or all, in no order; may include files that are added or removed
   * meanwhile.
   */
  list(folder?: string): AsyncIterable<StoredFile>;
  /** Whether it can take more files: the disk has free space, or the bucket answers. */
  hasRoom: () => Promise<boolean>;
  /**
   * Deletes incomplete files, left by processes that died while storing, that are older than this time. Returns how
   * many.
   */
  dropPartial(before: Date): Promise<number>;
}

export interface StoredFile {
  key: string;
  size: number;
  modifiedAt: Date;
}

export class FileMissing extends Error {
  constructor(key: string) {
    super(`There is no stored file ${key}.`);
    this.name = 'FileMissing';
  }
}

/** The storage does not answer, or has no space left. Trying again later may help. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  /** As the file system's error for a full disk, if it has no space left. */
  readonly code: string | undefined;

  constructor(reason: string, { isFull = false, ...options }: ErrorOptions & { isFull?: boolean } = {}) {
    super(`The storage cannot be used now: ${reason}.`, options);
    this.code = isFull ? 'ENOSPC' : undefined;
  }
}

const SEGMENT = /^[0-9A-Za-z_-][0-9A-Za-z._-]*$/;

/** Throws unless the key is `a/b/c` of plain names, at most 500 characters: nothing that could leave the folder. */
export function checkKey(key: string): void {
  if (key.length > 500 || !key.split('/').every((segment) => segment.length <= 200 && SEGMENT.test(segment))) {
    throw new Error(`Not a storage key: ${JSON.stringify(key)}`);
  }
}
