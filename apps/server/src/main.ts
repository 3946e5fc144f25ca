import { networkInterfaces } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hasRoom } from '@rmeet/postgres';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { createModules } from './modules/index.ts';
import { ownVersion, scheduleBackups } from './platform/backup/index.ts';
import { readConfig, type Config } from './platform/config/index.ts';
import {
  DatabaseDamaged,
  databaseName,
  DatabaseNewer,
  DatabaseTooOld,
  NoApplicationRole,
  openDb,
  sqlError,
  type Db,
  type OpenedDb,
} from './platform/db/index.ts';
import {
  createHttp,
  metricsAccess,
  readTlsPair,
  selfSignedPair,
  serveHealth,
  serveMetrics,
  serveOpenApi,
  serveWebApp,
  type TlsPair,
} from './platform/http/index.ts';
import type { Modules, Platform } from './platform/index.ts';
import { createJobs } from './platform/jobs/index.ts';
import type { Jobs } from './platform/jobs/types.ts';
import { createLog, type Log } from './platform/log/log.ts';
import { linesLost } from './platform/log/output.ts';
import { createMail } from './platform/mail/index.ts';
import {
  createMedia,
  joinZones,
  MediaConnections,
  startFront,
  type MediaClient,
  type MediaFront,
} from './platform/media/index.ts';
import {
  askForRecorder,
  CannotStart,
  passToMedia,
  runSupervised,
  TryAgain,
  type Assignment,
  type MediaAssignment,
  type Running,
} from './platform/process/index.ts';
import { createPush, dropEventsBefore, type PushServer } from './platform/push/index.ts';
import { SecretKeyUnusable } from './platform/secrets/index.ts';
import { createSms } from './platform/sms/index.ts';
import { createWebPush } from './platform/web-push/index.ts';
import { openStorage, StorageUnusable, type Storage } from './platform/storage/index.ts';

const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url));
/** How long push events are kept for those who come back. */
const EVENTS_KEPT = 24 * 3_600_000;
const ANSWER_WITHIN = 2_000;
/**
 * How long the embedded database, which starts together with this process, is waited for, and how often it is looked
 * for; milliseconds.
 */
const EMBEDDED_WITHIN = 60_000;
const EMBEDDED_EVERY = 20;
/**
 * Connections the system keeps until they are accepted, where it allows as many (listen(2)): beyond, clients try again
 * only after a second.
 */
const BACKLOG = 4_096;

/** Each hour, deletes push events that no page asks for any more. */
function dropOldEvents(jobs: Jobs, db: Db): void {
  jobs.define('push.dropEvents', z.object({}), () => dropEventsBefore(db, new Date(Date.now() - EVENTS_KEPT)));
  jobs.every('push.dropEvents', '17 * * * *');
}

/** The server process: puts platform and modules together, then listens. */
// oxlint-disable-next-line max-lines-per-function -- the order of start and stop is one sequence
async function start(assignment: Assignment): Promise<Running> {
  const config = readConfig(process.env);
  const log = createLog('server', config.logLevel);
  const [{ db, jobStore }, tls] = await Promise.all([openDatabase(config, assignment, log), tlsPair(config)]);
  const front = assignment.media && (await mediaFront(assignment.media, log));
  const media = mediaClient(config, assignment, front, log);
  const { push, bypass } = await createPush(db, log);
  const jobs = createJobs(jobStore, log);
  const mail = createMail(config.mail);
  const platform: Platform = {
    config,
    log,
    db,
    push,
    jobs,
    storage: await filesOf(config, log),
    media,
    mail,
    sms: createSms(config.sms),
    webPush: createWebPush(config.webPush),
  };
  const recorderSecret = config.livekit?.apiSecret ?? assignment.media?.apiSecret;
  const modules = await createModules(platform, {
    needRecorder: askForRecorder,
    ...(recorderSecret !== undefined && { recorderSecret }),
  });
  front?.setGuard(modules.mayBeInRoom);
  dropOldEvents(jobs, db);
  scheduleBackups(jobs, config, log);

  const accounts = await modules.seed();
  await refuseDemoPasswords(config, modules);
  const version = await ownVersion();
  const app = await createApp({
    platform,
    media,
    modules,
    tls,
    front,
    mediaConnections: connectionsOf(assignment.media),
    push: { connectionCount: () => push.connectionCount, bypass },
    version,
  });
  await media.check();
  await listen(app, config, assignment.port);
  const setup = await modules.setupLink(config.publicUrls[0] ?? reachedAt(config, assignment.port));
  if (!setup) warnOfUnknownAddress(config, modules, log);
  await modules.start();
  const jobsStarted = jobs.start().catch((error: unknown) => log.error({ error }, 'The job queue could not start'));

  return {
    lines: [
      `Rmeet ${version} is ready: ${addressOf(config, assignment.port)}`,
      ...accounts,
      ...(setup ? [`Set it up: ${setup.link} (also in ${setup.file})`] : []),
    ],
    async stop() {
      await app.close();
      await modules.stop();
      await jobsStarted;
      await jobs.stop();
      media.close();
      mail.close();
      await db.close();
    },
  };
}

/** @throws CannotStart if other machines can reach this one and accounts have the demo password */
async function refuseDemoPasswords(config: Config, modules: Modules): Promise<void> {
  if (config.isReachable && (await modules.hasDemoPasswords())) {
    throw new CannotStart(
      'Accounts with the demo password exist: change their passwords, or ' +
        'use a new data folder, before other machines may reach this one.',
    );
  }
}

/** Warns if links in mails need an address that is not known. */
function warnOfUnknownAddress(config: Config, modules: Modules, log: Log): void {
  if (modules.publicUrls().length === 0 && (config.isReachable || config.mail)) {
    log.warn(
      'The address people use is not known: mails and text messages carry no links, and no host name is answered. ' +
        'Run npm run setup -- address https://meet.example.org, or set RMEET_PUBLIC_URL',
    );
  }
}

interface AppParts {
  platform: Platform;
  media: MediaClient;
  modules: Modules;
  tls: TlsPair | undefined;
  front: MediaFront | undefined;
  mediaConnections: MediaConnections | undefined;
  push: { connectionCount: () => number; bypass: PushServer['bypass'] };
  version: string;
}

/** The HTTP server with all its routes. */
async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { platform, media, modules, tls, front, mediaConnections, push, version } = parts;
  const { config, log, db } = platform;
  const app = await createHttp({
    log,
    db,
    tls,
    storage: platform.storage,
    authenticate: modules.authenticate,
    recordClientCall: modules.recordClientCall,
    trustedProxies: config.trustedProxies,
    passedCertificates: config.passedCertificates,
    agentUrl: config.certificateAgent,
    frameHosts: config.assistantHosts,
    publicUrls: modules.publicUrls,
    mediaUrls: [...(config.livekit ? [config.livekit.url] : []), ...config.mediaZones.map(({ url }) => url)],
    fileUrls: [...publicBucket(config), ...(config.liveCdnUrl === null ? [] : [config.liveCdnUrl])],
    taker: mediaConnections,
    bypasses: [push.bypass(modules.authenticate), ...modules.bypasses, ...(front ? [front] : [])],
  });
  const access = metricsAccess({ token: config.metricsToken, isProxied: config.trustedProxies.length > 0 });
  serveHealth(app, access, {
    database: () => answers(db, config),
    media: () => media.check(),
    disk: () => inTime(config.s3?.bucket === undefined ? platform.storage.hasRoom() : hasRoom(config.dataFolder)),
    storage: () => inTime(platform.storage.hasRoom()),
  });
  serveOpenApi(app, version);
  serveMetrics(app, access, {
    connections: () => app.rmeet.connections.counts,
    pushConnections: push.connectionCount,
    logLinesLost: linesLost,
    database: () => answers(db, config),
    media: () => media.available(),
    ...(mediaConnections && { mediaConnections: () => mediaConnections.counts }),
    mediaText: async () => front?.metrics() ?? '',
  });
  modules.mount(app);
  await serveWebApp(app, WEB_FOLDER, modules.isSetupOpen);
  return app;
}

/** @throws CannotStart if a person has to change something */
async function filesOf(config: Config, log: Log): Promise<Storage> {
  try {
    return await openStorage(config, log);
  } catch (error) {
    throw error instanceof StorageUnusable ? new CannotStart(error.message, { cause: error }) : error;
  }
}

/** The origin from which browsers read files of the bucket. */
function publicBucket({ s3 }: Config): string[] {
  if (s3?.publicEndpoint === undefined || s3.bucket === undefined) return [];
  const url = new URL(s3.publicEndpoint);
  if (s3.addressing === 'host') url.host = `${s3.bucket}.${url.host}`;
  return [url.origin];
}

/** The embedded database, which may be starting still, or the one of DATABASE_URL. */
async function openDatabase(config: Config, assignment: Assignment, log: Log): Promise<OpenedDb> {
  const { databaseUrl } = config;
  const url = databaseUrl ?? assignment.databaseUrl;
  if (url === undefined) throw new CannotStart('There is no database.');
  const deadline = Date.now() + (databaseUrl === undefined ? EMBEDDED_WITHIN : 0);
  for (;;) {
    try {
      return await openDb({ url, log, name: databaseName(config) });
    } catch (error) {
      if ([DatabaseNewer, DatabaseTooOld, NoApplicationRole].some((reason) => error instanceof reason))
        throw new CannotStart((error as Error).message, { cause: error });
      if (!isUnreachable(error)) throw error;
      const name = databaseUrl === undefined ? 'The embedded database' : 'The database of DATABASE_URL';
      if (Date.now() >= deadline)
        throw new TryAgain(`${name} cannot be reached: ${(error as Error).message}`, { cause: error });
      await wait(EMBEDDED_EVERY);
    }
  }
}

/** No connection, or PostgreSQL itself turned it away: wrong password, no such database, still starting, too many. */
function isUnreachable(error: unknown): boolean {
  const { syscall } = error as { syscall?: unknown };
  const state = sqlError(error)?.code ?? '';
  return syscall === 'connect' || syscall === 'getaddrinfo' || /^(08|28|3D|53|57P)/.test(state);
}

/**
 * http on this machine alone; https as soon as others can reach it, since browsers give cameras to secure pages only.
 */
async function tlsPair({ tls, isLoopback, dataFolder, host }: Config): Promise<TlsPair | undefined> {
  if (!tls) return isLoopback ? undefined : selfSignedPair(dataFolder, host);
  try {
    return await readTlsPair(tls.certFile, tls.keyFile);
  } catch (error) {
    throw new CannotStart(
      `The certificate of RMEET_TLS_CERT and RMEET_TLS_KEY cannot be used: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

function mediaFront({ processes, apiSecret }: MediaAssignment, log: Log): Promise<MediaFront> {
  return startFront({ ports: processes.map(({ port }) => port), apiSecret, log });
}

/** Media connections on the web port, for the processes that have engines; undefined if they are not accepted. */
function connectionsOf(media: MediaAssignment | undefined): MediaConnections | undefined {
  return media?.settings.tcp ? new MediaConnections(media.processes.length, passToMedia) : undefined;
}

/** This server's own engine, and those of further zones. */
function mediaClient(config: Config, assignment: Assignment, front: MediaFront | undefined, log: Log): MediaClient {
  const others = config.mediaZones.map(({ id, name, url, key, secret }) =>
    createMedia({ serverUrl: url, publicUrl: url, apiKey: key, apiSecret: secret, log, zone: { id, name } }),
  );
  return joinZones(ownMedia(config, assignment, front, log), others);
}

function ownMedia({ livekit }: Config, { media }: Assignment, front: MediaFront | undefined, log: Log): MediaClient {
  if (livekit)
    return createMedia({
      serverUrl: livekit.url,
      publicUrl: livekit.url,
      apiKey: livekit.apiKey,
      apiSecret: livekit.apiSecret,
      log,
    });
  if (!media || !front) throw new CannotStart('There is no media engine.');
  return createMedia({
    serverUrl: front.url,
    publicUrl: undefined,
    apiKey: media.apiKey,
    apiSecret: media.apiSecret,
    log,
    processes: front.processes,
    udpPorts: media.processes.map(({ udpPort }) => udpPort),
  });
}

/** Whether the database answers within two seconds, and has room to store anything where it is the embedded one. */
async function answers(db: Db, { databaseUrl, dataFolder }: Config): Promise<boolean> {
  if (databaseUrl === undefined && !(await inTime(hasRoom(dataFolder)))) return false;
  return inTime(db.ping().then(() => true));
}

/** What a check finds; false where it fails, or takes longer than two seconds. */
async function inTime(check: Promise<boolean>): Promise<boolean> {
  const { promise: tooLate, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ANSWER_WITHIN);
  try {
    return await Promise.race([check.catch(() => false), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

async function listen(app: FastifyInstance, { host, isLoopback, tls }: Config, port: number): Promise<void> {
  const scheme = isLoopback && !tls ? 'http' : 'https';
  try {
    await app.listen({
      host,
      port,
      backlog: BACKLOG,
      listenTextResolver: (address) => `Listening at ${address.replace(/^https?/, scheme)}`,
    });
  } catch (error) {
    const reasons: Record<string, string> = {
      EADDRINUSE: 'another program uses it. Set RMEET_PORT to a free one',
      EACCES: 'this account may not use it. Set RMEET_PORT to one above 1023',
      EADDRNOTAVAIL: 'this machine has no such address. Check RMEET_HOST',
    };
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
    if (!reason) throw error;
    throw new CannotStart(`Port ${port} of ${host} cannot be used: ${reason}.`, { cause: error });
  }
}

/** What to type into a browser of this machine. */
function addressOf({ isLoopback, tls, host }: Config, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return new URL(`${isLoopback && !tls ? 'http' : 'https'}://${name}:${port}/`).href;
}

/** The address of this machine that others may reach, as an origin; this machine's own where it has no other. */
function reachedAt(config: Config, port: number): string {
  const own = new URL(addressOf(config, port)).origin;
  if (config.host !== '0.0.0.0' && config.host !== '::') return own;
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  return outer ? new URL(`https://${outer.address}:${port}`).origin : own;
}

/** A damaged database, or one of another secret key, is not tried again. */
async function startOnce(assignment: Assignment): Promise<Running> {
  try {
    return await start(assignment);
  } catch (error) {
    throw error instanceof DatabaseDamaged || error instanceof SecretKeyUnusable
      ? new CannotStart(error.message, { cause: error })
      : error;
  }
}

await runSupervised(startOnce);
