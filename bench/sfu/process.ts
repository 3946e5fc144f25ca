import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';

/** Clock ticks per second in /proc (sysconf _SC_CLK_TCK, 100 on Linux). */
const TICKS = 100;

/** Seconds of processor time, user and system, used by a process with all its threads (proc(5), /proc/pid/stat). */
export function processorSeconds(pid: number, from = `/proc/${pid}/stat`): number {
  const fields = readFileSync(from, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** The same for a process' first thread only, on which Node runs JavaScript. */
export function mainThreadSeconds(pid: number): number {
  return processorSeconds(pid, `/proc/${pid}/task/${pid}/stat`);
}

/** Megabytes of memory a process holds. */
export function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
}

export async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await exit;
  clearTimeout(late);
}

/** The next message from a child process. @throws Error if the process ends instead. */
export async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const ended = new AbortController();
  const onExit = (): void => ended.abort(new Error(`${child.spawnargs.join(' ')} ended`));
  child.once('exit', onExit);
  try {
    const [message] = (await once(child, 'message', { signal: ended.signal })) as [T];
    return message;
  } finally {
    child.off('exit', onExit);
  }
}
