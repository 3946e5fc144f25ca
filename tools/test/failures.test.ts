import { expect, test } from 'vitest';
import { playwrightFailures, vitestFailures } from '../failures.ts';

const counts = { numPassedTests: 1, numFailedTests: 1, numFailedTestSuites: 1, numPendingTests: 0, numTodoTests: 0 };

test('of vitest: the failed tests, and files that broke before their first test', () => {
  const passed = { fullName: 'adds', status: 'passed', failureMessages: [] };
  const failed = { fullName: 'subtracts', status: 'failed', failureMessages: ['\u001b[31mexpected 1\u001b[39m\n\n  at line 3'] };
  expect(vitestFailures({
    ...counts,
    testResults: [
      { name: 'a.test.ts', status: 'failed', message: '', assertionResults: [passed, failed] },
      { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    ],
  })).toEqual([
    { test: 'a.test.ts › subtracts', message: 'expected 1\n  at line 3' },
    { test: 'b.test.ts', message: 'no such module' },
  ]);
});

test('of Playwright: unexpected and flaky scenarios at any depth, and errors outside them', () => {
  const scenario = (title: string, status: string, ...messages: string[]) => (
    { title, file: 'a.spec.ts', tests: [{ status, results: [{ errors: messages.map((message) => ({ message })) }] }] }
  );
  expect(playwrightFailures({
    stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 0 },
    errors: [{ message: 'no browser' }],
    suites: [{
      title: 'a.spec.ts', file: 'a.spec.ts', specs: [scenario('one', 'expected'), scenario('two', 'unexpected', 'Test timeout of 120000ms exceeded.', 'click: waiting for a button')],
      suites: [{ title: 'inner', file: 'a.spec.ts', specs: [scenario('three', 'flaky', 'once')] }],
    }],
  })).toEqual([
    { test: 'a.spec.ts › three', message: 'once' },
    { test: 'a.spec.ts › two', message: 'Test timeout of 120000ms exceeded.\nclick: waiting for a button' },
    { test: 'Playwright', message: 'no browser' },
  ]);
});
