import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { recordingIndex, recordingKeys, type RecordingIndex } from '@rmeet/contract';
import { FileMissing, type Storage } from '../../../platform/storage/index.ts';

/** The index of a recording in the storage; null if there is none yet. */
export async function readIndex(storage: Storage, recordingId: string): Promise<RecordingIndex | null> {
  try {
    return recordingIndex.parse(JSON.parse(await text(await storage.get(recordingKeys.index(recordingId)))));
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}

/**
 * Stores the index without the segments whose files are not in the storage yet, so that each that it lists can be
 * played.
 *
 * @param pending keys of files that are still in the spool
 */
export async function writeIndex(
  storage: Storage,
  recordingId: string,
  index: RecordingIndex,
  pending: ReadonlySet<string>,
): Promise<void> {
  const tracks = index.tracks.map((track) => ({
    ...track,
    segments: track.segments.filter(
      (segment) =>
        !pending.has(recordingKeys.segment(recordingId, track.id, segment)) &&
        !pending.has(recordingKeys.init(recordingId, track.id, segment.init)),
    ),
  }));
  const stored = JSON.stringify({ ...index, tracks } satisfies RecordingIndex);
  await storage.put(recordingKeys.index(recordingId), Buffer.from(stored));
}

/** In the spool folder of a recording: the index for the next recorder on this machine, if the storage is away then. */
const SPOOLED = 'index.json';

/** The index as the last recorder on this machine knew it, without segments that it completed later. */
export async function readSpooledIndex(folder: string): Promise<RecordingIndex | null> {
  try {
    return recordingIndex.parse(JSON.parse(await readFile(join(folder, SPOOLED), 'utf8')));
  } catch {
    return null;
  }
}

/** Stores the index beside the spooled files, whole or not at all. */
export async function spoolIndex(folder: string, index: RecordingIndex): Promise<void> {
  const path = join(folder, SPOOLED);
  await writeFile(`${path}.new`, JSON.stringify(index), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
