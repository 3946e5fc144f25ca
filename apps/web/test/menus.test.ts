import { ENTRY_TYPES } from '@rmeet/contract';
import { describe, expect, test } from 'vitest';
import { faultsOf, isExternal, newDraft } from '../src/features/menus/draft.ts';
import { dropAt, positionOf, stepTo, type Direction, type Placed } from '../src/features/menus/moves.ts';
import { filterTree, treeOf } from '../src/lib/tree.ts';

const { menu, page, permission } = ENTRY_TYPES;
const entry = (id: string, pid: string | null, type: Placed['type'] = menu, isAdmin: 0 | 1 = 0): Placed => ({
  id,
  pid,
  type,
  isAdmin,
});

/** meetings (booking, history, code), live; in the other system: staff. */
const entries = [
  entry('meetings', null),
  entry('booking', 'meetings', page),
  entry('history', 'meetings', page),
  entry('code', 'meetings', permission),
  entry('live', null),
  entry('staff', null, menu, 1),
];

test.each<[string, Direction, object | null]>([
  ['history', 'up', { pid: 'meetings', index: 0 }],
  ['booking', 'up', null],
  ['booking', 'down', { pid: 'meetings', index: 1 }],
  ['code', 'down', null],
  ['live', 'up', { pid: null, index: 0 }],
  // Root entries of the other system are not siblings.
  ['live', 'down', null],
  ['live', 'in', { pid: 'meetings', index: 3 }],
  ['meetings', 'in', null],
  // Only permissions may be below a page, and pages may not be at the top level.
  ['history', 'in', null],
  ['code', 'in', { pid: 'history', index: 0 }],
  ['history', 'out', null],
  ['code', 'out', { pid: null, index: 1 }],
  ['live', 'out', null],
])('%s goes %s to %o', (id, direction, place) => {
  expect(stepTo(entries, id, direction)).toEqual(place);
});

test.each<[string, string, 'before' | 'after' | 'into', object | null]>([
  ['code', 'booking', 'before', { pid: 'meetings', index: 0 }],
  ['booking', 'code', 'after', { pid: 'meetings', index: 2 }],
  ['live', 'meetings', 'into', { pid: 'meetings', index: 0 }],
  ['meetings', 'booking', 'into', null],
  ['meetings', 'meetings', 'into', null],
  ['staff', 'live', 'after', null],
  ['booking', 'live', 'after', null],
])('%s dropped at %s (%s) lands at %o', (id, target, where, place) => {
  expect(dropAt(entries, id, target, where)).toEqual(place);
});

test('the position of an entry is counted from one, among those of its system', () => {
  expect(positionOf(entries, 'history')).toEqual({ position: 2, count: 3, pid: 'meetings' });
  expect(positionOf(entries, 'live')).toEqual({ position: 2, count: 2, pid: null });
  expect(positionOf(entries, 'gone')).toBeNull();
});

describe('the form of an entry', () => {
  const draft = { ...newDraft(null), name: '会议' };

  test('accepts paths of the app and addresses with http, https, mailto or tel', () => {
    expect(['https://example.org', 'http://a', 'mailto:it@example.org', 'tel:12345'].every(isExternal)).toBe(true);
    expect(['/myMeeting', 'ftp://example.org', 'javascript:alert(1)'].some(isExternal)).toBe(false);
    expect(faultsOf({ ...draft, url: '/myMeeting' })).toEqual({});
    expect(faultsOf({ ...draft, url: 'javascript:alert(1)' })).toEqual({ url: 'url' });
  });

  test('requires a name, a valid code, and a menu above pages', () => {
    expect(faultsOf({ ...draft, name: ' ' })).toEqual({ name: 'name' });
    expect(faultsOf({ ...draft, type: permission })).toEqual({ code: 'codeMissing' });
    expect(faultsOf({ ...draft, type: permission, code: 'no colon' })).toEqual({ code: 'code' });
    expect(faultsOf({ ...draft, type: page, pid: null })).toEqual({ pid: 'pid' });
  });
});

describe('a flat list as a tree', () => {
  test('keeps the order, and puts orphans at the top', () => {
    const tree = treeOf([...entries, entry('orphan', 'nobody')]);
    expect(tree.map((node) => node.entry.id)).toEqual(['meetings', 'live', 'staff', 'orphan']);
    expect(tree[0]?.children.map((node) => node.entry.id)).toEqual(['booking', 'history', 'code']);
  });

  test('is filtered with the ancestors of the matches', () => {
    const [only, ...others] = filterTree(treeOf(entries), ({ id }) => id === 'code');
    expect([only?.entry.id, only?.children.map((node) => node.entry.id), others]).toEqual(['meetings', ['code'], []]);
  });
});
