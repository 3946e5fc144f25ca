import { eq } from 'drizzle-orm';
import { recordingKeys, segmentsPlayed, type contract, type Data, type Input } from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, FileAnswer, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { FileMissing, type Storage } from '../../../platform/storage/index.ts';
import { recording, type RecordingRow } from '../tables.ts';
import { personOf, seenBy, watchedBy } from './access.ts';
import type { IndexFiles } from './index-file.ts';
import { playlistOf } from './playlist.ts';
import type { Signatures, Viewer } from './signature.ts';

type UserContext = Context<UserCaller>;

export interface PlaybackDeps {
  db: Db;
  storage: Storage;
  indexes: IndexFiles;
  signatures: Signatures;
  now: () => Date;
}

const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl';

/** Whether the viewer may still watch the recording. */
async function mayStillWatch(tx: TenantTx, viewer: Viewer, row: RecordingRow): Promise<boolean> {
  const person = viewer.kind === 'user' ? await personOf(tx, viewer.id) : undefined;
  if (!person) return false;
  const seen = await seenBy(tx, person, row.id).catch(() => undefined);
  return seen?.watches === true;
}

/** Signs the addresses of media, and serves them. */
export function createPlayback({ db, storage, indexes, signatures, now }: PlaybackDeps) {
  /**
   * The recording of a signed address, if its viewer may still watch it.
   *
   * @throws AppError RECORDING_ADDRESS_EXPIRED, whatever the reason
   */
  async function checked(id: string, sign: string): Promise<{ row: RecordingRow; expiresAt: Date }> {
    const signed = signatures.check(id, sign);
    const row =
      signed &&
      (await db.platform(async (tx) => {
        const found = await tx.findOne(recording, eq(recording.id, id));
        return found && (await mayStillWatch(tx.asTenant(found.tenantId), signed.viewer, found)) ? found : undefined;
      }));
    if (!signed || !row) throw new AppError('RECORDING_ADDRESS_EXPIRED');
    return { row, expiresAt: signed.expiresAt };
  }

  return {
    /** @throws AppError NOT_FOUND */
    async playback({ caller }: UserContext, id: string): Promise<Data<typeof contract.recordings.playback>> {
      const { row } = await db.tenant(caller.tenantId, (tx) => watchedBy(tx, caller, id));
      const { sign, expiresAt } = signatures.sign(id, { kind: 'user', id: caller.userId });
      return { sign, expiresAt: expiresAt.toISOString(), watermark: row.watermark ? caller.name : null };
    },

    /** @throws AppError RECORDING_ADDRESS_EXPIRED, NOT_FOUND for an unknown track */
    async playlist(
      _context: Context,
      { params: { id, track }, query: { sign, whole } }: Input<typeof contract.recordings.playlist>,
    ): Promise<FileAnswer> {
      const { row } = await checked(id, sign);
      const { tracks, startsAt, isComplete } = await indexes.read(row);
      const found = tracks.find((one) => one.id === track);
      if (!found) throw new AppError('NOT_FOUND');
      const text = playlistOf({
        segments: segmentsPlayed(found.segments, whole ? null : row.edit),
        startsAt,
        isComplete,
        query: new URLSearchParams({ sign }).toString(),
      });
      return new FileAnswer({ name: 'playlist.m3u8', type: PLAYLIST_TYPE, inline: true, body: Buffer.from(text) });
    },

    /** @throws AppError RECORDING_ADDRESS_EXPIRED, NOT_FOUND for a file that is missing */
    async media(
      _context: Context,
      { params: { id, track, file }, query: { sign } }: Input<typeof contract.recordings.media>,
    ): Promise<FileAnswer> {
      const signed = signatures.check(id, sign);
      if (!signed) throw new AppError('RECORDING_ADDRESS_EXPIRED');
      const key = `${recordingKeys.folder(id)}/${track}/${file}`;
      const found = await storage.stat(key);
      if (!found) throw new AppError('NOT_FOUND');
      return new FileAnswer({
        name: file,
        type: file.endsWith('.mp4') ? 'video/mp4' : 'video/iso.segment',
        inline: true,
        cacheSeconds: Math.max(1, Math.floor((signed.expiresAt.getTime() - now().getTime()) / 1_000)),
        isPrivate: true,
        body: {
          size: found.size,
          async open(range) {
            try {
              return await storage.get(key, range);
            } catch (error) {
              throw error instanceof FileMissing ? new AppError('NOT_FOUND') : error;
            }
          },
        },
      });
    },
  };
}

export type Playback = ReturnType<typeof createPlayback>;
