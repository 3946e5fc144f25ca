import { eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { contract, Data, Input } from '@rmeet/contract';
import { allOf } from '../../../platform/db/conditions.ts';
import { newId, type Db, type PlatformTx } from '../../../platform/db/index.ts';
import { AppError, networkOf, type Context } from '../../../platform/http/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import {
  countFailure,
  forgetFailures,
  standingOf,
  takeOneBack,
  unknownSecret,
  type Guesser,
} from '../../accounts/auth/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { verifyPassword } from '../../accounts/users/index.ts';
import { findMeeting } from '../../meetings/index.ts';
import {
  recording,
  recordingShare,
  recordingView,
  type RecordingRow,
  type RecordingShareRow,
  type RecordingViewRow,
} from '../tables.ts';
import type { IndexFiles } from './index-file.ts';
import { timelineOf } from './timeline/timeline.ts';

type OpenBody = Input<typeof contract.recordings.openShare>['body'];
type Opened = Data<typeof contract.recordings.openShare>;

interface ViewDeps {
  db: Db;
  indexes: IndexFiles;
  now: () => Date;
}

/** A link that works, with its recording. */
export interface OpenShare {
  share: RecordingShareRow;
  row: RecordingRow;
}

/** Attempts with unknown links, per network. */
const linkGuesser = (address: string): Guesser => ({
  scope: 'recording-share',
  key: [networkOf(address)],
  free: 20,
  delay: 2,
  maxDelay: 300,
});
/** Wrong passwords of a link, from one network, and from all together: that one is generous, it delays viewers, too. */
const passwordGuessers = (shareId: string, address: string): [Guesser, Guesser] => [
  { scope: 'recording-share-anywhere', key: [shareId], free: 50, delay: 1, maxDelay: 60 },
  { scope: 'recording-share-password', key: [shareId, networkOf(address)], free: 5, delay: 2, maxDelay: 300 },
];

/** The recording of a link, while both can be watched. */
async function openOf(tx: PlatformTx, share: RecordingShareRow | undefined, now: Date): Promise<OpenShare | undefined> {
  if (!share || share.revokedAt !== null || (share.expiresAt !== null && share.expiresAt <= now)) return undefined;
  const row = await tx.asTenant(share.tenantId).findOne(recording, eq(recording.id, share.recordingId));
  const tenant = await findTenant(tx, share.tenantId);
  return row && row.deletedAt === null && !row.isGone && tenant?.enabled ? { share, row } : undefined;
}

/** The link of one viewer, while it works; found by the view's id. */
export async function shareOfView(tx: PlatformTx, viewId: string, now: Date): Promise<OpenShare | undefined> {
  const view = await tx.findOne(recordingView, eq(recordingView.id, viewId));
  return view && openOf(tx, await tx.findOne(recordingShare, eq(recordingShare.id, view.shareId)), now);
}

const isMarked = ({ share, row }: OpenShare): boolean => share.watermark || row.watermark;

/** Whether the password is right; wrong ones are counted. Returns the refusal, or null. */
async function passwordRefusal(
  { db, now }: ViewDeps,
  { id, passwordHash }: RecordingShareRow,
  password: string,
  address: string,
): Promise<AppError | null> {
  if (passwordHash === null) return null;
  if (password === '') return new AppError('SHARE_PASSWORD');
  const guessers = passwordGuessers(id, address);
  // Counted before the password is checked: several guesses at once are all counted.
  const seconds = await db.platform(async (tx) => {
    let wait = 0;
    for (const guesser of guessers) wait = Math.max(wait, (await standingOf(tx, guesser, now())).wait);
    if (wait === 0) for (const guesser of guessers) await countFailure(tx, guesser, now());
    return wait;
  });
  if (seconds > 0) return new AppError('TOO_MANY_REQUESTS', { seconds });
  if (!(await verifyPassword(password, passwordHash))) return new AppError('SHARE_PASSWORD');
  const [fromAnywhere, fromHere] = guessers;
  await db.platform(async (tx) => {
    await takeOneBack(tx, fromAnywhere);
    await forgetFailures(tx, fromHere);
  });
  return null;
}

/** @throws AppError SHARE_ENDED, TOO_MANY_REQUESTS */
async function byToken({ db, now }: ViewDeps, token: string, address: string): Promise<OpenShare> {
  const found = await db.platform(async (tx) => {
    const share = await tx.findOne(recordingShare, eq(recordingShare.tokenHash, hashToken(token)));
    if (!share) return unknownSecret(tx, linkGuesser(address), now(), 'SHARE_ENDED');
    return (await openOf(tx, share, now())) ?? new AppError('SHARE_ENDED');
  });
  if (found instanceof AppError) throw found;
  return found;
}

/** The view that a page continues. @throws AppError SHARE_ENDED, TOO_MANY_REQUESTS */
async function byView(
  { db, now }: ViewDeps,
  view: string,
  address: string,
): Promise<OpenShare & { view: RecordingViewRow }> {
  const found = await db.platform(async (tx) => {
    const row = await tx.findOne(recordingView, eq(recordingView.tokenHash, hashToken(view)));
    if (!row) return unknownSecret(tx, linkGuesser(address), now(), 'SHARE_ENDED');
    const open = await shareOfView(tx, row.id, now());
    return open ? { ...open, view: row } : new AppError('SHARE_ENDED');
  });
  if (found instanceof AppError) throw found;
  return found;
}

/** Counts one more viewer. @throws AppError SHARE_ENDED if the link was opened as often as it may be */
async function addView({ db, now }: ViewDeps, { share }: OpenShare, name: string): Promise<string> {
  const token = newToken();
  await db.tenant(share.tenantId, async (tx) => {
    const [counted] = await tx.update(
      recordingShare,
      { views: sql`${recordingShare.views} + 1` },
      allOf(
        eq(recordingShare.id, share.id),
        or(isNull(recordingShare.maxViews), lt(recordingShare.views, recordingShare.maxViews))!,
      ),
    );
    if (!counted) throw new AppError('SHARE_ENDED');
    await tx.insert(recordingView, {
      id: newId(),
      shareId: share.id,
      tokenHash: hashToken(token),
      name,
      openedAt: now(),
    });
  });
  return token;
}

/** What the page of a link shows: of the tracks only the programme, and nothing that was written. */
async function present({ db, indexes, now }: ViewDeps, open: OpenShare, view: string): Promise<Opened> {
  const { row, share } = open;
  const index = await indexes.read(row);
  const { chapters, speaking, gaps } = await db.tenant(row.tenantId, async (tx) => {
    const meeting = await findMeeting(tx, row.meetingId);
    return timelineOf(tx, row, { agenda: meeting?.agenda ?? '' }, index, now());
  });
  return {
    view,
    recording: {
      id: row.id,
      subject: row.subject,
      startTime: row.startedAt.toISOString(),
      duration: row.duration,
      setting: { download: share.download, watermark: isMarked(open) },
      tracks: index.tracks.filter(({ id }) => id === 'programme'),
      edit: row.edit,
      mulpitleAuth: true,
      authResult: true,
    },
    timeline: { chapters, speaking, gaps },
    download: share.download,
  };
}

/** Opens links for viewers who are not signed in. */
export function createShareViews(deps: ViewDeps) {
  return {
    /** The view that a page continues. @throws AppError SHARE_ENDED, TOO_MANY_REQUESTS */
    byView: (view: string, address: string) => byView(deps, view, address),

    /** @throws AppError SHARE_ENDED, SHARE_PASSWORD, SHARE_NAME, TOO_MANY_REQUESTS */
    async open({ address }: Context, { token, password, name, view }: OpenBody): Promise<Opened> {
      const open = await byToken(deps, token, address);
      if (view !== '') {
        const continued = await byView(deps, view, address);
        if (continued.share.id !== open.share.id) throw new AppError('SHARE_ENDED');
        return present(deps, open, view);
      }
      const refusal = await passwordRefusal(deps, open.share, password, address);
      if (refusal) throw refusal;
      if (isMarked(open) && name === '') throw new AppError('SHARE_NAME');
      return present(deps, open, await addView(deps, open, name));
    },

    /** Whose name is shown over the picture; null for none. */
    watermarkOf: (open: OpenShare & { view: RecordingViewRow }): string | null =>
      isMarked(open) ? open.view.name : null,
  };
}

export type ShareViews = ReturnType<typeof createShareViews>;
