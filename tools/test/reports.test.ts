import { expect, test } from 'vitest';
import { playwrightResult, vitestResult } from '../reports.ts';

// oxlint-disable-next-line max-lines-per-function -- one report and what is read from it
test('of vitest: tests by file, and files that broke before their first test', () => {
  const ended = (status: string, fullName: string, ...failureMessages: string[]) => ({
    fullName,
    status,
    failureMessages,
  });
  expect(
    vitestResult(
      {
        testResults: [
          {
            name: '/repo/apps/a.test.ts',
            status: 'failed',
            message: '',
            assertionResults: [
              ended('passed', 'adds'),
              ended('failed', 'subtracts', '\u001b[31mexpected 1\u001b[39m\n\n  at line 3'),
              ended('todo', 'divides'),
            ],
          },
          { name: '/repo/apps/b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
          {
            name: '/repo/apps/c.test.ts',
            status: 'failed',
            message: '',
            assertionResults: [ended('skipped', 'whose hook fails')],
          },
        ],
      },
      { seconds: { '/repo/apps/a.test.ts': 1.5, '/repo/apps/c.test.ts': 2 }, unhandled: [] },
      '/repo',
    ),
  ).toEqual({
    files: [
      {
        file: 'apps/a.test.ts',
        seconds: 1.5,
        passed: 1,
        failed: 1,
        skipped: 1,
        failures: [{ test: 'apps/a.test.ts › subtracts', message: 'expected 1\n  at line 3' }],
      },
      {
        file: 'apps/b.test.ts',
        seconds: 0,
        passed: 0,
        failed: 1,
        skipped: 0,
        failures: [{ test: 'apps/b.test.ts', message: 'no such module' }],
      },
      {
        file: 'apps/c.test.ts',
        seconds: 2,
        passed: 0,
        failed: 1,
        skipped: 1,
        failures: [{ test: 'apps/c.test.ts', message: 'no message' }],
      },
    ],
    failures: [],
  });
});

test('of vitest: errors that no test caught fail the suite, but no file', () => {
  const assertionResults = [{ fullName: 'adds', status: 'passed', failureMessages: [] }];
  const report = { testResults: [{ name: '/repo/a.test.ts', status: 'passed', message: '', assertionResults }] };
  const result = vitestResult(report, { seconds: {}, unhandled: ['Error: nobody waits'] }, '/repo');
  expect(result.files.map(({ failed }) => failed)).toEqual([0]);
  expect(result.failures).toEqual([{ test: 'unhandled error', message: 'Error: nobody waits' }]);
});

test('of Playwright: scenarios by file at any depth, and errors outside them', () => {
  const scenario = (title: string, status: string, ...messages: string[]) => ({
    title,
    tests: [{ status, results: [{ duration: 1250, errors: messages.map((message) => ({ message })) }] }],
  });
  expect(
    playwrightResult(
      {
        config: { rootDir: '/repo/e2e' },
        errors: [{ message: 'no browser' }],
        suites: [
          {
            file: 'desk/a.spec.ts',
            specs: [
              scenario('one', 'expected'),
              scenario('two', 'unexpected', 'Test timeout of 120000ms exceeded.', 'click: waiting for a button'),
            ],
            // Scenarios declared by a helper have the helper as their file.
            suites: [{ file: 'helper.ts', specs: [scenario('three', 'flaky', 'once')] }],
          },
          { file: 'desk/b.spec.ts', specs: [scenario('four', 'skipped')] },
        ],
      },
      '/repo',
    ),
  ).toEqual({
    files: [
      {
        file: 'e2e/desk/a.spec.ts',
        seconds: 3.75,
        passed: 1,
        failed: 2,
        skipped: 0,
        failures: [
          { test: 'e2e/desk/a.spec.ts › three', message: 'once' },
          {
            test: 'e2e/desk/a.spec.ts › two',
            message: 'Test timeout of 120000ms exceeded.\nclick: waiting for a button',
          },
        ],
      },
      { file: 'e2e/desk/b.spec.ts', seconds: 1.25, passed: 0, failed: 0, skipped: 1, failures: [] },
    ],
    failures: [{ test: 'outside scenarios', message: 'no browser' }],
  });
});
