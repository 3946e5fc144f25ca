// Not by its index: a media process has no need of the schemas.
import { ConfigError } from '../config/error.ts';
import { describeError } from '../log/redact.ts';
import { surviveLostOutput } from '../log/survive.ts';
import {
  ASSIGNMENT,
  CannotStart,
  EXIT_CANNOT_START,
  EXIT_CONFIG,
  TryAgain,
  type Assignment,
  type FromChild,
  type ToChild,
} from './messages.ts';

/** A started process: what to print now that it works, and how to end it. */
export interface Running {
  lines: string[];
  /** Fulfilled when the process may be replaced without anybody losing anything, or when it has been patient enough. */
  drain?(): Promise<void>;
  stop(): Promise<void>;
}

/** After this long an ending process is ended by force; the supervisor waits a little longer. */
const STOP_WITHIN = 4_000;

/** Reads the supervisor's assignment and takes it out of the environment. */
function takeAssignment(): Assignment {
  const text = process.env[ASSIGNMENT];
  delete process.env[ASSIGNMENT];
  if (!text || !process.send) throw new CannotStart('This process is started by the supervisor: npm start.');
  return JSON.parse(text) as Assignment;
}

function tell(message: FromChild): Promise<void> {
  return new Promise((resolve) => {
    if (process.send && process.connected) process.send(message, undefined, {}, () => resolve());
    else resolve();
  });
}

/**
 * Runs a process of the supervisor: starts it, says when it is ready, and ends it when told to, on SIGTERM, or when the
 * supervisor is gone; on SIGUSR2 once it is drained, to be started again with the code that stands then. Ctrl-C reaches
 * every process of a terminal; here it is left to the supervisor.
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
  // Whatever was going on is in an unknown state: better a new process.
  process.on('uncaughtException', (error) => void fail(error));
  process.on('disconnect', () => void stop());
  process.on('message', (message: ToChild) => {
    if (message.type === 'stop') void stop();
  });
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => undefined);
  process.on('SIGUSR2', () => void replace());
  try {
    running = await start(takeAssignment());
    await tell({ type: 'ready', lines: running.lines });
  } catch (error) {
    await fail(error);
  }
}

/** Says what is wrong and ends the process; its code tells the supervisor whether trying again makes sense. */
async function fail(error: unknown): Promise<never> {
  if (error instanceof ConfigError) {
    await tell({ type: 'failed', lines: error.lines });
    process.exit(EXIT_CONFIG);
  }
  const isKnown = error instanceof CannotStart || error instanceof TryAgain;
  await tell({ type: 'failed', lines: [isKnown ? error.message : describeError(error)] });
  process.exit(error instanceof CannotStart ? EXIT_CANNOT_START : 1);
}
