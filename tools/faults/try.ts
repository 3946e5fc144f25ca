import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  playwrightResult,
  vitestResult,
  type Failure,
  type PlaywrightReport,
  type SuiteResult,
  type VitestReport,
} from '../reports.ts';
import type { PlaywrightProject } from '../matrix.ts';
import type { Scratch } from './scratch.ts';
import type { Selection } from './select.ts';

/** `npm-test` runs the tests of the files that `npm test` runs, `all` runs all tests in them. */
export type Suite = 'npm-test' | 'all';

export interface Options {
  suite: Suite;
  /** The last step to run; faults that are undetected until then stay open, unless it is the last of all. */
  until: StepName;
  /** Runs with real media wait for this file's lock, which other processes on the machine may hold. */
  lock: string | undefined;
}

/** On a busy machine, a slow test is no evidence of a fault. */
const PATIENCE = ['--testTimeout=180000', '--hookTimeout=180000'];
/**
 * The steps in order: fast ones first. `own` and `far` are the other tests of the same workspace, and those of others.
 */
export const STEPS = ['near', 'own', 'far', 'pages', 'calls', 'media'] as const;
export type StepName = (typeof STEPS)[number];

/** What detected a fault, and its file; null if nothing did. */
type Noticed = (Failure & { file: string | null }) | null;
export interface Step {
  name: StepName;
  files: readonly string[];
  run: (files: readonly string[]) => Noticed;
}

/** The steps of a selection. Each ends with the first failure. */
export function stepsOf(scratch: Scratch, { scenarios, ...tests }: Selection, options: Options): Step[] {
  const vitest = (name: 'near' | 'own' | 'far'): Step => ({
    name,
    files: tests[name],
    run: (files) => runVitest(scratch, files, options),
  });
  const playwright = (name: PlaywrightProject): Step => ({
    name,
    files: scenarios,
    run: (files) => runPlaywright(scratch, name, files, options),
  });
  const steps = [
    vitest('near'),
    vitest('own'),
    vitest('far'),
    playwright('pages'),
    playwright('calls'),
    playwright('media'),
  ];
  return steps.slice(0, STEPS.indexOf(options.until) + 1);
}

function environment({ suite }: Options): NodeJS.ProcessEnv {
  return suite === 'all'
    ? { RMEET_TEST_QUICK: '0', RMEET_TEST_LANGUAGES: 'zh-CN,en-US' }
    : { RMEET_TEST_QUICK: '1', RMEET_TEST_LANGUAGES: 'zh-CN' };
}

/** The report of a program, or undefined. */
function readReport(path: string): unknown {
  if (!existsSync(path)) return undefined;
  const report: unknown = JSON.parse(readFileSync(path, 'utf8'));
  rmSync(path);
  return report;
}

/** The last output of a program that failed without a failed test. */
const broken = (
  name: string,
  { stdout, stderr, status }: { stdout: string; stderr: string; status: number | null },
): Failure => ({
  test: name,
  message: `ended with ${String(status)}: ${`${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n')}`,
});

function firstFailure({ files }: SuiteResult): Noticed {
  const failed = files.find(({ failures }) => failures.length > 0);
  const [failure] = failed?.failures ?? [];
  return failure ? { ...failure, file: failed?.file ?? null } : null;
}

function runVitest(scratch: Scratch, files: readonly string[], options: Options): Noticed {
  if (files.length === 0) return null;
  const path = join(scratch.folder, 'test-results', 'vitest.json');
  const args = ['run', '--bail=1', '--passWithNoTests', ...PATIENCE, '--reporter=json', `--outputFile.json=${path}`];
  const result = scratch.run('vitest', [...args, ...files], environment(options));
  if (result.status === 0) return null;
  const report = readReport(path) as VitestReport | undefined;
  return (
    (report && firstFailure(vitestResult(report, { seconds: {}, unhandled: [] }, scratch.folder))) ?? {
      ...broken('vitest', result),
      file: null,
    }
  );
}

function runPlaywright(
  scratch: Scratch,
  project: PlaywrightProject,
  files: readonly string[],
  options: Options,
): Noticed {
  if (files.length === 0) return null;
  if (!scratch.buildWeb()) return { test: 'building the web app', message: 'it failed', file: null };
  const path = join(scratch.folder, 'test-results-of-fault.json');
  const args = ['test', `--project=${project}`, '-x', '--reporter=json', '--pass-with-no-tests', ...files];
  const env = { ...environment(options), PLAYWRIGHT_JSON_OUTPUT_FILE: path };
  const isLocked = options.lock !== undefined && project !== 'pages';
  const result = isLocked
    ? scratch.run('flock', [options.lock ?? '', 'playwright', ...args], env)
    : scratch.run('playwright', args, env);
  if (result.status === 0) {
    rmSync(path, { force: true });
    return null;
  }
  const report = readReport(path) as PlaywrightReport | undefined;
  return (
    (report && firstFailure(playwrightResult(report, scratch.folder))) ?? { ...broken(project, result), file: null }
  );
}
