import type { Readable } from 'node:stream';

/** Files by key. The local folder is one kind; an S3 bucket can be another. */
export interface Storage {
  /** Stores everything the source gives under the key, replacing what was there; all or nothing. */
  put(key: string, source: Readable | Buffer): Promise<{ size: number }>;
  /** The bytes from `start` to `end` inclusive; all without them. Throws FileMissing. */
  get(key: string, range?: { start: number; end?: number }): Promise<Readable>;
  /** Size in bytes and time of the last change; undefined when there is no such file. */
  stat(key: string): Promise<{ size: number; modifiedAt: Date } | undefined>;
  /** Deletes the file; nothing happens when there is none. */
  delete(key: string): Promise<void>;
  /** The files whose keys begin with `<folder>/`, in no order; those that come or go meanwhile may be among them. */
  list(folder: string): AsyncIterable<StoredFile>;
  /** Whether it has room for what people bring. */
  hasRoom: () => Promise<boolean>;
  /**
   * Deletes what processes that died while they stored something left half-written before this time. Answers how many.
   */
  dropPartial(before: Date): Promise<number>;
}

export interface StoredFile {
  key: string;
  modifiedAt: Date;
}

export class FileMissing extends Error {
  constructor(key: string) {
    super(`There is no stored file ${key}.`);
    this.name = 'FileMissing';
  }
}

const SEGMENT = /^[0-9A-Za-z_-][0-9A-Za-z._-]*$/;

/** Throws unless the key is `a/b/c` of plain names, at most 500 characters: nothing that could leave the folder. */
export function checkKey(key: string): void {
  if (key.length > 500 || !key.split('/').every((segment) => segment.length <= 200 && SEGMENT.test(segment))) {
    throw new Error(`Not a storage key: ${JSON.stringify(key)}`);
  }
}
