import { expect, test } from 'vitest';
import { fittingColumns } from '../src/ui/admin/columns.ts';

const columns = [
  { key: 'name', width: 150, always: true },
  { key: 'account', width: 140 },
  { key: 'status', width: 100 },
  { key: 'department', width: 170 },
  { key: 'signedIn', width: 80 },
];
const keysIn = (space: number) => fittingColumns(columns, space).map(({ key }) => key);

test('a list leaves out its last columns where they do not fit, and none before another', () => {
  expect(keysIn(640)).toEqual(['name', 'account', 'status', 'department', 'signedIn']);
  expect(keysIn(639)).toEqual(['name', 'account', 'status', 'department']);
  // The last one would fit, but is less important than the one before.
  expect(keysIn(480)).toEqual(['name', 'account', 'status']);
});

test('two stay at least, and what is always there', () => {
  expect(keysIn(0)).toEqual(['name', 'account']);
  expect(fittingColumns([...columns, { key: 'at', width: 90, always: true }], 0).map(({ key }) => key)).toEqual([
    'name',
    'at',
  ]);
  expect(fittingColumns([...columns, { key: 'at', width: 90, always: true }], 380).map(({ key }) => key)).toEqual([
    'name',
    'account',
    'at',
  ]);
});
