import { appendFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordingSegment, RecordingTrack } from '@rmeet/contract';
import type { LiveOutput } from '@rmeet/live';
import { AacEncoder } from './packager/aac.ts';
import { Packager } from './packager/packager.ts';
import type { SoundFormat } from './packager/sample-entries.ts';
import { SegmentFolder } from './packager/segment-folder.ts';
import { SAMPLE_RATE } from './voice.ts';

/** A file of the spool that is complete. */
export interface SpooledFile {
  /** The track's id, which is the name of its folder. */
  track: string;
  name: string;
  path: string;
  /** Undefined for an initialization segment. */
  segment?: RecordingSegment;
}

export interface SpooledTrackOptions {
  /** The folder of the recording. */
  folder: string;
  startsAt: number;
  /** What the index says of it; segments are added when they are complete. */
  entry: RecordingTrack;
  hasPicture: boolean;
  sound: SoundFormat | undefined;
  segmentMs: number;
  /** Takes each part as soon as it is made, whether it can be written or not. */
  live?: Pick<LiveOutput, 'takeInit' | 'takePart'> | undefined;
  /** Takes each coded frame of its sound, with its position in samples. */
  onSound?: (data: Uint8Array, position: number) => void;
  onFile: (file: SpooledFile) => void;
  /** A part was written, which ends at this time (ms). */
  onPart?: (from: number, to: number) => void;
  onFailure: (error: unknown) => void;
}

/** The name of the file that describes a track to `recoverSpool`. */
export const TRACK_FILE = 'track.json';
/** Names the complete segments of a track, a line of JSON each, also those whose files have left the spool. */
export const SEGMENTS_FILE = 'segments.jsonl';

/** A stretch of a track without interruption. */
interface Stretch {
  packager: Packager;
  folder: SegmentFolder;
  encoder: AacEncoder | undefined;
  /** Ms: sound is complete until there. */
  soundUntil: number;
}

/** Writes a track to the spool, in stretches that are numbered on. Times are ms since the recording's start. */
export class SpooledTrack {
  #options: SpooledTrackOptions;
  #path: string;
  #isDescribed = false;
  #nextSegment: number;
  #nextInit: number;
  #stretch: Stretch | undefined;
  /** Number of stretches that are being completed. */
  #closing = 0;
  /** Lines of SEGMENTS_FILE that could not be written yet. */
  #unwritten = '';

  constructor(options: SpooledTrackOptions) {
    this.#options = options;
    const { folder, entry } = options;
    this.#path = join(folder, entry.id);
    // Who wrote them may have sent viewers what never reached the disk: those numbers are not used again.
    const first = entry.segments.length > 0 && options.live ? 2 : 1;
    this.#nextSegment = Math.max(0, ...entry.segments.map(({ number }) => number)) + first;
    this.#nextInit = Math.max(0, ...entry.segments.map(({ init }) => init)) + first;
  }

  get isOpen(): boolean {
    return this.#stretch !== undefined;
  }

  /** Where its last complete segment ends. */
  get end(): number {
    const last = this.#options.entry.segments.at(-1);
    return last ? last.at + last.duration : 0;
  }

  /** A stretch begins with the next key frame, or without pictures with the next sound. */
  begin(): void {
    if (this.#stretch) return;
    this.#describe();
    // The end of the stretch before may become a segment of its own.
    if (this.#closing > 0) this.#nextSegment += 1;
    const { startsAt, hasPicture, sound, segmentMs, live } = this.#options;
    const folder = this.#open();
    const packager = new Packager(
      { startsAt, hasPicture, sound, segmentMs, firstSegment: this.#nextSegment, firstInit: this.#nextInit },
      {
        takeInit: (number, data) => {
          this.#nextInit = Math.max(this.#nextInit, number + 1);
          live?.takeInit(number, data);
          folder.takeInit(number, data);
        },
        takePart: (part) => {
          this.#nextSegment = Math.max(this.#nextSegment, part.segment + 1);
          live?.takePart(part);
          folder.takePart(part);
        },
      },
    );
    const stretch: Stretch = { packager, folder, encoder: undefined, soundUntil: Number.NEGATIVE_INFINITY };
    if (sound)
      stretch.encoder = new AacEncoder(sound, (data, position) => {
        packager.addSound(data, position);
        this.#options.onSound?.(data, position);
        stretch.soundUntil = (position * 1_000) / SAMPLE_RATE;
      });
    this.#stretch = stretch;
  }

  #open(): SegmentFolder {
    const { entry, onFile, onPart, onFailure } = this.#options;
    const complete = (name: string): SpooledFile => ({ track: entry.id, name, path: join(this.#path, name) });
    return new SegmentFolder(this.#path, {
      onInit: (name) => onFile(complete(name)),
      onSegment: (name, segment) => {
        entry.segments.push(segment);
        entry.segments.sort((a, b) => a.number - b.number);
        this.#note(segment);
        onFile({ ...complete(name), segment });
      },
      onPart: ({ at, duration }) => onPart?.(at, at + duration),
      onFailure,
    });
  }

  /** Notes a segment before its file may leave the spool. */
  #note(segment: RecordingSegment): void {
    this.#unwritten += `${JSON.stringify(segment)}\n`;
    try {
      appendFileSync(join(this.#path, SEGMENTS_FILE), this.#unwritten);
      this.#unwritten = '';
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  /** For who finds the spool after a crash. */
  #describe(): void {
    if (this.#isDescribed) return;
    this.#isDescribed = true;
    const { kind, termId, name } = this.#options.entry;
    mkdir(this.#path, { recursive: true })
      .then(() => writeFile(join(this.#path, TRACK_FILE), JSON.stringify({ kind, termId, name })))
      .catch(this.#options.onFailure);
  }

  addPicture(units: readonly Buffer[], isKey: boolean, at: number): void {
    this.#stretch?.packager.addPicture(units, isKey, at);
  }

  /** Adds interleaved samples of two channels, which follow the previous ones; `position` in samples. */
  addSound(block: Float32Array, position: number): void {
    this.#stretch?.encoder?.add(block, position);
  }

  addSilence(count: number, position: number): void {
    this.#stretch?.encoder?.addSilence(count, position);
  }

  /** Everything before `at` has come: writes what is complete. */
  advance(at: number): void {
    const stretch = this.#stretch;
    if (!stretch) return;
    stretch.packager.advance(stretch.encoder ? Math.min(at, stretch.soundUntil) : at);
    if (stretch.encoder?.failure !== undefined) this.#options.onFailure(stretch.encoder.failure);
  }

  /** The stretch ends at `at`. Resolves when its files are complete; a failure was told by `onFailure`. */
  async close(at: number): Promise<void> {
    const stretch = this.#stretch;
    if (!stretch) return;
    this.#stretch = undefined;
    this.#closing += 1;
    await stretch.encoder?.finish();
    stretch.packager.finish(at);
    await stretch.folder.close().catch(() => undefined);
    this.#closing -= 1;
  }
}
