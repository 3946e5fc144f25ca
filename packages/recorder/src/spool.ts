import { open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { recordingTrack, type RecordingIndex, type RecordingSegment } from '@rmeet/contract';
import { readSegment } from './packager/fragments.ts';
import { durationOf, readSegmentName } from './packager/segments.ts';
import { TRACK_FILE, type SpooledFile } from './spooled-track.ts';

/** What a recorder left in its spool. */
export interface RecoveredSpool {
  /** The index with all that is in the spool; null if there is nothing, and was nothing before. */
  index: RecordingIndex | null;
  /** Complete files, which are still to be stored. */
  files: SpooledFile[];
}

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

/** The complete files of a track's folder, in the order of their numbers. */
async function recoverTrack(
  folder: string,
  track: string,
): Promise<{ inits: SpooledFile[]; segments: FoundSegment[] }> {
  const names = await readdir(join(folder, track));
  const inits = names
    .filter((name) => /^init-\d+\.mp4$/.test(name))
    .map((name) => ({ track, name, path: join(folder, track, name) }));
  const segments: FoundSegment[] = [];
  for (const name of names) {
    const found = await recoverSegment(track, join(folder, track, name), name);
    if (found) segments.push(found);
  }
  return { inits, segments: segments.toSorted((a, b) => a.file.segment.number - b.file.segment.number) };
}

/**
 * Finds what a recorder that died left in its spool: `index`, if any, extended by all complete parts, and the files
 * that are still to be stored. What is incomplete is cut off.
 */
export async function recoverSpool(folder: string, index: RecordingIndex | null): Promise<RecoveredSpool> {
  const files: SpooledFile[] = [];
  let recovered = index && structuredClone(index);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const { name: id } of entries.filter((entry) => entry.isDirectory())) {
    const { inits, segments } = await recoverTrack(folder, id);
    files.push(...inits, ...segments.map(({ file }) => file));
    if (segments.length === 0) continue;
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
    const found = segments.map(({ file }) => file.segment);
    const known = track.segments.filter(({ number }) => !found.some((one) => one.number === number));
    track.segments = [...known, ...found].toSorted((a, b) => a.number - b.number);
  }
  return { index: recovered, files };
}
