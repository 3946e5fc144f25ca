import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contract, PERMISSION_CODES, PERMISSIONS, type ManagedEntry } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { permission } from '../../src/modules/accounts/permissions/tables.ts';
import { ensureBuiltIns } from '../../src/modules/accounts/roles/index.ts';
import { accountRole, role, rolePermission } from '../../src/modules/accounts/roles/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { newId, PLATFORM_TENANT_ID } from '../../src/platform/db/index.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { book } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let root: Person;
let entries: ManagedEntry[];
beforeAll(async () => {
  server = await startTestServer();
  root = await signIn(server, 'root');
});
afterAll(() => server.close());
beforeEach(async () => {
  entries = await root.permissions.tree();
});

const byCode = (code: string): ManagedEntry =>
  entries.find((entry) => entry.type === 2 && entry.code === code) ?? expect.fail(`There is no ${code}.`);
const page = (component: string, isAdmin: 0 | 1 = 0): ManagedEntry =>
  entries.find((entry) => entry.component === component && entry.isAdmin === isAdmin) ??
  expect.fail(`There is no ${component}.`);
let made = 0;
const unique = (word: string): string => `${word}${(made += 1)}`;
const menu = (values: object = {}) => root.permissions.create({ body: { type: 0, name: unique('menu'), ...values } });
const custom = (values: object = {}) =>
  root.permissions.create({ body: { type: 2, name: 'own', code: unique('own:code'), ...values } });
const idOf = (account: string): string => server.people.get(account)?.id ?? '';

describe('what comes with the product', () => {
  test('contains every permission, each marked as in use or not', () => {
    const codes = entries.filter(({ type, builtIn }) => type === 2 && builtIn);
    expect(new Set(codes.map(({ code }) => code))).toEqual(new Set(PERMISSION_CODES));
    for (const { code, inUse, grantableTo } of codes)
      expect(PERMISSIONS[code as keyof typeof PERMISSIONS]).toMatchObject({ inUse, grantableTo });
    expect(codes.filter(({ inUse }) => !inUse).map(({ code }) => code)).toEqual(
      expect.arrayContaining(['sys:rboardAdv', 'sys:3DVirtualLive']),
    );
  });

  const startAgain = () => server.db.platform((tx) => ensureBuiltIns(tx, server.clock.now()));

  test('keeps the changes of administrators at a restart, and adds missing entries', async () => {
    const before = await server.db.platform((tx) => tx.find(permission));
    await server.db.platform(async (tx) => {
      await tx.update(permission, { icon: 'star', sort: 99 }, eq(permission.builtIn, 'tenantSettings'));
      await tx.update(permission, { builtIn: null, nameEn: 'made by hand' }, eq(permission.builtIn, 'sys:vipMeeting'));
      await tx.delete(permission, eq(permission.builtIn, 'admin/audit'));
    });
    await startAgain();
    const rows = await server.db.platform((tx) => tx.find(permission));
    const named = (builtIn: string) => rows.find((row) => row.builtIn === builtIn);
    expect(named('tenantSettings')).toMatchObject({ icon: 'star', sort: 99 });
    expect(named('sys:vipMeeting')).toMatchObject({ nameEn: 'made by hand', code: 'sys:vipMeeting' });
    expect(named('admin/audit')).toMatchObject({ component: 'AuditLog', isAdmin: true });
    expect(rows).toHaveLength(before.length);
    await server.db.platform((tx) =>
      tx.update(
        permission,
        { sort: before.find((row) => row.builtIn === 'tenantSettings')?.sort ?? 0 },
        eq(permission.builtIn, 'tenantSettings'),
      ),
    );
  });

  test('grants new features for all to staff once, and they can be revoked', async () => {
    const isGranted = () =>
      server.db.platform(async (tx) => {
        const entry = await tx.findOne(permission, eq(permission.builtIn, 'occupyRoom'));
        return (await tx.count(rolePermission, eq(rolePermission.permissionId, entry?.id ?? ''))) === 1;
      });
    const take = () =>
      server.db.platform(async (tx) => {
        const entry = await tx.findOne(permission, eq(permission.builtIn, 'occupyRoom'));
        await tx.delete(rolePermission, eq(rolePermission.permissionId, entry?.id ?? ''));
      });
    await take();
    await startAgain();
    expect(await isGranted()).toBe(false);
    await server.db.platform((tx) => tx.delete(permission, eq(permission.builtIn, 'occupyRoom')));
    await startAgain();
    expect(await isGranted()).toBe(true);
  });

  test('gives the staff role once to the users of an older database', async () => {
    const has = (account: string) =>
      server.db.platform((tx) => tx.count(accountRole, eq(accountRole.accountId, idOf(account))));
    await server.db.platform((tx) => tx.delete(accountRole, eq(accountRole.accountId, idOf('carol'))));
    await startAgain();
    expect(await has('carol')).toBe(0);
    await server.db.platform(async (tx) => {
      const [staff] = await tx.find(role, eq(role.builtIn, 'staff'));
      await tx.delete(accountRole, eq(accountRole.roleId, staff?.id ?? ''));
      await tx.delete(role, eq(role.builtIn, 'staff'));
    });
    await startAgain();
    for (const account of ['carol', 'admin', 'erin']) expect(await has(account)).toBe(1);
    for (const account of ['root', 'ops']) expect(await has(account)).toBe(0);
  });
});

describe('the permissions that accounts get', () => {
  test('staff: my meetings, everyday codes and flags', async () => {
    const alice = await signIn(server, 'alice');
    const mine = await alice.permissions.mine({ query: {} });
    expect(mine.filter(({ type }) => type !== 2).map(({ url }) => url)).toEqual([
      '/myMeeting',
      '/meetingHistory',
      '/record-meeting',
      '/occupyRoom',
      '/editor',
      '/live-meeting',
      '/manual-live',
    ]);
    expect(await alice.permissions.codes()).toEqual(expect.arrayContaining(['sys:network', 'sys:pmicode']));
    expect(await alice.permissions.flags()).toMatchObject({
      enableNet: 1,
      enableVideo: 1,
      enableLiveStreaming: 1,
      enableVipMeeting: 0,
    });
    expect((await alice.users.current()).flags).toEqual(await alice.permissions.flags());
  });

  test('tenant administrators: the management menus too', async () => {
    const admin = await signIn(server, 'admin');
    const urls = (await admin.permissions.mine({ query: {} }))
      .filter(({ type }) => type !== 2)
      .map(({ url, userManageType }) => [url, userManageType]);
    expect(urls).toEqual([
      ['/myMeeting', 1],
      ['/meetingHistory', 1],
      ['/record-meeting', 1],
      ['/occupyRoom', 1],
      ['/editor', 1],
      ['/live-meeting', 4],
      ['/manual-live', 4],
      ['/users', 2],
      ['/rooms', 2],
      ['/terminals', 2],
      ['/resources', 2],
      ['/tenantSettings', 2],
      ['/identityProviders', 2],
      ['/certificates', 2],
      ['/directories', 2],
      ['/noticeTexts', 2],
      ['/announcements', 2],
      ['/startApps', 2],
      ['/assistantSettings', 2],
      ['/api-record', 2],
      ['/audit', 2],
      ['/statistics', 2],
    ]);
  });

  test('superAdmin: everything of the admin system, parents before children, and no more', async () => {
    const mine = (await root.permissions.mine({ query: {} })).filter(({ type }) => type !== 2);
    expect(mine.map(({ url, pid }) => [url, pid === null])).toEqual([
      ['/tenants', true],
      ['/users', true],
      ['/operators', true],
      ['/roles', true],
      ['/permissions', true],
      ['/menumanage', true],
      ['/menumanage/index', false],
      ['/announcements', true],
      ['/client-packages', true],
      ['/api-record', true],
      ['/audit', true],
      ['/statistics', true],
    ]);
    expect(mine.every(({ isAdmin }) => isAdmin === 1)).toBe(true);
    expect(mine.find(({ url }) => url === '/menumanage')).toMatchObject({
      type: 0,
      component: 'Layout',
      redirect: '/menumanage/index',
    });
  });

  test('operators without grants: nothing', async () => {
    const ops = await signIn(server, 'ops');
    expect(await ops.permissions.mine({ query: {} })).toEqual([]);
    expect(await ops.permissions.codes()).toEqual([]);
  });

  test('sys:network is required to book', async () => {
    const gated = Object.values(contract.meetings).filter(
      (route) => 'permission' in route && route.permission === 'sys:network',
    );
    expect(gated).toHaveLength(1);
    const bob = await signIn(server, 'bob');
    const admin = await signIn(server, 'admin');
    const { roleIds } = await admin.users.grants({ params: { id: idOf('bob') }, query: {} });
    await admin.users.setGrants({ params: { id: idOf('bob') }, body: { roleIds: [], permissionIds: [] } });
    expect(await codeOf(book(server, bob))).toBe('FORBIDDEN');
    await admin.users.setGrants({
      params: { id: idOf('bob') },
      body: { roleIds: [], permissionIds: [byCode('sys:network').id] },
    });
    expect(await codeOf(book(server, bob))).toBe('OK');
    await admin.users.setGrants({ params: { id: idOf('bob') }, body: { roleIds, permissionIds: [] } });
  });

  test('a denied feature is lost at the next call, whatever is granted', async () => {
    const erin = await signIn(server, 'erin');
    expect(await codeOf(book(server, erin))).toBe('OK');
    const { tenantId } = server.people.get('erin') ?? { tenantId: '' };
    const [south] = (await root.tenants.list({ query: { keyword: 'south' } })).records;
    if (!south) throw new Error('There is no south.');
    const { serviceDesk, meetingAdmin } = south;
    await root.tenants.update({
      body: { ...south, meetingAdmin, serviceDesk, id: tenantId, deniedFeatures: ['sys:network'] },
    });
    expect(await codeOf(book(server, erin))).toBe('FORBIDDEN');
    expect((await erin.permissions.flags()).enableNet).toBe(0);
    await server.db.platform((tx) => tx.update(tenant, { deniedFeatures: [] }, eq(tenant.tenantId, tenantId)));
  });
});

describe('the tree', () => {
  test('lists parents before children, and siblings in their order', async () => {
    const parent = await menu({ component: 'Layout' });
    const [a, b, c] = [
      await menu({ pid: parent.id }),
      await menu({ pid: parent.id, type: 1 }),
      await menu({ pid: parent.id, type: 1 }),
    ];
    const order = async () =>
      (await root.permissions.tree()).filter(({ pid }) => pid === parent.id).map(({ id }) => id);
    expect(await order()).toEqual([a.id, b.id, c.id]);
    await root.permissions.move({ body: { id: c.id, pid: parent.id, index: 0 } });
    expect(await order()).toEqual([c.id, a.id, b.id]);
    await root.permissions.move({ body: { id: c.id, pid: parent.id, index: 99 } });
    expect(await order()).toEqual([a.id, b.id, c.id]);
    const tree = await root.permissions.move({ body: { id: b.id, pid: a.id, index: 0 } });
    const places = [parent.id, a.id, b.id].map((id) => tree.findIndex((entry) => entry.id === id));
    expect(places).toEqual(places.toSorted((x, y) => x - y));
    expect(tree.find(({ id }) => id === b.id)?.pid).toBe(a.id);
  });

  test('refuses invalid places', async () => {
    const [top, other, leaf] = [await menu(), await menu({ isAdmin: 1 }), await custom()];
    const under = await menu({ pid: top.id });
    const child = await menu({ pid: under.id, type: 1 });
    const move = (id: string, pid: string | null) => codeOf(root.permissions.move({ body: { id, pid, index: 0 } }));
    expect(await move(top.id, under.id)).toBe('PARENT_UNFIT'); // a circle
    expect(await move(top.id, top.id)).toBe('PARENT_UNFIT');
    expect(await move(under.id, other.id)).toBe('PARENT_UNFIT'); // the other system
    expect(await move(under.id, leaf.id)).toBe('PARENT_UNFIT'); // under a permission
    expect(await move(child.id, null)).toBe('PARENT_UNFIT'); // a page at the top
    expect(await move(under.id, newId())).toBe('PARENT_UNFIT');
    expect(await move(newId(), null)).toBe('NOT_FOUND');
    expect(await move(leaf.id, child.id)).toBe('OK');
    expect(await codeOf(menu({ pid: child.id, type: 1 }))).toBe('PARENT_UNFIT');
    expect(await codeOf(menu({ type: 1 }))).toBe('PARENT_UNFIT');
    // with an entry below it
    expect(await codeOf(root.permissions.update({ body: { ...top, isAdmin: 1 } }))).toBe('PARENT_UNFIT');
    expect(await codeOf(root.permissions.update({ body: { ...top, pid: under.id } }))).toBe('PARENT_UNFIT');
  });

  test('stays a tree when two concurrent moves cross', async () => {
    const [a, b] = [await menu(), await menu()];
    const answers = await Promise.all(
      [
        [a, b],
        [b, a],
      ].map(async ([one, onto]) =>
        codeOf(root.permissions.move({ body: { id: one?.id ?? '', pid: onto?.id ?? '', index: 0 } })),
      ),
    );
    expect(answers.toSorted()).toEqual(['OK', 'PARENT_UNFIT']);
  });
});

describe('changes', () => {
  test('require an unused code, and an existing one for a menu', async () => {
    const own = await custom();
    expect(own).toMatchObject({ builtIn: false, inUse: false, grantableTo: ['user'] });
    expect(await codeOf(custom({ code: own.code }))).toBe('CODE_TAKEN');
    expect(await codeOf(custom({ code: 'sys:network' }))).toBe('CODE_TAKEN');
    expect(await codeOf(custom({ code: null }))).toBe('INVALID_INPUT');
    expect(await codeOf(custom({ code: 'no code' }))).toBe('INVALID_INPUT');
    expect(await codeOf(menu({ code: 'no:suchCode' }))).toBe('PERMISSION_UNKNOWN');
    expect(await codeOf(menu({ url: 'javascript:alert(1)' }))).toBe('INVALID_INPUT');
    const asks = await menu({ code: own.code, url: 'https://example.org/' });
    const renamed = await root.permissions.update({ body: { ...own, code: unique('own:renamed') } });
    expect(renamed).toMatchObject({ inUse: true, version: 2 });
    expect((await root.permissions.tree()).find(({ id }) => id === asks.id)?.code).toBe(renamed.code);
    expect(await codeOf(root.permissions.update({ body: { ...own, name: 'late' } }))).toBe('CHANGED_MEANWHILE');
    expect(await codeOf(root.permissions.update({ body: { ...own, id: newId() } }))).toBe('NOT_FOUND');
  });

  test('keep the fields of built-in entries that the product relies on', async () => {
    const mine = page('MyMeeting');
    for (const body of [
      { component: 'Users' },
      { url: '/elsewhere' },
      { code: 'sys:network' },
      { isAdmin: 1 as const },
    ]) {
      expect(await codeOf(root.permissions.update({ body: { ...mine, ...body } })), JSON.stringify(body)).toBe(
        'BUILT_IN',
      );
    }
    expect(await codeOf(root.permissions.update({ body: { ...byCode('sys:tel'), code: 'sys:phone' } }))).toBe(
      'BUILT_IN',
    );
    const changed = await root.permissions.update({
      body: { ...mine, name: '会议', nameEn: 'Meetings', icon: 'people', hidden: true, userManageType: 4 },
    });
    expect(changed).toMatchObject({ name: '会议', hidden: true, userManageType: 4, builtIn: true });
    await root.permissions.update({ body: { ...mine, version: changed.version } });
    expect(await codeOf(root.permissions.remove({ query: { id: mine.id } }))).toBe('BUILT_IN');
  });

  test('delete only entries without holders and children', async () => {
    const own = await custom();
    const above = await menu();
    const asks = await menu({ code: own.code, pid: above.id, nameEn: 'Asking menu' });
    const remove = (id: string) => root.permissions.remove({ query: { id } });
    await expect(remove(own.id)).rejects.toThrow('Asking menu');
    expect(await codeOf(remove(above.id))).toBe('HAS_CHILDREN');
    expect(await codeOf(remove(asks.id))).toBe('OK');
    const granting = await root.roles.create({
      body: { name: unique('granting'), nameEn: 'Granting role', kind: 'user', permissionIds: [own.id] },
    });
    const admin = await signIn(server, 'admin');
    await admin.users.setGrants({ params: { id: idOf('chair') }, body: { roleIds: [], permissionIds: [own.id] } });
    await expect(remove(own.id)).rejects.toThrow('Granting role, 1 account.');
    expect(await codeOf(root.permissions.update({ body: { ...own, isAdmin: 1 } }))).toBe('PERMISSION_GRANTED');
    await admin.users.setGrants({ params: { id: idOf('chair') }, body: { roleIds: [], permissionIds: [] } });
    await root.roles.remove({ query: { id: granting.id } });
    expect(await codeOf(remove(own.id))).toBe('OK');
    expect(await codeOf(remove(own.id))).toBe('NOT_FOUND');
  });

  test('are announced to all sessions, and take effect at once', async () => {
    const alice = await signIn(server, 'alice');
    const socket = await connect(server, { token: alice.token }, 'user');
    const own = await menu({ code: 'sys:network', nameEn: 'New menu' });
    await socket.event('accessChanged');
    expect((await alice.permissions.mine({ query: {} })).find(({ id }) => id === own.id)?.nameEn).toBe('New menu');
    await root.permissions.remove({ query: { id: own.id } });
    expect((await alice.permissions.mine({ query: {} })).find(({ id }) => id === own.id)).toBeUndefined();
    await socket.close();
  });

  test('are in the audit log', async () => {
    const own = await custom();
    await root.permissions.update({ body: { ...own, name: 'renamed' } });
    await root.permissions.remove({ query: { id: own.id } });
    const rows = await server.db.tenant(PLATFORM_TENANT_ID, (tx) =>
      tx.find(auditLog, eq(auditLog.targetId, own.id), { orderBy: auditLog.id }),
    );
    expect(rows.map(({ action, before, after }) => [action, before?.['name'], after?.['name']])).toEqual([
      ['permissions.create', undefined, 'own'],
      ['permissions.update', 'own', 'renamed'],
      ['permissions.remove', 'renamed', undefined],
    ]);
  });
});

describe('what can be granted to users directly', () => {
  const northId = () => server.people.get('alice')?.tenantId ?? '';

  test('fits a user and needs a grant, each with its present effect', async () => {
    const admin = await signIn(server, 'admin');
    const own = await custom();
    await server.db.platform((tx) =>
      tx.update(tenant, { deniedFeatures: ['sys:tel'] }, eq(tenant.tenantId, northId())),
    );
    const offered = await admin.permissions.options({ query: {} });
    const named = (code: string) => offered.find((entry) => entry.code === code);
    expect(named('sys:network')).toMatchObject({
      id: byCode('sys:network').id,
      type: 2,
      nameEn: 'Network meetings',
      inUse: true,
      denied: false,
    });
    expect(named('sys:tel')).toMatchObject({ inUse: true, denied: true });
    expect(named(own.code ?? '')).toMatchObject({ id: own.id, inUse: false, denied: false });
    expect(named('users:manage')).toMatchObject({ type: 2 });
    // Codes of account roles and of operators, and menus that only follow a code.
    for (const code of ['users:grant', 'tenants:manage', 'roles:manage']) expect(named(code)).toBeUndefined();
    expect(offered.filter(({ type }) => type !== 2).every(({ code }) => code === null)).toBe(true);
    expect(offered.map(({ id }) => id)).toContain(page('MyMeeting').id);
    expect(offered.map(({ id }) => id)).not.toContain(page('Tenants', 1).id);

    // All of it can be granted.
    const carol = { params: { id: idOf('carol') } };
    const before = await admin.users.grants({ ...carol, query: {} });
    await admin.users.setGrants({ ...carol, body: { ...before, permissionIds: offered.map(({ id }) => id) } });
    await admin.users.setGrants({ ...carol, body: before });
    await server.db.platform((tx) => tx.update(tenant, { deniedFeatures: [] }, eq(tenant.tenantId, northId())));
  });

  test('is for those who grant; operators name the tenant', async () => {
    for (const account of ['alice', 'ops'])
      expect(await codeOf((await signIn(server, account)).permissions.options({ query: {} }))).toBe('FORBIDDEN');
    expect(await codeOf(root.permissions.options({ query: {} }))).toBe('TENANT_REQUIRED');
    expect(await codeOf(root.permissions.options({ query: { tenantId: newId() } }))).toBe('NOT_FOUND');
    expect(await root.permissions.options({ query: { tenantId: northId() } })).toEqual(
      await (await signIn(server, 'admin')).permissions.options({ query: {} }),
    );
  });
});

describe('the list', () => {
  test('is searched, filtered, sorted and paged', async () => {
    const list = (query: object) => root.permissions.list({ query });
    const found = await list({ keyword: 'NETWORK', type: 2 });
    expect(found.records.map(({ code }) => code)).toEqual(['sys:network']);
    expect(
      (await list({ isAdmin: 1, type: 0, size: 200 })).records.every(
        ({ isAdmin, type }) => isAdmin === 1 && type === 0,
      ),
    ).toBe(true);
    const codes = (await list({ type: 2, sort: 'code', order: 'DESC', size: 200 })).records.map(
      ({ code }) => code ?? '',
    );
    expect(codes).toEqual(codes.toSorted().toReversed());
    const [first, second] = [await list({ size: 5 }), await list({ size: 5, current: 2 })];
    expect(first.total).toBe((await root.permissions.tree()).length);
    expect(new Set([...first.records, ...second.records].map(({ id }) => id)).size).toBe(10);
    expect((await list({ keyword: '100%_' })).records).toEqual([]);
  });

  test('is for those who manage roles', async () => {
    for (const account of ['alice', 'admin', 'ops']) {
      const person = await signIn(server, account);
      expect(await codeOf(person.permissions.list({ query: {} }))).toBe('FORBIDDEN');
      expect(await codeOf(person.permissions.create({ body: { type: 2, name: 'x', code: 'a:b' } }))).toBe('FORBIDDEN');
    }
  });
});
