import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { contract, createClient } from '@rmeet/contract';
import { startPostgres as startEmbedded } from '@rmeet/postgres';
import { createDatabase } from '@rmeet/testkit';
import { hashPassword } from '../apps/server/src/modules/accounts/users/index.ts';
import { encrypt } from '../apps/server/test/modules/support/client.ts';
import { startTestServer, type TestServer } from '../apps/server/test/modules/support/server.ts';
import { fillMeetings, PASSWORD } from './meetings/fill.ts';
import { median, percentile, type Benchmark, type Report } from './report.ts';
import { compareAfterRetention, compareCuts, CUTS } from './statistics/exact.ts';
import { sender } from './send.ts';

const MEETINGS = Number(process.env['RMEET_BENCH_MEETINGS'] ?? 1_000_000);
const PER_USER = 10;
const RUNS = 30;
/** Ms until the first answer of the page. */
const GOAL = 300;
const DAY = 86_400_000;

type Statistics = ReturnType<typeof createClient<typeof contract.statistics>>;

/** Typed calls over HTTP as the administrator of the filled tenant. */
async function signedIn(server: TestServer, account: string): Promise<Statistics> {
  let token = '';
  const send = sender(server.origin, () => token);
  ({ token } = await createClient(contract.auth, send).login({
    body: { account, password: await encrypt(server, PASSWORD), deviceId: 'bench' },
  }));
  return createClient(contract.statistics, send);
}

/** What the page asks for, first when it is opened, then as people change the period. */
function casesOf(now: number): { name: string; ask: (statistics: Statistics) => Promise<unknown> }[] {
  const day = (ago: number): string => new Date(now - ago * DAY).toISOString().slice(0, 10);
  const month = { from: `${day(0).slice(0, 8)}01`, to: day(0) };
  const year = { from: day(365), to: day(0) };
  const all = { from: day(729), to: day(0) };
  const department = '医院/科室 7';
  return [
    { name: 'first answer: this month by day', ask: (it) => it.query({ query: { ...month, unit: 'day' } }) },
    { name: 'a year by month', ask: (it) => it.query({ query: { ...year, unit: 'month' } }) },
    { name: 'a year by day', ask: (it) => it.query({ query: { ...year, unit: 'day' } }) },
    { name: 'two years by month', ask: (it) => it.query({ query: { ...all, unit: 'month' } }) },
    { name: 'a department, a year by week', ask: (it) => it.query({ query: { ...year, unit: 'week', department } }) },
    {
      name: 'a type, a year by month',
      ask: (it) => it.query({ query: { ...year, unit: 'month', type: 'PHONE_MEETING' } }),
    },
    { name: 'this month by department', ask: (it) => it.breakdown({ query: { ...month, by: 'department' } }) },
    { name: 'a year by department', ask: (it) => it.breakdown({ query: { ...year, by: 'department' } }) },
    { name: 'a year by room', ask: (it) => it.breakdown({ query: { ...year, by: 'room' } }) },
    { name: 'the meetings of this month', ask: (it) => it.meetings({ query: month }) },
    { name: 'the longest meetings of this month', ask: (it) => it.meetings({ query: { ...month, sort: 'minutes' } }) },
    { name: 'a rare word in this month', ask: (it) => it.meetings({ query: { ...month, keyword: 'case 4999' } }) },
    { name: 'the meetings of a department', ask: (it) => it.meetings({ query: { ...year, department } }) },
  ];
}

/** @throws Error if figures are not those of the details */
async function compare(given: { server: TestServer; now: number; calls: Statistics; report: Report }): Promise<void> {
  const { server, now, calls, report } = given;
  const exactness = {
    server,
    now,
    totalsOf: async (query: Parameters<Statistics['query']>[0]['query']) => (await calls.query({ query })).totals,
  };
  await compareCuts(exactness);
  report({ case: 'random cuts', figure: 'the same as plain SQL', value: CUTS, unit: 'cuts' });
  const started = performance.now();
  const deleted = await compareAfterRetention(exactness, (body) => calls.recount({ body }));
  report({ case: 'after retention', figure: 'deleted conferences, figures kept', value: deleted, unit: '' });
  report({
    case: 'after retention',
    figure: 'deleted and counted again in',
    value: (performance.now() - started) / 1_000,
    unit: 's',
  });
}

/**
 * The statistics of a tenant with a million meetings in two years, over HTTP, on the embedded PostgreSQL: how long the
 * first count of all days takes, a later one, and each answer of the page; and whether the figures are those of the
 * details, also after some were deleted.
 */
const statistics: Benchmark = async (report) => {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-bench-'));
  const postgres = await startEmbedded({ folder: join(folder, 'postgres') });
  const { url } = await createDatabase(postgres.url);
  const server = await startTestServer({ store: { folder, databaseUrl: url, remove: async () => undefined } });
  try {
    const now = server.clock.now().getTime();
    const began = performance.now();
    const filled = await fillMeetings(server.db, url, {
      meetings: MEETINGS,
      users: MEETINGS / PER_USER,
      passwordHash: await hashPassword(PASSWORD),
      now,
    });
    const filledIn = (performance.now() - began) / 1_000;
    report({ case: `${MEETINGS} meetings`, figure: 'added in', value: filledIn, unit: 's' });
    for (const figure of ['first count', 'later count']) {
      const started = performance.now();
      await server.rounds.countStatistics();
      report({ case: `${MEETINGS} meetings`, figure, value: (performance.now() - started) / 1_000, unit: 's' });
    }
    const calls = await signedIn(server, filled.admin);
    const beyond: string[] = [];
    let first = Number.NaN;
    for (const { name, ask } of casesOf(now)) {
      const times: number[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        const started = performance.now();
        await ask(calls);
        times.push(performance.now() - started);
      }
      const [p50, p99] = [median(times), percentile(times, 0.99)];
      // The very first call also plans its statements and reads the rows from disk.
      report({ case: name, figure: 'first', value: times[0] ?? Number.NaN, unit: 'ms' });
      report({ case: name, figure: 'p50', value: p50, unit: 'ms' });
      report({ case: name, figure: 'p99', value: p99, unit: 'ms' });
      if (Number.isNaN(first)) first = times[0] ?? Number.NaN;
      if (p50 > GOAL) beyond.push(name);
    }
    await compare({ server, now, calls, report });
    report({ case: 'machine', figure: 'load of the last 5 minutes', value: loadavg()[1] ?? Number.NaN, unit: '' });
    return (
      `With ${MEETINGS} meetings the first answer takes ${first.toFixed(0)} ms (goal ${GOAL}). ` +
      (beyond.length === 0 ? 'All other cases are within it, too.' : `Beyond it: ${beyond.join('; ')}.`)
    );
  } finally {
    await server.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
export default statistics;
