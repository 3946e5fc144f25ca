import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConferenceRecorder, Conversions } from '@rmeet/recorder';
import { createRecordReports, mediaRoomOf } from './modules/conferences/index.ts';
import { createPushHosts, hasBroadcast, IngestHost, withPushes } from './modules/live/index.ts';
import { identityOf, smallIdentityOf } from './modules/recordings/index.ts';
import {
  dropLeftovers,
  freeFromDead,
  Recorders,
  startLive,
  type StartWriter,
} from './modules/recordings/recorder/index.ts';
import { SpoolRoom } from './modules/recordings/upload/index.ts';
import { readConfig, type Config } from './platform/config/index.ts';
import { openDb, type Db } from './platform/db/index.ts';
import { createLog, type Log } from './platform/log/log.ts';
import { createMedia, joinZones, MediaProcesses, OWN_ZONE, type MediaClient } from './platform/media/index.ts';
import { CannotStart, runSupervised, TryAgain, type Assignment, type Running } from './platform/process/index.ts';
import { createPublisher } from './platform/push/index.ts';
import { openSecretBox } from './platform/secrets/index.ts';
import { storageOf } from './platform/storage/index.ts';

/** A media token is used at once, and once. */
const TOKEN_SECONDS = 600;

/** The engines as a recorder joins them. */
interface Engines {
  media: MediaClient;
  /** Where to join a room of a zone. Embedded processes are joined directly, so that the server may be restarted. */
  urlOf(zoneId: string, room: string): Promise<string>;
  close(): void;
}

function enginesOf(config: Config, { media }: Assignment, log: Log): Engines {
  const others = config.mediaZones.map(({ id, name, url, key, secret }) =>
    createMedia({ serverUrl: url, publicUrl: url, apiKey: key, apiSecret: secret, log, zone: { id, name } }),
  );
  const { livekit } = config;
  if (livekit) {
    const { url, apiKey, apiSecret } = livekit;
    const joined = joinZones(createMedia({ serverUrl: url, publicUrl: url, apiKey, apiSecret, log }), others);
    const urlOf = async (zoneId: string): Promise<string> => joined.in(zoneId).url({ origin: url });
    return { media: joined, urlOf, close: () => joined.close() };
  }
  if (!media) throw new CannotStart('There is no media engine.');
  const { apiKey, apiSecret } = media;
  const ports = media.processes.map(({ port }) => port);
  const processes = new MediaProcesses(ports, log);
  const serverUrl = `http://127.0.0.1:${ports[0]}`;
  const joined = joinZones(createMedia({ serverUrl, publicUrl: undefined, apiKey, apiSecret, log }), others);
  return {
    media: joined,
    async urlOf(zoneId, room) {
      const engine = joined.in(zoneId);
      if (engine.zone.id !== OWN_ZONE.id) return engine.url({ origin: '' });
      const place = await processes.find(room);
      if (!place) throw new Error(`No media process has the room ${room}.`);
      return `ws://127.0.0.1:${place.port}`;
    },
    close() {
      processes.close();
      joined.close();
    },
  };
}

/**
 * Gives servers the programmes, and pushes them where people want that. Servers and recorders know the API secret of
 * the engine.
 */
async function openOutputs(config: Config, { media }: Assignment, db: Db, log: Log, now: () => Date) {
  const { livekit, recorders, role, dataFolder, secretKey, pushHosts } = config;
  const secret = livekit?.apiSecret ?? media?.apiSecret;
  if (secret === undefined) throw new CannotStart('There is no media engine.');
  const live = await startLive({ secret, url: recorders.liveUrl, isLocal: role !== 'recorder', now, log });
  const hosts = createPushHosts(pushHosts);
  return withPushes(live, { db, log, secrets: openSecretBox(dataFolder, secretKey), hosts, now });
}

/** The server whose conferences it follows: the one of this machine, or the public address. */
function serverOf(
  { role, publicUrls, host, isLoopback, tls }: Config,
  port: number,
): { url: string; insecure: boolean } {
  if (role === 'recorder') return { url: publicUrls[0] ?? '', insecure: false };
  const isAny = host === '0.0.0.0' || host === '::';
  const name = isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  // This machine's own server: its certificate proves nothing more than its address.
  return isLoopback && !tls
    ? { url: `http://${name}:${port}`, insecure: false }
    : { url: `https://${name}:${port}`, insecure: true };
}

async function openDatabase(config: Config, assignment: Assignment, log: Log): Promise<Db> {
  const url = config.databaseUrl ?? assignment.databaseUrl;
  if (url === undefined) throw new CannotStart('There is no database.');
  try {
    return (await openDb({ url, log })).db;
  } catch (error) {
    throw new TryAgain(`The database cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

interface WriterDeps {
  db: Db;
  engines: Engines;
  server: ReturnType<typeof serverOf>;
  live: Pick<Awaited<ReturnType<typeof openOutputs>>, 'open'>;
  conversions: Promise<Conversions | undefined>;
}

/** Starts recordings. Those of broadcasts have the programme with a smaller picture, too. */
function writerBy({ db, engines, server, live, conversions }: WriterDeps): StartWriter {
  const joinAs = async ({ tenantId, conferenceId }: Parameters<StartWriter>[0], identity: string) => {
    const room = await db.tenant(tenantId, (tx) => mediaRoomOf(tx, conferenceId));
    if (!room) throw new Error('The conference is over.');
    const { name, zoneId } = room;
    const grant = { room: name, identity, name: '', ttlSeconds: TOKEN_SECONDS };
    return {
      url: await engines.urlOf(zoneId, name),
      token: await engines.media.in(zoneId).token({ ...grant, canPublish: false, canSubscribe: true, hidden: true }),
    };
  };
  return async (row, { token, holder }, options) => {
    const startsAt = row.startedAt.getTime();
    const isBroadcast = await db.tenant(row.tenantId, (tx) => hasBroadcast(tx, row.meetingId));
    return ConferenceRecorder.start({
      ...server,
      ...options,
      credentials: { deskToken: token },
      meetId: row.meetingId,
      startsAt,
      withTracks: row.withTracks,
      conversions: await conversions,
      join: () => joinAs(row, identityOf(holder)),
      small: isBroadcast
        ? {
            output: live.open(row, options.index?.startsAt ?? startsAt, 'low'),
            join: () => joinAs(row, smallIdentityOf(holder)),
          }
        : undefined,
    });
  };
}

/** A recorder process: writes recordings of running conferences. */
async function start(assignment: Assignment): Promise<Running> {
  const config = readConfig(process.env);
  const log = createLog('recorder', config.logLevel);
  const spool = join(config.dataFolder, 'recording-spool');
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  const conversions = Conversions.find(config.recorders.conversions, (line) => log.info(line));
  const db = await openDatabase(config, assignment, log);
  const now = (): Date => new Date();
  await dropLeftovers(db, spool);
  await freeFromDead(db, spool, now);
  const engines = enginesOf(config, assignment, log);
  const live = await openOutputs(config, assignment, db, log, now);
  const startWriter = writerBy({ db, engines, live, conversions, server: serverOf(config, assignment.port) });
  const ingest = new IngestHost({
    db,
    log,
    push: createPublisher(db, log),
    secrets: openSecretBox(config.dataFolder, config.secretKey),
    hosts: createPushHosts(config.pushHosts),
    now,
    live,
    whip: { ports: config.whipPorts, announcedAddress: config.media.publicIp },
    rtmp: config.ingestPort === 0 ? null : { port: config.ingestPort, host: config.host },
  });
  const room = new SpoolRoom(spool);
  const recorders = new Recorders({
    db,
    storage: storageOf(config),
    log,
    now,
    report: createRecordReports({ push: createPublisher(db, log), now }),
    startWriter,
    hasRoom: () => room.hasRoom(),
    folderOf: (id) => join(spool, id),
    live,
    isNeeded: () => ingest.isNeeded,
    idleMs: config.role === 'recorder' ? null : config.recorders.idleSeconds * 1_000,
    // The supervisor starts it again when there is something to record.
    onIdle: () => void process.kill(process.pid, 'SIGTERM'),
  });
  recorders.start();
  await ingest.start();
  return {
    lines: [],
    async stop() {
      await ingest.stop();
      await recorders.stop();
      await live.close();
      engines.close();
      await db.close();
    },
  };
}

await runSupervised(start);
