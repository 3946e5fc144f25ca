import type { FastifyInstance } from 'fastify';
import type { Config } from './config/index.ts';
import type { Db } from './db/index.ts';
import type { Authenticate, Bypass, ClientCallRecord } from './http/index.ts';
import type { Jobs } from './jobs/types.ts';
import type { Log } from './log/log.ts';
import type { Mail } from './mail/index.ts';
import type { AdmissionGuard } from './media/index.ts';
import type { Media } from './media/types.ts';
import type { Push } from './push/index.ts';
import type { Sms } from './sms/index.ts';
import type { WebPush } from './web-push/index.ts';
import type { Storage } from './storage/index.ts';

/** What every module depends on. */
export interface Platform {
  config: Config;
  log: Log;
  db: Db;
  push: Push;
  jobs: Jobs;
  storage: Storage;
  media: Media;
  mail: Mail;
  sms: Sms;
  webPush: WebPush;
}

/**
 * What modules/index.ts provides to main.ts: `export async function createModules(platform: Platform):
 * Promise<Modules>`. It declares push topics and jobs; no port is open yet.
 */
export interface Modules {
  authenticate: Authenticate;
  /** Stores a call of an API client. */
  recordClientCall: (call: ClientCallRecord) => void;
  /** Who may be in which media room. */
  mayBeInRoom: AdmissionGuard;
  /** Handle requests before `mount` does. */
  bypasses: Bypass[];
  /** Mounts every domain of the contract except `downloads`, which the platform handles. */
  mount(app: FastifyInstance): void;
  /**
   * Creates the demo data if it is wanted (config.seed) and does not exist yet.
   *
   * @returns the lines to print while demo data exists: its accounts; otherwise empty
   */
  seed(): Promise<string[]>;
  /** Whether an account still has the demo password; the server then refuses to be reachable from elsewhere. */
  hasDemoPasswords(): Promise<boolean>;
  /** The addresses people use, as origins, the one for mails first; empty while none is known. */
  publicUrls: () => readonly string[];
  /** Whether the first account does not exist yet. */
  isSetupOpen: () => Promise<boolean>;
  /** Creates the setup link of an installation without accounts; undefined if it is set up. */
  setupLink: (origin: string) => Promise<{ link: string; file: string } | undefined>;
  /** Called once the server listens: background work that is not a job. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
