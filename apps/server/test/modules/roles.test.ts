import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ManagedEntry, Role } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { newId, PLATFORM_TENANT_ID } from '../../src/platform/db/index.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { book } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let root: Person;
let admin: Person;
let entries: ManagedEntry[];
beforeAll(async () => {
  server = await startTestServer();
  [root, admin] = [await signIn(server, 'root'), await signIn(server, 'admin')];
  entries = await root.permissions.tree();
});
afterAll(() => server.close());

const idOf = (account: string): string => server.people.get(account)?.id ?? '';
const northId = (): string => server.people.get('alice')?.tenantId ?? '';
const ids = (...codes: string[]): string[] =>
  codes.map(
    (code) =>
      entries.find((entry) => entry.type === 2 && entry.code === code)?.id ?? expect.fail(`There is no ${code}.`),
  );
const menuId = (url: string, isAdmin: 0 | 1): string =>
  entries.find((entry) => entry.url === url && entry.isAdmin === isAdmin)?.id ?? expect.fail(`There is no ${url}.`);
let made = 0;
const create = (values: object = {}): Promise<Role> =>
  root.roles.create({ body: { name: `role ${(made += 1)}`, kind: 'user', permissionIds: [], ...values } });
const bodyOf = ({ id, version, name, nameEn, description, isDefault, permissionIds }: Role) => ({
  id,
  version,
  name,
  nameEn,
  description,
  isDefault,
  permissionIds,
});
const grant = (account: string, roleIds: string[], permissionIds: string[] = []) =>
  admin.users.setGrants({ params: { id: idOf(account) }, body: { roleIds, permissionIds } });
const grantOperator = async (roleIds: string[]) => {
  const ops = (await root.operators.list({ query: { keyword: 'ops' } })).records[0] ?? expect.fail('There is no ops.');
  const { id, name, version } = ops;
  return root.operators.update({ body: { id, name, version, roleIds } });
};

describe('a role', () => {
  test('contains only what can be granted to its kind of account', async () => {
    expect(await create({ permissionIds: ids('sys:network', 'users:manage') })).toMatchObject({
      kind: 'user',
      builtIn: false,
      accounts: 0,
      version: 1,
    });
    expect(
      await create({ kind: 'operator', permissionIds: [...ids('tenants:manage', 'users:manage', 'audit:read')] }),
    ).toMatchObject({ kind: 'operator' });
    await expect(create({ permissionIds: ids('sys:network', 'tenants:manage', 'roles:manage') })).rejects.toThrow(
      'roles:manage, tenants:manage cannot be granted',
    );
    for (const code of ['operators:manage', 'roles:manage', 'menus:manage', 'client-packages:manage', 'users:grant']) {
      for (const kind of ['user', 'operator'])
        expect(await codeOf(create({ kind, permissionIds: ids(code) })), code).toBe('NOT_GRANTABLE');
    }
    expect(await codeOf(create({ kind: 'operator', permissionIds: [menuId('/myMeeting', 0)] }))).toBe('NOT_GRANTABLE');
    expect(await codeOf(create({ kind: 'operator', permissionIds: [menuId('/tenants', 1)] }))).toBe('OK');
    expect(await codeOf(create({ permissionIds: [newId()] }))).toBe('PERMISSION_UNKNOWN');
  });

  test('has a unique name and is changed only in its newest version', async () => {
    const one = await create({ name: 'Only one' });
    expect(await codeOf(create({ name: 'only ONE' }))).toBe('NAME_TAKEN');
    const other = await create();
    expect(await codeOf(root.roles.update({ body: { ...bodyOf(other), name: one.name } }))).toBe('NAME_TAKEN');
    const changed = await root.roles.update({
      body: { ...bodyOf(one), name: 'Renamed', permissionIds: [...ids('sys:tel'), ...ids('sys:tel')] },
    });
    expect(changed).toMatchObject({ name: 'Renamed', version: 2, permissionIds: ids('sys:tel') });
    expect(await codeOf(root.roles.update({ body: bodyOf(one) }))).toBe('CHANGED_MEANWHILE');
    expect(await codeOf(root.roles.update({ body: { ...bodyOf(one), id: newId() } }))).toBe('NOT_FOUND');
    expect(
      await codeOf(root.roles.update({ body: { ...bodyOf(changed), permissionIds: ids('tenants:manage') } })),
    ).toBe('NOT_GRANTABLE');
  });

  test('that is granted or built in cannot be deleted', async () => {
    const own = await create();
    const { roleIds } = await admin.users.grants({ params: { id: idOf('bob') }, query: {} });
    for (const account of ['alice', 'bob', 'carol', 'chair']) await grant(account, [...roleIds, own.id]);
    await expect(root.roles.remove({ query: { id: own.id } })).rejects.toThrow(
      'granted to Alice, Bob, Carol and 1 more.',
    );
    for (const account of ['alice', 'bob', 'carol', 'chair']) await grant(account, roleIds);
    expect(await codeOf(root.roles.remove({ query: { id: own.id } }))).toBe('OK');
    expect(await codeOf(root.roles.remove({ query: { id: own.id } }))).toBe('NOT_FOUND');
    const staff = (await root.roles.list({ query: { keyword: 'staff' } })).records[0];
    expect(staff).toMatchObject({ name: '员工', nameEn: 'Staff', builtIn: true, isDefault: true, accounts: 7 });
    expect(await codeOf(root.roles.remove({ query: { id: staff?.id ?? '' } }))).toBe('BUILT_IN');
  });

  test('is granted to new accounts if it is a default role', async () => {
    const own = await create({ isDefault: true });
    const { user } = await admin.users.create({ body: { account: 'newcomer', name: 'Newcomer' } });
    expect(user.roles.map(({ name }) => name).toSorted()).toEqual(['Staff', own.name].toSorted());
    const bare = await admin.users.create({ body: { account: 'bare', name: 'Bare', roleIds: [] } });
    expect(bare.user.roles).toEqual([]);
    await root.roles.update({ body: { ...bodyOf(own), isDefault: false } });
  });

  test('is audited with the names of what it grants', async () => {
    const own = await create({ permissionIds: ids('sys:tel') });
    await root.roles.update({
      body: { ...bodyOf(own), permissionIds: [...ids('sys:network'), menuId('/myMeeting', 0)] },
    });
    await root.roles.remove({ query: { id: own.id } });
    const rows = await server.db.tenant(PLATFORM_TENANT_ID, (tx) =>
      tx.find(auditLog, eq(auditLog.targetId, own.id), { orderBy: auditLog.id }),
    );
    expect(rows.map(({ action, before, after }) => [action, before?.['permissions'], after?.['permissions']])).toEqual([
      ['roles.create', undefined, ['sys:tel']],
      ['roles.update', ['sys:tel'], ['sys:network', '我的会议']],
      ['roles.remove', ['sys:network', '我的会议'], undefined],
    ]);
  });

  test('is offered to those who may grant it', async () => {
    const forOperators = await create({ kind: 'operator', name: 'For operators' });
    const options = await admin.roles.options({ query: {} });
    expect(options.map(({ name }) => name)).toContain('员工');
    expect(options.map(({ id }) => id)).not.toContain(forOperators.id);
    expect(await codeOf(admin.roles.options({ query: { kind: 'operator' } }))).toBe('FORBIDDEN');
    expect((await root.roles.options({ query: { kind: 'operator' } })).map(({ id }) => id)).toContain(forOperators.id);
  });
});

describe('grants', () => {
  test('take effect at the next call of an existing session', async () => {
    const bob = await signIn(server, 'bob');
    const { roleIds } = await admin.users.grants({ params: { id: idOf('bob') }, query: {} });
    const manager = await create({ name: 'User manager', permissionIds: ids('users:manage') });
    expect(await codeOf(bob.users.list({ query: {} }))).toBe('FORBIDDEN');
    const socket = await connect(server, { token: bob.token }, 'user');
    await grant('bob', [...roleIds, manager.id]);
    await socket.event('accessChanged');
    expect((await bob.users.list({ query: {} })).records.length).toBeGreaterThan(4);
    expect((await bob.permissions.mine({ query: {} })).map(({ url }) => url)).toContain('/users');

    // The role's grants take effect at once, too.
    const emptied = await root.roles.update({ body: { ...bodyOf(manager), permissionIds: [] } });
    expect(await codeOf(bob.users.list({ query: {} }))).toBe('FORBIDDEN');
    await root.roles.update({ body: { ...bodyOf(emptied), permissionIds: ids('users:manage') } });
    expect(await codeOf(bob.users.list({ query: {} }))).toBe('OK');
    await grant('bob', roleIds);
    expect(await codeOf(bob.users.list({ query: {} }))).toBe('FORBIDDEN');
    await socket.close();
  });

  test('are stored exactly as sent, only what users can have, and nothing if one is invalid', async () => {
    const id = idOf('carol');
    const { roleIds } = await admin.users.grants({ params: { id }, query: {} });
    expect(await grant('carol', roleIds, ids('sys:tel', 'audit:read'))).toEqual({
      roleIds,
      permissionIds: expect.arrayContaining(ids('sys:tel', 'audit:read')),
    });
    const forOperators = await create({ kind: 'operator' });
    expect(await codeOf(grant('carol', [forOperators.id]))).toBe('ROLE_UNKNOWN');
    expect(await codeOf(grant('carol', [newId()]))).toBe('ROLE_UNKNOWN');
    for (const code of ['tenants:manage', 'users:grant', 'roles:manage'])
      expect(await codeOf(grant('carol', [], ids(code))), code).toBe('PERMISSION_UNKNOWN');
    expect(await codeOf(grant('carol', [], [menuId('/tenants', 1)]))).toBe('PERMISSION_UNKNOWN');
    expect((await admin.users.grants({ params: { id }, query: {} })).permissionIds).toHaveLength(2);
    const [row] = await server.db.platform((tx) =>
      tx
        .find(auditLog, eq(auditLog.action, 'users.setGrants'), { orderBy: auditLog.id })
        .then((rows) => rows.slice(-1)),
    );
    expect(row).toMatchObject({
      targetId: id,
      targetName: 'Carol',
      before: { permissions: [] },
      after: { permissions: ['audit:read', 'sys:tel'] },
    });
    await grant('carol', roleIds);
  });

  test('are given only by administrators, within their tenant', async () => {
    const [alice, dave] = [await signIn(server, 'alice'), await signIn(server, 'dave')];
    const params = { id: idOf('alice') };
    const { tenantId } = server.people.get('alice') ?? { tenantId: '' };
    const body = await admin.users.grants({ params, query: {} });
    expect(await codeOf(alice.users.grants({ params, query: {} }))).toBe('FORBIDDEN');
    expect(await codeOf(alice.users.setGrants({ params, body }))).toBe('FORBIDDEN');
    expect(await codeOf(dave.users.setGrants({ params, body: { ...body, tenantId } }))).toBe('NOT_FOUND');
    expect(await codeOf(root.users.setGrants({ params, body }))).toBe('TENANT_REQUIRED');
    expect(await codeOf(root.users.setGrants({ params, body: { ...body, tenantId: newId() } }))).toBe('NOT_FOUND');
    expect(await root.users.setGrants({ params, body: { ...body, tenantId } })).toEqual(body);
    expect(
      await codeOf(root.users.grants({ params: { id: idOf('ops') }, query: { tenantId: PLATFORM_TENANT_ID } })),
    ).toBe('NOT_FOUND');
  });

  test('of denied features wait until the tenant has them again', async () => {
    const bob = await signIn(server, 'bob');
    const north =
      (await root.tenants.list({ query: { keyword: 'north' } })).records[0] ?? expect.fail('There is no north.');
    const denied = await root.tenants.update({ body: { ...north, deniedFeatures: ['sys:network', 'sys:tel'] } });
    const { roleIds } = await admin.users.grants({ params: { id: idOf('bob') }, query: {} });
    await grant('bob', roleIds, ids('sys:tel'));
    expect(await codeOf(book(server, bob))).toBe('FORBIDDEN');
    const { permissions } = await admin.users.access({ params: { id: idOf('bob') }, query: {} });
    expect(
      permissions
        .filter(({ rule }) => rule.kind === 'tenantDenies')
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(['sys:network', 'sys:tel']);
    await root.tenants.update({ body: { ...north, version: denied.version, deniedFeatures: [] } });
    expect(await codeOf(book(server, bob))).toBe('OK');
    expect((await bob.permissions.flags()).enableTel).toBe(1);
    await grant('bob', roleIds);
  });
});

describe('an operator who is no superAdmin', () => {
  test.each<[string, (ops: Person) => Promise<unknown>]>([
    ['tenants:manage', (ops) => ops.tenants.list({ query: {} })],
    ['users:manage', (ops) => ops.users.list({ query: { tenantId: northId() } })],
    ['audit:read', (ops) => ops.audit.list({ query: {} })],
  ])('with %s may do exactly that', async (code, allowed) => {
    const ops = await signIn(server, 'ops');
    const never: ((who: Person) => Promise<unknown>)[] = [
      (who) => who.roles.list({ query: {} }),
      (who) => who.operators.list({ query: {} }),
      (who) => who.permissions.remove({ query: { id: newId() } }),
      (who) => who.users.grants({ params: { id: idOf('alice') }, query: { tenantId: northId() } }),
      (who) => who.roles.options({ query: { kind: 'operator' } }),
    ];
    for (const call of [allowed, ...never]) expect(await codeOf(call(ops))).toBe('FORBIDDEN');
    const { id } = await create({ kind: 'operator', permissionIds: ids(code) });
    await grantOperator([id]);
    expect(await ops.permissions.codes()).toEqual([code]);
    expect(
      (await ops.permissions.mine({ query: {} })).filter(({ type }) => type !== 2).map((entry) => entry.code),
    ).toEqual([code]);
    expect(await codeOf(allowed(ops))).toBe('OK');
    for (const call of never) expect(await codeOf(call(ops))).toBe('FORBIDDEN');
    await grantOperator([]);
    expect(await codeOf(allowed(ops))).toBe('FORBIDDEN');
  });
});
