import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Another living process holds the lock. */
export class LockTaken extends Error {
  readonly pid: number;
  constructor(path: string, pid: number) {
    super(
      `${path} is held by process ${pid}, which is still running. Stop it first, or set RMEET_DATA to another folder.`,
    );
    this.name = 'LockTaken';
    this.pid = pid;
  }
}

interface Holder {
  pid: number;
  /** Kernel's start time of the process; distinguishes it from a later process with the same pid. */
  started: string;
}

/**
 * When a process started, as `<boot id>/<clock ticks since boot>` from /proc; empty if there is no /proc (then only a
 * living pid counts). Does not throw; undefined if the process does not exist.
 */
function startedAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name, in parentheses, may contain spaces; field 22 is counted after it (proc_pid_stat(5)).
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${rest[18]}`;
  } catch {
    // No /proc (macOS, Windows) or no such process; signal 0 shows which.
    try {
      process.kill(pid, 0);
      return '';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM' ? '' : undefined;
    }
  }
}

/** The holder of the lock; undefined if it is free. */
async function readHolder(path: string): Promise<{ holder: Holder | undefined } | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    try {
      return { holder: JSON.parse(text) as Holder };
    } catch {
      return { holder: undefined }; // incomplete, from a process that died: stale
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(holder: Holder | undefined): holder is Holder {
  return holder !== undefined && Number.isInteger(holder.pid) && startedAt(holder.pid) === holder.started;
}

export interface Lock {
  release(): Promise<void>;
}

/**
 * Takes the lock file at `path` for this process. A lock of a dead process is replaced.
 *
 * @param patience milliseconds to wait for a living holder to release it, for example a server that is shutting down
 * @throws LockTaken if the holder is still there after that
 */
export async function takeLock(path: string, patience = 0): Promise<Lock> {
  const mine = `${path}.${randomUUID()}`;
  const deadline = Date.now() + patience;
  try {
    await writeFile(
      mine,
      JSON.stringify({ pid: process.pid, started: startedAt(process.pid) ?? '' } satisfies Holder),
      { mode: 0o600 },
    );
    for (;;) {
      if (await tryLink(mine, path)) return { release: () => rm(path, { force: true }) };
      const found = await readHolder(path);
      if (!found) continue;
      if (isAlive(found.holder)) {
        if (Date.now() >= deadline) throw new LockTaken(path, found.holder.pid);
        await wait(100);
        continue;
      }
      await removeStale(path, mine);
    }
  } finally {
    await rm(mine, { force: true });
  }
}

/** Makes `path` a hard link of `mine`: the file system guarantees that only one process succeeds. */
async function tryLink(mine: string, path: string): Promise<boolean> {
  try {
    await link(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a stale lock. Only the holder of the guard file may, so that a newly taken lock is never mistaken for the
 * stale one.
 */
async function removeStale(path: string, mine: string): Promise<void> {
  const guard = `${path}.guard`;
  if (!(await tryLink(mine, guard))) {
    const other = await readHolder(guard);
    if (other && !isAlive(other.holder)) await rm(guard, { force: true }); // it died between these lines
    await wait(10);
    return;
  }
  try {
    const found = await readHolder(path);
    if (found && !isAlive(found.holder)) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}
