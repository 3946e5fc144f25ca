import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createModules, type Rounds } from '../../../src/modules/index.ts';
import { account, type AccountRow } from '../../../src/modules/accounts/users/tables.ts';
import { readConfig, type Config } from '../../../src/platform/config/index.ts';
import { openDb, type Db } from '../../../src/platform/db/index.ts';
import { createHttp } from '../../../src/platform/http/index.ts';
import { createJobs } from '../../../src/platform/jobs/index.ts';
import { createLog, type Log } from '../../../src/platform/log/log.ts';
import type { AdmissionGuard } from '../../../src/platform/media/index.ts';
import { createMail, type Mail } from '../../../src/platform/mail/index.ts';
import type { Modules, Platform } from '../../../src/platform/index.ts';
import { createPush } from '../../../src/platform/push/index.ts';
import { createSms, type Sms } from '../../../src/platform/sms/index.ts';
import { localStorage, s3Storage, type Storage } from '../../../src/platform/storage/index.ts';
import { createWebPush, type WebPush } from '../../../src/platform/web-push/index.ts';
import { Clock } from './clock.ts';
import { FakeMedia } from './fake-media.ts';
import { addEverybody } from './people.ts';
import { makeStore, type Store } from './store.ts';

export interface TestServer {
  app: FastifyInstance;
  db: Db;
  media: FakeMedia;
  storage: Storage;
  /** The data folder. */
  folder: string;
  databaseUrl: string;
  clock: Clock;
  /** http://127.0.0.1:port */
  origin: string;
  /** The address for calls and in mails: the first of `publicUrls`, else `origin`. */
  publicUrl: string;
  people: Map<string, AccountRow>;
  /** One round of the reconciler. */
  tick(): Promise<void>;
  rounds: Rounds;
  setupLink: Modules['setupLink'];
  publicUrls: Modules['publicUrls'];
  /** Whether the embedded engine's front admits an identity to a media room. */
  mayBeInRoom: AdmissionGuard;
  close(): Promise<void>;
}

export interface TestServerOptions {
  capacity?: number;
  /** The configured addresses (RMEET_PUBLIC_URL). */
  publicUrls?: readonly string[];
  /** Existing data to use; the test removes it then. */
  store?: Store;
  /** Hosts inside the network that broadcasts may be pushed to (RMEET_PUSH_HOSTS). */
  pushHosts?: readonly string[];
  /** Hosts inside the network that may be identity providers (RMEET_SSO_HOSTS). */
  ssoHosts?: readonly string[];
  /** Hosts inside the network that may be directories (RMEET_DIRECTORY_HOSTS). */
  directoryHosts?: readonly string[];
  /** Hosts inside the network that revocation lists may be fetched from (RMEET_CERTIFICATE_HOSTS). */
  certificateHosts?: readonly string[];
  /** Proxies that pass certificates of clients on (RMEET_CLIENT_CERT_HEADER, RMEET_CLIENT_CERT_SECRET). */
  passing?: { proxies: readonly string[]; header: string; secret: string };
  /** Hosts inside the network that webhooks may call (RMEET_EVENT_HOSTS). */
  eventHosts?: readonly string[];
  /** Hosts that the assistant may use (RMEET_ASSISTANT_HOSTS). */
  assistantHosts?: readonly string[];
  /** A CDN in front of this server (RMEET_LIVE_CDN_URL). */
  liveCdnUrl?: string;
  /** The virus scanner (RMEET_CLAMD), and the converter of office files (RMEET_SOFFICE). */
  clamd?: string;
  soffice?: string;
  /** No account exists yet. */
  isNew?: boolean;
  clock?: Clock;
  media?: FakeMedia;
  log?: Log;
  /** A mail server; with one, the server also runs its jobs. */
  mail?: Mail;
  /** Text messages; without it there is no gateway, and none is allowed on this machine. */
  sms?: Sms;
  /** Push services of browsers; with it, the server also runs its jobs. */
  webPush?: WebPush;
}

function configOf(
  { folder, databaseUrl }: Store,
  {
    capacity = 300,
    publicUrls,
    pushHosts,
    ssoHosts,
    directoryHosts,
    certificateHosts,
    passing,
    eventHosts,
    assistantHosts,
    liveCdnUrl,
    clamd,
    soffice,
  }: TestServerOptions,
) {
  return readConfig({
    RMEET_DATA: folder,
    DATABASE_URL: databaseUrl,
    RMEET_SEED: 'none',
    RMEET_CONFERENCE_CAPACITY: String(capacity),
    RMEET_PUBLIC_URL: publicUrls?.join(),
    RMEET_PUSH_HOSTS: pushHosts?.join(),
    RMEET_SSO_HOSTS: ssoHosts?.join(),
    RMEET_DIRECTORY_HOSTS: directoryHosts?.join(),
    RMEET_CERTIFICATE_HOSTS: certificateHosts?.join(),
    RMEET_TRUSTED_PROXIES: passing?.proxies.join(),
    RMEET_CLIENT_CERT_HEADER: passing?.header,
    RMEET_CLIENT_CERT_SECRET: passing?.secret,
    RMEET_EVENT_HOSTS: eventHosts?.join(),
    RMEET_ASSISTANT_HOSTS: assistantHosts?.join(),
    RMEET_LIVE_CDN_URL: liveCdnUrl,
    RMEET_CLAMD: clamd,
    RMEET_SOFFICE: soffice,
  });
}

/** What sends messages to other servers. */
function outsideOf(
  { mail, sms, webPush }: TestServerOptions,
  config: Config,
): Pick<Platform, 'mail' | 'sms' | 'webPush'> {
  return {
    mail: mail ?? createMail(undefined),
    sms: sms ?? createSms(config.sms),
    webPush: webPush ?? createWebPush(config.webPush),
  };
}

/** The real server in this process, with its own database; only the media engine and the clock are replaced. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const store = options.store ?? (await makeStore(options.isNew ? 'tables' : 'people'));
  const { folder, databaseUrl } = store;
  const clock = options.clock ?? new Clock();
  const media = options.media ?? new FakeMedia();
  const log = options.log ?? createLog('test', process.env['TEST_LOG'] ?? 'silent');
  const config = configOf(store, options);
  const { db, jobStore } = await openDb({ url: databaseUrl, log });
  const pushServer = await createPush(db, log);
  const { push } = pushServer;
  const jobs = createJobs(jobStore, log);
  const platform = {
    config,
    log,
    db,
    push,
    jobs,
    storage: store.bucket ? s3Storage(store.bucket.settings) : localStorage(join(folder, 'files')),
    media,
    ...outsideOf(options, config),
  };
  const modules = await createModules(platform, { now: clock.now });
  const known = await db.platform((tx) => tx.find(account));
  const rows = known.length > 0 || options.isNew ? known : await addEverybody(db, clock.now());
  const app = await createHttp({
    log,
    db,
    storage: platform.storage,
    authenticate: modules.authenticate,
    recordClientCall: modules.recordClientCall,
    trustedProxies: config.trustedProxies,
    passedCertificates: config.passedCertificates,
    frameHosts: config.assistantHosts,
    publicUrls: modules.publicUrls,
    bypasses: [pushServer.bypass(modules.authenticate), ...modules.bypasses],
  });
  modules.mount(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  if (options.mail || options.webPush) await jobs.start();
  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    db,
    media,
    clock,
    storage: platform.storage,
    folder,
    databaseUrl,
    origin: `http://127.0.0.1:${port}`,
    publicUrl: config.publicUrls[0] ?? `http://127.0.0.1:${port}`,
    people: new Map(rows.map((row) => [row.account, row])),
    rounds: modules.rounds,
    setupLink: modules.setupLink,
    publicUrls: modules.publicUrls,
    mayBeInRoom: modules.mayBeInRoom,
    tick: () => modules.rounds.reconcile(),
    async close() {
      await app.close();
      await modules.stop();
      await jobs.stop();
      await db.close();
      if (!options.store) await store.remove();
    },
  };
}
