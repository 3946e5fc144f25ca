/** The suites of tests: how each is run in a setting, completely or one file of it alone, and where its report is. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './install.mjs';
import type { PlaywrightProject, Setting, SuiteName } from './matrix.ts';
import {
  playwrightResult,
  vitestResult,
  type PlaywrightReport,
  type SuiteResult,
  type VitestExtra,
  type VitestReport,
} from './reports.ts';

/** The options of a run. */
export interface Wishes {
  matrix: boolean;
  /** Parts of the paths of the files to run; empty for all of them. */
  filters: readonly string[];
}

interface Suite {
  command: string;
  args: string[];
  environment: NodeJS.ProcessEnv;
  read: () => SuiteResult;
}

type MakeSuite = (folder: string, setting: Setting, wishes: Wishes, alone?: string) => Suite;

function json(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** `npm test` leaves the longest tests to the matrix; a run of some files runs all tests in them. */
const quick = ({ matrix, filters }: Wishes): string => (matrix || filters.length > 0 ? '0' : '1');

/** What limits a suite to some files: the requested ones, else those of the setting. */
const narrowed = ({ filters }: Wishes, ofSetting: readonly string[] = []): readonly string[] =>
  filters.length > 0 ? filters : ofSetting;

const vitest: MakeSuite = (folder, { folders, oneByOne = false }, wishes, alone) => {
  const report = join(folder, 'report.json');
  const extra = join(folder, 'extra.json');
  return {
    command: 'vitest',
    args: [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      '--reporter=./tools/vitest-extra.ts',
      '--passWithNoTests',
      ...(oneByOne ? ['--maxWorkers=1'] : []),
      ...(alone === undefined ? narrowed(wishes, folders) : [join(root, alone)]),
    ],
    environment: { RMEET_TEST_QUICK: quick(wishes), RMEET_TEST_EXTRA: extra },
    read: () => vitestResult(json(report) as VitestReport, json(extra) as VitestExtra, root),
  };
};

/** Playwright treats paths as regular expressions. */
const exactly = (path: string): string => `${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

const playwright =
  (project: PlaywrightProject): MakeSuite =>
  (folder, { scenarios = {}, named, environment }, wishes, alone) => {
    const report = join(folder, 'report.json');
    return {
      command: 'playwright',
      args: [
        'test',
        `--project=${project}`,
        '--reporter=list,json',
        '--pass-with-no-tests',
        ...(named === undefined ? [] : [`--grep=${named}`]),
        // Playwright empties the folder first: artefacts of failures in another project or the first attempt are kept.
        `--output=${join('test-results', project, alone === undefined ? '' : 'second-try')}`,
        ...(alone === undefined ? narrowed(wishes, scenarios[project]) : [exactly(join(root, alone))]),
      ],
      environment: {
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        RMEET_TEST_QUICK: quick(wishes),
        RMEET_TEST_LANGUAGES: process.env['RMEET_TEST_LANGUAGES'] ?? environment['RMEET_TEST_LANGUAGES'] ?? 'zh-CN',
      },
      read: () => playwrightResult(json(report) as PlaywrightReport, root),
    };
  };

const suites: Record<SuiteName, MakeSuite> = {
  vitest,
  pages: playwright('pages'),
  calls: playwright('calls'),
  media: playwright('media'),
};

/** No suite takes this long (ms): one that does hangs, and is reported instead of waiting silently. */
const LONGEST_SUITE = 30 * 60_000;

/**
 * Runs a suite in a setting, or only its file `alone`. A suite without a report, or with an unexpected exit code, has
 * failed as a whole.
 */
export function runSuite(name: SuiteName, setting: Setting, wishes: Wishes, alone?: string): SuiteResult {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-test-'));
  const suite = suites[name](folder, setting, wishes, alone);
  const env = { ...process.env, ...setting.environment, ...suite.environment };
  const {
    status,
    signal,
    error: unstarted,
  } = spawnSync(suite.command, suite.args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: LONGEST_SUITE,
  });
  const end = `ended with ${status ?? signal ?? String(unstarted)}`;
  try {
    const result = suite.read();
    const hasFailed = result.failures.length > 0 || result.files.some(({ failed }) => failed > 0);
    // Both programs exit with 1 if tests failed.
    if (status === 0 || (status === 1 && hasFailed)) return result;
    return { ...result, failures: [...result.failures, { test: 'the suite', message: end }] };
  } catch (error) {
    return { files: [], failures: [{ test: 'the suite', message: `${end} and left no report: ${String(error)}` }] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
