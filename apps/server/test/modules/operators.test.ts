import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, encodeContact, pathOf, type Operator } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { newId, PLATFORM_TENANT_ID } from '../../src/platform/db/index.ts';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { clientOf, codeOf, encrypt, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let root: Person;
beforeAll(async () => {
  server = await startTestServer();
  root = await signIn(server, 'root');
});
afterAll(() => server.close());

const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const find = async (keyword: string): Promise<Operator> =>
  (await root.operators.list({ query: { keyword } })).records[0] ?? expect.fail(`There is no ${keyword}.`);
const update = ({ id, version, name, isSuperAdmin, roles }: Operator, values: object = {}) =>
  root.operators.update({
    body: { id, version, name, isSuperAdmin, roleIds: roles.map((role) => role.id), ...values },
  });
let made = 0;
const create = (values: object = {}) =>
  root.operators.create({ body: { account: `op${(made += 1)}`, name: 'Operator', ...values } });
async function login(name: string, password: string, newPassword?: string): Promise<Person> {
  const body = { account: name, password: await encrypt(server, password), deviceId: name };
  const { token } = await clientOf(server).auth.login({
    body: newPassword === undefined ? body : { ...body, newPassword: await encrypt(server, newPassword) },
  });
  return clientOf(server, token);
}

describe('the signed-in operator', () => {
  test('reads its own profile, without features of users', async () => {
    expect(await root.operators.current()).toMatchObject({
      account: 'root',
      accountRole: 'superAdmin',
      tenantId: PLATFORM_TENANT_ID,
      isTenantAdmin: false,
    });
    const ops = await signIn(server, 'ops');
    const profile = await ops.operators.current();
    expect(profile.accountRole).toBe('operator');
    expect(Object.values(profile.flags)).not.toContain(1);
  });

  test('is no user, and users are no operators', async () => {
    const admin = await signIn(server, 'admin');
    expect(await codeOf(root.users.current())).toBe('FORBIDDEN');
    expect(await codeOf(admin.operators.current())).toBe('FORBIDDEN');
    expect(await codeOf(admin.operators.list({ query: {} }))).toBe('FORBIDDEN');
  });
});

describe('an operator', () => {
  test('is created with a password of the server, and chooses one at the first sign-in', async () => {
    const { operator, password } = await create({
      account: 'sam',
      name: 'Sam',
      phoneNumber: encodeContact('+86 10 1234'),
      isSuperAdmin: true,
    });
    expect(operator).toMatchObject({
      account: 'sam',
      name: 'Sam',
      phoneNumber: encodeContact('+86 10 1234'),
      email: '--',
      isSuperAdmin: true,
      enabled: true,
      roles: [],
      sessions: 0,
    });
    expect(await codeOf(login('sam', password ?? ''))).toBe('PWD_EXPIRED');
    const sam = await login('sam', password ?? '', 'Another-one-1');
    expect((await sam.operators.list({ query: {} })).total).toBeGreaterThan(2);
    expect(await find('sam')).toMatchObject({ sessions: 1 });
    const rows = await server.db.tenant(PLATFORM_TENANT_ID, (tx) =>
      tx.find(auditLog, eq(auditLog.targetId, operator.id)),
    );
    expect(rows[0]).toMatchObject({ action: 'operators.create', after: { account: 'sam', password: '***' } });
    expect(JSON.stringify(rows)).not.toContain(password);
  });

  test('is created with a given password that meets the rules of the platform', async () => {
    expect(await codeOf(create({ password: 'bm90IGVuY3J5cHRlZA==' }))).toBe('PASSWORD_UNREADABLE');
    expect(await codeOf(create({ password: await encrypt(server, 'short') }))).toBe('PASSWORD_TOO_WEAK');
    const { password } = await create({ password: await encrypt(server, 'Long-enough-1') });
    expect(password).toBeNull();
    expect(await codeOf(create({ account: 'ROOT' }))).toBe('ACCOUNT_TAKEN');
    expect(await codeOf(create({ roleIds: [newId()] }))).toBe('ROLE_UNKNOWN');
  });

  test('is changed only in its newest version, with its roles', async () => {
    const { operator } = await create();
    const { id } = await root.roles.create({ body: { name: 'Auditors', kind: 'operator', permissionIds: [] } });
    const changed = await update(operator, { name: 'Renamed', roleIds: [id] });
    expect(changed).toMatchObject({ name: 'Renamed', version: 2, roles: [{ id, name: 'Auditors' }] });
    expect(await codeOf(update(operator, { name: 'Late' }))).toBe('CHANGED_MEANWHILE');
    const forUsers = await root.roles.create({ body: { name: 'For users', kind: 'user', permissionIds: [] } });
    expect(await codeOf(update(changed, { roleIds: [forUsers.id] }))).toBe('ROLE_UNKNOWN');
    expect(await codeOf(update({ ...changed, id: idOf('alice') }))).toBe('NOT_FOUND');
    const rows = await server.db.tenant(PLATFORM_TENANT_ID, (tx) =>
      tx.find(auditLog, eq(auditLog.targetId, operator.id), { orderBy: auditLog.id }),
    );
    expect(rows.at(-1)).toMatchObject({
      action: 'operators.update',
      before: { name: 'Operator', roles: [] },
      after: { name: 'Renamed', roles: ['Auditors'] },
    });
  });

  test('is signed out when it is disabled, and by a new password', async () => {
    const { operator } = await create({ account: 'kim' });
    await server.db.platform(async (tx) => {
      const passwordHash = (await tx.findOne(account, eq(account.id, idOf('ops'))))?.passwordHash ?? '';
      await tx.update(account, { passwordHash, passwordDue: false }, eq(account.id, operator.id));
    });
    const kim = await login('kim', DEMO_PASSWORD);
    expect(await codeOf(kim.operators.current())).toBe('OK');
    expect(await root.operators.status({ body: { ids: [operator.id], enabled: false } })).toEqual({ changed: 1 });
    expect(await codeOf(kim.operators.current())).toBe('UNAUTHORIZED');
    expect(await codeOf(login('kim', DEMO_PASSWORD))).toBe('ACCOUNT_DISABLED');
    await root.operators.status({ body: { ids: [operator.id], enabled: true } });
    const again = await login('kim', DEMO_PASSWORD);
    expect(await root.operators.endSessions({ body: { ids: [operator.id] } })).toEqual({ ended: 1 });
    expect(await codeOf(again.operators.current())).toBe('UNAUTHORIZED');
    const third = await login('kim', DEMO_PASSWORD);
    const { password } = await root.operators.resetPassword({ body: { id: operator.id } });
    expect(await codeOf(third.operators.current())).toBe('CHANGE_PWD_LDAP');
    expect(await codeOf(login('kim', DEMO_PASSWORD))).toBe('BAD_CREDENTIALS');
    expect(await codeOf(login('kim', password))).toBe('PWD_EXPIRED');
  });

  test('does not lock itself out, and the last superAdmin stays', async () => {
    const self = await find('root');
    expect(await codeOf(update(self, { isSuperAdmin: false }))).toBe('OWN_ACCOUNT');
    expect(await codeOf(root.operators.status({ body: { ids: [idOf('ops'), self.id], enabled: false } }))).toBe(
      'OWN_ACCOUNT',
    );
    expect((await find('ops')).enabled).toBe(true);
    expect(await codeOf(root.operators.resetPassword({ body: { id: self.id } }))).toBe('OWN_ACCOUNT');
    expect(await codeOf(update(self, { name: 'Root' }))).toBe('OK');
    expect(await codeOf(root.operators.status({ body: { ids: [idOf('ops'), newId()], enabled: false } }))).toBe(
      'NOT_FOUND',
    );

    // Two operators disable each other concurrently: one of them is rejected.
    await server.db.platform(async (tx) => {
      await tx.update(account, { isSuperAdmin: false }, eq(account.kind, 'operator'));
      for (const name of ['root', 'ops']) await tx.update(account, { isSuperAdmin: true }, eq(account.id, idOf(name)));
    });
    const [one, other] = [await signIn(server, 'root', 'one'), await signIn(server, 'ops', 'other')];
    const answers = await Promise.all([
      codeOf(one.operators.status({ body: { ids: [idOf('ops')], enabled: false } })),
      codeOf(other.operators.status({ body: { ids: [idOf('root')], enabled: false } })),
    ]);
    expect(answers.filter((answer) => answer === 'OK')).toHaveLength(1);
    expect(['LAST_ADMIN', 'UNAUTHORIZED']).toContain(answers.find((answer) => answer !== 'OK'));
    await server.db.platform(async (tx) => {
      await tx.update(account, { enabled: true }, eq(account.kind, 'operator'));
      await tx.update(account, { isSuperAdmin: false }, eq(account.id, idOf('ops')));
    });
    root = await signIn(server, 'root');
  });
});

describe('the list', () => {
  test('is searched, filtered, sorted and paged', async () => {
    for (const name of ['zoe', 'yan']) await create({ account: name, name });
    const list = async (query: object) =>
      (await root.operators.list({ query })).records.map((operator) => operator.account);
    expect(await list({ keyword: 'ZO' })).toEqual(['zoe']);
    expect(await list({ keyword: '%' })).toEqual([]);
    expect(await list({ keyword: 'alice' })).toEqual([]);
    const all = await list({ sort: 'account', size: 200 });
    expect(all).toEqual(all.toSorted());
    expect(await list({ sort: 'account', order: 'DESC', size: 2 })).toEqual(all.toReversed().slice(0, 2));
    await root.operators.status({ body: { ids: [(await find('zoe')).id], enabled: false } });
    expect(await list({ status: 'disabled' })).toEqual(['zoe']);
  });

  test('is downloaded as a workbook by ticket', async () => {
    const path = pathOf(contract.operators.export, { query: { status: 'enabled' } });
    const { ticket } = await root.downloads.ticket({ body: { path } });
    const response = await server.app.inject({ url: `${path}&ticket=${ticket}`, headers: { 'accept-language': 'en' } });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-disposition']).toContain('Operators.xlsx');
    expect(response.rawPayload.subarray(0, 2).toString()).toBe('PK');
  });
});
