import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PostgresUnusable } from './errors.ts';

/** Time for PostgreSQL to end by a fast shutdown, then by an immediate one; milliseconds. */
const FAST_WITHIN = 5_000;
const IMMEDIATE_WITHIN = 5_000;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The process in the pid file, which may be another program's by now; undefined without the file. */
function namedPid(folder: string): number | undefined {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/**
 * Processes whose working directory is the folder, as for all of PostgreSQL's; undefined if the system does not show it
 * (no /proc).
 */
function processesIn(folder: string): number[] | undefined {
  if (!existsSync('/proc/self/cwd')) return undefined;
  const real = realpathSync(folder);
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      if (!Number.isInteger(pid) || pid === process.pid) return false;
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`) === real && /^postgres\b/.test(readFileSync(`/proc/${pid}/comm`, 'utf8'))
        );
      } catch {
        return false; // it ended, or belongs to another account
      }
    });
}

async function endsWithin(isRunning: () => boolean, within: number): Promise<boolean> {
  for (const deadline = Date.now() + within; Date.now() < deadline; await wait(20)) if (!isRunning()) return true;
  return !isRunning();
}

/**
 * Ends a PostgreSQL that outlived its supervisor in this folder, and removes a pid file whose number another program
 * has now (after a restart of the machine or of a container the same numbers are used again), which PostgreSQL would
 * mistake for another instance.
 *
 * Requires the lock of the data folder: no other process starts PostgreSQL there.
 *
 * @throws PostgresUnusable if it does not end
 */
export async function endLeftOver(folder: string): Promise<void> {
  const pid = namedPid(folder);
  const here = processesIn(folder);
  if (pid === undefined && (here ?? []).length === 0) return;
  if (here !== undefined && here.length === 0) {
    rmSync(join(folder, 'postmaster.pid'), { force: true });
    return;
  }
  // Without /proc, the pid file counts, and PostgreSQL itself checks the number again.
  const left = here ?? (pid !== undefined && isAlive(pid) ? [pid] : []);
  const isRunning = (): boolean => (here === undefined ? left.some(isAlive) : (processesIn(folder) ?? []).length > 0);
  if (await ends(pid !== undefined && left.includes(pid) ? pid : undefined, isRunning)) return;
  throw new PostgresUnusable(
    `Another PostgreSQL runs in ${folder} (process ${left.join(', ')}) ` +
      'and does not end. Stop it first, or set RMEET_DATA to another folder.',
  );
}

/** Stops PostgreSQL, first fast and then immediately. Processes whose parent was killed end by themselves. */
async function ends(parent: number | undefined, isRunning: () => boolean): Promise<boolean> {
  for (const [signal, within] of [
    ['SIGINT', FAST_WITHIN],
    ['SIGQUIT', IMMEDIATE_WITHIN],
  ] as const) {
    try {
      if (parent !== undefined) process.kill(parent, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') break;
    }
    if (await endsWithin(isRunning, within)) return true;
  }
  return false;
}
