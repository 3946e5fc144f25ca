import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordingIndex, RecordingTrack } from '@rmeet/contract';
import { initName, segmentName } from '@rmeet/live';
import { AUDIO_TRACK, readSegment, VIDEO_TIMESCALE, VIDEO_TRACK, type ReadPart, type Sample } from './fragments.ts';
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

/** Where segments are: their names in order, and how to read a file. */
export interface SegmentSource {
  segments: readonly Segment[];
  read: (name: string) => Promise<Buffer>;
}

export { initName, segmentName };

/** The numbers in a segment's name; undefined if the name is another one. */
export function readSegmentName(name: string): { init: number; number: number } | undefined {
  const [, init, number] = /^segment-(\d+)-(\d+)\.m4s$/.exec(name) ?? [];
  return init === undefined || number === undefined ? undefined : { init: Number(init), number: Number(number) };
}

/** How long the parts last, in ms: that of their pictures, or of their sound if they have none. */
export function durationOf(parts: readonly ReadPart[]): number {
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
    const numbers = readSegmentName(name);
    return numbers ? [{ name, ...numbers }] : [];
  });
  const segments: Segment[] = [];
  for (const one of found.toSorted((a, b) => a.number - b.number)) {
    const { parts, wallClock } = readSegment(await readFile(join(path, one.name)));
    if (parts.length > 0)
      segments.push({ ...one, initName: initName(one.init), duration: durationOf(parts), wallClock });
  }
  return segments;
}

/** The segments of a folder, to be read. */
export async function folderSource(path: string): Promise<SegmentSource> {
  return { segments: await segmentsIn(path), read: (name) => readFile(join(path, name)) };
}

/** The segments of a track by a recording's index; where they are stored is the caller's to know. */
export function storedSegments(
  { startsAt }: Pick<RecordingIndex, 'startsAt'>,
  { segments }: RecordingTrack,
): Segment[] {
  return segments.map(({ number, init, at, duration }) => ({
    number,
    init,
    name: segmentName(init, number),
    initName: initName(init),
    duration,
    wallClock: startsAt + at,
  }));
}
