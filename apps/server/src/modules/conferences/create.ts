import type { Jobs } from '../../platform/jobs/types.ts';
import type { Mail } from '../../platform/mail/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { ConferencePort } from '../meetings/index.ts';
import type { TenantConferences } from '../accounts/tenants/index.ts';
import { createAdmission } from './admission.ts';
import { callRoutes, createCalls, createExtend, createGrants, createRingMail, createRings } from './calls/index.ts';
import {
  clearBanners,
  createAcknowledgements,
  createControl,
  createLetIn,
  createPeople,
  createPolling,
  rzEngine,
} from './control/index.ts';
import { createDesk, type ReportsDeps } from './desk/index.ts';
import { createDoorkeeper } from './doorkeeper.ts';
import { createEnforcer } from './enforcer.ts';
import { createLease } from './lease.ts';
import { createLifecycle, type LifecycleDeps } from './lifecycle.ts';
import { createPresence } from './presence.ts';
import { createProceedings } from './proceedings/index.ts';
import { createReconciler } from './reconciler.ts';
import { createRoomWatch } from './room-watch.ts';
import { countByMeeting, findAdmittedOfTenant, findRunning, findRunningOfTenant } from './repo.ts';
import { conferenceRoutes } from './routes.ts';
import { createConferenceService } from './service.ts';
import { topologyRoutes } from './topology/index.ts';
import { declareConferenceTopics } from './topics.ts';

export interface ConferencesDeps extends LifecycleDeps {
  secrets: SecretBox;
  jobs: Jobs;
  mail: Mail;
  /** Where this server is reached, for links; null while it does not know. */
  publicUrl: () => string | null;
  /** Told every report of a terminal inside of its media. */
  heard?: ReportsDeps['heard'];
}

export type Conferences = ReturnType<typeof createConferences>;

/** The domain of running conferences, put together. Declares its push topic; nothing runs before reconciler.start(). */
export function createConferences(deps: ConferencesDeps) {
  const lifecycle = createLifecycle(deps);
  const acknowledgements = createAcknowledgements(deps);
  const enforcer = createEnforcer({
    ...deps,
    acknowledge: (conference, done) => acknowledgements.engine(conference, done),
  });
  const engine = rzEngine((conference) => enforcer.changed(conference), { hasMail: deps.mail.isConfigured });
  const rings = createRings(deps);
  const control = createControl({
    ...deps,
    engine,
    moved: (tx, conference, termIds) => rings.moved(tx, conference, termIds),
  });
  const calls = createCalls({ ...deps, control, rings, ringMail: createRingMail({ ...deps, rings }) });
  const letIn = createLetIn({ ...deps, control });
  const people = createPeople({ ...deps, control, letIn });
  const polling = createPolling({ ...deps, control, engine });
  const proceedings = createProceedings({ ...deps, control });
  const admission = createAdmission(deps);
  const service = createConferenceService({ ...deps, lifecycle, control, letIn, rings, admission });
  const desk = createDesk({ ...deps, engine });
  const presence = createPresence(deps);
  const roomWatch = createRoomWatch({ ...deps, lifecycle, logEnd: control.logEnd });
  const reconciler = createReconciler({
    ...deps,
    lifecycle,
    control,
    enforcer,
    roomWatch,
    lease: createLease(deps.db, deps.now),
    touchPresence: () => presence.touch(),
    settleRings: () => rings.settle(),
    proceed: {
      polling,
      async byTheClock(running) {
        await clearBanners({ ...deps, control }, running);
        await proceedings.applyDueScenes(running);
      },
    },
  });
  declareConferenceTopics(deps.push, { ...deps, acknowledgements, desk });
  const door: ConferencePort = {
    open: async (meeting, record) => {
      await lifecycle.open(meeting, record);
    },
    terminalCounts: countByMeeting,
    async holdForWhiteList(tx, meetId) {
      const conference = await findRunning(tx, meetId, true);
      return async () => {
        if (conference) await letIn.whiteListChanged(tx, conference);
      };
    },
    async endCancelled(tenantId, meetId) {
      const conference = await deps.db.tenant(tenantId, (tx) => findRunning(tx, meetId));
      if (conference) await lifecycle.end(conference, 'ended', 'close', control.logEnd, 'cancelled');
    },
  };
  const ofTenant: TenantConferences = {
    async endAll(tenantId) {
      const running = await deps.db.tenant(tenantId, findRunningOfTenant);
      for (const conference of running) await lifecycle.end(conference, 'ended', 'close', control.logEnd);
    },
    async limitChanged(tenantId) {
      const termIds = await deps.db.tenant(tenantId, findAdmittedOfTenant);
      if (termIds.length > 0) await deps.push.refresh({ termIds });
    },
  };
  const routes = conferenceRoutes({
    topology: topologyRoutes({ ...deps, control, lifecycle, engine, reports: desk.reports }),
    service,
    admission,
    control: {
      db: deps.db,
      control,
      people,
      polling,
      now: deps.now,
      engine,
      ring: (context, meetId, target) => calls.call(context, meetId, target),
    },
    desk: desk.routes,
    proceedings: proceedings.routes,
    calls: callRoutes({
      engine,
      calls,
      extend: createExtend({ ...deps, control }),
      grants: createGrants({ ...deps, control, letIn }),
    }),
  });
  return {
    door,
    ofTenant,
    routes,
    mayBeInRoom: createDoorkeeper(deps),
    authenticate: (token: string) => service.authenticate(token),
    desk,
    reconciler: {
      ...reconciler,
      async stop() {
        await reconciler.stop();
        await polling.stopAll();
        await proceedings.stop();
        await acknowledgements.stop();
      },
    },
  };
}
