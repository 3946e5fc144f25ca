import type { PermissionEntry } from '@rmeet/contract';
import { expect, test } from 'vitest';
import { firstPageOf, menuOf, routesOf, type MenuItem } from '../src/entries/menu/menu.ts';
import type { RouteRole } from '../src/lib/access.ts';
import type { System } from '../src/lib/system.ts';

const entry = (id: string, more: Partial<PermissionEntry> = {}): PermissionEntry => ({
  id,
  pid: null,
  type: 0,
  code: null,
  name: id,
  nameEn: id,
  url: `/${id}`,
  redirect: '',
  icon: '',
  isAdmin: 0,
  component: 'Users',
  componentName: '',
  hidden: false,
  userManageType: 1,
  sort: 0,
  ...more,
});
const menu = (entries: PermissionEntry[], system: System = 'user', roles: RouteRole[] = ['admin']) =>
  menuOf(entries, { system, roles });
const ids = (items: readonly MenuItem[]): string[] => items.flatMap((item) => [item.id, ...ids(item.children)]);

test('permissions are no menu entries', () => {
  expect(ids(menu([entry('users'), entry('code', { type: 2, code: 'sys:network' })]))).toEqual(['users']);
});

test('isAdmin = 1 is for superAdmin, all else for admin', () => {
  const entries = [entry('tenants', { isAdmin: 1 }), entry('users')];
  expect(ids(menu(entries, 'user', ['admin']))).toEqual(['users']);
  expect(ids(menu(entries, 'admin', ['superAdmin']))).toEqual(['tenants']);
  expect(ids(menu(entries, 'user', []))).toEqual([]);
});

test('entries that manage the tenant are in the manage app only', () => {
  const entries = [
    entry('users', { userManageType: 2 }),
    entry('lessons', { userManageType: 3 }),
    entry('live', { userManageType: 4 }),
  ];
  expect(ids(menu(entries, 'user'))).toEqual(['lessons', 'live']);
  expect(ids(menu(entries, 'manage'))).toEqual(['users', 'lessons', 'live']);
});

test('descendants of a removed entry are removed too', () => {
  const entries = [
    entry('parent', { isAdmin: 1, component: 'Layout' }),
    entry('child', { pid: 'parent', type: 1 }),
    entry('grandchild', { pid: 'child', type: 1 }),
  ];
  expect(ids(menu(entries))).toEqual([]);
});

test('a layout becomes a parent that redirects to its configured page, otherwise to its first page', () => {
  const pages = [
    entry('parent/a', { pid: 'parent', type: 1, hidden: true }),
    entry('parent/b', { pid: 'parent', type: 1 }),
  ];
  expect(routesOf(menu([entry('parent', { component: 'Layout', redirect: '/parent/a' }), ...pages]))[0]).toEqual({
    path: '/parent',
    show: { redirect: '/parent/a' },
  });
  expect(routesOf(menu([entry('parent', { component: 'Layout' }), ...pages]))[0]).toEqual({
    path: '/parent',
    show: { redirect: '/parent/b' },
  });
  expect(routesOf(menu([entry('empty', { component: 'Layout' })]))).toEqual([]);
});

test('another component becomes a parent with a child', () => {
  expect(routesOf(menu([entry('users')]))).toEqual([
    { path: '/users', show: { page: 'Users' } },
    { path: '/users/index', show: { page: 'Users' } },
  ]);
  expect(routesOf(menu([entry('users', { redirect: '/roles' })]))[0]).toEqual({
    path: '/users',
    show: { redirect: '/roles' },
  });
});

test('hidden entries keep their routes', () => {
  expect(routesOf(menu([entry('users', { hidden: true })])).map(({ path }) => path)).toContain('/users');
  expect(firstPageOf(menu([entry('users', { hidden: true }), entry('roles')]))).toBe('/roles');
});

test.each(['http://a.example', 'https://a.example', 'mailto:a@a.example', 'tel:123'])(
  '%s is an external link',
  (url) => {
    const items = menu([entry('out', { url, component: '' })]);
    expect(items).toMatchObject([{ id: 'out', isExternal: true }]);
    expect(routesOf(items)).toEqual([]);
  },
);

test('broken entries are dropped: unknown pages, other schemes, the root, circular redirects', () => {
  expect(
    ids(
      menu([
        entry('a', { component: 'NotOfThisVersion' }),
        entry('b', { url: 'javascript:alert(1)' }),
        entry('c', { url: '/' }),
        entry('d', { url: '/*' }),
      ]),
    ),
  ).toEqual([]);
  const circle = [
    entry('a', { component: 'Layout', redirect: '/b' }),
    entry('b', { component: 'Layout', redirect: '/a' }),
    entry('users'),
  ];
  expect(routesOf(menu(circle)).map(({ path }) => path)).toEqual(['/users', '/users/index']);
});

test("entries that are each other's parents cause no endless loop", () => {
  expect(ids(menu([entry('a', { pid: 'b' }), entry('b', { pid: 'a' }), entry('c')]))).toEqual(['c']);
});
