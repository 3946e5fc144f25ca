import { expect, test } from 'vitest';
import {
  closingLines,
  failureTexts,
  passed,
  passedAlone,
  secondTries,
  slowestLines,
  type Outcome,
  type TriedFile,
} from '../outcome.ts';
import type { FileResult } from '../reports.ts';

const went = (file: string, counts: Partial<FileResult> = {}): FileResult => ({
  file,
  seconds: 1,
  passed: 3,
  failed: 0,
  skipped: 0,
  failures: [],
  ...counts,
});
const broke = (file: string): FileResult =>
  went(file, { passed: 2, failed: 1, failures: [{ test: `${file} › adds`, message: 'expected 1' }] });
const tried = (result: FileResult): TriedFile => ({ ...result, where: 'embedded › vitest' });
const flaky = (file: string): TriedFile => ({ ...tried(broke(file)), second: went(file) });
const outcome = (files: TriedFile[], more: Partial<Outcome> = {}): Outcome => ({
  files,
  failures: [],
  missing: 0,
  proven: [],
  ...more,
});

test('a run passes when all passed, and fails for a test, for an error outside tests and for nothing passed', () => {
  const outside = { failures: [{ test: 'embedded › vitest › the suite', message: 'ended with SIGKILL' }] };
  expect(passed(outcome([tried(went('a'))], { missing: 1 }))).toBe(true);
  expect(passed(outcome([tried(went('a')), tried(broke('b'))]))).toBe(false);
  expect(passed(outcome([tried(went('a'))], outside))).toBe(false);
  expect(passed(outcome([]))).toBe(false);
  expect(closingLines(outcome([tried(went('a')), tried(broke('b'))], { ...outside, missing: 1 }), [])).toEqual([
    '5 passed, 2 failed, 1 skipped',
  ]);
});

test('the tests of a flaky file count once, with the result of its second try', () => {
  const unread: TriedFile = {
    ...tried(went('b', { passed: 0, failed: 1 })),
    second: went('b', { passed: 7, skipped: 1 }),
  };
  const run = outcome([tried(went('a')), flaky('c'), unread]);
  expect(passed(run)).toBe(true);
  expect(closingLines(run, ['c'])).toEqual([
    'flaky: 2 embedded › vitest › c (known); embedded › vitest › b (new)',
    '13 passed, 0 failed, 1 skipped',
  ]);
});

test('three flaky files pass, more of them fail the run and are reported', () => {
  expect(passed(outcome(['a', 'b', 'c'].map(flaky)))).toBe(true);
  const four = outcome(['a', 'b', 'c', 'd'].map(flaky));
  expect(passed(four)).toBe(false);
  const [sentence, names, ...last] = closingLines(four, []);
  expect(sentence).toBe('4 files passed only on a second try. A run with more than 3 of them fails.');
  expect(names).toMatch(/^flaky: 4 embedded › vitest › a \(new\); /);
  expect(last).toEqual(['12 passed, 0 failed, 0 skipped']);
});

test('big runs that are left out are listed, and do not count', () => {
  expect(closingLines(outcome([tried(went('a'))], { proven: ['media plane', 'backups'] }), [])).toEqual([
    'not run, since nothing they cover has changed since they passed: media plane, backups',
    '3 passed, 0 failed, 0 skipped',
  ]);
});

test('up to eight failed files of a run are tried again', () => {
  const failed = ['1', '2', '3', '4', '5', '6', '7', '8'].map(broke);
  const result = { files: [went('a'), ...failed], failures: [] };
  expect(secondTries(result, 0)).toEqual(failed);
  expect(secondTries(result, 1)).toEqual([]);
  expect(secondTries({ files: [...failed, broke('9')], failures: [] }, 0)).toEqual([]);
});

test('a second try passes when the file has tests that pass and nothing failed', () => {
  const outside = [{ test: 'unhandled error', message: 'late' }];
  expect(passedAlone('a', { files: [went('a')], failures: [] })).toEqual(went('a'));
  expect(passedAlone('a', { files: [broke('a')], failures: [] })).toBeUndefined();
  expect(passedAlone('a', { files: [went('a')], failures: outside })).toBeUndefined();
  expect(passedAlone('a', { files: [went('a', { passed: 0, skipped: 3 })], failures: [] })).toBeUndefined();
  expect(passedAlone('a', { files: [], failures: [] })).toBeUndefined();
});

test('failures are listed with their place, those of flaky files as such', () => {
  expect(
    failureTexts(
      outcome([tried(broke('a')), flaky('b'), tried(went('c'))], {
        failures: [{ test: 'embedded › pages › the suite', message: 'ended with 2' }],
      }),
    ),
  ).toEqual([
    'FAILED embedded › vitest › a › adds\nexpected 1',
    'FLAKY embedded › vitest › b › adds\nexpected 1',
    'FAILED embedded › pages › the suite\nended with 2',
  ]);
});

test('the 25 slowest files over all suites, the slowest first', () => {
  const files = Array.from({ length: 30 }, (_, index) => tried(went(`file-${index}`, { seconds: index })));
  const lines = slowestLines(
    outcome([...files, { ...went('e2e/a.spec.ts', { seconds: 123.44 }), where: 'embedded › calls' }]),
  );
  expect(lines).toHaveLength(25);
  expect(lines.slice(0, 2)).toEqual([
    '  123.4 s  embedded › calls › e2e/a.spec.ts',
    '   29.0 s  embedded › vitest › file-29',
  ]);
});
