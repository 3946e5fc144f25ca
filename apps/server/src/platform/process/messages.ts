import type { Config } from '../config/index.ts';

/** What the supervisor passes to the processes it starts, as JSON in their environment. */
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
  /** Every media process: its loopback port for HTTP, and its UDP port, which is the TCP port for media as well. */
  processes: { port: number; udpPort: number }[];
  /**
   * As configured; a media process does not read the configuration itself, because its validation takes a third of the
   * memory of an idle process.
   */
  settings: Config['media'];
  logLevel: string;
  /** Which of them is the process that reads this; undefined for the server. */
  index?: number;
}

/** The environment variable with the assignment; removed immediately after reading. */
export const ASSIGNMENT = 'RMEET_ASSIGNMENT';

/** The environment variable of a process that loads its modules and waits for `begin`. */
export const STANDBY = 'RMEET_STANDBY';

/** A TCP connection for media comes with this message: `head` is what was read of it, in base64. */
export interface MediaConnectionMessage {
  type: 'mediaConnection';
  /** The media process that it is for. */
  process: number;
  head: string;
}

export type ToChild = { type: 'stop' } | { type: 'begin' } | MediaConnectionMessage;
/** `lines` are for the person who started Rmeet; `recorderNeeded`: there is something to record. */
export type FromChild =
  | { type: 'ready'; lines: string[] }
  | { type: 'failed'; lines: string[] }
  | { type: 'recorderNeeded' }
  | MediaConnectionMessage;

/** A mistake in the configuration: a restart would not help. */
export const EXIT_CONFIG = 2;
/** Another problem only a person can solve: the data folder or the port is in use, the database is newer. */
export const EXIT_CANNOT_START = 3;

/** The process cannot start yet, for a temporary reason; the message gives it. */
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
