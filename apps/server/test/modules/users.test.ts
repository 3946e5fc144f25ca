import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { and, eq } from 'drizzle-orm';
import { contract, decodeContact, encodeContact, type Args } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { session } from '../../src/modules/accounts/auth/tables.ts';
import { accountPermission, permission } from '../../src/modules/accounts/permissions/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account, department } from '../../src/modules/accounts/users/tables.ts';
import { call, clientOf, codeOf, encrypt, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let root: Person;
let made = 0;
beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, 'admin');
  root = await signIn(server, 'root');
});
afterAll(() => server.close());

const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const north = (): string => server.people.get('admin')?.tenantId ?? '';
const rowOf = (id: string) => server.db.platform((tx) => tx.findOne(account, eq(account.id, id)));
type CreateBody = NonNullable<Args<typeof contract.users.create>['body']>;

async function add(values: Partial<CreateBody> = {}, by = admin) {
  made += 1;
  return by.users.create({ body: { account: `person${made}`, name: `Person ${made}`, ...values } });
}

/** Signs in and replaces the password that another person has set. */
async function signInFirst(name: string, password: string, newPassword = 'Chosen-by-me-1'): Promise<Person> {
  const body = {
    account: name,
    password: await encrypt(server, password),
    newPassword: await encrypt(server, newPassword),
    deviceId: `device of ${name}`,
  };
  return clientOf(server, (await clientOf(server).auth.login({ body })).token);
}

describe('creating an account', () => {
  test('answers a generated password once, which must be changed at the first sign-in', async () => {
    const { user, password } = await add({
      account: 'Frieda',
      phoneNumber: encodeContact('+49 30 1234'),
      email: encodeContact('frieda@example.org'),
      department: ' 外科 / / 骨科 ',
    });
    expect(user).toMatchObject({
      account: 'Frieda',
      department: '外科/骨科',
      enabled: true,
      isTenantAdmin: false,
      sessions: 0,
      lastLoginAt: null,
      restorableUntil: null,
    });
    expect([decodeContact(user.phoneNumber), decodeContact(user.email)]).toEqual(['+49 30 1234', 'frieda@example.org']);
    expect(user.roles).toHaveLength(1);
    expect(password).toMatch(/^\w{4}-\w{4}-\w{4}$/);
    const login = { account: 'frieda', password: await encrypt(server, password ?? '') };
    expect(await codeOf(clientOf(server).auth.login({ body: login }))).toBe('PWD_EXPIRED');
    expect(await codeOf((await signInFirst('frieda', password ?? '')).users.current({}))).toBe('OK');
    expect(
      JSON.stringify(await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, user.id)))),
    ).not.toContain(password);
  });

  test('refuses a name that is taken in the tenant, whatever its case, and a weak password', async () => {
    const body = { account: 'ALICE', name: 'Another' };
    expect(await call(server, contract.users.create, { body }, admin.token)).toMatchObject({
      statusCode: 'ACCOUNT_TAKEN',
    });
    expect(await codeOf(add({ password: await encrypt(server, 'short1') }))).toBe('PASSWORD_TOO_WEAK');
    expect(await codeOf(add({ account: 'grete', password: await encrypt(server, 'xxGRETExx123') }))).toBe(
      'PASSWORD_TOO_WEAK',
    );
    expect(await codeOf(add({ password: 'in clear' }))).toBe('PASSWORD_UNREADABLE');
    expect(await codeOf(add({ roleIds: [idOf('alice')] }))).toBe('ROLE_UNKNOWN');
  });

  test('stops at the quota, also if several are created at once; deleted ones do not count', async () => {
    const count = await server.db.tenant(north(), (tx) => tx.count(account));
    await server.db.platform((tx) => tx.update(tenant, { maxUsers: count + 2 }, eq(tenant.tenantId, north())));
    const codes = await Promise.all(Array.from({ length: 6 }, () => codeOf(add())));
    expect(codes.toSorted()).toEqual(['OK', 'OK', 'QUOTA_USERS', 'QUOTA_USERS', 'QUOTA_USERS', 'QUOTA_USERS']);
    const { records } = await admin.users.list({ query: { keyword: 'person', sort: 'createdAt', order: 'DESC' } });
    const last = records[0]?.id ?? '';
    await admin.users.remove({ query: { id: last } });
    expect(await codeOf(add())).toBe('OK');
    expect(await codeOf(admin.users.restore({ body: { id: last } }))).toBe('QUOTA_USERS');
    await server.db.platform((tx) => tx.update(tenant, { maxUsers: null }, eq(tenant.tenantId, north())));
    expect(await codeOf(admin.users.restore({ body: { id: last } }))).toBe('OK');
  });

  test('uses the tenant that an operator names, and the own tenant of a user', async () => {
    expect(await codeOf(add({}, root))).toBe('TENANT_REQUIRED');
    expect(await codeOf(add({ tenantId: idOf('alice') }, root))).toBe('NOT_FOUND');
    expect(await codeOf(root.users.list({ query: { tenantId: server.people.get('root')?.tenantId } }))).toBe(
      'NOT_FOUND',
    );
    const { user } = await add({ tenantId: north() }, root);
    const { user: own } = await add({ tenantId: server.people.get('dave')?.tenantId });
    expect([(await rowOf(user.id))?.tenantId, (await rowOf(own.id))?.tenantId]).toEqual([north(), north()]);
  });
});

describe('the list', () => {
  test('finds by part of name, account, phone and mail, in any case, even by one character', async () => {
    const { user } = await add({
      account: 'zhangwei',
      name: '张伟',
      phoneNumber: encodeContact('13800001234'),
      email: encodeContact('Wei.Zhang@Example.cn'),
    });
    for (const keyword of ['张伟', '伟', 'HANGW', '8000012', 'zhang@exam', 'ei']) {
      const { records } = await admin.users.list({ query: { keyword } });
      expect(
        records.map((row) => row.id),
        keyword,
      ).toContain(user.id);
    }
    for (const keyword of ['%', '_', 'nobody has this'])
      expect((await admin.users.list({ query: { keyword } })).records).toEqual([]);
  });

  test('accepts a department with all below it, a role, a status, an order and a page', async () => {
    await add({ department: '内科' });
    await add({ department: '内科/心内科' });
    await add({ department: '内科二' });
    const of = async (path: string) => (await admin.users.list({ query: { department: path } })).total;
    expect([await of('内科'), await of('内科/心内科'), await of('内科/'), await of('内')]).toEqual([2, 1, 2, 0]);
    const { records } = await admin.users.list({
      query: { status: 'enabled', sort: 'account', order: 'DESC', size: 5 },
    });
    expect(records.map((row) => row.account)).toEqual(
      records.map((row) => row.account).toSorted((a, b) => (a < b ? 1 : -1)),
    );
    const first = await admin.users.list({ query: { size: 3 } });
    const second = await admin.users.list({ query: { size: 3, current: 2 } });
    expect(new Set([...first.records, ...second.records].map((row) => row.id)).size).toBe(6);
    const role = records[0]?.roles[0]?.id ?? '';
    expect((await admin.users.list({ query: { roleId: role } })).total).toBe(
      (await admin.users.list({ query: {} })).total,
    );
    for (const sort of ['name', 'department', 'createdAt', 'lastLoginAt'] as const) {
      for (const order of ['ASC', 'DESC'] as const)
        expect((await admin.users.list({ query: { sort, order } })).records.length).toBeGreaterThan(5);
    }
  });

  test('shows the departments in use with their users, up to date after every change', async () => {
    const sizes = () => admin.users.departments({ query: {} });
    const paths = async () => (await sizes()).map(({ path }) => path);
    const { user } = await add({ department: '放射科' });
    const { user: other } = await add({ department: '放射科' });
    await admin.users.status({ body: { ids: [user.id], enabled: false } });
    expect(await sizes()).toContainEqual({ path: '放射科', users: 2 });
    await admin.users.update({
      body: { id: user.id, name: user.name, department: '核医学科', isTenantAdmin: false, version: 1 },
    });
    expect(await paths()).toEqual(expect.arrayContaining(['放射科', '核医学科']));
    await admin.users.remove({ query: { id: other.id } });
    expect(await paths()).not.toContain('放射科');
    await admin.users.restore({ body: { id: other.id } });
    expect(await paths()).toContain('放射科');
    const used = await server.db.tenant(north(), async (tx) =>
      (await tx.find(account)).map((row) => row.department).filter((path) => path !== ''),
    );
    const kept = await server.db.tenant(north(), async (tx) => (await tx.find(department)).map((row) => row.path));
    expect(new Set(kept)).toEqual(new Set(used));
  });
});

describe('changing an account', () => {
  test('accepts only the edited version, and records the changes in the audit log', async () => {
    const { user } = await add();
    const body = { id: user.id, name: 'Renamed', phoneNumber: encodeContact('110'), isTenantAdmin: false, version: 1 };
    expect(await admin.users.update({ body })).toMatchObject({ name: 'Renamed', version: 2 });
    expect(await codeOf(admin.users.update({ body }))).toBe('CHANGED_MEANWHILE');
    const rows = await server.db.tenant(north(), (tx) => tx.find(auditLog, eq(auditLog.targetId, user.id)));
    expect(rows.find((row) => row.action === 'users.update')).toMatchObject({
      before: { name: user.name, phone: '' },
      after: { name: 'Renamed', phone: '110' },
      actorName: 'Admin',
    });
  });

  test("is refused for one's own account and for the last administrator", async () => {
    const own = { id: idOf('admin') };
    expect(await codeOf(admin.users.remove({ query: own }))).toBe('OWN_ACCOUNT');
    expect(await codeOf(admin.users.status({ body: { ...own, enabled: false } }))).toBe('OWN_ACCOUNT');
    expect(await codeOf(admin.users.resetPassword({ body: own }))).toBe('OWN_ACCOUNT');
    expect(
      await codeOf(
        admin.users.update({
          body: { ...own, name: 'Admin', isTenantAdmin: false, version: (await rowOf(own.id))?.version ?? 0 },
        }),
      ),
    ).toBe('OWN_ACCOUNT');
    const as = { ...own, tenantId: north() };
    expect(await codeOf(root.users.remove({ query: as }))).toBe('LAST_ADMIN');
    expect(await codeOf(root.users.status({ body: { ...as, enabled: false } }))).toBe('LAST_ADMIN');
    expect(
      await codeOf(
        root.users.update({
          body: { ...as, name: 'Admin', isTenantAdmin: false, version: (await rowOf(own.id))?.version ?? 0 },
        }),
      ),
    ).toBe('LAST_ADMIN');
    const { user } = await add({ isTenantAdmin: true });
    const both = await Promise.all(
      [own.id, user.id].map((id) => codeOf(root.users.status({ body: { tenantId: north(), id, enabled: false } }))),
    );
    expect(both.toSorted()).toEqual(['LAST_ADMIN', 'OK']);
    await root.users.status({ body: { tenantId: north(), ids: [own.id, user.id], enabled: true } });
    admin = await signIn(server, 'admin');
    await admin.users.remove({ query: { id: user.id } });
  });

  test('of an administrator is refused to users who only manage users', async () => {
    const bob = await signIn(server, 'bob');
    await server.db.platform(async (tx) => {
      const entry = await tx.findOne(permission, and(eq(permission.code, 'users:manage'), eq(permission.type, 2)));
      await tx.asTenant(north()).insert(accountPermission, { accountId: idOf('bob'), permissionId: entry?.id ?? '' });
    });
    server.clock.advance({ seconds: 10 });
    const { records } = await bob.users.list({ query: { keyword: 'admin' } });
    expect(records[0]?.can).toEqual({
      update: false,
      setEnabled: false,
      remove: false,
      restore: false,
      invite: false,
      grant: false,
      resetPassword: false,
      endSessions: false,
    });
    const id = idOf('admin');
    expect(await codeOf(bob.users.resetPassword({ body: { id } }))).toBe('FORBIDDEN');
    expect(await codeOf(bob.users.status({ body: { ids: [idOf('carol'), id], enabled: false } }))).toBe('FORBIDDEN');
    expect(await codeOf(bob.users.endSessions({ body: { ids: [id] } }))).toBe('FORBIDDEN');
    expect(await codeOf(add({ isTenantAdmin: true }, bob))).toBe('FORBIDDEN');
    expect(
      await codeOf(bob.users.update({ body: { id: idOf('carol'), name: 'Carol', isTenantAdmin: true, version: 1 } })),
    ).toBe('FORBIDDEN');
    expect(await codeOf(add({}, bob))).toBe('OK');
    expect((await rowOf(idOf('carol')))?.enabled).toBe(true);
  });

  test('disables all or none, and ends their sessions at once', async () => {
    const carol = await signIn(server, 'carol');
    expect(await codeOf(carol.users.current({}))).toBe('OK');
    expect(await codeOf(admin.users.status({ body: { ids: [idOf('carol'), idOf('erin')], enabled: false } }))).toBe(
      'NOT_FOUND',
    );
    expect(await codeOf(carol.users.current({}))).toBe('OK');
    expect(await admin.users.status({ body: { ids: [idOf('carol'), idOf('chair')], enabled: false } })).toEqual({
      changed: 2,
    });
    expect(await codeOf(carol.users.current({}))).toBe('UNAUTHORIZED');
    expect(await admin.users.status({ body: { ids: [idOf('carol'), idOf('chair')], enabled: true } })).toEqual({
      changed: 2,
    });
    expect(await admin.users.status({ body: { id: idOf('carol'), enabled: true } })).toEqual({ changed: 0 });
  });

  test('resets a password, and ends sessions, at once', async () => {
    const { user, password } = await add({ account: 'reset-me' });
    const there = await signInFirst('reset-me', password ?? '');
    expect(await admin.users.endSessions({ body: { ids: [user.id] } })).toEqual({ ended: 1 });
    expect(await codeOf(there.users.current({}))).toBe('UNAUTHORIZED');
    const again = await signInFirst('reset-me', 'Chosen-by-me-1');
    const { password: fresh } = await admin.users.resetPassword({ body: { id: user.id } });
    expect(await codeOf(again.users.current({}))).toBe('CHANGE_PWD_LDAP');
    expect(await codeOf(signInFirst('reset-me', 'Chosen-by-me-1', 'x'))).toBe('BAD_CREDENTIALS');
    expect(await codeOf(signInFirst('reset-me', fresh, 'Another-one-2'))).toBe('OK');
  });
});

describe('a deleted account', () => {
  test('cannot sign in, can be restored for 30 days, and is erased after that', async () => {
    const { user, password } = await add({
      account: 'leaver',
      phoneNumber: encodeContact('12345'),
      department: '退休办',
    });
    const leaver = await signInFirst('leaver', password ?? '');
    await admin.users.remove({ query: { id: user.id } });
    expect(await codeOf(leaver.users.current({}))).toBe('UNAUTHORIZED');
    expect(await codeOf(signInFirst('leaver', 'Chosen-by-me-1'))).toBe('BAD_CREDENTIALS');
    expect(await codeOf(admin.users.remove({ query: { id: user.id } }))).toBe('NOT_FOUND');
    expect((await admin.users.list({ query: { keyword: 'leaver' } })).records).toEqual([]);
    const [shown] = (await admin.users.list({ query: { keyword: 'leaver', status: 'deleted' } })).records;
    expect(shown).toMatchObject({ id: user.id, enabled: false, can: { restore: true, update: false } });
    await admin.users.restore({ body: { id: user.id } });
    expect(await codeOf(signInFirst('leaver', 'Chosen-by-me-1'))).toBe('OK');
    await admin.users.remove({ query: { id: user.id } });
    server.clock.advance({ hours: 30 * 24 });
    await server.rounds.purgeDeleted();
    admin = await signIn(server, 'admin');
    root = await signIn(server, 'root');
    expect(await codeOf(admin.users.restore({ body: { id: user.id } }))).toBe('NOT_FOUND');
    expect((await admin.users.list({ query: { status: 'deleted' } })).records.map((row) => row.id)).not.toContain(
      user.id,
    );
    const row = await rowOf(user.id);
    expect(row).toMatchObject({ account: `#${user.id}`, name: '', phone: '', department: '', passwordHash: '' });
    expect((await admin.audit.list({ query: { action: 'users.purge', targetId: user.id } })).records).toMatchObject([
      { actor: { kind: 'system' }, target: { id: user.id, name: '' } },
    ]);
    expect(await server.db.platform((tx) => tx.count(session, eq(session.accountId, user.id)))).toBe(0);
    expect(await codeOf(signInFirst(user.id, 'Chosen-by-me-1'))).toBe('BAD_CREDENTIALS');
    expect(await codeOf(add({ account: 'leaver' }))).toBe('OK');
  });
});

describe('a deleted account', () => {
  test('frees its name, and comes back under another one with all that it had', async () => {
    const { user, password } = await add({ account: 'twice', email: encodeContact('twice@example.org') });
    const there = await signInFirst('twice', password ?? '');
    const groups = await there.booking.createGroup({
      body: { name: 'My group', userIds: [idOf('alice')] },
    });
    await admin.users.remove({ query: { id: user.id } });
    const { user: second } = await add({ account: 'TWICE' });
    const restore = (body: object) => admin.users.restore({ body: { id: user.id, ...body } });
    expect(await codeOf(restore({}))).toBe('ACCOUNT_TAKEN');
    expect(await codeOf(restore({ account: 'alice' }))).toBe('ACCOUNT_TAKEN');
    const restored = await restore({ account: 'twice.old' });
    expect(restored).toMatchObject({ account: 'twice.old', enabled: true, email: user.email, roles: user.roles });
    // Its sessions stay ended; its password is the same.
    expect(await codeOf(there.users.current({}))).toBe('UNAUTHORIZED');
    const again = clientOf(
      server,
      (
        await clientOf(server).auth.login({
          body: { account: 'twice.old', password: await encrypt(server, 'Chosen-by-me-1') },
        })
      ).token,
    );
    expect(JSON.stringify(await again.booking.groups({}))).toContain(groups.id);
    // Two deleted accounts of one name are listed and exported.
    await admin.users.remove({ query: { id: second.id } });
    const { user: third } = await add({ account: 'twice' });
    await admin.users.remove({ query: { id: third.id } });
    const deleted = await admin.users.list({ query: { status: 'deleted', keyword: 'twice' } });
    expect(deleted.records.map(({ id }) => id)).toEqual(expect.arrayContaining([second.id, third.id]));
  });

  test('is erased at once on request, and then neither listed nor restored', async () => {
    const { user } = await add({ account: 'erase.me' });
    expect(await codeOf(admin.users.purge({ body: { id: user.id } }))).toBe('NOT_FOUND');
    await admin.users.remove({ query: { id: user.id } });
    expect(await admin.users.purge({ body: { id: user.id } })).toBeNull();
    expect(await rowOf(user.id)).toMatchObject({ account: `#${user.id}`, name: '', passwordHash: '' });
    expect((await admin.users.list({ query: { status: 'deleted' } })).records.map(({ id }) => id)).not.toContain(
      user.id,
    );
    expect(await codeOf(admin.users.restore({ body: { id: user.id } }))).toBe('NOT_FOUND');
    expect(await codeOf(admin.users.purge({ body: { id: user.id } }))).toBe('NOT_FOUND');
    expect((await admin.audit.list({ query: { action: 'users.purge', targetId: user.id } })).records).toMatchObject([
      { actor: { kind: 'user', name: 'Admin' }, target: { id: user.id, name: '' } },
    ]);
  });
});

describe('people find each other', () => {
  test('by id and by part of their details, within their own tenant', async () => {
    const alice = await signIn(server, 'alice');
    const found = await alice.users.lookup({
      body: { query: { IN: { id: [idOf('bob'), idOf('alice'), idOf('erin'), idOf('bob')] } } },
    });
    expect(found.records.map((row) => row.name)).toEqual(['Alice', 'Bob']);
    expect((await alice.users.lookup({ body: {} })).records).toEqual([]);
    expect((await alice.users.search({ query: { keyword: 'BO' } })).map((row) => row.account)).toContain('bob');
    expect((await alice.users.search({ query: { keyword: '外科' } })).map((row) => row.account)).toContain('alice');
    expect(await alice.users.search({ query: { keyword: 'erin' } })).toEqual([]);
    expect((await alice.users.tenantInfo({ params: { id: idOf('bob') } })).name).toBe('north');
    expect(await codeOf(alice.users.tenantInfo({ params: { id: idOf('erin') } }))).toBe('NOT_FOUND');
  });

  test('a manager without meeting rights is led to the management area by the desktop client', async () => {
    const [alice, dave] = [await signIn(server, 'alice'), await signIn(server, 'dave')];
    expect(await alice.users.forClient({})).toEqual({ openNewPage: true });
    expect(await dave.users.forClient({})).toEqual({ openNewPage: true });
    const without = (name: string) =>
      admin.users.setGrants({ params: { id: idOf(name) }, body: { roleIds: [], permissionIds: [] } });
    const before = await admin.users.grants({ params: { id: idOf('admin') }, query: {} });
    await without('admin');
    await without('alice');
    expect(await admin.users.forClient({})).toEqual({ openNewPage: false });
    expect(await alice.users.forClient({})).toEqual({ openNewPage: true });
    for (const name of ['admin', 'alice']) await admin.users.setGrants({ params: { id: idOf(name) }, body: before });
  });
});

describe("one's own account", () => {
  test('changes name, contacts and language', async () => {
    const alice = await signIn(server, 'alice');
    const body = { name: 'Alice B', phoneNumber: encodeContact('555'), email: '--', locale: 'en' as const };
    expect(await alice.users.updateSelf({ body })).toMatchObject({
      name: 'Alice B',
      locale: 'en',
      department: '外科',
      flags: { enableNet: 1 },
    });
    expect(await alice.users.current({})).toMatchObject({
      name: 'Alice B',
      email: '--',
      accountRole: 'user',
      tenantName: 'north',
    });
  });

  test("changes the password by the tenant's rules and history, and ends the other sessions", async () => {
    const { user, password } = await add({ account: 'changer' });
    const here = await signInFirst('changer', password ?? '', 'First-password-1');
    const ticket = await here.auth.handover();
    const there = clientOf(
      server,
      (await clientOf(server).auth.ticketToToken({ query: { sign: ticket.sign }, body: undefined })).token,
    );
    expect((await here.users.sessions({})).filter((row) => row.isCurrent)).toHaveLength(1);
    const change = async (oldOne: string, newOne: string) =>
      codeOf(
        here.users.changePassword({
          body: { oldPassword: await encrypt(server, oldOne), newPassword: await encrypt(server, newOne) },
        }),
      );
    expect(await change('wrong', 'Second-password-2')).toBe('PASSWORD_WRONG');
    expect(await change('First-password-1', 'Changer-77')).toBe('PASSWORD_TOO_WEAK');
    expect(await change('First-password-1', 'First-password-1')).toBe('PASSWORD_REUSED');
    expect(await change('First-password-1', 'Second-password-2')).toBe('OK');
    expect(await codeOf(here.users.current({}))).toBe('OK');
    expect(await codeOf(there.users.current({}))).toBe('CHANGE_PWD_LDAP');
    expect(await change('Second-password-2', 'First-password-1')).toBe('PASSWORD_REUSED');
    expect(await change('Second-password-2', 'Third-password-3')).toBe('OK');
    expect(await change('Third-password-3', 'Fourth-password-4')).toBe('OK');
    expect(await change('Fourth-password-4', 'First-password-1')).toBe('OK');
    expect((await rowOf(user.id))?.passwordDue).toBe(false);
  });

  test('shows the sessions and ends one of them', async () => {
    const bob = await signIn(server, 'bob');
    const ticket = await bob.auth.handover();
    const elsewhere = clientOf(
      server,
      (await clientOf(server).auth.ticketToToken({ query: {}, body: { sign: ticket.sign } })).token,
    );
    const other = (await bob.users.sessions({})).find((row) => !row.isCurrent);
    expect(await codeOf(bob.users.endSession({ params: { id: idOf('bob') } }))).toBe('NOT_FOUND');
    expect(await codeOf(bob.users.endSession({ params: { id: other?.id ?? '' } }))).toBe('OK');
    expect(await codeOf(elsewhere.users.current({}))).toBe('UNAUTHORIZED');
    expect(await codeOf(bob.users.current({}))).toBe('OK');
    expect(await codeOf(bob.users.endSession({ params: { id: other?.id ?? '' } }))).toBe('NOT_FOUND');
  });
});

test("the exported workbook has all users that match the filter, with headings in the reader's language", async () => {
  await add({
    account: 'formula',
    name: '=HYPERLINK("http://evil")',
    department: '导出科',
    phoneNumber: encodeContact('+86 10 1234'),
  });
  for (let i = 0; i < 3; i++) await add({ department: '导出科' });
  const path = `/api/api/v1/users/export?department=${encodeURIComponent('导出科')}`;
  const { ticket } = await admin.downloads.ticket({ body: { path } });
  const response = await server.app.inject({
    method: 'GET',
    url: `${path}&ticket=${ticket}`,
    headers: { 'accept-language': 'en' },
  });
  expect(response.headers['content-disposition']).toContain('Users.xlsx');
  const { default: ExcelJS } = await import('exceljs');
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(new Uint8Array(response.rawPayload).buffer);
  const rows = book.worksheets[0]?.getRows(1, 10)?.filter((row) => row.hasValues) ?? [];
  expect(rows[0]?.getCell(1).value).toBe('Account');
  expect(rows).toHaveLength(5);
  const formula = rows.find((row) => row.getCell(1).value === 'formula');
  expect([formula?.getCell(2).value, formula?.getCell(2).type, formula?.getCell(3).value]).toEqual([
    '=HYPERLINK("http://evil")',
    ExcelJS.ValueType.String,
    '+86 10 1234',
  ]);
  expect(formula?.getCell(11).value).toBeInstanceOf(Date);
});
