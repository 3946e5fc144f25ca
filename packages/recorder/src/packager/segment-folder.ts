import { mkdir, open, readdir, readFile, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { AUDIO_TRACK, readSegment, VIDEO_TIMESCALE, VIDEO_TRACK, type ReadPart, type Sample } from './fragments.ts';
import type { PackagerOutput, Part } from './packager.ts';
import { SOUND_RATE } from './sample-entries.ts';

/** A segment of a recording. */
export interface Segment {
  number: number;
  /** The number of the initialization segment that it needs. */
  init: number;
  /** Names in the folder. */
  name: string;
  initName: string;
  /** Ms. */
  duration: number;
  /** Unix time in ms at which it begins; undefined if that is not known. */
  wallClock: number | undefined;
}

const initName = (init: number): string => `init-${init}.mp4`;
const segmentName = (init: number, segment: number): string => `segment-${init}-${segment}.m4s`;

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

/** How long the parts last, in ms: that of their pictures, or of their sound if they have none. */
function durationOf(parts: readonly ReadPart[]): number {
  const samplesOf = (id: number): Sample[] =>
    parts.flatMap(({ tracks }) => tracks.filter((track) => track.id === id)).flatMap(({ samples }) => samples);
  const pictures = samplesOf(VIDEO_TRACK);
  const samples = pictures.length > 0 ? pictures : samplesOf(AUDIO_TRACK);
  const [first, last] = [samples[0]!, samples.at(-1)!];
  return ((last.time + last.duration - first.time) * 1_000) / (pictures.length > 0 ? VIDEO_TIMESCALE : SOUND_RATE);
}

/**
 * The segments in a folder, also of a recording that runs or was interrupted at any point: segments that have at least
 * one complete part.
 */
export async function segmentsIn(path: string): Promise<Segment[]> {
  const found = (await readdir(path)).flatMap((name) => {
    const [, init, number] = /^segment-(\d+)-(\d+)\.m4s$/.exec(name) ?? [];
    return init === undefined || number === undefined ? [] : [{ name, init: Number(init), number: Number(number) }];
  });
  const segments: Segment[] = [];
  for (const one of found.toSorted((a, b) => a.number - b.number)) {
    const { parts, wallClock } = readSegment(await readFile(join(path, one.name)));
    if (parts.length > 0)
      segments.push({ ...one, initName: initName(one.init), duration: durationOf(parts), wallClock });
  }
  return segments;
}
