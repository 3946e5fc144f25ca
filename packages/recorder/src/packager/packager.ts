import type { LivePart } from '@rmeet/live';
import {
  AUDIO_TRACK,
  fragment,
  initSegment,
  segmentHead,
  VIDEO_TIMESCALE,
  VIDEO_TRACK,
  type Sample,
} from './fragments.ts';
import {
  AAC_FRAME,
  pictureFormatOf,
  rateOf,
  SOUND_RATE,
  type PictureFormat,
  type SoundFormat,
} from './sample-entries.ts';

/** A segment begins with the first key frame of each interval of this length. */
export const SEGMENT_MS = 2_000;
/** A key frame that comes this much before its interval already begins the segment. */
export const EARLY_MS = 500;
/** Length of a part, and how long the last one of a segment may be. */
const PART_MS = 1_000 / 3;
const LONGEST_PART_MS = 390;
const PICTURE_TICKS = VIDEO_TIMESCALE / 1_000;

/** A part of a segment: a CMAF chunk. Times in ms of the media. */
export type Part = LivePart;

/** Takes what the packager makes, in this order. */
export interface PackagerOutput {
  /** An initialization segment; the segments from now on need it. */
  takeInit: (number: number, data: Buffer, format: PictureFormat | undefined) => void;
  takePart: (part: Part) => void;
}

export interface PackagerOptions {
  /** Unix time in ms of the media's time 0. */
  startsAt: number;
  hasPicture: boolean;
  /** Undefined: pictures only. */
  sound: SoundFormat | undefined;
  /** Length of a segment, ms; `SEGMENT_MS` if omitted. */
  segmentMs?: number;
  /** Numbers of the first segment and initialization segment; to continue what another one began. */
  firstSegment?: number;
  firstInit?: number;
}

interface Picture {
  /** Ticks of the track. */
  time: number;
  isKey: boolean;
  /** Of a key frame. */
  format: PictureFormat | undefined;
  data: Buffer;
  /** Presentation less decoding time, ticks. */
  offset: number;
}

interface SoundFrame {
  time: number;
  data: Uint8Array;
}

/** Times that were ticks before are the same ticks again: ms are not exact. */
const pictureTicks = (ms: number): number => Math.round(ms * PICTURE_TICKS);

/** Each unit with its length before it (ISO/IEC 14496-15, 5.3.3). */
function withLengths(units: readonly Buffer[]): Buffer {
  return Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(unit.length);
      return [length, unit];
    }),
  );
}

/**
 * Cuts coded pictures and sound, which come in order on one clock, into CMAF segments and their parts. Nothing is
 * decoded. A picture lasts until the next one: the last known picture is kept back until then.
 */
export class Packager {
  #options: PackagerOptions;
  #output: PackagerOutput;
  #pictures: Picture[] = [];
  #sounds: SoundFrame[] = [];
  #lastPicture = -PICTURE_TICKS;
  #format: PictureFormat | undefined;
  #segment: number;
  #init: number;
  /** Ms: where the next part begins; undefined before the first picture. */
  #partStart: number | undefined;
  /** Ms: where the segment begins, and the next interval. */
  #segmentStart = 0;
  #due = 0;
  #startsSegment = true;
  #sequence = 0;
  /** Samples per ms. */
  #soundTicks: number;

  constructor(options: PackagerOptions, output: PackagerOutput) {
    this.#options = options;
    this.#output = output;
    this.#segment = (options.firstSegment ?? 1) - 1;
    this.#init = (options.firstInit ?? 1) - 1;
    this.#soundTicks = (options.sound ? rateOf(options.sound) : SOUND_RATE) / 1_000;
  }

  #soundTime(ms: number): number {
    return Math.round(ms * this.#soundTicks);
  }

  /**
   * Adds an access unit of H.264, captured at `at` (ms). The first one that counts is a key frame. `offset`: how much
   * later than `at` it is shown (ms), of encoders that send pictures in another order; `at` orders them then.
   */
  addPicture(units: readonly Buffer[], isKey: boolean, at: number, offset = 0): void {
    const format = isKey ? pictureFormatOf(units) : undefined;
    if (this.#lastPicture < 0 && !format) return;
    // Pictures are a ms apart at least: players count in ms.
    const earliest = Math.max(this.#lastPicture + PICTURE_TICKS, pictureTicks(this.#partStart ?? 0));
    const time = Math.max(pictureTicks(at), earliest);
    this.#lastPicture = time;
    const data = withLengths(units);
    const picture = { time, isKey: format !== undefined, format, data, offset: pictureTicks(offset) };
    this.#pictures.push(picture);
    if (this.#partStart === undefined) this.#openSegment(time / PICTURE_TICKS, picture);
  }

  /** Adds an AAC frame; `time` in samples. Frames follow each other without gaps. */
  addSound(data: Uint8Array, time: number): void {
    if (this.#partStart === undefined && !this.#options.hasPicture)
      this.#openSegment(time / this.#soundTicks, undefined);
    this.#sounds.push({ time, data });
  }

  /** Everything before `at` (ms) has been added: makes the parts that are complete. */
  advance(at: number): void {
    while (this.#partStart !== undefined) {
      const opening = this.#opening(this.#partStart + LONGEST_PART_MS);
      const end = opening?.at ?? this.#partStart + PART_MS;
      if (end > at) return;
      this.#cut(end, false);
      if (opening) this.#openSegment(opening.at, opening.picture);
    }
  }

  /** The media ends at `at` (ms), and all of it has been added: makes the last part. */
  finish(at: number): void {
    // A part that would end now is the last one.
    this.advance(at - 1);
    if (this.#partStart !== undefined) this.#cut(Math.max(at, this.#partStart), true);
  }

  /** What begins the next segment, if it is before `before`. */
  #opening(before: number): { at: number; picture: Picture | undefined } | undefined {
    if (!this.#options.hasPicture) return this.#due <= before ? { at: this.#due, picture: undefined } : undefined;
    const start = pictureTicks(this.#partStart!);
    const picture = this.#pictures.find(
      ({ time, format }) =>
        format && time > start && (format.key !== this.#format?.key || time >= (this.#due - EARLY_MS) * PICTURE_TICKS),
    );
    if (!picture || picture.time > before * PICTURE_TICKS) return undefined;
    return { at: picture.time / PICTURE_TICKS, picture };
  }

  #openSegment(at: number, picture: Picture | undefined): void {
    const { startsAt, sound, segmentMs = SEGMENT_MS } = this.#options;
    if (this.#partStart === undefined || picture?.format?.key !== this.#format?.key) {
      this.#init += 1;
      this.#format = picture?.format;
      const data = initSegment(new Date(startsAt), this.#format, sound);
      this.#output.takeInit(this.#init, data, this.#format);
    }
    this.#segment += 1;
    this.#startsSegment = true;
    this.#segmentStart = at;
    this.#partStart = at;
    this.#due = (Math.floor((at + EARLY_MS) / segmentMs) + 1) * segmentMs;
  }

  /** Pictures before `end` (ms) whose duration is known; with `isLast`, all. */
  #takePictures(end: number, isLast: boolean): { samples: Sample[]; data: Buffer[] } {
    const limit = pictureTicks(end);
    const next = this.#pictures.findIndex(({ time }) => time >= limit);
    const count = isLast ? this.#pictures.length : next < 0 ? this.#pictures.length - 1 : next;
    const taken = this.#pictures.splice(0, Math.max(0, count));
    const samples = taken.map(({ time, isKey, data, offset }, n) => {
      const following = taken[n + 1]?.time ?? this.#pictures[0]?.time ?? Math.max(limit, time + 1);
      return { time, isKey, size: data.length, duration: following - time, offset };
    });
    return { samples, data: taken.map(({ data }) => data) };
  }

  #takeSounds(end: number): { samples: Sample[]; data: Uint8Array[] } {
    const limit = this.#soundTime(end);
    const next = this.#sounds.findIndex(({ time }) => time >= limit);
    const taken = this.#sounds.splice(0, next < 0 ? this.#sounds.length : next);
    // Sound before the first picture is left out.
    const kept = this.#sequence === 0 ? taken.filter(({ time }) => time >= this.#soundTime(this.#partStart!)) : taken;
    const samples = kept.map(({ time, data }) => ({ time, isKey: true, size: data.length, duration: AAC_FRAME }));
    return { samples, data: kept.map(({ data }) => data) };
  }

  #cut(end: number, isLast: boolean): void {
    // Before the first part, a picture may have waited for its end.
    const at = this.#startsSegment ? this.#segmentStart : this.#partStart!;
    const video = this.#takePictures(end, isLast);
    const audio = this.#takeSounds(end);
    this.#partStart = end;
    if (video.samples.length + audio.samples.length === 0) return;
    this.#sequence += 1;
    const data = fragment(this.#sequence, [
      { id: VIDEO_TRACK, ...video },
      { id: AUDIO_TRACK, ...audio },
    ]);
    const { hasPicture, startsAt } = this.#options;
    const head = hasPicture
      ? segmentHead(VIDEO_TRACK, pictureTicks(at), startsAt + at)
      : segmentHead(AUDIO_TRACK, this.#soundTime(at), startsAt + at);
    const startsSegment = this.#startsSegment;
    this.#startsSegment = false;
    this.#output.takePart({
      segment: this.#segment,
      init: this.#init,
      startsSegment,
      at,
      duration: end - at,
      data: startsSegment ? Buffer.concat([head, data]) : data,
    });
  }
}
