import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '@rmeet/testkit';
import { median, type Benchmark } from './report.ts';

const root = join(import.meta.dirname, '..');
const RUNS = 5;

/** ms from `npm start` to /readyz, with packages installed and the web app built. */
async function timeStart(data: string): Promise<number> {
  const port = await freePort();
  const env = { ...process.env, RMEET_DATA: data, RMEET_PORT: String(port), RMEET_MEDIA_PORT: '0' };
  const started = performance.now();
  const child = spawn('npm', ['start', '--silent'], { cwd: root, env, stdio: 'ignore' });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  try {
    await until('ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200, {
      within: 60_000,
      every: 10,
    });
    return performance.now() - started;
  } finally {
    child.kill('SIGTERM');
    await exit;
    // npm ends before the processes it started.
    await until('everything has stopped', () => !existsSync(join(data, 'run.json')));
  }
}

const start: Benchmark = async (report) => {
  const fresh: number[] = [];
  const existing: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const data = mkdtempSync(join(tmpdir(), 'rmeet-bench-'));
    fresh.push(await timeStart(data));
    existing.push(await timeStart(data));
    rmSync(data, { recursive: true, force: true });
  }
  for (const [name, times] of [
    ['new data folder', fresh],
    ['existing data folder', existing],
  ] as const) {
    report({ case: name, figure: 'median', value: median(times) / 1000, unit: 's' });
    report({ case: name, figure: 'worst', value: Math.max(...times) / 1000, unit: 's' });
  }
  return (
    `npm start to /readyz: median ${(median(existing) / 1000).toFixed(1)} s with an existing data folder ` +
    `(goal 4 s), ${(median(fresh) / 1000).toFixed(1)} s with a new one (goal 7 s).`
  );
};
export default start;
