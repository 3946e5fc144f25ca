/** The result of a whole run of the tests, and its summary. */
import { type Failure, type FileResult, type SuiteResult } from './reports.ts';

/** The result of a file in one suite of one setting. */
export interface TriedFile extends FileResult {
  /** The setting and the suite. */
  where: string;
  /** For a flaky file: the result of its second attempt, alone; it passed. */
  second?: FileResult | undefined;
}

export interface Outcome {
  files: TriedFile[];
  /** Failures outside files. */
  failures: Failure[];
  /** Number of settings that are not available here. */
  missing: number;
  /** Big runs that are skipped: nothing they cover has changed since they passed. */
  proven: string[];
}

/** If more files than this pass only on a second attempt, the run fails. */
const MOST_FLAKY = 3;
/** If more files than this fail, it is not chance, and second attempts only take time. */
const MOST_SECOND_TRIES = 8;
const SLOWEST = 25;

const nameOf = ({ where, file }: TriedFile): string => `${where} › ${file}`;
const flakyOf = ({ files }: Outcome): TriedFile[] => files.filter(({ second }) => second !== undefined);

/** The files of a suite that are tried a second time, if `failedBefore` files failed in the suites before it. */
export function secondTries(result: SuiteResult, failedBefore: number): FileResult[] {
  const failed = result.files.filter(({ failed: tests }) => tests > 0);
  return failedBefore + failed.length > MOST_SECOND_TRIES ? [] : failed;
}

/** The result of a file in a run of it alone, if all of that run passed. */
export function passedAlone(file: string, alone: SuiteResult): FileResult | undefined {
  const clean = alone.failures.length === 0 && alone.files.every(({ failed }) => failed === 0);
  return clean ? alone.files.find((result) => result.file === file && result.passed > 0) : undefined;
}

/** Each test counts once: those of a flaky file with the result of the second attempt. */
function counts({ files, failures, missing }: Outcome): { passed: number; failed: number; skipped: number } {
  const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
    files.reduce((total, file) => total + (file.second ?? file)[key], 0);
  return { passed: sum('passed'), failed: sum('failed') + failures.length, skipped: sum('skipped') + missing };
}

/** Whether the run passed: some tests passed, none failed permanently, and few files needed a second attempt. */
export function passed(outcome: Outcome): boolean {
  const count = counts(outcome);
  return count.failed === 0 && count.passed > 0 && flakyOf(outcome).length <= MOST_FLAKY;
}

/** The files that took longest, with seconds. */
export function slowestLines({ files }: Outcome): string[] {
  return files
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
    .map((file) => `${file.seconds.toFixed(1).padStart(7)} s  ${nameOf(file)}`);
}

/** The failures: for flaky files, those of the first attempt. */
export function failureTexts({ files, failures }: Outcome): string[] {
  const ofFiles = files.flatMap((file) =>
    file.failures.map(
      ({ test, message }) => `${file.second === undefined ? 'FAILED' : 'FLAKY'} ${file.where} › ${test}\n${message}`,
    ),
  );
  return [...ofFiles, ...failures.map(({ test, message }) => `FAILED ${test}\n${message}`)];
}

/**
 * The last lines of a run: skipped big runs, the flaky files if there are any, marked as known or new, and the counts
 * alone on the very last line.
 */
export function closingLines(outcome: Outcome, known: readonly string[]): string[] {
  const flaky = flakyOf(outcome);
  const names = flaky.map((file) => `${nameOf(file)} (${known.includes(file.file) ? 'known' : 'new'})`);
  const count = counts(outcome);
  return [
    ...(outcome.proven.length > 0
      ? [`not run, since nothing they cover has changed since they passed: ${outcome.proven.join(', ')}`]
      : []),
    ...(flaky.length > MOST_FLAKY
      ? [`${flaky.length} files passed only on a second try. A run with more than ${MOST_FLAKY} of them fails.`]
      : []),
    ...(flaky.length > 0 ? [`flaky: ${flaky.length} ${names.join('; ')}`] : []),
    `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`,
  ];
}
