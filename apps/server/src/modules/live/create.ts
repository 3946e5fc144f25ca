import type { contract } from '@rmeet/contract';
import type { Db } from '../../platform/db/index.ts';
import type { Handlers } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { Stage } from '../conferences/index.ts';
import type { Programme } from '../recordings/index.ts';
import { createModeration } from './messages.ts';
import { defineLiveJobs, endBroadcasts, type LiveRounds } from './rounds.ts';
import { broadcastRoutes, watchRoutes, type DeliveryRoutes } from './routes.ts';
import { createRun } from './run.ts';
import { createBroadcasts } from './service.ts';
import { createStatistics } from './statistics.ts';
import { createAdmit } from './watch/admit.ts';
import { KnownViews } from './watch/known-views.ts';
import { createPasswordCheck } from './watch/password.ts';
import { Presence } from './watch/presence.ts';
import { createReplay } from './watch/replay.ts';
import { createWatchSignatures } from './watch/signature.ts';
import { Snapshots } from './watch/snapshot.ts';
import { createViews } from './watch/views.ts';

export interface LiveDeps {
  db: Db;
  secrets: SecretBox;
  jobs: Jobs;
  log: Log;
  now: () => Date;
  stage: Stage;
  programme: Programme;
}

/** Live broadcasts: who may watch them and when they are on air. Nothing runs before start(). */
export function createLive(options: LiveDeps) {
  const snapshots = new Snapshots(options);
  const signatures = createWatchSignatures(options.secrets, options.now);
  const presence = new Presence(options);
  const forget = (id: string): void => snapshots.forget(id);
  const deps = { ...options, forget };
  const views = createViews({
    ...options,
    snapshots,
    signatures,
    presence,
    views: new KnownViews(options),
    passwords: createPasswordCheck(options),
  });
  const rounds: LiveRounds = { endBroadcasts: () => endBroadcasts(deps), countViewers: () => presence.flush() };
  defineLiveJobs(options.jobs, rounds);
  const routes: Handlers<typeof contract.broadcasts> = broadcastRoutes({
    broadcasts: createBroadcasts(deps),
    run: createRun(deps),
    moderation: createModeration(deps),
    statistics: createStatistics(deps),
  });
  return {
    forget,
    routes,
    watchRoutes: (delivery: DeliveryRoutes) => watchRoutes(views, delivery),
    /** For the delivery of media. */
    admit: createAdmit({ snapshots, signatures }),
    replay: createReplay({ snapshots, signatures, programme: options.programme }),
    rounds,
    start: () => presence.start(),
    stop: () => presence.stop(),
  };
}

export type Live = ReturnType<typeof createLive>;
