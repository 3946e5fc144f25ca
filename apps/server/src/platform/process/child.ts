import type { Socket } from 'node:net';
// Not through the index: a media process does not need the schemas.
import { ConfigError } from '../config/error.ts';
import { describeError } from '../log/redact.ts';
import { surviveLostOutput } from '../log/survive.ts';
import { asHandle, connectionIn, socketOf, takeConnection } from './connection.ts';
import {
  ASSIGNMENT,
  CannotStart,
  EXIT_CANNOT_START,
  EXIT_CONFIG,
  STANDBY,
  TryAgain,
  type Assignment,
  type FromChild,
  type ToChild,
} from './messages.ts';

/** A started process: what to print when it is ready, and how to end it. */
export interface Running {
  lines: string[];
  /** Fulfilled when the process can be replaced without interrupting anyone, or when it has waited long enough. */
  drain?(): Promise<void>;
  stop(): Promise<void>;
  /** Takes over a TCP connection, of which `head` has been read. */
  acceptMedia?(socket: Socket, head: Buffer): void;
}

/** After this time, an ending process is killed; the supervisor waits a little longer. */
const STOP_WITHIN = 4_000;

/** Reads the supervisor's assignment and removes it from the environment. */
function takeAssignment(): Assignment {
  const text = process.env[ASSIGNMENT];
  delete process.env[ASSIGNMENT];
  if (!text || !process.send) throw new CannotStart('This process is started by the supervisor: npm start.');
  return JSON.parse(text) as Assignment;
}

/** A process that stands by waits until another one has died. */
async function untilNeeded(): Promise<void> {
  if (process.env[STANDBY] === undefined) return;
  delete process.env[STANDBY];
  await new Promise<void>((resolve) => {
    process.on('message', (message: ToChild) => {
      if (message.type === 'begin') resolve();
    });
  });
}

function tell(message: FromChild): Promise<void> {
  return new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, undefined, {}, () => resolve());
    else resolve();
  });
}

/** Asks the supervisor for recorder processes; nothing happens if they run, or if there are to be none. */
export function askForRecorder(): void {
  void tell({ type: 'recorderNeeded' });
}

/** Connections that may be on their way to the supervisor; one takes it a tenth of a millisecond. */
const MOST_UNDERWAY = 256;
let underway = 0;

/**
 * Passes a TCP connection, of which `head` has been read, to a media process, by way of the supervisor: these two stay
 * while this process is started again. False if that is not possible; the socket is then still open.
 */
export function passToMedia(index: number, socket: Socket, head: Buffer): boolean {
  if (!process.send || !process.connected || underway >= MOST_UNDERWAY) return false;
  const connection = takeConnection(socket);
  if (!connection) return false;
  underway += 1;
  const message: FromChild = { type: 'mediaConnection', process: index, head: head.toString('base64') };
  process.send(message, asHandle(connection), {}, () => {
    underway -= 1;
    connection.close();
  });
  return true;
}

/**
 * Runs a process of the supervisor: starts it, reports when it is ready, and ends it on request, on SIGTERM, or if the
 * supervisor has died; on SIGUSR2 it ends once it is drained, and is started again with the current code. Ctrl-C
 * reaches every process of a terminal; here only the supervisor handles it.
 */
export async function runSupervised(start: (assignment: Assignment) => Promise<Running>): Promise<void> {
  let running: Running | undefined;
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_WITHIN).unref();
    try {
      await running?.stop();
      process.exit(0);
    } catch (error) {
      await fail(error);
    }
  };
  const replace = async (): Promise<void> => {
    try {
      await running?.drain?.();
      await stop();
    } catch (error) {
      await fail(error);
    }
  };
  surviveLostOutput();
  // All work in progress is in an unknown state: a new process is safer.
  process.on('uncaughtException', (error) => void fail(error));
  process.on('disconnect', () => void stop());
  process.on('message', (message: ToChild, handle: unknown) => {
    if (message.type === 'stop') void stop();
    else if (message.type === 'mediaConnection') {
      const connection = connectionIn(handle);
      if (!connection) return;
      if (running?.acceptMedia) running.acceptMedia(socketOf(connection), Buffer.from(message.head, 'base64'));
      else connection.close();
    }
  });
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => undefined);
  process.on('SIGUSR2', () => void replace());
  try {
    const assignment = takeAssignment();
    await untilNeeded();
    running = await start(assignment);
    await tell({ type: 'ready', lines: running.lines });
  } catch (error) {
    await fail(error);
  }
}

/** Reports the error and ends the process; the exit code tells the supervisor whether a restart makes sense. */
async function fail(error: unknown): Promise<never> {
  if (error instanceof ConfigError) {
    await tell({ type: 'failed', lines: error.lines });
    process.exit(EXIT_CONFIG);
  }
  const isKnown = error instanceof CannotStart || error instanceof TryAgain;
  await tell({ type: 'failed', lines: [isKnown ? error.message : describeError(error)] });
  process.exit(error instanceof CannotStart ? EXIT_CANNOT_START : 1);
}
