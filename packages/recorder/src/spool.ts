import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  recordingSegment,
  recordingTrack,
  type RecordingIndex,
  type RecordingSegment,
  type RecordingTrack,
} from '@rmeet/contract';
import { readSegment } from './packager/fragments.ts';
import { durationOf, readSegmentName } from './packager/segments.ts';
import { SEGMENTS_FILE, TRACK_FILE, type SpooledFile } from './spooled-track.ts';

/** What a recorder left in its spool. */
export interface RecoveredSpool {
  /** The index with all that is in the spool; null if there is nothing, and was nothing before. */
  index: RecordingIndex | null;
  /** Complete files, which are still to be stored. */
  files: SpooledFile[];
}

/** Segments that follow each other are less beside each other, ms. */
const LEAST_HOLE = 150;

const description = recordingTrack.pick({ kind: true, termId: true, name: true });

interface FoundSegment {
  file: SpooledFile & { segment: RecordingSegment };
  /** Unix time in ms of the recording's time 0. */
  startsAt: number;
}

/** A segment without what is incomplete at its end; deletes it if nothing is left. */
async function recoverSegment(track: string, path: string, name: string): Promise<FoundSegment | undefined> {
  const numbers = readSegmentName(name);
  if (!numbers) return undefined;
  const bytes = await readFile(path);
  const { parts, end, wallClock, mediaTime } = readSegment(bytes);
  if (parts.length === 0 || wallClock === undefined || mediaTime === undefined) {
    await rm(path);
    return undefined;
  }
  if (end < bytes.length) {
    const file = await open(path, 'r+');
    await file.truncate(end);
    await file.datasync();
    await file.close();
  }
  const segment = { ...numbers, at: Math.round(mediaTime), duration: durationOf(parts), bytes: end };
  return { file: { track, name, path, segment }, startsAt: wallClock - mediaTime };
}

/** The segments that a recorder completed, also those whose files have left the spool. */
async function readNoted(folder: string): Promise<RecordingSegment[]> {
  const text = await readFile(join(folder, SEGMENTS_FILE), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    try {
      return [recordingSegment.parse(JSON.parse(line))];
    } catch {
      // Cut off by the death of the recorder.
      return [];
    }
  });
}

interface FoundTrack {
  inits: SpooledFile[];
  segments: FoundSegment[];
  /** Of segments, those without a file, too. */
  noted: RecordingSegment[];
}

/** The complete files of a track's folder, in the order of their numbers. */
async function recoverTrack(folder: string, track: string): Promise<FoundTrack> {
  const names = await readdir(join(folder, track));
  const inits = names
    .filter((name) => /^init-\d+\.mp4$/.test(name))
    .map((name) => ({ track, name, path: join(folder, track, name) }));
  const segments: FoundSegment[] = [];
  for (const name of names) {
    const found = await recoverSegment(track, join(folder, track, name), name);
    if (found) segments.push(found);
  }
  const noted = await readNoted(join(folder, track));
  return { inits, segments: segments.toSorted((a, b) => a.file.segment.number - b.file.segment.number), noted };
}

/** Adds segments to a track; of two with the same number, the later one in the list counts. */
function addSegments(track: RecordingTrack, segments: readonly RecordingSegment[]): void {
  const byNumber = new Map([...track.segments, ...segments].map((segment) => [segment.number, segment]));
  track.segments = [...byNumber.values()].toSorted((a, b) => a.number - b.number);
}

/** Makes the gaps cover the holes of the programme: what a recorder knew of them last may not be stored. */
function nameHoles({ tracks, gaps }: RecordingIndex): void {
  const segments = tracks.find(({ kind }) => kind === 'programme')?.segments ?? [];
  for (const [n, { at: to }] of segments.slice(1).entries()) {
    const from = Math.round(segments[n]!.at + segments[n]!.duration);
    if (to - from <= LEAST_HOLE) continue;
    const begun = gaps.find((gap) => gap.from < to && gap.to > from);
    if (begun) begun.to = Math.max(begun.to, to);
    else gaps.push({ from, to, reason: 'recorder' });
  }
  gaps.sort((a, b) => a.from - b.from);
}

/**
 * Finds what a recorder that died left in its spool: `index`, if any, extended by all segments that it completed and by
 * all complete parts, and the files that are still to be stored. What is incomplete is cut off.
 */
export async function recoverSpool(folder: string, index: RecordingIndex | null): Promise<RecoveredSpool> {
  const files: SpooledFile[] = [];
  let recovered = index && structuredClone(index);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const { name: id } of entries.filter((entry) => entry.isDirectory())) {
    const { inits, segments, noted } = await recoverTrack(folder, id);
    files.push(...inits, ...segments.map(({ file }) => file));
    if (segments.length === 0 && (!recovered || noted.length === 0)) continue;
    recovered ??= {
      version: 1,
      startsAt: segments[0]!.startsAt,
      isComplete: false,
      tracks: [],
      onAir: [],
      speaking: [],
      gaps: [],
    };
    let track = recovered.tracks.find((one) => one.id === id);
    if (!track) {
      const text = await readFile(join(folder, id, TRACK_FILE), 'utf8');
      track = { id, ...description.parse(JSON.parse(text)), segments: [] };
      recovered.tracks.push(track);
    }
    addSegments(track, [...noted, ...segments.map(({ file }) => file.segment)]);
  }
  if (recovered) nameHoles(recovered);
  return { index: recovered, files };
}
