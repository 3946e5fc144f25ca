import { eq } from 'drizzle-orm';
import { contract, pathOf, type BroadcastMessage, type Data, type Input, type WatchState } from '@rmeet/contract';
import { newId, type Db } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { hashToken, newToken } from '../../../platform/secrets/index.ts';
import { findAccount } from '../../accounts/users/index.ts';
import { mayManage, relationIn } from '../../meetings/index.ts';
import { rightsTo } from '../access.ts';
import { presentMessage } from '../messages.ts';
import { settingOf } from '../settings.ts';
import { mediaIdOf } from '../source.ts';
import { broadcastViewer } from '../tables.ts';
import type { KnownView, KnownViews } from './known-views.ts';
import type { PasswordCheck } from './password.ts';
import type { Presence } from './presence.ts';
import { say } from './say.ts';
import type { WatchSignatures } from './signature.ts';
import type { Snapshot, Snapshots } from './snapshot.ts';

type Opened = Data<typeof contract.watch.open>;
type SayBody = Input<typeof contract.watch.say>['body'];
type StateBody = Input<typeof contract.watch.state>['body'];

export interface ViewsDeps {
  db: Db;
  now: () => Date;
  snapshots: Snapshots;
  views: KnownViews;
  presence: Presence;
  passwords: PasswordCheck;
  signatures: WatchSignatures;
  /** Whether viewers of a recording can choose a smaller picture now. */
  hasQualities: (recordingId: string) => boolean;
  /** A CDN for public broadcasts. */
  cdnUrl: string | null;
}

/** Whether something can be played now. */
const isPlayable = ({ row, replay }: Snapshot): boolean =>
  row.state === 'ended' ? replay !== null : row.state !== 'scheduled' && mediaIdOf(row) !== null;

/** The playlist of a public broadcast at the CDN. A replay is played at the server: it is not in memory. */
function atCdn({ row }: Snapshot, cdnUrl: string | null): string | null {
  const { id, access, state } = row;
  const recordingId = mediaIdOf(row);
  if (cdnUrl === null || access !== 'public' || state !== 'onAir' || recordingId === null) return null;
  return `${cdnUrl}${pathOf(contract.watch.openPlaylist, { params: { id } })}?recording=${recordingId}`;
}

/** What a viewer sees; `since`: the version that the page knows. */
function present(
  snapshot: Snapshot,
  view: KnownView,
  since: number,
  { signatures, cdnUrl, hasQualities }: Pick<ViewsDeps, 'signatures' | 'cdnUrl' | 'hasQualities'>,
): WatchState {
  const { row, meeting } = snapshot;
  const own = snapshot.held.filter(({ viewerId }) => viewerId === view.id);
  const messages = [...snapshot.messages, ...own]
    .filter(({ version, state }) => version > since && !(since === 0 && state === 'deleted'))
    .toSorted((a, b) => a.version - b.version);
  return {
    broadcast: {
      id: row.id,
      subject: meeting.subject,
      startTime: meeting.startTime.toISOString(),
      duration: meeting.duration,
      state: row.state,
      setting: settingOf(row),
      startedAt: row.startedAt?.toISOString() ?? null,
      endedAt: row.endedAt?.toISOString() ?? null,
      hostName: snapshot.hostName,
    },
    version: row.version,
    viewers: snapshot.viewers,
    likes: row.likes,
    messages: messages.map(presentMessage),
    isMuted: snapshot.muted.has(view.id),
    sign: isPlayable(snapshot) ? signatures.sign(row.id, view.id) : '',
    hasQualities: row.state === 'onAir' && row.recordingId !== null && hasQualities(row.recordingId),
    cdn: atCdn(snapshot, cdnUrl),
    watermark: row.watermark ? view.name : null,
    hasReplay: snapshot.replay !== null,
  };
}

/** The watch page of broadcasts. */
// oxlint-disable-next-line max-lines-per-function -- the calls of the watch page, each of them short
export function createViews(deps: ViewsDeps) {
  const { db, now, snapshots, views, presence, passwords } = deps;

  /** @throws AppError NOT_FOUND */
  async function broadcastOf(id: string): Promise<Snapshot> {
    const snapshot = await snapshots.of(id);
    if (!snapshot?.isOpen) throw new AppError('NOT_FOUND');
    return snapshot;
  }

  /** The view that a page continues, if it still may; otherwise it opens a new one. */
  async function continued(
    token: string,
    snapshot: Snapshot,
    accountId: string | null,
  ): Promise<KnownView | undefined> {
    const view = token === '' ? undefined : await views.find(token);
    const isOwn = view?.broadcastId === snapshot.row.id && view.accountId === accountId;
    return isOwn && !snapshot.refused.has(view.id) ? view : undefined;
  }

  async function make(snapshot: Snapshot, name: string, accountId: string | null): Promise<Opened> {
    const { id: broadcastId, tenantId, passwordVersion } = snapshot.row;
    const token = newToken();
    const tokenHash = hashToken(token);
    const at = now();
    const values = { id: newId(), broadcastId, accountId, name, tokenHash, passwordVersion };
    await db.tenant(tenantId, (tx) => tx.insert(broadcastViewer, { ...values, openedAt: at, lastSeenAt: at }));
    const view: KnownView = { ...values, tenantId };
    views.keep(tokenHash, view);
    presence.touch(view, { counts: false, likes: 0 });
    return { ...present(snapshot, view, 0, deps), view: token };
  }

  /** A viewer without account has given a name later. */
  async function named(view: KnownView, token: string, name: string): Promise<KnownView> {
    if (name === '' || view.name !== '') return view;
    await db.tenant(view.tenantId, (tx) => tx.update(broadcastViewer, { name }, eq(broadcastViewer.id, view.id)));
    const after = { ...view, name };
    views.keep(hashToken(token), after);
    return after;
  }

  /** @throws AppError WATCH_ENDED */
  async function viewing(token: string): Promise<{ view: KnownView; snapshot: Snapshot }> {
    const view = await views.find(token);
    const snapshot = view && (await snapshots.of(view.broadcastId));
    if (!view || !snapshot?.isOpen || snapshot.refused.has(view.id)) throw new AppError('WATCH_ENDED');
    return { view, snapshot };
  }

  return {
    /** @throws AppError NOT_FOUND, WATCH_SIGN_IN, WATCH_PASSWORD, WATCH_NAME, TOO_MANY_REQUESTS */
    async open(
      { address }: Context,
      { params: { id }, body: { view: token, password, name } }: Input<typeof contract.watch.open>,
    ): Promise<Opened> {
      const snapshot = await broadcastOf(id);
      const { row } = snapshot;
      const before = await continued(token, snapshot, null);
      if (before && (!row.watermark || before.name !== '' || name !== ''))
        return { ...present(snapshot, await named(before, token, name), 0, deps), view: token };
      if (row.access === 'organisation' || row.access === 'whiteList') throw new AppError('WATCH_SIGN_IN');
      if (row.access === 'password' && !before) await passwords.check(row, password, address);
      if (row.watermark && name === '') throw new AppError('WATCH_NAME');
      return make(snapshot, name, null);
    },

    /** @throws AppError NOT_FOUND, WATCH_NOT_ALLOWED, WATCH_PASSWORD, TOO_MANY_REQUESTS */
    async openSignedIn(
      { caller, address }: Context<UserCaller>,
      { params: { id }, body: { view: token, password } }: Input<typeof contract.watch.openSignedIn>,
    ): Promise<Opened> {
      const snapshot = await broadcastOf(id);
      const { row, meeting } = snapshot;
      const isOwn = row.tenantId === caller.tenantId;
      const isLimited = row.access === 'organisation' || row.access === 'whiteList';
      if (!isOwn && isLimited) throw new AppError('WATCH_NOT_ALLOWED');
      const rights = isOwn
        ? await db.tenant(caller.tenantId, (tx) => rightsTo(tx, caller, { row, meeting }))
        : { manages: false, watches: true };
      if (!rights.watches) throw new AppError('WATCH_NOT_ALLOWED');
      const accountId = isOwn ? caller.userId : null;
      const before = await continued(token, snapshot, accountId);
      if (before) return { ...present(snapshot, before, 0, deps), view: token };
      if (row.access === 'password' && !rights.manages) await passwords.check(row, password, address);
      return make(snapshot, caller.name, accountId);
    },

    /** @throws AppError WATCH_ENDED */
    async state(_context: Context, { view: token, since, likes }: StateBody): Promise<WatchState> {
      const { view, snapshot } = await viewing(token);
      const { state, allowsLikes } = snapshot.row;
      const isOn = state === 'onAir' || state === 'paused';
      presence.touch(view, { counts: state === 'onAir', likes: isOn && allowsLikes ? likes : 0 });
      return present(snapshot, view, since, deps);
    },

    /** @throws AppError WATCH_ENDED, WATCH_NAME, WATCH_MUTED, WATCH_CHAT_OFF, WATCH_SLOW */
    async say(_context: Context, { view: token, kind, text }: SayBody): Promise<BroadcastMessage> {
      const { view, snapshot } = await viewing(token);
      return db.tenant(view.tenantId, async (tx) => {
        const account = view.accountId === null ? undefined : await findAccount(tx, view.accountId);
        const isHost =
          account !== undefined &&
          mayManage(await relationIn(tx, { ...account, userId: account.id }, snapshot.meeting));
        return say(tx, view, { kind, text }, { isHost, now: now() });
      });
    },

    /** A page that is unknown has left already. */
    async leave(_context: Context, token: string): Promise<void> {
      const view = await views.find(token);
      if (view) await presence.leave(view);
    },
  };
}

export type Views = ReturnType<typeof createViews>;
