import type { Jobs } from '../../platform/jobs/types.ts';
import type { Mail } from '../../platform/mail/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { ConferenceDoor } from '../meetings/index.ts';
import type { TenantConferences } from '../accounts/tenants/index.ts';
import { createAdmission } from './joining/admission.ts';
import { commandRoutes, createRequests } from './commands/index.ts';
import { callRoutes, createCalls, createExtend, createGrants, createRingMail, createRings } from './calls/index.ts';
import {
  clearBanners,
  createAcknowledgements,
  createControl,
  createLetIn,
  createPeople,
  createPolling,
  controlRoutes,
  rzEngine,
} from './control/index.ts';
import { createDesk, type ReportsDeps } from './desk/index.ts';
import { createDoorkeeper } from './joining/admission-guard.ts';
import { createEnforcer } from './engine/enforcer.ts';
import { createLease } from './engine/lease.ts';
import { createLifecycle, type LifecycleDeps } from './engine/lifecycle.ts';
import { createPresence } from './joining/waiting-presence.ts';
import { createFloor, createScenes, createVotes, proceedingRoutes } from './proceedings/index.ts';
import { createReconciler } from './engine/reconciler.ts';
import { createRoomWatch } from './engine/room-watch.ts';
import { countByMeeting, findAdmittedOfTenant, findRunning, findRunningOfTenant } from './repo.ts';
import { conferenceRoutes } from './routes.ts';
import { createConferenceService } from './joining/service.ts';
import { createMoves, createPlaces, topologyRoutes } from './topology/index.ts';
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
  const floor = createFloor({ ...deps, control });
  const votes = createVotes({ ...deps, control });
  const scenes = createScenes({ ...deps, control });
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
        await scenes.applyDue(running);
      },
    },
  });
  declareConferenceTopics(deps.push, { ...deps, acknowledgements, desk });
  const door: ConferenceDoor = {
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
  const giveCommand = createRequests({
    control,
    people,
    polling,
    floor,
    votes,
    scenes,
    calls,
    extend: createExtend({ ...deps, control }),
    moves: createMoves({ ...deps, control, lifecycle }),
    end: (context, meetId) => service.end(context, meetId),
    now: deps.now,
  });
  const routes = conferenceRoutes({
    topology: topologyRoutes(createPlaces({ ...deps, control, reports: desk.reports })),
    service,
    admission,
    commands: commandRoutes(giveCommand, engine.name),
    control: controlRoutes({ ...deps, control, people, engine }),
    desk: desk.routes,
    proceedings: proceedingRoutes({ votes, scenes }),
    calls: callRoutes({ calls, grants: createGrants({ ...deps, control, letIn }) }),
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
        await votes.stop();
        await acknowledgements.stop();
      },
    },
  };
}
