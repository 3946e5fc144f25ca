import { setTimeout as wait } from 'node:timers/promises';
import { DiskFull, PostgresUnusable } from './errors.ts';
import { DatabaseDamaged } from './troubles.ts';
import { preparePostgres, type RunningPostgres, type StartPostgresOptions } from './server.ts';

/** Delays before a restart, by how often it ended soon after its start; milliseconds. */
const DELAYS = [0, 200, 500, 1_000, 2_000, 5_000];
/** A process that ran this long counts as healthy. */
const WELL_AFTER = 30_000;

export interface KeepPostgresOptions extends StartPostgresOptions {
  /** It is running, with this pid. */
  onStarted?: (pid: number) => void;
  /** A message for a person: it ended, or waits for disk space. Each is reported once, for any number of attempts. */
  onTrouble: (sentence: string) => void;
  /** It ended, or cannot be restarted, for a reason that only a person can fix. */
  onGiveUp: (error: PostgresUnusable) => void;
}

export interface PostgresKeeper {
  url: string;
  /** Rejects with PostgresUnusable, or Error, if the first start fails; it is not retried then. */
  ready: Promise<void>;
  /** The current process; undefined between two. */
  pid(): number | undefined;
  /** Ends it, even while it is starting. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL and restarts it whenever it ends by itself. If the disk is full, it waits; after other errors that
 * it cannot recover from, it is not restarted.
 *
 * @throws PostgresUnusable if it cannot be prepared
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

  /** Retries until it runs; undefined if that is of no use. */
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
      // Damage that appears only when a client connects.
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
