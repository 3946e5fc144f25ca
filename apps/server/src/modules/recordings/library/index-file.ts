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

/** Reads index files from the storage; those of complete recordings do not change, and are kept. */
export function createIndexFiles(storage: Storage): IndexFiles {
  const kept = new Map<string, RecordingIndex>();
  const keep = (id: string, index: RecordingIndex): RecordingIndex => {
    kept.delete(id);
    kept.set(id, index);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return index;
  };
  return {
    async read({ id, startedAt }) {
      const known = kept.get(id);
      if (known) return keep(id, known);
      try {
        const index = recordingIndex.parse(JSON.parse(await textOf(storage, recordingKeys.index(id))));
        return index.isComplete ? keep(id, index) : index;
      } catch (error) {
        if (!(error instanceof FileMissing)) throw error;
        const startsAt = startedAt.getTime();
        return { version: 1, startsAt, isComplete: false, tracks: [], onAir: [], speaking: [], gaps: [] };
      }
    },
  };
}
