import { fork, type ChildProcess } from 'node:child_process';
import { asHandle, connectionIn, type RawConnection } from './connection.ts';
import {
  EXIT_CANNOT_START,
  EXIT_CONFIG,
  STANDBY,
  type FromChild,
  type MediaConnectionMessage,
  type ToChild,
} from './messages.ts';
import { Standby } from './standby.ts';

/** Delays before a restart, by how often the process ended soon after its start. */
const DELAYS = [0, 500, 1_000, 2_000, 5_000, 10_000];
/** A process that ran this long counts as healthy. */
const WELL_AFTER = 30_000;
/** A little longer than a child's own limit. */
const KILL_AFTER = 4_500;

export interface KeeperOptions {
  name: string;
  file: string;
  env: NodeJS.ProcessEnv;
  onStarted(pid: number): void;
  onReady(lines: string[]): void;
  /** Why it ended or could not start, in readable lines. */
  onTrouble(lines: string[]): void;
  /** It will not be restarted: a person has to act. */
  onGiveUp(exitCode: number): void;
  onRecorderNeeded?(): void;
  /** It passes on a connection for another process; unless that takes it, it is to be closed. */
  onMediaConnection?(message: MediaConnectionMessage, connection: RawConnection): void;
  onEnded?(): void;
  /** It may end by itself when it has nothing to do, and is started again by `wake`. */
  isOnDemand?: boolean;
  /** `renew` starts the new process before the old one ends, so that it can take over at once. */
  isOverlapping?: boolean;
  /** While it runs, a second process stands by, which takes over if it dies. Called with the number of that process. */
  onStandby?(pid: number | undefined): void;
}

export interface Keeper {
  /** Starts it if it ended because it had nothing to do. */
  wake(): void;
  /** Ends the process and does not restart it; at most 4.5 s. */
  stop(): Promise<void>;
  /** Kills it at once. */
  kill(): void;
  /** Passes a connection on to the process, or closes it if there is none. */
  pass(message: MediaConnectionMessage, connection: RawConnection): void;
  /** Replaces it with a new one as soon as it is drained; fulfilled when the new one is ready, or is not needed. */
  renew(): Promise<void>;
}

/** Runs a process and restarts it whenever it ends: at once, then with growing delays while it keeps failing. */
// oxlint-disable-next-line max-lines-per-function -- the states of one process belong together
export function keepRunning(options: KeeperOptions): Keeper {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  let failures = 0;
  let wasReady = false;
  /** It ended because it had nothing to do. */
  let isResting = false;
  let renewing: ChildProcess | undefined;
  let renewed: PromiseWithResolvers<void> | undefined;

  const launch = (env: NodeJS.ProcessEnv = {}): ChildProcess =>
    fork(options.file, { env: { ...options.env, ...env }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const standby =
    options.onStandby &&
    new Standby({ launch: () => launch({ [STANDBY]: '1' }), onChange: (pid) => options.onStandby?.(pid) });

  /** Starts it again, at once or after a delay. */
  function restart(startedAt: number, why: string, explained: boolean): void {
    failures = Date.now() - startedAt >= WELL_AFTER ? 0 : failures;
    const delay = DELAYS[Math.min(failures, DELAYS.length - 1)] ?? 0;
    failures += 1;
    const when = delay === 0 ? 'at once' : `in ${delay / 1_000} s`;
    if (!explained || delay > 0)
      options.onTrouble([`The ${options.name} process ended (${why}); it is started again ${when}.`]);
    timer = setTimeout(start, delay);
  }

  /** It ended by itself: it has nothing to do, or was asked to make room for a new one. */
  function rest(current: ChildProcess): void {
    isResting = options.isOnDemand === true && current !== renewing;
    if (isResting) standby?.drop();
    else start();
  }

  function start(): void {
    const startedAt = Date.now();
    let explained = false;
    const current = standby?.take() ?? launch();
    child = current;
    if (current.pid !== undefined) options.onStarted(current.pid);
    current.on('message', (message: FromChild, handle: unknown) => {
      if (message.type === 'ready') {
        wasReady = true;
        if (current !== renewing) renewed?.resolve();
        if (!isStopping) standby?.prepare();
        options.onReady(message.lines);
      } else if (message.type === 'recorderNeeded') options.onRecorderNeeded?.();
      else if (message.type === 'mediaConnection') relay(message, connectionIn(handle));
      else {
        explained = true;
        options.onTrouble(message.lines);
      }
    });
    let hasEnded = false;
    const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (hasEnded) return;
      hasEnded = true;
      if (isStopping) renewed?.resolve();
      if (child !== current) return; // another one has taken over
      child = undefined;
      options.onEnded?.();
      if (isStopping) return;
      if (code === 0 && wasReady) rest(current);
      else if (!wasReady && (code === EXIT_CONFIG || code === EXIT_CANNOT_START)) {
        renewed?.resolve();
        options.onGiveUp(code);
      } else restart(startedAt, signal ?? `code ${code}`, explained);
    };
    current.on('error', (error) => {
      explained = true;
      options.onTrouble([`The ${options.name} process: ${error.message}`]);
      if (current.pid === undefined) ended(1, null); // it was never started, so no exit follows
    });
    current.on('exit', ended);
  }

  function relay(message: MediaConnectionMessage, connection: RawConnection | undefined): void {
    if (!connection) return;
    if (options.onMediaConnection) options.onMediaConnection(message, connection);
    else connection.close();
  }

  /** The process, and the one that it replaces. */
  function running(): ChildProcess[] {
    const known = [...new Set([child, renewing])].filter((one) => one !== undefined);
    return known.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  }

  start();
  return {
    wake() {
      if (!isResting || isStopping) return;
      isResting = false;
      start();
    },
    pass(message, connection) {
      const close = (): void => connection.close();
      if (child?.connected) child.send(message satisfies ToChild, asHandle(connection), {}, close);
      else close();
    },
    kill() {
      standby?.drop();
      running().forEach((one) => one.kill('SIGKILL'));
    },
    async renew() {
      if (isStopping || !child || child === renewing) return;
      const before = child;
      renewing = before;
      renewed = Promise.withResolvers();
      // It has the code of before.
      standby?.drop();
      if (options.isOverlapping) start();
      else before.kill('SIGUSR2');
      await renewed.promise;
      if (options.isOverlapping && child && !isStopping) before.kill('SIGUSR2');
    },
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      standby?.drop();
      await Promise.all(running().map(end));
    },
  };
}

/** Asks a process to end, and kills it if it does not. */
async function end(child: ChildProcess): Promise<void> {
  const force = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  // A child that is already ending has no channel any more; its exit follows.
  if (child.connected) child.send({ type: 'stop' } satisfies ToChild, () => undefined);
  await exited;
  clearTimeout(force);
}
