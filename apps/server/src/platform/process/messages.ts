import type { Config } from '../config/index.ts';

/** What the supervisor tells the processes it starts, as JSON in their environment. */
export interface Assignment {
  /** TCP port of the web server. */
  port: number;
  /** postgres:// URL of the embedded database; undefined with DATABASE_URL. */
  databaseUrl: string | undefined;
  /** The embedded engine; undefined with LIVEKIT_URL. */
  media: MediaAssignment | undefined;
}

export interface MediaAssignment {
  apiKey: string;
  apiSecret: string;
  /** Every media process: its loopback port for HTTP, and its UDP port. */
  processes: { port: number; udpPort: number }[];
  /**
   * As configured; a media process reads no configuration itself, as what checks it takes a third of the memory of one
   * at rest.
   */
  settings: Config['media'];
  logLevel: string;
  /** Which of them the process that reads this is; the server is none. */
  index?: number;
}

/** The environment variable that carries the assignment; taken out again at once. */
export const ASSIGNMENT = 'RMEET_ASSIGNMENT';

export type ToChild = { type: 'stop' };
/** `lines` are for the person who started Rmeet. */
export type FromChild = { type: 'ready'; lines: string[] } | { type: 'failed'; lines: string[] };

/** A mistake in the configuration: starting again would not help. */
export const EXIT_CONFIG = 2;
/** Something else only a person can put right: the data folder or the port is taken, the database is newer. */
export const EXIT_CANNOT_START = 3;

/** The process cannot start yet, for a reason that may pass by itself; the message says which. */
export class TryAgain extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TryAgain';
  }
}

/** The process cannot start until a person intervenes; the message says how. */
export class CannotStart extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CannotStart';
  }
}
