import { readdirSync, readFileSync } from 'node:fs';
import { until } from '@rmeet/testkit';

/** The parent of each process; those that ended meanwhile are left out. */
function parents(): Map<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // After the name, which may contain anything: state and parent.
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state !== 'Z') found.set(Number(name), Number(parent));
    } catch {
      // It has ended.
    }
  }
  return found;
}

/** A process and all its descendants. */
function family(pid: number): number[] {
  const byParent = Map.groupBy(parents(), ([, parent]) => parent);
  const all = [pid];
  for (const one of all) all.push(...(byParent.get(one) ?? []).map(([child]) => child));
  return all;
}

/** Kills a process and all its descendants, at once, and waits until they are gone. */
export function endFamily(pid: number): Promise<void> {
  return end(family(pid));
}

/** Kills all descendants of this process. */
export function endChildren(): Promise<void> {
  return end(family(process.pid).filter((pid) => pid !== process.pid));
}

async function end(pids: readonly number[]): Promise<void> {
  for (const one of pids) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
  await until('all processes have ended', () => {
    const alive = parents();
    return pids.every((one) => !alive.has(one));
  });
}
