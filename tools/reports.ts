/** The results of a suite, by test file, read from the reports of vitest and Playwright. */
import { join, relative } from 'node:path';

export interface Failure {
  /** File and name. */
  test: string;
  /** The first lines of the test's message, without colours. */
  message: string;
}

export interface FileResult {
  /** Its path from the root of the repository. */
  file: string;
  seconds: number;
  passed: number;
  failed: number;
  skipped: number;
  failures: Failure[];
}

export interface SuiteResult {
  files: FileResult[];
  /** Failures outside the tests of a file; each counts as one failure. */
  failures: Failure[];
}

export interface VitestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[];
  }[];
}

/** Data that vitest's own report lacks, written by tools/vitest-extra.ts. */
export interface VitestExtra {
  /** By absolute path, with imports and hooks. */
  seconds: Record<string, number>;
  /** Errors that no test caught: they fail the run and belong to no file. */
  unhandled: string[];
}

interface PlaywrightTest {
  status: string;
  results: { duration: number; errors: { message?: string }[] }[];
}

interface PlaywrightSuite {
  file: string;
  specs?: { title: string; tests: PlaywrightTest[] }[];
  suites?: PlaywrightSuite[];
}

export interface PlaywrightReport {
  /** Paths in the report are relative to its root. */
  config: { rootDir: string };
  errors: { message?: string }[];
  suites: PlaywrightSuite[];
}

const LINES = 12;

function shortened(message: string | undefined): string {
  const lines = (message ?? '')
    // oxlint-disable-next-line no-control-regex -- terminal colours are what is taken out
    .replace(/\u001b\[[0-9;]*m/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.length === 0 ? 'no message' : lines.slice(0, LINES).join('\n');
}

/** The result of a run of vitest in `root`. */
export function vitestResult(report: VitestReport, extra: VitestExtra, root: string): SuiteResult {
  const files = report.testResults.map(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failures = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        test: `${file} › ${fullName}`,
        message: shortened(failureMessages?.[0]),
      }));
    // A file that fails before its first test, or in a hook, counts as one failure.
    if (failures.length === 0 && status === 'failed') failures.push({ test: file, message: shortened(message) });
    const passed = assertionResults.filter((test) => test.status === 'passed').length;
    const skipped = assertionResults.filter((test) => test.status !== 'passed' && test.status !== 'failed').length;
    return { file, seconds: extra.seconds[name] ?? 0, passed, failed: failures.length, skipped, failures };
  });
  return {
    files,
    failures: extra.unhandled.map((message) => ({ test: 'unhandled error', message: shortened(message) })),
  };
}

/** The first two errors: if a scenario timed out, the first error says only that, the second one where. */
function scenarioMessage(errors: readonly { message?: string }[]): string {
  return errors.length === 0
    ? shortened(undefined)
    : errors
        .slice(0, 2)
        .map(({ message }) => shortened(message))
        .join('\n');
}

function scenariosOf(suite: PlaywrightSuite): (PlaywrightTest & { title: string })[] {
  const own = (suite.specs ?? []).flatMap(({ title, tests }) => tests.map((test) => ({ ...test, title })));
  return [...(suite.suites ?? []).flatMap(scenariosOf), ...own];
}

/** The result of a run of Playwright in `root`. The outermost suites of its report are the files. */
export function playwrightResult(report: PlaywrightReport, root: string): SuiteResult {
  const files = report.suites.map((suite) => {
    const file = relative(root, join(report.config.rootDir, suite.file));
    const scenarios = scenariosOf(suite);
    const failures = scenarios
      // A scenario that passes only when Playwright repeats it is broken.
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ title, results }) => ({
        test: `${file} › ${title}`,
        message: scenarioMessage(results.flatMap(({ errors }) => errors)),
      }));
    const count = (wanted: string): number => scenarios.filter(({ status }) => status === wanted).length;
    const seconds =
      scenarios.flatMap(({ results }) => results).reduce((total, { duration }) => total + duration, 0) / 1000;
    return { file, seconds, passed: count('expected'), failed: failures.length, skipped: count('skipped'), failures };
  });
  return {
    files,
    failures: report.errors.map(({ message }) => ({ test: 'outside scenarios', message: shortened(message) })),
  };
}
