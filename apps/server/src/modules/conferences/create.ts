import type { contract } from '@rmeet/contract';
import type { UploadGates } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Mail } from '../../platform/mail/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import type { NoticePort } from '../meetings/index.ts';
import type { WebPushPort } from '../web-push/index.ts';
import { callRoutes, Calls, createExtend, createGrants, createRingMail, createRings, Invites } from './calls/index.ts';
import { commandRoutes, createRequests } from './commands/index.ts';
import {
  Admitter,
  clearBanners,
  createAcknowledgements,
  controlRoutes,
  createControl,
  createPolling,
  Moderation,
  rzEngine,
} from './control/index.ts';
import { createDesk, type ReportsDeps } from './desk/index.ts';
import { Enforcer } from './engine/enforcer.ts';
import { createLease } from './engine/lease.ts';
import { Lifecycle, type LifecycleDeps } from './engine/lifecycle.ts';
import { Reconciler } from './engine/reconciler.ts';
import { RoomWatch } from './engine/room-watch.ts';
import { createAdmissionGuard } from './joining/admission-guard.ts';
import { createAdmission } from './joining/admission.ts';
import { authenticateTerminal, callerOfTerminal } from './joining/authenticate.ts';
import { createBeforeJoining } from './joining/before-joining.ts';
import { createConnectionChecks } from './joining/connection-checks.ts';
import { Joining } from './joining/service.ts';
import { createWaitingPresence } from './joining/waiting-presence.ts';
import { createStage, type BroadcastPort } from './broadcast/index.ts';
import { createChat } from './chat/chat.ts';
import { createChatFiles, type ChatFiles } from './chat/files.ts';
import type { ConferenceEvents } from './events.ts';
import { createParticipation } from './participation.ts';
import { createMeetingPort, createTenantPort } from './ports.ts';
import { createFloor, createRollCall, createTimer, proceedingRoutes, Scenes, Votes } from './proceedings/index.ts';
import { createRecord, createRecordReports, type Recordings, type RecordingPort } from './recording/index.ts';
import { conferenceRoutes } from './routes.ts';
import { declareConferenceTopics } from './topics.ts';
import { createPlaces, Moves, topologyRoutes } from './topology/index.ts';

export interface ConferencesDeps extends LifecycleDeps {
  secrets: SecretBox;
  storage: Storage;
  jobs: Jobs;
  mail: Mail;
  /** The server's public address, for links; null while it is unknown. */
  publicUrl: () => string | null;
  webPush: WebPushPort;
  notices: NoticePort;
  recordings: RecordingPort;
  broadcasts: BroadcastPort;
  events: ConferenceEvents;
  /** Called with every media report of a terminal inside. */
  onReport?: ReportsDeps['onReport'];
}

export type Conferences = ReturnType<typeof createConferences>;

/** The parts of the domain of running conferences. Nothing runs before reconciler.start(). */
function createParts(deps: ConferencesDeps) {
  const lifecycle = new Lifecycle(deps);
  const acknowledgements = createAcknowledgements(deps);
  const enforcer = new Enforcer({
    ...deps,
    acknowledge: (conference, done) => acknowledgements.engine(conference, done),
  });
  const engine = rzEngine((conference) => enforcer.changed(conference), { hasMail: deps.mail.isConfigured });
  const rings = createRings(deps);
  const control = createControl({
    ...deps,
    engine,
    async moved(tx, conference, termIds) {
      await rings.moved(tx, conference, termIds);
      await recording.moved(tx, conference);
      await deps.events.moved(tx, termIds);
    },
  });
  const recording: Recordings = createRecord({ ...deps, control });
  const polling = createPolling({ ...deps, control, engine });
  const scenes = new Scenes({ ...deps, control });
  const presence = createWaitingPresence(deps);
  const reconciler = new Reconciler({
    ...deps,
    lifecycle,
    control,
    enforcer,
    roomWatch: new RoomWatch({ ...deps, lifecycle, logEnd: control.logEnd }),
    lease: createLease(deps.db, deps.now),
    touchPresence: () => presence.touch(),
    settleRings: () => rings.settle(),
    schedule: {
      polling,
      async applyDue(running) {
        await clearBanners({ ...deps, control }, running);
        await scenes.applyDue(running);
      },
    },
  });
  return {
    lifecycle,
    acknowledgements,
    engine,
    rings,
    control,
    recording,
    polling,
    scenes,
    votes: new Votes({ ...deps, control }),
    reconciler,
    admitter: new Admitter({ ...deps, control }),
    desk: createDesk({ ...deps, engine }),
  };
}

/** The routes, and the parts that only they use. */
function createRoutes(deps: ConferencesDeps, parts: ReturnType<typeof createParts>, chatFiles: ChatFiles) {
  const { engine, control, votes, scenes, desk, rings } = parts;
  const admission = createAdmission(deps);
  const calls = new Calls({ ...deps, control, rings, ringMail: createRingMail({ ...deps, rings }) });
  const invites = new Invites({ ...deps, control, rings, calls });
  const participation = createParticipation({ ...deps, ...parts });
  const moderation = new Moderation({ ...deps, ...parts });
  const giveCommand = createRequests({
    ...parts,
    moderation,
    floor: createFloor({ ...deps, control }),
    timer: createTimer({ ...deps, control }),
    rollCall: createRollCall({ ...deps, control }),
    calls,
    invites,
    extend: createExtend({ ...deps, control }),
    moves: new Moves({ ...deps, ...parts }),
    end: (context, meetId) => participation.end(context, meetId),
    now: deps.now,
  });
  return conferenceRoutes({
    beforeJoining: createBeforeJoining(deps),
    connectionChecks: createConnectionChecks(deps),
    joining: new Joining({ ...deps, ...parts, admission }),
    participation,
    chat: createChat(deps),
    chatFiles,
    commands: commandRoutes(giveCommand, engine),
    control: controlRoutes({ ...deps, control, moderation, engine }),
    desk: desk.routes,
    proceedings: proceedingRoutes({ votes, scenes }),
    calls: callRoutes({ calls, invites, grants: createGrants({ ...deps, ...parts }) }),
    topology: topologyRoutes(createPlaces({ ...deps, control, reports: desk.reports })),
  });
}

/** Assembles the domain of running conferences and declares its push topic. */
export function createConferences(deps: ConferencesDeps) {
  const parts = createParts(deps);
  const { reconciler, polling, votes, acknowledgements, desk } = parts;
  const chatFiles = createChatFiles(deps);
  declareConferenceTopics(deps.push, { ...deps, acknowledgements, desk });
  return {
    port: createMeetingPort({ ...deps, ...parts }),
    reportRecording: createRecordReports(deps),
    stage: createStage(parts),
    tenantPort: createTenantPort({ ...deps, ...parts }),
    routes: createRoutes(deps, parts, chatFiles),
    gates: { chat: (context, { params, body }) => chatFiles.gate(context, params.meetId, body) } satisfies UploadGates<
      typeof contract.conferences
    >,
    mayBeInRoom: createAdmissionGuard(deps),
    authenticate: (token: string) => authenticateTerminal(deps.db, token),
    callerOf: (termId: string) => callerOfTerminal(deps.db, termId),
    desk,
    reconciler: {
      tick: () => reconciler.tick(),
      start: () => reconciler.start(),
      async stop() {
        await reconciler.stop();
        await polling.stopAll();
        await votes.stop();
        await acknowledgements.stop();
      },
    },
  };
}
