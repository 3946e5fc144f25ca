import { mkdir, open, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackagerOutput, Part } from './packager.ts';
import { initName, segmentName } from './segments.ts';

/** Writes segments to a folder, each part as soon as it is made. */
export class SegmentFolder implements PackagerOutput {
  #path: string;
  #file: FileHandle | undefined;
  #work: Promise<void> = Promise.resolve();
  #failure: unknown;

  private constructor(path: string) {
    this.#path = path;
  }

  /** @throws the file system's error if the folder cannot be created. */
  static async open(path: string): Promise<SegmentFolder> {
    await mkdir(path, { recursive: true });
    return new SegmentFolder(path);
  }

  /** Why it can no longer be written to; undefined if there is no error. */
  get failure(): unknown {
    return this.#failure;
  }

  takeInit(number: number, data: Buffer): void {
    this.#then(() => writeFile(join(this.#path, initName(number)), data));
  }

  takePart({ segment, init, startsSegment, data }: Part): void {
    this.#then(async () => {
      if (startsSegment) {
        const before = this.#file;
        this.#file = undefined;
        await before?.close();
        this.#file = await open(join(this.#path, segmentName(init, segment)), 'a');
      }
      await this.#file!.appendFile(data);
    });
  }

  /** After a failure nothing is written: what follows an incomplete part could not be read. */
  #then(work: () => Promise<void>): void {
    this.#work = this.#work
      .then(() => (this.#failure === undefined ? work() : undefined))
      .catch((error: unknown) => {
        this.#failure ??= error;
      });
  }

  /** Resolves when everything that was taken so far is written. @throws the error that prevented it */
  async written(): Promise<void> {
    await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Ends it. @throws the error that prevented writing */
  async close(): Promise<void> {
    await this.#work;
    await this.#file?.close();
    await this.written();
  }
}
