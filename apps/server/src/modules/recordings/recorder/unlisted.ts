import { createWriteStream, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { recordingKeys, type RecordingIndex } from '@rmeet/contract';
import { TRACK_FILE } from '@rmeet/recorder';
import type { Storage } from '../../../platform/storage/index.ts';

const SEGMENT = /\/([0-9A-Za-z-]+)\/(segment-\d+-(\d+)\.m4s)$/;

/**
 * Brings segments back to the spool that are in the storage but not in its index: a recorder died after it had stored
 * them, and before it stored the index anew. `recoverSpool` then finds them, and what they contain says where they
 * belong. Segments of tracks that neither the index nor the spool describes stay where they are.
 */
export async function fetchUnlisted(
  storage: Storage,
  recordingId: string,
  spool: string,
  index: RecordingIndex | null,
): Promise<void> {
  const listed = new Map(
    index?.tracks.map(({ id, segments }) => [id, new Set(segments.map(({ number }) => number))] as const),
  );
  for await (const { key } of storage.list(recordingKeys.folder(recordingId))) {
    const [, track, name, number] = SEGMENT.exec(key) ?? [];
    if (track === undefined || name === undefined || listed.get(track)?.has(Number(number))) continue;
    const folder = join(spool, track);
    if (!listed.has(track) && !existsSync(join(folder, TRACK_FILE))) continue;
    const path = join(folder, name);
    if (existsSync(path)) continue;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await pipeline(await storage.get(key), createWriteStream(path, { mode: 0o600 }));
  }
}
