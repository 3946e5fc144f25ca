import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENTRY_TYPES, pathOf, PERMISSION_CODES, PERMISSIONS, type Access, type Route } from '@rmeet/contract';
import {
  codesOf,
  decide,
  flagsOf,
  grantableTo,
  type Entry,
  type Subject,
} from '../../src/modules/accounts/permissions/decide.ts';
import { codeOf, send, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { routes } from './support/world.ts';

const entry = (id: string, values: Partial<Entry> = {}): Entry => ({
  id,
  pid: null,
  type: ENTRY_TYPES.menu,
  code: null,
  isAdmin: false,
  ...values,
});
const permission = (code: string, isAdmin = false): Entry =>
  entry(code, { type: ENTRY_TYPES.permission, code, isAdmin });
const user: Subject = {
  kind: 'user',
  isTenantAdmin: false,
  isSuperAdmin: false,
  enabled: true,
  deniedFeatures: [],
  byRole: new Map(),
  direct: new Set(),
};
const admin: Subject = { ...user, isTenantAdmin: true };
const operator: Subject = { ...user, kind: 'operator' };
const root: Subject = { ...operator, isSuperAdmin: true };
const byRole = (...ids: string[]): Pick<Subject, 'byRole'> => ({ byRole: new Map(ids.map((id) => [id, ['Staff']])) });
const direct = (...ids: string[]): Pick<Subject, 'direct'> => ({ direct: new Set(ids) });

describe('an account has a code', () => {
  const entries = [
    ...PERMISSION_CODES.map((code) => permission(code)),
    permission('sys:mine'),
    permission('ops:mine', true),
  ];
  test.each<[string, Subject, string, boolean, string, string[]]>([
    ['without any grant', user, 'sys:network', false, 'notGranted', []],
    ['granted by a role', { ...user, ...byRole('sys:network') }, 'sys:network', true, 'role', ['Staff']],
    ['granted directly', { ...user, ...direct('sys:network') }, 'sys:network', true, 'direct', []],
    [
      'granted both ways',
      { ...user, ...byRole('sys:network'), ...direct('sys:network') },
      'sys:network',
      true,
      'role',
      ['Staff'],
    ],
    [
      'a feature the tenant is denied',
      { ...user, ...byRole('sys:network'), deniedFeatures: ['sys:network'] },
      'sys:network',
      false,
      'tenantDenies',
      [],
    ],
    [
      'another feature the tenant is denied',
      { ...user, ...byRole('sys:network'), deniedFeatures: ['sys:tel'] },
      'sys:network',
      true,
      'role',
      ['Staff'],
    ],
    [
      'a code for administering is never denied',
      { ...user, ...byRole('users:manage'), deniedFeatures: ['users:manage'] },
      'users:manage',
      true,
      'role',
      ['Staff'],
    ],
    ['brought by the account role', admin, 'users:manage', true, 'accountRole', ['Tenant administrator']],
    [
      'brought by the account role and by nothing else',
      admin,
      'users:grant',
      true,
      'accountRole',
      ['Tenant administrator'],
    ],
    [
      'a code no role can bring, though one does',
      { ...user, ...byRole('users:grant') },
      'users:grant',
      false,
      'wrongKind',
      [],
    ],
    [
      'a code of operators in the hands of a user',
      { ...user, ...direct('tenants:manage') },
      'tenants:manage',
      false,
      'wrongKind',
      [],
    ],
    [
      'a feature in the hands of an operator',
      { ...operator, ...byRole('sys:network') },
      'sys:network',
      false,
      'wrongKind',
      [],
    ],
    ['a code both kinds can have', { ...operator, ...byRole('audit:read') }, 'audit:read', true, 'role', ['Staff']],
    ['an operator without anything', operator, 'tenants:manage', false, 'notGranted', []],
    ['superAdmin', root, 'operators:manage', true, 'accountRole', ['Super administrator']],
    ['superAdmin has no features', root, 'sys:network', false, 'wrongKind', []],
    ['a disabled account', { ...admin, enabled: false }, 'users:manage', false, 'disabled', []],
    ['a code made by hand', { ...user, ...byRole('sys:mine') }, 'sys:mine', true, 'role', ['Staff']],
    [
      'a code made by hand for the other system',
      { ...user, ...byRole('ops:mine') },
      'ops:mine',
      false,
      'wrongKind',
      [],
    ],
    [
      'superAdmin and a code made by hand for its system',
      root,
      'ops:mine',
      true,
      'accountRole',
      ['Super administrator'],
    ],
    ['superAdmin and a code made by hand for users', root, 'sys:mine', false, 'wrongKind', []],
  ])('%s', (_, subject, code, allowed, kind, names) => {
    expect(decide(subject, entries, 'en').codes.get(code)).toEqual({ allowed, rule: { kind, names } });
  });

  test('does not depend on entries that are not granted', () => {
    const subject = {
      ...admin,
      ...byRole('sys:network', 'sys:tel'),
      ...direct('sys:mine'),
      deniedFeatures: ['sys:tel'],
    };
    const granted = entries.filter(({ id }) => ['sys:network', 'sys:tel', 'sys:mine'].includes(id));
    expect(codesOf(decide(subject, granted))).toEqual(codesOf(decide(subject, entries)));
  });
});

describe('an account sees a menu entry', () => {
  const entries = [
    permission('sys:network'),
    permission('users:manage'),
    entry('open', { code: 'sys:network' }),
    entry('granted'),
    entry('admin', { isAdmin: true }),
    entry('users', { isAdmin: true, code: 'users:manage' }),
    entry('layout'),
    entry('child', { pid: 'layout', type: ENTRY_TYPES.page }),
    entry('grandchild', { pid: 'child', type: ENTRY_TYPES.page, code: 'users:manage' }),
  ];
  test.each<[string, Subject, string, boolean, string, string[]]>([
    ['asks for a code that is there', { ...user, ...byRole('sys:network') }, 'open', true, 'role', ['Staff']],
    ['asks for a code that is not there', user, 'open', false, 'requires', ['sys:network']],
    [
      'asks for a code that is denied, though it is granted itself',
      { ...user, ...byRole('sys:network', 'open'), deniedFeatures: ['sys:network'] },
      'open',
      false,
      'requires',
      ['sys:network'],
    ],
    ['is granted itself', { ...user, ...direct('granted') }, 'granted', true, 'direct', []],
    ['is not granted', admin, 'granted', false, 'notGranted', []],
    ['is of the other system', { ...user, ...direct('admin') }, 'admin', false, 'wrongKind', []],
    ['is of the users, for superAdmin', root, 'granted', false, 'wrongKind', []],
    ['is of the admin system, for superAdmin', root, 'admin', true, 'accountRole', ['Super administrator']],
    [
      'is of the admin system, for an operator with its code',
      { ...operator, ...byRole('users:manage') },
      'users',
      true,
      'role',
      ['Staff'],
    ],
    ['is of the admin system, for an operator without', operator, 'admin', false, 'notGranted', []],
    ['stands above one that is seen', admin, 'layout', true, 'accountRole', ['Tenant administrator']],
    ['stands between', admin, 'child', true, 'accountRole', ['Tenant administrator']],
    ['stands above ones not seen', user, 'layout', false, 'notGranted', []],
    ['stands under one that is granted', { ...user, ...direct('layout') }, 'child', false, 'notGranted', []],
    [
      'belongs to a disabled account',
      { ...user, ...direct('granted'), enabled: false },
      'granted',
      false,
      'disabled',
      [],
    ],
  ])('that %s', (_, subject, id, allowed, kind, names) => {
    expect(decide(subject, entries, 'en').entries.get(id)).toEqual({ allowed, rule: { kind, names } });
  });
});

test('an entry can be granted if the catalogue says so, otherwise within its system', () => {
  expect(grantableTo(permission('sys:network', true))).toEqual(['user']);
  expect(grantableTo(permission('users:manage'))).toEqual(['user', 'operator']);
  for (const code of ['operators:manage', 'roles:manage', 'menus:manage', 'client-packages:manage', 'users:grant'])
    expect(grantableTo(permission(code))).toEqual([]);
  expect(grantableTo(permission('ops:mine', true))).toEqual(['operator']);
  expect(grantableTo(entry('menu', { code: 'users:manage' }))).toEqual(['user']);
});

/**
 * Permissions that no route requires as a whole: text messages and files belong to a booking, and need the permission
 * to send them; only some people may book important meetings.
 */
const ASKED_WITHIN = new Set(['sys:sms', 'sys:uploadMeetingFile', 'sys:vipMeeting']);

test('a code is in use exactly if a call requires it', () => {
  for (const [code, { inUse }] of Object.entries(PERMISSIONS))
    expect([code, ASKED_WITHIN.has(code) || routes.some(([, { permission: asked }]) => asked === code)]).toEqual([
      code,
      inUse,
    ]);
});

test('each flag is set by its own code', () => {
  const flags = Object.entries(PERMISSIONS).flatMap(([code, definition]) =>
    'flag' in definition ? [[code, definition.flag] as const] : [],
  );
  expect(flags).toHaveLength(14);
  for (const [code, flag] of flags) {
    expect(
      Object.entries(flagsOf([code]))
        .filter(([, value]) => value === 1)
        .map(([name]) => name),
    ).toEqual([flag]);
  }
  expect(Object.values(flagsOf([])).every((value) => value === 0)).toBe(true);
});

describe('"see as"', () => {
  let server: TestServer;
  let north: Person;
  let staff: Person;
  const idOf = (account: string): string => server.people.get(account)?.id ?? '';
  const see = (account: string, who = north): Promise<Access> =>
    who.users.access({ params: { id: idOf(account) }, query: {} });

  beforeAll(async () => {
    server = await startTestServer();
    [north, staff] = [await signIn(server, 'admin'), await signIn(server, 'root')];
    const entries = await staff.permissions.tree();
    const delegate = await staff.roles.create({
      body: {
        name: '用户管理员',
        nameEn: 'User manager',
        kind: 'user',
        permissionIds: entries.filter(({ code, type }) => code === 'users:manage' && type === 2).map(({ id }) => id),
      },
    });
    // bob manages users in addition to the staff role; carol has only the audit log.
    const bob = await north.users.grants({ params: { id: idOf('bob') }, query: {} });
    await north.users.setGrants({
      params: { id: idOf('bob') },
      body: { ...bob, roleIds: [...bob.roleIds, delegate.id] },
    });
    await north.users.setGrants({
      params: { id: idOf('carol') },
      body: {
        roleIds: [],
        permissionIds: entries.filter(({ code, type }) => code === 'audit:read' && type === 2).map(({ id }) => id),
      },
    });
  });
  afterAll(() => server.close());

  const isForAccounts = ({ callers }: Route): boolean =>
    callers.some((caller) => caller === 'user' || caller === 'operator' || caller === 'anyone');

  test.each(['alice', 'bob', 'carol', 'admin'])(
    'describes for every call of %s what the server then does',
    async (account) => {
      const { calls, flags } = await see(account);
      expect(calls.map(({ id }) => id)).toEqual(routes.map(([id]) => id));
      const person = await signIn(server, account, 'a device of its own');
      expect(await person.permissions.flags()).toEqual(flags);
      for (const [id, route] of routes.filter(([name, known]) => isForAccounts(known) && name !== 'auth.logout')) {
        const { example } = route;
        const answer = await send(server, route.method, pathOf(route, example as never), {
          token: person.token,
          body: example.body,
        });
        expect([id, answer.httpStatus !== 403], answer.statusCode).toEqual([
          id,
          calls.find((call) => call.id === id)?.allowed,
        ]);
      }
      await person.auth.logout();
      north = await signIn(server, 'admin');
    },
    60_000,
  );

  test('shows the menus and codes that are sent to the person', async () => {
    for (const account of ['alice', 'bob', 'carol', 'admin']) {
      const { menus, permissions } = await see(account);
      const person = await signIn(server, account, 'a device of its own');
      const mine = await person.permissions.mine({ query: {} });
      expect(
        menus
          .filter(({ allowed }) => allowed)
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(
        mine
          .filter(({ type, hidden }) => type !== 2 && !hidden)
          .map(({ id }) => id)
          .toSorted(),
      );
      expect(
        permissions
          .filter(({ allowed }) => allowed)
          .map(({ code }) => code)
          .toSorted(),
      ).toEqual((await person.permissions.codes()).toSorted());
      north = await signIn(server, 'admin');
    }
  });

  test('names the rule in the requested language', async () => {
    const { permissions, menus, calls } = await see('bob');
    const ruleOf = (code: string) => permissions.find((one) => one.code === code);
    expect(ruleOf('users:manage')).toMatchObject({ allowed: true, rule: { kind: 'role', names: ['User manager'] } });
    expect(ruleOf('sys:network')).toMatchObject({
      allowed: true,
      rule: { kind: 'role', names: ['Staff'] },
      inUse: true,
    });
    expect(ruleOf('sys:rboardAdv')).toMatchObject({
      allowed: false,
      rule: { kind: 'notGranted', names: [] },
      inUse: false,
    });
    expect(ruleOf('tenants:manage')).toMatchObject({ allowed: false, rule: { kind: 'wrongKind', names: [] } });
    expect(menus.map(({ nameEn, system, allowed, rule }) => [nameEn, system, allowed, rule.kind])).toEqual([
      ['My meetings', 'user', true, 'role'],
      ['Meeting history', 'user', true, 'role'],
      ['Recordings', 'user', true, 'role'],
      ['Room occupancy', 'user', true, 'role'],
      ['Approvals', 'user', false, 'requires'],
      ['Documents', 'user', true, 'role'],
      ['Live broadcasts', 'user', true, 'role'],
      ['External streams', 'user', true, 'role'],
      ['Users', 'manage', true, 'role'],
      ['Rooms', 'manage', false, 'requires'],
      ['Terminals', 'manage', false, 'requires'],
      ['Meeting resources', 'manage', false, 'requires'],
      ['Organisation settings', 'manage', false, 'requires'],
      ['Single sign-on', 'manage', false, 'requires'],
      ['Certificates', 'manage', false, 'requires'],
      ['Directories', 'manage', false, 'requires'],
      ['Notice templates', 'manage', false, 'requires'],
      ['Announcements', 'manage', false, 'requires'],
      ['Start page apps', 'manage', false, 'requires'],
      ['Assistant', 'manage', false, 'requires'],
      ['API clients', 'manage', false, 'requires'],
      ['Audit log', 'manage', false, 'requires'],
      ['Statistics', 'manage', false, 'requires'],
    ]);
    expect(calls.find(({ id }) => id === 'users.grants')).toMatchObject({
      allowed: false,
      rule: { kind: 'requires', names: ['users:grant'] },
    });
    expect(calls.find(({ id }) => id === 'operators.list')).toMatchObject({
      allowed: false,
      rule: { kind: 'wrongKind', names: [] },
    });
  });

  test('is for those who manage users of the tenant, and reveals nothing of other accounts', async () => {
    const tenantId = server.people.get('alice')?.tenantId ?? '';
    const [alice, dave, ops] = [
      await signIn(server, 'alice'),
      await signIn(server, 'dave'),
      await signIn(server, 'ops'),
    ];
    expect(await codeOf(see('bob', alice))).toBe('FORBIDDEN');
    expect(await codeOf(see('bob', dave))).toBe('NOT_FOUND');
    expect(await codeOf(dave.users.access({ params: { id: idOf('bob') }, query: { tenantId } }))).toBe('NOT_FOUND');
    expect(await codeOf(see('bob', ops))).toBe('FORBIDDEN');
    expect(await codeOf(see('bob', staff))).toBe('TENANT_REQUIRED');
    expect((await staff.users.access({ params: { id: idOf('bob') }, query: { tenantId } })).user).toMatchObject({
      account: 'bob',
      tenantName: 'north',
    });
    expect(
      await codeOf(
        staff.users.access({
          params: { id: idOf('ops') },
          query: { tenantId: server.people.get('ops')?.tenantId ?? '' },
        }),
      ),
    ).toBe('NOT_FOUND');
  });

  test('explains a denied feature, a hidden menu and a disabled account', async () => {
    const entries = await staff.permissions.tree();
    const myMeeting = entries.find(({ component }) => component === 'MyMeeting');
    if (!myMeeting) throw new Error('There is no entry for my meetings.');
    await staff.permissions.update({ body: { ...myMeeting, hidden: true } });
    expect((await see('alice')).menus[0]).toMatchObject({
      allowed: false,
      rule: { kind: 'hidden', names: ['My meetings'] },
    });
    const alice = await signIn(server, 'alice');
    expect((await alice.permissions.mine({ query: {} }))[0]).toMatchObject({ component: 'MyMeeting', hidden: true });

    await north.users.status({ body: { id: idOf('alice'), enabled: false } });
    const seen = await see('alice');
    expect(seen.user.enabled).toBe(false);
    expect(Object.values(seen.flags)).not.toContain(1);
    expect([...seen.permissions, ...seen.menus].every(({ allowed }) => !allowed)).toBe(true);
    expect(seen.calls.filter(({ allowed }) => allowed).every(({ rule }) => rule.kind === 'anyone')).toBe(true);
    expect(seen.calls.find(({ id }) => id === 'meetings.list')?.rule.kind).toBe('disabled');
  });
});
