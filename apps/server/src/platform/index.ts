import type { FastifyInstance } from 'fastify';
import type { Config } from './config/index.ts';
import type { Db } from './db/index.ts';
import type { Authenticate } from './http/index.ts';
import type { Jobs } from './jobs/types.ts';
import type { Log } from './log/log.ts';
import type { Mail } from './mail/index.ts';
import type { AdmissionGuard } from './media/index.ts';
import type { Media } from './media/types.ts';
import type { Push } from './push/index.ts';
import type { Sms } from './sms/index.ts';
import type { Storage } from './storage/index.ts';

/** What every module stands on. */
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
}

/**
 * What modules/index.ts gives main.ts: `export async function createModules(platform: Platform): Promise<Modules>`.
 * It declares push topics and jobs; nothing listens yet.
 */
export interface Modules {
  authenticate: Authenticate;
  /** Who may be in which media room. */
  mayBeInRoom: AdmissionGuard;
  /** Mounts every domain of the contract but `downloads`, which the platform answers. */
  mount(app: FastifyInstance): void;
  /**
   * Brings in the demo data when it is wanted (config.seed) and not there yet.
   *
   * @returns the lines to print while demo data stands: its accounts; empty without
   */
  seed(): Promise<string[]>;
  /** Whether an account still has the demo password; the server then refuses to be reached from elsewhere. */
  hasDemoPasswords(): Promise<boolean>;
  /** The addresses people use, as origins, the one for mails first; empty while none is known. */
  publicUrls: () => readonly string[];
  /** Whether the first account is still to be made. */
  isSetupOpen: () => Promise<boolean>;
  /** Makes the setup link of an installation without accounts; undefined when it is set up. */
  setupLink: (origin: string) => Promise<{ link: string; file: string } | undefined>;
  /** Called once the server listens: background work that is no job. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
