import { expect, test } from 'vitest';
import { flakyBreaches } from '../flaky.ts';
import { root } from '../install.mjs';

const files = ['check', 'files', 'flaky', 'imports', 'outcome', 'test'].map((name) => ({
  file: `tools/${name}.ts`,
  cause: 'waits too briefly',
}));

test('the list of known flaky files is in order', () => {
  expect(flakyBreaches(root)).toEqual([]);
  expect(flakyBreaches(root, files.slice(0, 5))).toEqual([]);
});

test('a sixth file, a missing file, a repeated one and a missing cause are breaches', () => {
  expect(flakyBreaches(root, files)).toEqual(['tools/flaky.ts names 6 files; at most 5 may be known to be flaky']);
  expect(flakyBreaches(root, [{ file: 'tools/gone.ts', cause: 'unknown' }])).toEqual([
    'tools/flaky.ts names tools/gone.ts, which does not exist',
  ]);
  expect(flakyBreaches(root, files.slice(0, 1).concat(files.slice(0, 1)))).toEqual([
    'tools/flaky.ts names tools/check.ts twice',
  ]);
  expect(flakyBreaches(root, [{ file: 'tools/check.ts', cause: ' ' }])).toEqual([
    'tools/flaky.ts says nothing about the cause of tools/check.ts',
  ]);
});
