import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort, until } from '@rmeet/testkit';
import { median, type Benchmark } from './report.ts';

const root = join(import.meta.dirname, '..');
const RUNS = 3;
/** Milliseconds after it is ready until it counts as idle. */
const REST = 20_000;
const GOAL = 350;

/** Megabytes by kind of process: `supervisor`, `server`, `media`, `postgres`. */
type Held = Map<string, number>;

/** The process's name in the table; undefined if it has ended. */
function nameOf(pid: number): string | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return (
      /src\/(supervisor|media)\.ts/.exec(command)?.[1] ?? (command.includes('src/main.ts') ? 'server' : 'postgres')
    );
  } catch {
    return undefined;
  }
}

/** The process and all its descendants. */
function treeOf(pid: number): number[] {
  const found = [pid];
  try {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim();
      if (children !== '') found.push(...children.split(' ').flatMap((child) => treeOf(Number(child))));
    }
  } catch {
    // It has just ended.
  }
  return found;
}

/**
 * Proportional set size: memory shared by several processes is divided among them, so that the sum is their total
 * memory.
 */
function held(supervisorPid: number): Held {
  const sums: Held = new Map();
  for (const pid of treeOf(supervisorPid)) {
    const name = nameOf(pid);
    if (name === undefined) continue;
    const kilobytes = Number(
      /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? Number.NaN,
    );
    sums.set(name, (sums.get(name) ?? 0) + kilobytes / 1_024);
  }
  return sums;
}

async function startAndLook(data: string): Promise<Held> {
  const port = await freePort();
  const env = { ...process.env, RMEET_DATA: data, RMEET_PORT: String(port), RMEET_MEDIA_PORT: '0' };
  const child = spawn('npm', ['start', '--silent'], { cwd: root, env, stdio: 'ignore' });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  try {
    await until('ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200, {
      within: 60_000,
      every: 100,
    });
    await wait(REST);
    return held((JSON.parse(readFileSync(join(data, 'run.json'), 'utf8')) as { supervisorPid: number }).supervisorPid);
  } finally {
    child.kill('SIGTERM');
    await exit;
    // npm ends before the processes it started.
    await until('everything has stopped', () => !existsSync(join(data, 'run.json')));
  }
}

/**
 * The memory of an idle installation with the embedded database and engine, with a new data folder and with an existing
 * one. Linux only.
 */
const memory: Benchmark = async (report) => {
  const cases = { 'new data folder': [] as Held[], 'existing data folder': [] as Held[] };
  for (let run = 0; run < RUNS; run++) {
    const data = mkdtempSync(join(tmpdir(), 'rmeet-bench-'));
    for (const all of Object.values(cases)) all.push(await startAndLook(data));
    rmSync(data, { recursive: true, force: true });
  }
  const totals: number[] = [];
  for (const [name, runs] of Object.entries(cases)) {
    for (const kind of runs[0]?.keys() ?? [])
      report({ case: name, figure: kind, value: median(runs.map((one) => one.get(kind) ?? 0)), unit: 'MB' });
    const sums = runs.map((one) => [...one.values()].reduce((sum, value) => sum + value, 0));
    report({ case: name, figure: 'all', value: median(sums), unit: 'MB' });
    report({ case: name, figure: 'all, worst', value: Math.max(...sums), unit: 'MB' });
    totals.push(median(sums));
  }
  const [fresh = Number.NaN, existing = Number.NaN] = totals;
  return (
    `Memory (PSS) of all processes at rest, ${REST / 1_000} s after they are ready: median ` +
    `${fresh.toFixed(0)} MB of a new data folder, ${existing.toFixed(0)} MB of an existing one (goal ${GOAL} MB).`
  );
};
export default memory;
