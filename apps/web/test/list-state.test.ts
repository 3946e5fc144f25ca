import { expect, test } from 'vitest';
import { oneOf, readListState, shortText, writeListState } from '../src/lib/listState.ts';

const shape = {
  filters: { status: oneOf(['', 'enabled', 'disabled'], ''), department: shortText(5) },
  sorts: ['name', 'createdAt'],
} as const;
const standard = { keyword: '', current: 1, size: 20, sort: 'name', order: 'ASC', status: '', department: '' };

test('an empty address means the defaults, and so does an invalid one', () => {
  expect(readListState(shape, new URLSearchParams())).toEqual(standard);
  expect(readListState(shape, new URLSearchParams('status=gone&page=-1&size=7&sort=password&order=up'))).toEqual(
    standard,
  );
});

test('settings are read back; defaults are not written', () => {
  const written = writeListState(shape, new URLSearchParams('other=1'), {
    status: 'disabled',
    sort: 'createdAt',
    order: 'DESC',
    size: 50,
    department: '',
  });
  expect(written.toString()).toBe('other=1&status=disabled&size=50&sort=createdAt&order=DESC');
  expect(readListState(shape, written)).toEqual({
    ...standard,
    status: 'disabled',
    sort: 'createdAt',
    order: 'DESC',
    size: 50,
  });
});

test('any change except paging returns to the first page', () => {
  const third = new URLSearchParams('page=3&q=a');
  expect(readListState(shape, writeListState(shape, third, { current: 4 })).current).toBe(4);
  expect(readListState(shape, writeListState(shape, third, { status: 'enabled' }))).toMatchObject({
    current: 1,
    keyword: 'a',
  });
});

test('text is truncated to its maximum length', () => {
  expect(readListState(shape, new URLSearchParams({ department: 'abcdefgh', q: 'x'.repeat(200) }))).toMatchObject({
    department: 'abcde',
    keyword: 'x'.repeat(100),
  });
});
