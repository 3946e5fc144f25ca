/** What went wrong in a run, read from the reports of vitest and Playwright: said again at the very end, where nothing hides it. */

export interface Failure {
  /** File and name. */
  test: string;
  /** The first lines of what the test said, without colours. */
  message: string;
}

export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; message: string; assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[] }[];
}

interface PlaywrightSuite {
  title: string;
  file: string;
  specs?: { title: string; file: string; tests: { status: string; results: { errors: { message?: string }[] }[] }[] }[];
  suites?: PlaywrightSuite[];
}

export interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: { message?: string }[];
  suites: PlaywrightSuite[];
}

const LINES = 12;

function shortened(message: string | undefined): string {
  // eslint-disable-next-line no-control-regex
  return (message ?? 'no message').replace(/\u001b\[[0-9;]*m/g, '').split('\n').filter((line) => line.trim() !== '').slice(0, LINES).join('\n');
}

export function vitestFailures(report: VitestReport): Failure[] {
  return report.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && file.status === 'failed') return [{ test: file.name, message: shortened(file.message) }];
    return failed.map(({ fullName, failureMessages }) => ({ test: `${file.name} › ${fullName}`, message: shortened(failureMessages?.[0]) }));
  });
}

/** The first two errors: the first of a scenario that ran out of time says only that, the second where it was. */
function scenarioMessage(errors: readonly { message?: string }[]): string {
  return errors.length === 0 ? shortened(undefined) : errors.slice(0, 2).map(({ message }) => shortened(message)).join('\n');
}

export function playwrightFailures(report: PlaywrightReport): Failure[] {
  const within = (suite: PlaywrightSuite): Failure[] => [
    ...(suite.suites ?? []).flatMap(within),
    ...(suite.specs ?? []).flatMap((spec) => spec.tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => ({ test: `${spec.file} › ${spec.title}`, message: scenarioMessage(results.flatMap(({ errors }) => errors)) }))),
  ];
  return [...report.suites.flatMap(within), ...report.errors.map(({ message }) => ({ test: 'Playwright', message: shortened(message) }))];
}
