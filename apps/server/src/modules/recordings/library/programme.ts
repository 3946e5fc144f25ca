import { recordingKeys, segmentsPlayed, type RecordingSegment } from '@rmeet/contract';
import { AppError, FileAnswer } from '../../../platform/http/index.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import type { RecordingRow } from '../tables.ts';
import type { IndexFiles } from './index-file.ts';
import { playlistOf } from './playlist.ts';
import { storedAnswer } from './stored-answer.ts';

/** How long an address of the storage works, seconds. */
const ADDRESS = 60;
/** How long a browser keeps a file, seconds. */
const KEPT = 3_600;
const TRACK = 'programme';

type Played = Pick<RecordingRow, 'id' | 'startedAt' | 'edit'>;

/**
 * Segments that begin in what the edit leaves, as viewers of the live broadcast got them: nothing of what was before it
 * went on air is in them.
 */
const beginningIn = (segments: readonly RecordingSegment[], edit: Played['edit']): RecordingSegment[] =>
  segments.filter((segment) => segmentsPlayed([{ ...segment, duration: 1 }], edit).length > 0);

/** The programme of recordings as their edits leave it, for those who check themselves who may watch. */
export interface Programme {
  /** @throws AppError NOT_FOUND if nothing is stored */
  playlist(recording: Played, sign: string): Promise<FileAnswer>;
  /** @throws AppError NOT_FOUND for a file that is missing or left out by the edit */
  media(recording: Played, file: string): Promise<FileAnswer>;
}

export function createProgramme({ storage, indexes }: { storage: Storage; indexes: IndexFiles }): Programme {
  const played = async (recording: Played) => {
    const { tracks, startsAt, isComplete } = await indexes.read(recording);
    const found = tracks.find(({ id }) => id === TRACK);
    if (!found) throw new AppError('NOT_FOUND');
    return { segments: beginningIn(found.segments, recording.edit), startsAt, isComplete };
  };
  return {
    async playlist(recording, sign) {
      const { segments, startsAt, isComplete } = await played(recording);
      const text = playlistOf({ segments, startsAt, isComplete, query: new URLSearchParams({ sign }).toString() });
      const type = 'application/vnd.apple.mpegurl';
      return new FileAnswer({ name: 'playlist.m3u8', type, inline: true, body: Buffer.from(text) });
    },

    async media(recording, file) {
      const { segments } = await played(recording);
      const isPlayed = segments.some(
        ({ init, number }) => file === `init-${init}.mp4` || file === `segment-${init}-${number}.m4s`,
      );
      if (!isPlayed) throw new AppError('NOT_FOUND');
      const key = `${recordingKeys.folder(recording.id)}/${TRACK}/${file}`;
      const address = await storage.address(key, ADDRESS);
      if (address !== null) return FileAnswer.at(address, ADDRESS);
      return storedAnswer(storage, key, {
        name: file,
        type: file.endsWith('.mp4') ? 'video/mp4' : 'video/iso.segment',
        inline: true,
        cacheSeconds: KEPT,
        isPrivate: true,
        isImmutable: true,
      });
    },
  };
}
