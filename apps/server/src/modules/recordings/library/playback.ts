import { and, eq } from 'drizzle-orm';
import { recordingKeys, segmentsPlayed, type contract, type Data, type Input } from '@rmeet/contract';
import type { Db, PlatformTx, TenantTx } from '../../../platform/db/index.ts';
import { AppError, FileAnswer, type Context, type UserCaller } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Storage } from '../../../platform/storage/index.ts';
import { recording, type RecordingRow } from '../tables.ts';
import { personOf, rightsTo, watchedBy } from './access.ts';
import type { IndexFiles } from './index-file.ts';
import { playlistOf } from './playlist.ts';
import { shareOfView, type ShareViews } from './share-views.ts';
import type { Signatures, Viewer } from './signature.ts';
import { storedAnswer } from './stored-answer.ts';

type UserContext = Context<UserCaller>;

export interface PlaybackDeps {
  db: Db;
  storage: Storage;
  indexes: IndexFiles;
  signatures: Signatures;
  views: Pick<ShareViews, 'byView' | 'watermarkOf'>;
  log: Log;
  now: () => Date;
}

const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl';

/** Whether the account can still sign in and watch the recording. */
async function mayStillWatch(tx: TenantTx, userId: string, row: RecordingRow): Promise<boolean> {
  const person = await personOf(tx, userId);
  return person !== undefined && (await rightsTo(tx, person, [row])).get(row.id)?.watches === true;
}

/** Viewers of links see the programme only. */
const mayHave = ({ kind }: Viewer, track: string): boolean => kind === 'user' || track === 'programme';

/**
 * The recording of a signed address, if its viewer may still watch it.
 *
 * @throws AppError RECORDING_ADDRESS_EXPIRED, whatever the reason
 */
async function recordingFor(
  { db, signatures, now }: PlaybackDeps,
  id: string,
  track: string,
  sign: string,
): Promise<RecordingRow> {
  const signed = signatures.check(id, sign);
  const row =
    signed && mayHave(signed.viewer, track) && (await db.platform((tx) => rowFor(tx, id, signed.viewer, now())));
  if (!row) throw new AppError('RECORDING_ADDRESS_EXPIRED');
  return row;
}

async function rowFor(tx: PlatformTx, id: string, viewer: Viewer, now: Date): Promise<RecordingRow | undefined> {
  if (viewer.kind === 'view') {
    const open = await shareOfView(tx, viewer.id, now);
    return open?.row.id === id ? open.row : undefined;
  }
  const row = await tx.findOne(recording, and(eq(recording.id, id), eq(recording.isGone, false)));
  return row && (await mayStillWatch(tx.asTenant(row.tenantId), viewer.id, row)) ? row : undefined;
}

/** Media never changes; only the viewer's browser keeps it. */
const KEPT = { inline: true, isPrivate: true, isImmutable: true } as const;

/** Signs the addresses of media, and serves them. */
export function createPlayback(deps: PlaybackDeps) {
  const { db, storage, indexes, signatures, views, log, now } = deps;
  let isWarned = false;
  const warnOfRefusal = (origin: string): void => {
    if (isWarned) return;
    isWarned = true;
    log.warn(
      { origin },
      'A browser could not read a recording from the S3 server, so this server sends it. Check RMEET_S3_PUBLIC_URL, ' +
        "and that the bucket's CORS rules allow GET from the address of Rmeet.",
    );
  };
  return {
    /** @throws AppError NOT_FOUND */
    async playback({ caller }: UserContext, id: string): Promise<Data<typeof contract.recordings.playback>> {
      const { row } = await db.tenant(caller.tenantId, (tx) => watchedBy(tx, caller, id));
      const { sign, expiresAt } = signatures.sign(id, { kind: 'user', id: caller.userId });
      return { sign, expiresAt: expiresAt.toISOString(), watermark: row.watermark ? caller.name : null };
    },

    /** @throws AppError SHARE_ENDED, TOO_MANY_REQUESTS */
    async sharedPlayback({ address }: Context, view: string): Promise<Data<typeof contract.recordings.sharedPlayback>> {
      const open = await views.byView(view, address);
      const { sign, expiresAt } = signatures.sign(open.row.id, { kind: 'view', id: open.view.id });
      return { sign, expiresAt: expiresAt.toISOString(), watermark: views.watermarkOf(open) };
    },

    /** @throws AppError RECORDING_ADDRESS_EXPIRED, NOT_FOUND for an unknown track */
    async playlist(
      _context: Context,
      { params: { id, track }, query: { sign, whole } }: Input<typeof contract.recordings.playlist>,
    ): Promise<FileAnswer> {
      const row = await recordingFor(deps, id, track, sign);
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
      { params: { id, track, file }, query: { sign, proxied } }: Input<typeof contract.recordings.media>,
    ): Promise<FileAnswer> {
      const signed = signatures.check(id, sign);
      if (!signed || !mayHave(signed.viewer, track)) throw new AppError('RECORDING_ADDRESS_EXPIRED');
      const key = `${recordingKeys.folder(id)}/${track}/${file}`;
      const seconds = Math.max(1, Math.floor((signed.expiresAt.getTime() - now().getTime()) / 1_000));
      const address = await storage.address(key, seconds);
      if (address !== null && !proxied) return FileAnswer.at(address, seconds);
      if (address !== null) warnOfRefusal(new URL(address).origin);
      return storedAnswer(storage, key, {
        name: file,
        type: file.endsWith('.mp4') ? 'video/mp4' : 'video/iso.segment',
        ...KEPT,
        cacheSeconds: seconds,
      });
    },
  };
}

export type Playback = ReturnType<typeof createPlayback>;
