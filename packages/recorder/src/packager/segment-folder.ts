import { mkdir, open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordingSegment } from '@rmeet/contract';
import type { PackagerOutput, Part } from './packager.ts';
import { initName, segmentName } from './segments.ts';

/** What a folder tells while it is written. */
export interface SegmentFolderEvents {
  onInit?: (name: string) => void;
  /** A part is written. */
  onPart?: (part: Part) => void;
  /** A segment is complete, and forced to the disk. */
  onSegment?: (name: string, segment: RecordingSegment) => void;
  /** Nothing more is written. */
  onFailure?: (error: unknown) => void;
}

interface OpenSegment {
  name: string;
  file: FileHandle;
  segment: RecordingSegment;
}

/** Writes segments to a folder, each part as soon as it is made. */
export class SegmentFolder implements PackagerOutput {
  #path: string;
  #events: SegmentFolderEvents;
  #open: OpenSegment | undefined;
  #work: Promise<void>;
  /** Segments that are being forced to the disk; parts of the next one do not wait for that. */
  #completing = new Set<Promise<void>>();
  #failure: unknown;

  /** The folder is created. */
  constructor(path: string, events: SegmentFolderEvents = {}) {
    this.#path = path;
    this.#events = events;
    this.#work = mkdir(path, { recursive: true }).then(
      () => undefined,
      (error: unknown) => this.#fail(error),
    );
  }

  /** Why it can no longer be written to; undefined if there is no error. */
  get failure(): unknown {
    return this.#failure;
  }

  takeInit(number: number, data: Buffer): void {
    const name = initName(number);
    this.#then(async () => {
      await writeFile(join(this.#path, name), data, { flush: true });
      this.#events.onInit?.(name);
    });
  }

  takePart(part: Part): void {
    this.#then(async () => {
      if (part.startsSegment) {
        this.#complete();
        const name = segmentName(part.init, part.segment);
        const segment = { number: part.segment, init: part.init, at: Math.round(part.at), duration: 0, bytes: 0 };
        this.#open = { name, file: await open(join(this.#path, name), 'a'), segment };
      }
      const { file, segment } = this.#open!;
      await file.appendFile(part.data);
      segment.bytes += part.data.length;
      segment.duration = part.at + part.duration - segment.at;
      this.#events.onPart?.(part);
    });
  }

  /** After a failure nothing is written: what follows an incomplete part could not be read. */
  #then(work: () => Promise<void>): void {
    this.#work = this.#work
      .then(() => (this.#failure === undefined ? work() : undefined))
      .catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#complete();
    this.#events.onFailure?.(error);
  }

  /** The open segment ends; after a failure, with its last complete part. */
  #complete(): void {
    const done = this.#open;
    this.#open = undefined;
    if (!done) return;
    const completing = this.#close(done)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#completing.delete(completing));
    this.#completing.add(completing);
  }

  async #close({ name, file, segment }: OpenSegment): Promise<void> {
    try {
      if (this.#failure !== undefined) await file.truncate(segment.bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    if (segment.bytes > 0) this.#events.onSegment?.(name, segment);
    else await rm(join(this.#path, name));
  }

  /** Resolves when everything that was taken so far is written. @throws the error that prevented it */
  async written(): Promise<void> {
    await this.#work;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Ends it: all segments are complete. @throws the error that prevented writing */
  async close(): Promise<void> {
    await this.#work;
    this.#complete();
    await Promise.all(this.#completing);
    await this.written();
  }
}
