import { statfs } from 'node:fs/promises';

const MEGABYTE = 2 ** 20;

export interface SpoolRoomOptions {
  /** Free bytes below which the disk counts as full. */
  least?: number;
  /** Free bytes from which on a full disk has room again. More than `least`, so that recordings do not flicker. */
  enough?: number;
}

/**
 * Whether the disk of the spool folder has room. It counts as full before it is: the database and the other files of
 * the data folder are on it, too, and what is in the spool must be completed.
 */
export class SpoolRoom {
  readonly #folder: string;
  readonly #least: number;
  readonly #enough: number;
  #isFull = false;

  constructor(folder: string, { least = 256 * MEGABYTE, enough = 512 * MEGABYTE }: SpoolRoomOptions = {}) {
    this.#folder = folder;
    this.#least = least;
    this.#enough = enough;
  }

  /** Throws the file system's error, for example if there is no such folder. */
  async hasRoom(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.#folder);
    this.#isFull = bavail * bsize < (this.#isFull ? this.#enough : this.#least);
    return !this.#isFull;
  }
}
