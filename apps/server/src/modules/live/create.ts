import { contract, pathOf } from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import type { Context, Handlers, UserCaller } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Push } from '../../platform/push/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { Stage } from '../conferences/index.ts';
import type { Programme } from '../recordings/index.ts';
import { createManual, type ManualDeps } from './manual/manual.ts';
import { createModeration } from './messages.ts';
import { createDelivery, fastPath } from './delivery/index.ts';
import { forgetViewers } from './retention.ts';
import { isIngestNeeded } from './ingest/leases.ts';
import { whipRequests, type WhipOptions } from './ingest/whip.ts';
import { defineLiveJobs, endBroadcasts, type LiveRounds } from './rounds.ts';
import { broadcastRoutes, watchRoutes } from './routes.ts';
import { createRun } from './run.ts';
import { createBroadcasts } from './service.ts';
import { createStatistics } from './statistics.ts';
import type { PushHosts } from './targets/hosts.ts';
import { createProviders } from './targets/providers.ts';
import { createAdmit, createAdmitAll } from './watch/admit.ts';
import { KnownViews } from './watch/known-views.ts';
import { createPasswordCheck } from './watch/password.ts';
import { Presence } from './watch/presence.ts';
import { createReplay } from './watch/replay.ts';
import { createWatchSignatures, type WatchSignatures } from './watch/signature.ts';
import { Snapshots } from './watch/snapshot.ts';
import { createViews } from './watch/views.ts';

/** How long the address for another player works, seconds: a day of broadcasting. */
const PLAYER_SECONDS = 24 * 3_600;

export interface LiveDeps {
  db: Db;
  push: Push;
  meetings: ManualDeps['meetings'];
  secrets: SecretBox;
  jobs: Jobs;
  log: Log;
  now: () => Date;
  stage: Stage;
  programme: Programme;
  /** Where broadcasts may be pushed to, and outside streams be taken from. */
  hosts: PushHosts;
  /** How long names of viewers and what they wrote are kept. */
  viewerDays: number;
  /** A CDN for public broadcasts. */
  cdnUrl: string | null;
  /** Where encoders send outside streams by RTMP; undefined: to the port of the process that takes them. */
  ingestUrl: string | undefined;
  ingestPort: number;
  /** A recorder process has to run: it takes outside streams, too. */
  needRecorder: () => void;
  /** What recorders know this server by. */
  recorderSecret: string;
  clients: WhipOptions['clients'];
}

/** Addresses of playlists for accounts that manage a broadcast, for players of their own. */
const playlistsOf =
  (signatures: WatchSignatures) =>
  ({ caller, origin }: Context<UserCaller>, id: string): string => {
    const query = new URLSearchParams({ plain: 'true', sign: signatures.sign(id, caller.userId, PLAYER_SECONDS) });
    return `${origin}${pathOf(contract.watch.playlist, { params: { id } })}?${query.toString()}`;
  };

/** Live broadcasts: who may watch them and when they are on air. Nothing runs before start(). */
export function createLive(options: LiveDeps) {
  const snapshots = new Snapshots(options);
  const signatures = createWatchSignatures(options.secrets, options.now);
  const presence = new Presence(options);
  const forget = (id: string): void => snapshots.forget(id);
  const deps = { ...options, forget };
  const rounds: LiveRounds = {
    endBroadcasts: () => endBroadcasts(deps),
    forgetViewers: () => forgetViewers(deps),
    wakeIngest: async () => {
      if (await options.db.platform((tx) => isIngestNeeded(tx, options.now()))) options.needRecorder();
    },
    countViewers: () => presence.flush(),
  };
  defineLiveJobs(options.jobs, rounds);
  const routes: Handlers<typeof contract.broadcasts> = broadcastRoutes({
    broadcasts: createBroadcasts(deps),
    run: createRun(deps),
    moderation: createModeration(deps),
    statistics: createStatistics(deps),
  });
  const admit = createAdmit({ snapshots, signatures });
  const admitAll = options.cdnUrl === null ? undefined : createAdmitAll(snapshots);
  const replay = createReplay({ snapshots, signatures, programme: options.programme });
  const delivery = createDelivery({ ...options, secret: options.recorderSecret, admit, admitAll, replay });
  const views = createViews({
    ...options,
    snapshots,
    signatures,
    presence,
    views: new KnownViews(options),
    passwords: createPasswordCheck(options),
    hasQualities: (recordingId) => delivery.hasQualities(recordingId),
  });
  return {
    admit,
    replay,
    forget,
    routes,
    watchRoutes: watchRoutes(views, delivery),
    bypasses: [fastPath(delivery), whipRequests({ ...options, secret: options.recorderSecret })],
    manualRoutes: createManual(deps),
    providers: createProviders({ ...options, playlistFor: playlistsOf(signatures) }),
    rounds,
    start: () => presence.start(),
    stop: async () => {
      delivery.close();
      await presence.stop();
    },
  };
}

export type Live = ReturnType<typeof createLive>;
