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
