import { setTimeout as wait } from 'node:timers/promises';
import { DiskFull, PostgresUnusable } from './errors.ts';
import { DatabaseDamaged } from './troubles.ts';
import { preparePostgres, type RunningPostgres, type StartPostgresOptions } from './server.ts';

/** Waits before it is started again, by how often it ended soon after its start; milliseconds. */
const DELAYS = [0, 200, 500, 1_000, 2_000, 5_000];
/** One that ran this long was well. */
const WELL_AFTER = 30_000;

export interface KeepPostgresOptions extends StartPostgresOptions {
  /** It runs, as this process. */
  onStarted?: (pid: number) => void;
  /**
   * What a person should know: it ended, or waits for room on the disk. Each is said once, however often it is tried.
   */
  onTrouble: (sentence: string) => void;
  /** It ended, or cannot be started again, for a reason that only a person can put right. */
  onGiveUp: (error: PostgresUnusable) => void;
}

export interface PostgresKeeper {
  url: string;
  /** Rejects with PostgresUnusable, or Error, when it cannot be started the first time; it is not tried again then. */
  ready: Promise<void>;
  /** The process as it is now; undefined between two. */
  pid(): number | undefined;
  /** Ends it; also where it is just starting. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL and starts it again whenever it ends by itself. A full disk is waited for; from what else it cannot
 * recover it is not started again.
 *
 * @throws PostgresUnusable when it cannot be prepared
 */
// oxlint-disable-next-line max-lines-per-function -- one state machine: its functions share the running process
export async function keepPostgres({
  onStarted,
  onTrouble,
  onGiveUp,
  ...options
}: KeepPostgresOptions): Promise<PostgresKeeper> {
  const stopping = new AbortController();
  const prepared = await preparePostgres(options);
  let running: RunningPostgres | undefined;
  let told: string | undefined;
  const tell = (sentence: string): void => {
    if (sentence !== told) onTrouble(sentence);
    told = sentence;
  };

  /** Tries until it runs; undefined when there is no use in it. */
  async function restart(failures: number): Promise<RunningPostgres | undefined> {
    for (let attempt = failures; !stopping.signal.aborted; attempt += 1) {
      await wait(DELAYS[Math.min(attempt, DELAYS.length - 1)], undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
      if (stopping.signal.aborted) return undefined;
      try {
        const started = await prepared.start();
        onStarted?.(started.pid);
        return started;
      } catch (error) {
        if (error instanceof PostgresUnusable && !(error instanceof DiskFull)) {
          onGiveUp(error);
          return undefined;
        }
        tell(error instanceof Error ? error.message : String(error));
      }
    }
    return undefined;
  }

  async function keep(): Promise<void> {
    let failures = 0;
    while (running) {
      const startedAt = Date.now();
      const reason = await running.ended;
      running = undefined;
      if (stopping.signal.aborted) return;
      tell(reason?.message ?? 'The database process ended; it is started again.');
      failures = Date.now() - startedAt >= WELL_AFTER ? 0 : failures + 1;
      // Damage that shows only once somebody connects.
      if (reason instanceof DatabaseDamaged && failures > 1) {
        onGiveUp(reason);
        return;
      }
      running = await restart(failures - 1);
      // It may have been stopped while it was starting.
      if (stopping.signal.aborted) await running?.stop();
      else if (reason instanceof DiskFull) told = undefined;
    }
  }
  async function startFirst(): Promise<void> {
    running = await prepared.start();
    onStarted?.(running.pid);
  }
  const first = startFirst();
  const kept = first.then(keep, () => undefined);
  return {
    url: prepared.url,
    ready: first,
    pid: () => running?.pid,
    async stop() {
      stopping.abort();
      await first.catch(() => undefined);
      await running?.stop();
      await kept;
    },
  };
}
