import { recordingIndex, recordingKeys, type RecordingIndex } from '@rmeet/contract';
import { FileMissing, type Storage } from '../../../platform/storage/index.ts';

/** Indexes kept in memory; one of a long meeting takes some megabytes. */
const KEPT = 20;

/** Reads what the recorder wrote about a recording. */
export interface IndexFiles {
  /** The index of a recording; without tracks if it has none yet. */
  read(recording: { id: string; startedAt: Date }): Promise<RecordingIndex>;
}

async function textOf(storage: Storage, key: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.get(key)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads index files from the storage, each version once. */
export function createIndexFiles(storage: Storage): IndexFiles {
  const kept = new Map<string, { version: number; index: RecordingIndex }>();
  return {
    async read({ id, startedAt }) {
      const none: RecordingIndex = {
        version: 1,
        startsAt: startedAt.getTime(),
        isComplete: false,
        tracks: [],
        onAir: [],
        speaking: [],
        gaps: [],
      };
      const key = recordingKeys.index(id);
      const found = await storage.stat(key);
      if (!found) return none;
      const version = found.modifiedAt.getTime();
      const known = kept.get(id);
      kept.delete(id);
      if (known?.version === version) {
        kept.set(id, known);
        return known.index;
      }
      try {
        const index = recordingIndex.parse(JSON.parse(await textOf(storage, key)));
        kept.set(id, { version, index });
        const [oldest] = kept.keys();
        if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
        return index;
      } catch (error) {
        if (error instanceof FileMissing) return none;
        throw error;
      }
    },
  };
}
