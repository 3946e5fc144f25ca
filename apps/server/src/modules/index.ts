import { contract, TOKEN_PATH, type Input } from '@rmeet/contract';
import type { FastifyInstance } from 'fastify';
import type { TenantTx } from '../platform/db/index.ts';
import {
  clientAddresses,
  idOfCaller,
  mount,
  mountFormPost,
  type AccountCaller,
  type Authenticate,
  type Context,
} from '../platform/http/index.ts';
import type { Modules, Platform } from '../platform/index.ts';
import { isOpenCheck } from '../platform/media/index.ts';
import { newToken, openSecretBox } from '../platform/secrets/index.ts';
import { hasDemoPasswords, seedWhenWanted } from '../seed/index.ts';
import {
  announcementRoutes,
  createAnnouncementService,
  createCurrent,
  createNews,
  defineAnnouncementJobs,
} from './announcements/index.ts';
import { approvalRoutes, createApprovalRules, createApprovalService, defineApprovalJobs } from './approvals/index.ts';
import { createAssistant } from './assistant/index.ts';
import { auditRoutes, clearAudit, createAuditService, defineAuditJobs } from './audit/index.ts';
import {
  apiRecordRoutes,
  clearApiRecords,
  createApiRecordService,
  createCallLog,
  createGrants,
  createTokens,
  defineApiRecordJobs,
} from './accounts/api-records/index.ts';
import {
  authRoutes,
  clearExpired,
  createAuthService,
  createFactorSignIn,
  createModes,
  createInvitedEntrance,
  createOutside,
  createOwnFactors,
  createOwnPasskeys,
  createPasskeySignIn,
  createPasswordGuesses,
  createPhoneCodes,
  createScanService,
  createSessions,
  declareUserTopics,
  defineAuthJobs,
  loadTransitKeys,
  postByJobs,
} from './accounts/auth/index.ts';
import { clearAttempts, createSso, defineSsoJobs } from './accounts/sso/index.ts';
import { clearChallenges, createCertificates, defineCertificateJobs } from './accounts/certificates/index.ts';
import {
  createDirectoryPasswords,
  createDirectoryRoutes,
  createRounds,
  createScimRoutes,
  defineDirectoryJobs,
  mountScim,
} from './accounts/directories/index.ts';
import { clientPackageGates, clientPackageRoutes, createClientPackages } from './client-packages/index.ts';
import { clearDesks, createConferences, defineDeskJobs } from './conferences/index.ts';
import { createDocuments, documentSockets } from './documents/index.ts';
import { defineFileJobs, sweepFiles, sweepSoon } from './files/index.ts';
import { createDiagnostics, diagnosticsRoutes } from './diagnostics/index.ts';
import { createMeetingFiles, defineMeetingFileJobs, usableConverter } from './meeting-files/index.ts';
import { createGuestService, guestRoutes } from './guests/index.ts';
import {
  createBroadcastPort,
  createLive,
  createLiveBooking,
  createPushHosts,
  providerRoutes,
  type LiveRounds,
} from './live/index.ts';
import { createHistoryService, createQuality, historyRoutes } from './history/index.ts';
import { createHostKeys, hostKeyRoutes } from './host-keys/index.ts';
import {
  announceMeeting,
  bookingRoutes,
  createBookingOptions,
  createFixedNumbers,
  createGroups,
  createInvitees,
  createMeetingService,
  createSeriesPreview,
  createWhiteLists,
  declareMeetingTopics,
  defineMeetingJobs,
  findMeeting,
  fixedNumberRoutes,
  isManagedBy,
  isOver,
  manageMeeting,
  meetingRoutes,
  openBy,
  seriesRoutes,
  usesRooms,
  visibleTo,
  whiteListRoutes,
} from './meetings/index.ts';
import {
  createEvents,
  createQueue,
  createStopNotice,
  createWebhookService,
  defineWebhookJobs,
  endWebhooksOf,
  sendWebhooksBy,
  webhookRound,
  webhookRoutes,
} from './webhooks/index.ts';
import { WebPushService, webPushRoutes } from './web-push/index.ts';
import { createNotices, defineNoticeJobs, noticeRoutes } from './notices/index.ts';
import { createOperatorService, operatorRoutes } from './accounts/operators/index.ts';
import { createRecorderCallers, createRecordingPort, Watchdog } from './recordings/index.ts';
import { accessRoutes, createPermissionService, flagsOf, permissionRoutes } from './accounts/permissions/index.ts';
import { createRecordingLibrary, libraryRoutes, type LibraryRounds } from './recordings/index.ts';
import { createReleaseNotes, rememberVersion } from './release-notes/index.ts';
import { createBookLimits, createResourceService, resourceRoutes } from './resources/index.ts';
import {
  createAccountGrants,
  createRoleService,
  ensureBuiltIns,
  grantRoles,
  grantRoutes,
  managementCodesOf,
  roleRoutes,
  rolesOfAccounts,
  userRoles,
} from './accounts/roles/index.ts';
import { createRoomService, createRoomUsage, defineRoomJobs, roomRoutes } from './rooms/index.ts';
import { createChecks, createPublicUrls, createSetupService, makeSetupLink, setupRoutes } from './setup/index.ts';
import { createStartApps, startAppRoutes } from './start-apps/index.ts';
import {
  countSoonBy,
  createCounting,
  createMailing,
  createStatistics,
  createStatisticsSettings,
  defineStatisticsJobs,
  statisticsRoutes,
} from './statistics/index.ts';
import { createTenantService, ensurePlatformTenant, tenantRoutes } from './accounts/tenants/index.ts';
import { createTerminalService, terminalRoutes } from './terminals/index.ts';
import {
  addAccount,
  createDirectory,
  createInvitations,
  createOwnAccount,
  createUserService,
  createUserTasks,
  defineUserJobs,
  hashPassword,
  makePassword,
  purgeDeleted,
  userRoutes,
  userTaskRoutes,
} from './accounts/users/index.ts';

export interface ModuleOptions {
  /** The clock; tests pass their own. */
  now?: () => Date;
  /** A recorder process has to run; called again as long as none takes what is to be recorded. */
  needRecorder?: () => void;
  /** What recorders know servers by: the API secret of the media engine. */
  recorderSecret?: string;
}

/** The periodic tasks, one round each, for tests that control the clock. */
export interface Rounds extends LibraryRounds, LiveRounds {
  reconcile(): Promise<void>;
  /** Looks for recordings without a recorder. */
  watchRecordings(): Promise<void>;
  lapseMeetings(): Promise<number>;
  /** Deletes stored files that no row references. */
  sweepFiles(): Promise<number>;
  /** Scans meeting files for viruses, converts office files, and deletes what is left behind. */
  scanFiles(): Promise<number>;
  convertFiles(): Promise<number>;
  sweepDocuments(): Promise<number>;
  /** Reminds people of meetings, and sends due notices. */
  sendNotices(): Promise<void>;
  /** Notifies open pages of announcements that appear or disappear. */
  showAnnouncements(): Promise<number>;
  releaseRooms(): Promise<number>;
  lapseApprovals(): Promise<number>;
  clearExpired(): Promise<void>;
  /** Sends events that are due to webhooks. */
  sendWebhooks(): Promise<void>;
  clearWebhooks(): Promise<void>;
  /** Stores the calls of API clients that are not stored yet. */
  keepApiCalls(): Promise<void>;
  clearApiRecords(): Promise<void>;
  clearAudit(): Promise<void>;
  /** Counts the statistics of all tenants. */
  countStatistics(): Promise<void>;
  /** Queues the monthly reports that are due. */
  queueReports(): Promise<void>;
  clearDesks(): Promise<void>;
  passReports(): Promise<void>;
  keepQuality(): Promise<void>;
  purgeDeleted(): Promise<void>;
  /** Sends the mails of invitations that are due. */
  sendInvitations(): Promise<void>;
  /** Does imports of users and changes of many. */
  runUserTasks(): Promise<void>;
  clearUserTasks(): Promise<void>;
  /** Synchronisations of directories that wait or are due. */
  syncDirectories(): Promise<void>;
  /** Fetches the revocation lists of certificate authorities. */
  fetchRevocationLists(): Promise<void>;
}

/** All domains, assembled on the platform. Declares push topics and jobs; nothing runs before start(). */
// oxlint-disable-next-line max-lines-per-function -- the flat list of all modules and how they are connected
export async function createModules(
  platform: Platform,
  { now = () => new Date(), needRecorder = () => undefined, recorderSecret = newToken() }: ModuleOptions = {},
): Promise<Modules & { rounds: Rounds }> {
  const { config, db, push, jobs, storage, media, mail, sms, webPush, log } = platform;
  await db.platform(async (tx) => {
    await ensurePlatformTenant(tx, now());
    await ensureBuiltIns(tx, now());
    await rememberVersion(tx, now());
  });
  const publicUrls = await createPublicUrls(db, config.publicUrls);
  const publicUrl = publicUrls.main;
  const secrets = openSecretBox(config.dataFolder, config.secretKey);

  const messageDeps = {
    db,
    mail,
    sms,
    log,
    publicUrl,
    gatewayOf: (tx: TenantTx) => notices.settings.gatewayOf(tx),
  };
  const outside = createOutside(messageDeps, postByJobs(jobs, messageDeps));
  const sessions = await createSessions({ db, push, now, outside });
  const quality = createQuality({ db, log, now });
  const notifications = new WebPushService({ db, jobs, webPush, secrets, log, now, publicUrl });
  const notices = createNotices({
    db,
    push,
    jobs,
    mail,
    sms,
    secrets,
    log,
    now,
    publicUrl,
    webPush: notifications,
    isOnlyServer: config.databaseUrl === undefined,
  });
  const news = createNews({ db, push, jobs, log, now });
  const sendWebhooks = sendWebhooksBy(jobs, log);
  const events = createEvents({ now, sendSoon: sendWebhooks });
  const noticePort = events.besideNotices(notices.port);
  const webhookQueue = createQueue({
    db,
    secrets,
    log,
    now,
    hosts: config.eventHosts,
    sendAt: sendWebhooks,
    notify: createStopNotice({ mail, log }),
  });
  const webhookRounds = { db, queue: webhookQueue, events };
  const conferences = createConferences({
    db,
    push,
    media,
    secrets,
    storage,
    jobs,
    mail,
    log,
    now,
    publicUrl,
    webPush: notifications,
    notices: noticePort,
    recordings: createRecordingPort({ needRecorder }),
    broadcasts: createBroadcastPort({ forget: (id) => live.forget(id) }),
    events: events.conferences,
    capacity: config.conferenceCapacity,
    onReport: (terminal, report) => quality.add(terminal, report),
  });
  const recorderOf = createRecorderCallers({ db });
  const recordingWatchdog = new Watchdog({ db, log, now, report: conferences.reportRecording, needRecorder });
  const transit = await loadTransitKeys(db, secrets, now);
  const sso = createSso({ db, log, now, secrets, sessions, hosts: config.ssoHosts, publicUrls: publicUrls.all });
  const { endAddress } = sso;
  const listDeps = { db, log, now, hosts: config.certificateHosts };
  const certificates = createCertificates({ ...listDeps, sessions, agent: config.certificateAgent });
  const directoryDeps = { db, secrets, log, now, hosts: config.directoryHosts };
  const directories = createDirectoryPasswords(directoryDeps);
  const runDirectoryRounds = createRounds({ ...directoryDeps, sessions });
  const factorSignIn = createFactorSignIn({ db, now, sessions, secrets });
  const auth = await createAuthService({
    db,
    directories,
    now,
    sessions,
    desks: conferences.desk.links,
    transit,
    endAddress,
    checkFactor: factorSignIn.check,
  });
  const phoneCodes = createPhoneCodes({
    db,
    log,
    now,
    sessions,
    transit,
    sms,
    gatewayOf: notices.settings.gatewayOf,
  });
  const scanLogon = await createScanService({ db, now, sessions });
  const meetings = createMeetingService({
    db,
    push,
    secrets,
    storage,
    now,
    notices: noticePort,
    conferences: conferences.port,
    live: createLiveBooking({ now }),
  });
  const fixedNumbers = createFixedNumbers({
    db,
    push,
    secrets,
    storage,
    now,
    notices: noticePort,
    conferences: conferences.port,
  });
  const approvals = createApprovalService({ db, push, now, notices: noticePort });
  const invitees = createInvitees({ db });
  const guests = createGuestService({ db, now, conferences: conferences.port });
  const roomUsage = createRoomUsage({
    db,
    push,
    now,
    notices: noticePort,
    meetings: { findMeeting, manageMeeting, visibleTo, usesRooms, openBy, announceMeeting },
  });
  const tenants = createTenantService({
    db,
    now,
    sessions,
    conferences: conferences.tenantPort,
    accounts: { addAccount, grantRoles, hashPassword, makePassword },
  });
  const permissions = createPermissionService({ db, sessions, now });
  const roles = createRoleService({ db, sessions, now });
  const apiCalls = createCallLog({ db, log, now });
  const apiTokens = createTokens({ db, now, origins: publicUrls.all, record: apiCalls.record });
  const apiRecords = createApiRecordService({
    db,
    now,
    accounts: { addAccount, grantRoles },
    onEnd: endWebhooksOf,
  });
  const operators = createOperatorService({ db, now, sessions, openPassword: auth.openPassword });

  const recordings = createRecordingLibrary({
    db,
    storage,
    secrets,
    jobs,
    log,
    now,
    publicUrl,
    dataFolder: config.dataFolder,
  });
  const live = createLive({
    db,
    secrets,
    jobs,
    log,
    now,
    stage: conferences.stage,
    push,
    meetings,
    programme: recordings.programme,
    hosts: createPushHosts(config.pushHosts),
    cdnUrl: config.liveCdnUrl,
    viewerDays: config.viewerDays,
    ingestUrl: config.ingestUrl,
    ingestPort: config.ingestPort,
    needRecorder,
    recorderSecret,
    clients: clientAddresses(config.trustedProxies),
  });
  const history = createHistoryService({
    db,
    storage,
    now,
    recordingsOf: (tx, caller, conferenceId) => recordings.library.ofConference(tx, caller, conferenceId),
  });

  const clientPackages = createClientPackages({ db, storage, now });
  const hostKeys = createHostKeys({ db, now, sessions, join: conferences.routes.join });
  const counting = createCounting({ db, log, now });
  const mailing = createMailing({ db, jobs, mail, log, now });
  const documents = createDocuments({ db, storage, mail, jobs, log, now });

  const setup = createSetupService({
    db,
    now,
    log,
    dataFolder: config.dataFolder,
    publicUrls,
    configuredUrls: config.publicUrls,
    publicKey: auth.publicKey,
    openPassword: auth.openPassword,
  });

  const userDeps = {
    db,
    now,
    sessions,
    rights: { grantRoles, rolesOfAccounts, managementCodesOf, userRoles, flagsOf },
    guesses: createPasswordGuesses({ db, now }),
    directories,
    openPassword: auth.openPassword,
    tell: outside.tell,
  };
  const userInvitations = createInvitations({ db, jobs, mail, log, now, publicUrl });
  const userTasks = createUserTasks({ ...userDeps, jobs, log, secrets, invitations: userInvitations });
  const users = {
    users: createUserService({ ...userDeps, invitations: userInvitations }),
    directory: createDirectory(userDeps),
    own: createOwnAccount(userDeps),
  };

  const multiauth = {
    ...factorSignIn,
    ...createOwnFactors({ ...userDeps, secrets, sessions }),
    reset: (context: Context<AccountCaller>, { body }: Input<typeof contract.multiauth.reset>) =>
      users.users.resetFactors(context, body),
  };

  const passkeyDeps = { db, log, now, sessions, secrets, publicUrls: publicUrls.all };
  const passkeys = { ...createPasskeySignIn(passkeyDeps), ...createOwnPasskeys(passkeyDeps) };

  const soffice = usableConverter(config.soffice, log);
  const fileWork = { db, storage, push, mail, log, now, clamd: config.clamd, soffice };
  const files = createMeetingFiles({ ...fileWork, jobs, secrets });

  declareUserTopics(push);
  declareMeetingTopics(push);
  defineAuthJobs(jobs, { db, sessions, now });
  defineUserJobs(jobs, { db, now, sessions, invitations: userInvitations, tasks: userTasks });
  defineSsoJobs(jobs, { db, now });
  defineCertificateJobs(jobs, listDeps);
  defineDirectoryJobs(jobs, runDirectoryRounds);
  defineApiRecordJobs(jobs, { db, now });
  defineWebhookJobs(jobs, webhookRounds);
  defineMeetingJobs(jobs, meetings);
  defineFileJobs(jobs, { db, storage, log, now });
  defineMeetingFileJobs(jobs, fileWork);
  defineNoticeJobs(jobs, notices);
  defineAnnouncementJobs(jobs, news);
  defineRoomJobs(jobs, roomUsage);
  defineApprovalJobs(jobs, approvals);
  defineAuditJobs(jobs, { db, now });
  defineDeskJobs(jobs, { db, now });
  defineStatisticsJobs(jobs, { counting, mailing });

  /** The ways to sign in. */
  function mountSignIn(app: FastifyInstance): void {
    const modes = createModes({
      db,
      phoneCodes,
      providersOf: sso.offeredBy,
      takesCertificates: certificates.worksFor,
      publicUrls: publicUrls.all,
    });
    mount(app, contract.auth, authRoutes(auth, modes));
    mount(app, contract.certs, certificates.routes);
    mount(app, contract.certificateAuthorities, certificates.authorityRoutes);
    mount(app, contract.sso, sso.routes);
    mount(app, contract.identityProviders, sso.providerRoutes);
    mount(app, contract.scanLogon, scanLogon);
    mount(app, contract.hrsms, phoneCodes.routes);
    mount(app, contract.multiauth, multiauth);
    mount(app, contract.passkeys, passkeys);
  }

  /** Organisations, their people and programs, and what these may do. */
  function mountAccounts(app: FastifyInstance): void {
    mount(
      app,
      contract.setup,
      setupRoutes(setup, createChecks({ db, config, mail, media, log, now, publicUrls: publicUrls.all })),
    );
    mount(app, contract.tenants, tenantRoutes(tenants));
    mount(app, contract.scim, createScimRoutes({ db, now, sessions }));
    mountScim(app, { db, now, sessions });
    mount(app, contract.directories, createDirectoryRoutes({ ...directoryDeps, jobs }));
    mount(
      app,
      contract.users,
      userRoutes(users, { ...accessRoutes(permissions), ...grantRoutes(createAccountGrants({ db, sessions, now })) }),
    );
    mount(app, contract.userTasks, userTaskRoutes(userTasks));
    mount(app, contract.invitations, createInvitedEntrance({ db, now, sessions, transit }));
    mount(app, contract.operators, operatorRoutes(operators, publicUrls.all));
    mount(app, contract.roles, roleRoutes(roles));
    mount(app, contract.permissions, permissionRoutes(permissions));
    mount(app, contract.apiRecords, apiRecordRoutes(apiRecords, createGrants({ db, now })));
    mount(
      app,
      contract.webhooks,
      webhookRoutes(createWebhookService({ db, secrets, now, hosts: config.eventHosts, queue: webhookQueue })),
    );
    mountFormPost(app, TOKEN_PATH, apiTokens.token);
  }

  const limits = createBookLimits({ db, capacity: config.conferenceCapacity, meetings: { findMeeting, isManagedBy } });
  const approvalRules = createApprovalRules({ db, now });

  function mountAssistant(app: FastifyInstance): void {
    const deps = {
      db,
      secrets,
      mail,
      log,
      now,
      approvalRules: approvalRules.read,
      resources: limits.choose,
      meetings,
      readFiles: files.readFor,
    };
    mount(app, contract.assistant, createAssistant(deps, config.assistantHosts));
  }

  /** Meetings and conferences, and what they need. */
  function mountMeetings(app: FastifyInstance): void {
    mount(app, contract.guests, guestRoutes(guests));
    mount(app, contract.meetings, meetingRoutes(meetings, invitees));
    mount(app, contract.series, seriesRoutes(createSeriesPreview({ db, now })));
    mount(
      app,
      contract.booking,
      bookingRoutes(
        createBookingOptions({ db, now, capacity: config.conferenceCapacity }),
        invitees,
        createGroups({ db, now }),
      ),
    );
    files.mount(app);
    mount(app, contract.history, historyRoutes(history));
    mount(app, contract.hostKeys, hostKeyRoutes(hostKeys));
    mount(app, contract.whiteList, whiteListRoutes(createWhiteLists({ db, now, conferences: conferences.port })));
    mount(app, contract.fixedNumber, fixedNumberRoutes(fixedNumbers));
    mount(app, contract.terminals, terminalRoutes(createTerminalService({ db, now })));
    mount(app, contract.conferences, conferences.routes, conferences.gates);
    mount(app, contract.rooms, roomRoutes(createRoomService({ db, now }), roomUsage));
    mount(
      app,
      contract.resources,
      resourceRoutes(
        createResourceService({
          db,
          push,
          now,
          meetings: { manageMeeting, isOver, announceMeeting, detail: (context, id) => meetings.detail(context, id) },
        }),
        limits,
      ),
    );
  }

  /** Approvals, notices, announcements, recordings, broadcasts, audit, statistics, diagnostics, packages of clients. */
  function mountOutput(app: FastifyInstance): void {
    mount(app, contract.approvals, approvalRoutes(approvals, approvalRules));
    mount(app, contract.notices, noticeRoutes(notices));
    mount(
      app,
      contract.announcements,
      announcementRoutes(createAnnouncementService({ db, now, news }), createCurrent({ db, push, now })),
    );
    mount(app, contract.memo, createReleaseNotes({ db, now }));
    mount(app, contract.startApps, startAppRoutes(createStartApps({ db, now })));
    mount(app, contract.webPush, webPushRoutes(notifications));
    mount(app, contract.recordings, libraryRoutes(recordings));
    mount(app, contract.broadcasts, live.routes);
    mount(app, contract.watch, live.watchRoutes);
    mount(app, contract.documents, documents.routes, documents.gates);
    mount(app, contract.liveProviders, providerRoutes(live.providers));
    mount(app, contract.manualLives, live.manualRoutes);
    mount(app, contract.audit, auditRoutes(createAuditService({ db })));
    mount(app, contract.clientPackages, clientPackageRoutes(clientPackages), clientPackageGates(clientPackages));
    mount(
      app,
      contract.statistics,
      statisticsRoutes(
        createStatistics({ db, now }),
        createStatisticsSettings({ db, now, mail, countSoon: countSoonBy(jobs, log) }),
      ),
    );
    mount(app, contract.diagnostics, diagnosticsRoutes(createDiagnostics({ config, db, media, storage, now })));
  }

  const authenticate: Authenticate = async (token, as) => {
    if (as === 'client') return apiTokens.authenticate(token);
    if (as === 'presence') return conferences.callerOf(token);
    if (as === 'terminal') return conferences.authenticate(token);
    if (as === 'desk') return conferences.desk.links.authenticate(token);
    if (as === 'deskSocket') {
      const desk = await conferences.desk.links.authenticate(token);
      return desk === 'UNAUTHORIZED' ? ((await recorderOf(token)) ?? desk) : desk;
    }
    if (as === 'proven')
      return (await db.platform((tx) => sessions.isProven(tx, token))) ? sessions.callerOf(token) : 'STEP_UP_REQUIRED';
    return as === 'session' ? sessions.callerOf(token) : sessions.authenticate(token);
  };

  return {
    authenticate,
    recordClientCall: apiCalls.record,
    mayBeInRoom: async (room, identity) => isOpenCheck(room, now()) || conferences.mayBeInRoom(room, identity),
    bypasses: [documentSockets({ rooms: documents.rooms, authenticate, log, nameOf: idOfCaller }), ...live.bypasses],
    mount(app) {
      mountSignIn(app);
      mountAccounts(app);
      mountMeetings(app);
      mountOutput(app);
      mountAssistant(app);
    },
    seed: () => seedWhenWanted({ db, secrets, config, now }),
    hasDemoPasswords: () => hasDemoPasswords(db),
    publicUrls: publicUrls.all,
    isSetupOpen: setup.isOpen,
    setupLink: (origin) => makeSetupLink({ db, dataFolder: config.dataFolder, now }, origin),
    start: async () => {
      await notices.start();
      sweepSoon(jobs, log);
      conferences.desk.reports.start();
      quality.start();
      conferences.reconciler.start();
      recordingWatchdog.start();
      live.start();
    },
    stop: async () => {
      await apiCalls.flush();
      await conferences.desk.reports.stop();
      await quality.stop();
      await conferences.reconciler.stop();
      await recordingWatchdog.stop();
      await live.stop();
    },
    rounds: {
      ...recordings.rounds,
      ...live.rounds,
      ...files.rounds,
      reconcile: conferences.reconciler.tick,
      watchRecordings: () => recordingWatchdog.tick(),
      lapseMeetings: () => meetings.lapse(),
      sweepFiles: () => sweepFiles({ db, storage, log, now }),
      sendNotices: () => notices.round(),
      showAnnouncements: () => news.round(),
      releaseRooms: () => roomUsage.releaseUnused(),
      lapseApprovals: () => approvals.lapse(),
      clearExpired: async () => {
        await clearExpired({ db, sessions, now });
        await clearAttempts({ db, now });
        await clearChallenges({ db, now });
      },
      sendWebhooks: () => webhookRound(webhookRounds),
      clearWebhooks: () => webhookQueue.clear(),
      keepApiCalls: () => apiCalls.flush(),
      clearApiRecords: () => clearApiRecords({ db, now }),
      clearAudit: () => clearAudit({ db, now }),
      countStatistics: () => counting.countAll(),
      queueReports: () => mailing.queue(),
      clearDesks: () => clearDesks({ db, now }),
      passReports: () => conferences.desk.reports.tick(),
      keepQuality: () => quality.keep(),
      purgeDeleted: () => purgeDeleted({ db, now, sessions }),
      sendInvitations: () => userInvitations.send(),
      runUserTasks: () => userTasks.run(),
      clearUserTasks: () => userTasks.clear(),
      syncDirectories: runDirectoryRounds,
      fetchRevocationLists: certificates.fetchLists,
    },
  };
}
