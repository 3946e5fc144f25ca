/** What a whole run of the tests comes to, and how it is said at its end. */
import { type Failure, type FileResult, type SuiteResult } from './reports.ts';

/** A file as it went in one suite of one setting. */
export interface TriedFile extends FileResult {
  /** The setting and the suite. */
  where: string;
  /** Of a flaky file: how its second try went, alone; it passed. */
  second?: FileResult | undefined;
}

export interface Outcome {
  files: TriedFile[];
  /** What failed outside files. */
  failures: Failure[];
  /** Settings that cannot be had here. */
  missing: number;
  /** Big runs that are left out: nothing they cover has changed since they passed. */
  proven: string[];
}

/** With more files than these that pass only on a second try, the run fails. */
const MOST_FLAKY = 3;
/** Where more files fail than these, it is no chance, and second tries only take time. */
const MOST_SECOND_TRIES = 8;
const SLOWEST = 25;

const nameOf = ({ where, file }: TriedFile): string => `${where} › ${file}`;
const flakyOf = ({ files }: Outcome): TriedFile[] => files.filter(({ second }) => second !== undefined);

/** The files of a suite that are tried a second time, when `failedBefore` files failed in the suites before it. */
export function secondTries(result: SuiteResult, failedBefore: number): FileResult[] {
  const failed = result.files.filter(({ failed: tests }) => tests > 0);
  return failedBefore + failed.length > MOST_SECOND_TRIES ? [] : failed;
}

/** How a file went in a run of it alone, when all of that run passed. */
export function passedAlone(file: string, alone: SuiteResult): FileResult | undefined {
  const clean = alone.failures.length === 0 && alone.files.every(({ failed }) => failed === 0);
  return clean ? alone.files.find((result) => result.file === file && result.passed > 0) : undefined;
}

/** Each test counts once: those of a flaky file as they went on its second try. */
function counts({ files, failures, missing }: Outcome): { passed: number; failed: number; skipped: number } {
  const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
    files.reduce((total, file) => total + (file.second ?? file)[key], 0);
  return { passed: sum('passed'), failed: sum('failed') + failures.length, skipped: sum('skipped') + missing };
}

/** Whether the run passed: something did, nothing failed for good, and few files needed a second try. */
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

/** What went wrong: of flaky files what their first try said. */
export function failureTexts({ files, failures }: Outcome): string[] {
  const ofFiles = files.flatMap((file) =>
    file.failures.map(
      ({ test, message }) => `${file.second === undefined ? 'FAILED' : 'FLAKY'} ${file.where} › ${test}\n${message}`,
    ),
  );
  return [...ofFiles, ...failures.map(({ test, message }) => `FAILED ${test}\n${message}`)];
}

/**
 * The last lines of a run: big runs that were left out, the flaky files if there are any, marked as known or new, and
 * alone on the very last line the counts.
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
