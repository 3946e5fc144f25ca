import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, postgresPrograms, startPostgres } from '@rmeet/testkit';
import { startTestServer } from '../apps/server/test/modules/support/server.ts';
import { hashPassword } from '../apps/server/src/modules/users/index.ts';
import { fillMeetings, PASSWORD } from './meetings/fill.ts';
import { measure, type Times } from './meetings/works.ts';
import type { Benchmark, Report } from './report.ts';

const SMALL = Number(process.env['RMEET_BENCH_FEW_MEETINGS'] ?? 10_000);
const LARGE = Number(process.env['RMEET_BENCH_MEETINGS'] ?? 1_000_000);
/** Users go with meetings, so that everybody has as many. */
const PER_USER = 10;
const GOAL = { ratio: 3, milliseconds: 100 };

async function atSize(url: string, meetings: number, only: RegExp, report: Report): Promise<Map<string, Times>> {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-bench-'));
  const server = await startTestServer({ store: { folder, databaseUrl: url, remove: async () => undefined } });
  try {
    const started = performance.now();
    const filled = await fillMeetings(server.db, url, { meetings, users: meetings / PER_USER, passwordHash: await hashPassword(PASSWORD), now: server.clock.now().getTime() });
    report({ case: `${meetings} meetings, ${meetings / PER_USER} users`, figure: 'added in', value: (performance.now() - started) / 1_000, unit: 's' });
    return await measure(server, filled, only);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A tenant with a million meetings against the same with 10,000, beside another tenant as large as the smaller, on PostgreSQL
 * and over HTTP. An argument is a pattern for the cases to measure.
 */
const meetings: Benchmark = async (report, [pattern = '']) => {
  if (postgresPrograms() === undefined) return 'PostgreSQL is not installed, so nothing was measured.';
  const postgres = await startPostgres();
  try {
    const only = new RegExp(pattern);
    const few = await atSize((await createDatabase(postgres.url)).url, SMALL, only, report);
    const many = await atSize((await createDatabase(postgres.url)).url, LARGE, only, report);
    const beyond: string[] = [];
    let worst = { name: '', ratio: 0 };
    let slowest = { name: '', p99: 0 };
    for (const [name, large] of many) {
      const small = few.get(name) ?? { p50: Number.NaN, p99: Number.NaN };
      const ratio = large.p99 / small.p99;
      for (const [count, { p50, p99 }] of [[SMALL, small], [LARGE, large]] as const) {
        report({ case: name, figure: `p50 of ${count}`, value: p50, unit: 'ms' });
        report({ case: name, figure: `p99 of ${count}`, value: p99, unit: 'ms' });
      }
      report({ case: name, figure: 'ratio of p99', value: ratio, unit: '' });
      if (ratio > worst.ratio) worst = { name, ratio };
      if (large.p99 > slowest.p99) slowest = { name, p99: large.p99 };
      if (ratio > GOAL.ratio || large.p99 > GOAL.milliseconds) beyond.push(`${name} (${large.p99.toFixed(0)} ms, ${ratio.toFixed(1)})`);
    }
    report({ case: 'machine', figure: 'load of the last 15 minutes', value: loadavg()[2] ?? Number.NaN, unit: '' });
    const verdict = beyond.length === 0 ? 'All are within both goals' : `Beyond a goal: ${beyond.join('; ')}`;
    return `With ${LARGE} meetings p99 is at most ${slowest.p99.toFixed(0)} ms (${slowest.name}; goal ${GOAL.milliseconds}) and ${worst.ratio.toFixed(1)} times that of ${SMALL} (${worst.name}; goal ${GOAL.ratio}). ${verdict}.`;
  } finally {
    await postgres.stop();
  }
};
export default meetings;
