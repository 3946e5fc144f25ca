import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres as startEmbedded } from '@rmeet/postgres';
import { createDatabase } from '@rmeet/testkit';
import { startTestServer } from '../apps/server/test/modules/support/server.ts';
import { hashPassword } from '../apps/server/src/modules/accounts/users/index.ts';
import { signIn } from './meetings/callers.ts';
import { fillMeetings, PASSWORD } from './meetings/fill.ts';
import { measure, type Tenant } from './meetings/measure.ts';
import { casesOf } from './meetings/works.ts';
import type { Benchmark, Report } from './report.ts';

const SMALL = Number(process.env['RMEET_BENCH_FEW_MEETINGS'] ?? 10_000);
const LARGE = Number(process.env['RMEET_BENCH_MEETINGS'] ?? 1_000_000);
/** The number of users grows with the meetings, so that each has equally many. */
const PER_USER = 10;
const GOAL = { ratio: 3, milliseconds: 100 };

async function tenantOf(url: string, meetings: number, report: Report): Promise<Tenant & { close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-bench-'));
  const server = await startTestServer({ store: { folder, databaseUrl: url, remove: async () => undefined } });
  const started = performance.now();
  const filled = await fillMeetings(server.db, url, {
    meetings,
    users: meetings / PER_USER,
    passwordHash: await hashPassword(PASSWORD),
    now: server.clock.now().getTime(),
  });
  report({
    case: `${meetings} meetings, ${meetings / PER_USER} users`,
    figure: 'added in',
    value: (performance.now() - started) / 1_000,
    unit: 's',
  });
  return {
    callers: await signIn(server, filled),
    cases: casesOf(filled),
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A tenant with a million meetings against the same with 10,000, next to another tenant as large as the smaller one, on
 * the embedded PostgreSQL with its own settings, and over HTTP. An argument is a pattern for the cases to measure.
 */
const meetings: Benchmark = async (report, [pattern = '']) => {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-bench-'));
  const postgres = await startEmbedded({ folder: join(folder, 'postgres') });
  try {
    const few = await tenantOf((await createDatabase(postgres.url)).url, SMALL, report);
    const many = await tenantOf((await createDatabase(postgres.url)).url, LARGE, report);
    const started = performance.now();
    const rows = await measure(few, many, new RegExp(pattern));
    report({ case: 'machine', figure: 'load of the last 5 minutes', value: loadavg()[1] ?? Number.NaN, unit: '' });
    report({ case: 'all cases', figure: 'measured in', value: (performance.now() - started) / 1_000, unit: 's' });
    await few.close();
    await many.close();
    const beyond = rows.filter(({ large, ratio }) => large.p99 > GOAL.milliseconds || ratio > GOAL.ratio);
    const cells = (row: (typeof rows)[number]): string =>
      [row.small.p50, row.small.p99, row.large.p50, row.large.p99, row.ratio]
        .map((value) => value.toFixed(1))
        .join(' | ');
    console.log(
      `| case | p50 of ${SMALL} | p99 | p50 of ${LARGE} | p99 | ` +
        `ratio of p99 | |\n| --- | --- | --- | --- | --- | --- | --- |`,
    );
    for (const row of rows) console.log(`| ${row.name} | ${cells(row)} | ${beyond.includes(row) ? 'beyond' : ''} |`);
    const slowest = rows.toSorted((a, b) => b.large.p99 - a.large.p99)[0];
    const steepest = rows.toSorted((a, b) => b.ratio - a.ratio)[0];
    if (!slowest || !steepest) return 'No case has that name.';
    const wordsOf = ({ name, large, ratio }: (typeof beyond)[number]) =>
      `${name} (${large.p99.toFixed(0)} ms, ${ratio.toFixed(1)})`;
    const verdict =
      beyond.length === 0
        ? 'All are within both goals.'
        : `${beyond.length} of ${rows.length} are beyond a goal: ${beyond.map(wordsOf).join('; ')}.`;
    return (
      `With ${LARGE} meetings p99 is at most ${slowest.large.p99.toFixed(0)} ms (${slowest.name}; goal ` +
      `${GOAL.milliseconds}) and ${steepest.ratio.toFixed(1)} times that ` +
      `of ${SMALL} (${steepest.name}; goal ${GOAL.ratio}). ${verdict}`
    );
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
export default meetings;
