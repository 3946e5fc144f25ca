/**
 * `npm test`: unit and server tests, then browser scenarios; ends with one line `N passed, N failed, N skipped`.
 * `npm run test:matrix` runs the suites on PostgreSQL, on a LiveKit server and over `/rtc` v0 instead, and all scenarios of the
 * media plane (e2e/media).
 * Further arguments narrow the run to files whose path contains them.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser, offerDateutil, offerFirefox, offerLightBrowser, offerTurnServer, offerWebKit } from './browser.ts';
import { playwrightFailures, vitestFailures, type Failure, type PlaywrightReport, type VitestReport } from './failures.ts';
import { root } from './install.mjs';
import { MATRIX_LANGUAGE, matrix, type PlaywrightProject, type Setting } from './matrix.ts';
import { ensureWebBuilt } from './web-build.mjs';

interface Count {
  passed: number;
  failed: number;
  skipped: number;
  failures: Failure[];
}

interface Suite {
  name: string;
  command: string;
  args: string[];
  environment?: NodeJS.ProcessEnv;
  read: (report: unknown) => Count;
}

const reports = mkdtempSync(join(tmpdir(), 'rmeet-test-'));
const wantsMatrix = process.argv.includes('--matrix');
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

/** `npm test` leaves to the matrix what takes longest; a run of some files runs all that is in them. */
const quick = { RMEET_TEST_QUICK: wantsMatrix || filters.length > 0 ? '0' : '1' };

const vitest = (report: string, { folders = [], oneByOne = false }: Setting): Suite => ({
  name: 'vitest',
  command: 'vitest',
  args: ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, '--passWithNoTests', ...(oneByOne ? ['--maxWorkers=1'] : []), ...(filters.length > 0 ? filters : folders)],
  environment: quick,
  read: (json) => {
    const r = json as VitestReport;
    // A file that breaks before its first test counts as one failure.
    const failed = Math.max(r.numFailedTests, r.numFailedTestSuites > 0 ? 1 : 0);
    return { passed: r.numPassedTests, failed, skipped: r.numPendingTests + r.numTodoTests, failures: vitestFailures(r) };
  },
});

/** Looks are checked in one language here and in the other there (e2e/pages.ts): the two together check all of them. */
const languages = process.env['RMEET_TEST_LANGUAGES'] ?? (wantsMatrix ? MATRIX_LANGUAGE : 'zh-CN');

const playwright = (project: PlaywrightProject) => (report: string, { scenarios = {}, named }: Setting): Suite => ({
  name: project,
  command: 'playwright',
  args: ['test', `--project=${project}`, '--reporter=list,json', '--pass-with-no-tests', ...(project === 'pages' && named !== undefined ? [`--grep=${named}`] : []), ...(filters.length > 0 ? filters : scenarios[project] ?? [])],
  environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, RMEET_TEST_LANGUAGES: languages, ...quick },
  read: (json) => {
    const r = json as PlaywrightReport;
    // A scenario that passes only on a second try is broken.
    return { passed: r.stats.expected, failed: r.stats.unexpected + r.stats.flaky + r.errors.length, skipped: r.stats.skipped, failures: playwrightFailures(r) };
  },
});

const suites = { vitest, pages: playwright('pages'), calls: playwright('calls'), media: playwright('media') };

function runSuite(make: (report: string, setting: Setting) => Suite, setting: Setting): Count {
  const report = join(reports, `${randomUUID()}.json`);
  const suite = make(report, setting);
  const env = { ...process.env, ...setting.environment, ...suite.environment };
  const broken = (message: string): Failure => ({ test: suite.name, message });
  const result = spawnSync(suite.command, suite.args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    const count = suite.read(JSON.parse(readFileSync(report, 'utf8')));
    if (result.status === 0 || count.failed > 0) return count;
    return { ...count, failed: 1, failures: [broken(`ended with ${result.status ?? result.signal}`)] };
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, failures: [broken(`left no report: ${String(error)}`)] };
  }
}

function sum(counts: Count[]): Count {
  const of = (key: 'passed' | 'failed' | 'skipped'): number => counts.reduce((total, count) => total + count[key], 0);
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped'), failures: counts.flatMap(({ failures }) => failures) };
}

function runSetting(setting: Setting): Count {
  console.log(`\n== ${setting.name}`);
  const count = sum(setting.suites.map((name) => runSuite(suites[name], setting)));
  return { ...count, failures: count.failures.map(({ test, message }) => ({ test: `${setting.name} › ${test}`, message })) };
}

async function main(): Promise<number> {
  const missing = ensureBrowser();
  if (missing !== null) {
    console.error(missing);
    return 1;
  }
  offerLightBrowser();
  offerFirefox();
  offerTurnServer();
  offerWebKit();
  offerDateutil();
  ensureWebBuilt();
  const counts: Count[] = [];
  if (wantsMatrix) {
    for await (const setting of matrix()) counts.push(typeof setting === 'string' ? reportMissing(setting) : runSetting(setting));
  } else {
    counts.push(runSetting({ name: 'embedded', environment: {}, suites: ['vitest', 'pages', 'calls', 'media'] }));
  }
  rmSync(reports, { recursive: true, force: true });
  const total = sum(counts);
  for (const { test, message } of total.failures) console.error(`\nFAILED ${test}\n${message}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

/** A setting that cannot be had here counts as skipped, with its reason. */
function reportMissing(reason: string): Count {
  console.log(`\n== skipped: ${reason}`);
  return { passed: 0, failed: 0, skipped: 1, failures: [] };
}

process.exit(await main());
