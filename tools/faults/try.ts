import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { playwrightFailures, vitestFailures, type Failure, type PlaywrightReport, type VitestReport } from '../failures.ts';
import type { PlaywrightProject } from '../matrix.ts';
import type { Scratch } from './scratch.ts';
import type { Selection } from './select.ts';

/** `npm-test` runs of the files what `npm test` runs of them, `all` all that is in them. */
export type Suite = 'npm-test' | 'all';

export interface Options {
  suite: Suite;
  /** Runs what is nearest alone. */
  nearOnly: boolean;
  /** Runs with real media wait for this file's lock, which others on the machine may hold. */
  lock: string | undefined;
}

/** On a busy machine a test that is slow says nothing of a fault. */
const PATIENCE = ['--testTimeout=180000', '--hookTimeout=180000'];
const PROJECTS = ['pages', 'calls', 'media'] as const satisfies readonly PlaywrightProject[];

/** What noticed a fault, and the file it is in; null where nothing did. */
type Noticed = (Failure & { file: string | null }) | null;
export interface Step {
  name: string;
  files: readonly string[];
  run: (files: readonly string[]) => Noticed;
}

/** The steps of a selection, quickest first. Each ends with the first failure. */
export function stepsOf(scratch: Scratch, { near, own, far, scenarios }: Selection, options: Options): Step[] {
  const vitest = (files: readonly string[]): Noticed => runVitest(scratch, files, options);
  const steps: Step[] = [{ name: 'near tests', files: near, run: vitest }];
  if (options.nearOnly) return steps;
  const projects = PROJECTS.map((project): Step => ({ name: project, files: scenarios, run: (files) => runPlaywright(scratch, project, files, options) }));
  return [...steps, { name: 'tests of the workspace', files: own, run: vitest }, { name: 'far tests', files: far, run: vitest }, ...projects];
}

function environment({ suite }: Options): NodeJS.ProcessEnv {
  return suite === 'all' ? { RMEET_TEST_QUICK: '0', RMEET_TEST_LANGUAGES: 'zh-CN,en-US' } : { RMEET_TEST_QUICK: '1', RMEET_TEST_LANGUAGES: 'zh-CN' };
}

/** The report a program left, or undefined. */
function readReport(path: string): unknown {
  if (!existsSync(path)) return undefined;
  const report: unknown = JSON.parse(readFileSync(path, 'utf8'));
  rmSync(path);
  return report;
}

/** What a program said at its end, where it ended badly without a failed test. */
const broken = (name: string, { stdout, stderr, status }: { stdout: string; stderr: string; status: number | null }): Failure =>
  ({ test: name, message: `ended with ${String(status)}: ${`${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n')}` });

function runVitest(scratch: Scratch, files: readonly string[], options: Options): Noticed {
  if (files.length === 0) return null;
  const path = join(scratch.folder, 'test-results', 'vitest.json');
  const result = scratch.run('vitest', ['run', '--bail=1', '--passWithNoTests', ...PATIENCE, '--reporter=json', `--outputFile.json=${path}`, ...files], environment(options));
  if (result.status === 0) return null;
  const report = readReport(path) as VitestReport | undefined;
  const [failure] = report ? vitestFailures(report) : [];
  if (!failure) return { ...broken('vitest', result), file: null };
  const test = failure.test.replace(`${scratch.folder}/`, '');
  return { ...failure, test, file: test.split(' › ')[0] ?? null };
}

function runPlaywright(scratch: Scratch, project: PlaywrightProject, files: readonly string[], options: Options): Noticed {
  if (files.length === 0) return null;
  if (!scratch.buildWeb()) return { test: 'building the web app', message: 'it failed', file: null };
  const path = join(scratch.folder, 'test-results-of-fault.json');
  const args = ['test', `--project=${project}`, '-x', '--reporter=json', '--pass-with-no-tests', ...files];
  const env = { ...environment(options), PLAYWRIGHT_JSON_OUTPUT_FILE: path };
  const isLocked = options.lock !== undefined && project !== 'pages';
  const result = isLocked ? scratch.run('flock', [options.lock ?? '', 'playwright', ...args], env) : scratch.run('playwright', args, env);
  if (result.status === 0) {
    rmSync(path, { force: true });
    return null;
  }
  const report = readReport(path) as PlaywrightReport | undefined;
  const [failure] = report ? playwrightFailures(report) : [];
  if (!failure) return { ...broken(project, result), file: null };
  return { ...failure, test: `e2e/${failure.test}`, file: `e2e/${failure.test.split(' › ')[0] ?? ''}` };
}
