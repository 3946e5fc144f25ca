import { eq } from 'drizzle-orm';
import { SCIM_PATH } from '@rmeet/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scimToken } from '../../src/modules/accounts/directories/scim/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { session } from '../../src/modules/accounts/auth/tables.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { startTestServer, type TestServer } from './support/server.ts';

type Json = Record<string, unknown>;
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let server: TestServer;
let admin: Person;
let token: string;
let south: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, 'admin');
  ({ token } = await admin.scim.createToken({ body: { name: 'Entra' } }));
  ({ token: south } = await (await signIn(server, 'dave')).scim.createToken({ body: { name: 'Okta' } }));
});
afterAll(() => server.close());

/** A call as a directory makes it. */
async function call(method: string, path: string, body?: unknown, by = token) {
  const response = await server.app.inject({
    method: method as 'GET',
    url: `${SCIM_PATH}${path}`,
    headers: {
      host: new URL(server.publicUrl).host,
      authorization: `Bearer ${by}`,
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return {
    status: response.statusCode,
    type: String(response.headers['content-type']),
    headers: response.headers,
    body: response.payload === '' ? {} : response.json<Json>(),
  };
}
const patch = (path: string, ...operations: Json[]) =>
  call('PATCH', path, { schemas: [PATCH], Operations: operations });
async function create(userName: string, more: Json = {}): Promise<string> {
  const { status, body } = await call('POST', '/Users', { schemas: [USER], userName, ...more });
  expect(status, JSON.stringify(body)).toBe(201);
  return String(body['id']);
}
const find = async (account: string) =>
  (await admin.users.list({ query: { keyword: account } })).records.find((row) => row.account === account);

describe('a user that a directory pushes', () => {
  // RFC 7644, section 3.3: the request of the example.
  const bjensen = {
    schemas: [USER],
    userName: 'bjensen',
    externalId: 'bjensen',
    name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
  };

  test('is created as in the example of RFC 7644, section 3.3, and read back', async () => {
    const { status, type, body } = await call('POST', '/Users', bjensen);
    expect(status).toBe(201);
    expect(type).toContain('application/scim+json');
    expect(body).toMatchObject({
      userName: 'bjensen',
      externalId: 'bjensen',
      name: { formatted: 'Ms. Barbara J Jensen III' },
      active: true,
      meta: { resourceType: 'User', location: `${server.origin}${SCIM_PATH}/Users/${String(body['id'])}` },
    });
    expect((await call('GET', `/Users/${String(body['id'])}`)).body).toEqual(body);
    expect(await find('bjensen')).toMatchObject({ name: 'Ms. Barbara J Jensen III', enabled: true });
    expect((await find('bjensen'))?.roles).toHaveLength(1);
  });

  test('is unique, and takes over no account of this server', async () => {
    const refused = await call('POST', '/Users', bjensen);
    expect(refused).toMatchObject({ status: 409, body: { scimType: 'uniqueness', status: '409' } });
    expect(await call('POST', '/Users', { userName: 'alice' })).toMatchObject({ status: 409 });
    const alice = server.people.get('alice')?.id ?? '';
    for (const method of ['GET', 'DELETE']) expect((await call(method, `/Users/${alice}`)).status).toBe(404);
    expect((await patch(`/Users/${alice}`, { op: 'replace', path: 'active', value: false })).status).toBe(404);
  });

  test('is found by userName, whatever its case, and listed in pages', async () => {
    for (let n = 0; n < 3; n += 1) await create(`paged${n}`);
    const { body } = await call('GET', `/Users?filter=${encodeURIComponent('userName Eq "BJENSEN"')}`);
    expect(body).toMatchObject({
      totalResults: 1,
      startIndex: 1,
      itemsPerPage: 1,
      Resources: [{ userName: 'bjensen' }],
    });
    const none = await call('GET', `/Users?filter=${encodeURIComponent('userName eq "no\\" or 1 eq \\"1"')}`);
    expect(none.body).toMatchObject({ totalResults: 0, Resources: [] });
    const second = await call('GET', '/Users?startIndex=2&count=2');
    expect(second.body).toMatchObject({ totalResults: 4, startIndex: 2, itemsPerPage: 2 });
    expect((await call('GET', '/Users?count=0')).body).toMatchObject({ totalResults: 4, itemsPerPage: 0 });
    const refused = await call('GET', `/Users?filter=${encodeURIComponent('userName sw "b"')}`);
    expect(refused).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } });
  });

  test('is changed by operations, in the notations of different directories', async () => {
    const id = await create('changes', { displayName: 'Before', emails: [{ value: 'a@example.org', type: 'work' }] });
    const after = await patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'displayName', value: 'After' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'b@example.org' },
      { op: 'add', path: `${ENTERPRISE}:department`, value: 'Surgery' },
      { op: 'replace', value: { 'name.formatted': 'Not shown', userName: 'changed.name' } },
      { op: 'remove', path: 'phoneNumbers' },
    );
    expect(after.status).toBe(200);
    expect(after.body).toMatchObject({
      userName: 'changed.name',
      emails: [{ value: 'b@example.org' }],
      [ENTERPRISE]: { department: 'Surgery' },
    });
    expect(await find('changed.name')).toMatchObject({ department: 'Surgery' });
    const put = await call('PUT', `/Users/${id}`, { userName: 'changed.name', displayName: 'By PUT', active: true });
    expect(put.body).toMatchObject({ displayName: 'By PUT' });
    expect(await patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: 'alice' })).toMatchObject({
      status: 409,
    });
    expect(await patch(`/Users/${id}`, { op: 'move', path: 'userName' })).toMatchObject({
      status: 400,
      body: { scimType: 'invalidSyntax' },
    });
  });

  test.each([false, 'False'])('is disabled by active = %j, and its sessions end', async (value) => {
    const id = await create(`leaver.${typeof value}`);
    const row = await server.db.platform(async (tx) => {
      const own = tx.asTenant(server.people.get('admin')?.tenantId ?? '');
      const at = server.clock.now();
      const values = { id, accountId: id, tokenHash: id, address: '192.0.2.1', createdAt: at, lastSeenAt: at };
      return own.insert(session, { ...values, expiresAt: new Date(at.getTime() + 3_600_000) });
    });
    expect(row).toHaveLength(1);
    const { body } = await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value });
    expect(body['active']).toBe(false);
    expect(await find(`leaver.${typeof value}`)).toMatchObject({ enabled: false, sessions: 0 });
    await patch(`/Users/${id}`, { op: 'Replace', value: { active: 'True' } });
    expect(await find(`leaver.${typeof value}`)).toMatchObject({ enabled: true });
  });

  test('is deleted, and can be restored here', async () => {
    const id = await create('deleted');
    expect((await call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await call('GET', `/Users/${id}`)).status).toBe(404);
    const { records } = await admin.users.list({ query: { status: 'deleted', keyword: 'deleted' } });
    expect(records.map((row) => row.id)).toEqual([id]);
  });

  test('counts against the quota of the tenant', async () => {
    const north = server.people.get('admin')?.tenantId ?? '';
    await server.db.platform((tx) => tx.update(tenant, { maxUsers: 1 }, eq(tenant.tenantId, north)));
    expect((await call('POST', '/Users', { userName: 'too.many' })).status).toBe(403);
    await server.db.platform((tx) => tx.update(tenant, { maxUsers: null }, eq(tenant.tenantId, north)));
  });
});

describe('a group that a directory pushes', () => {
  test('gives its people a role, and takes it back', async () => {
    const [ada, ben] = [await create('ada'), await create('ben')];
    const roleId = await fresh.role(server);
    const { status, body } = await call('POST', '/Groups', { displayName: 'Doctors', members: [{ value: ada }] });
    expect(status).toBe(201);
    const group = `/Groups/${String(body['id'])}`;
    const set = await admin.scim.setRole({ params: { id: String(body['id']) }, body: { roleId } });
    expect(set).toMatchObject({ name: 'Doctors', members: 1, roleId });
    const holders = async (): Promise<string[]> =>
      (await admin.users.list({ query: { roleId } })).records.map((row) => row.account).toSorted();
    expect(await holders()).toEqual(['ada']);
    await patch(group, { op: 'Add', path: 'members', value: [{ value: ben }] });
    expect(await holders()).toEqual(['ada', 'ben']);
    await patch(group, { op: 'Remove', path: `members[value eq "${ada}"]` });
    expect(await holders()).toEqual(['ben']);
    await patch(group, { op: 'replace', path: 'members', value: [{ value: ada }] });
    expect(await holders()).toEqual(['ada']);
    expect((await call('GET', `${group}?excludedAttributes=members`)).body).not.toHaveProperty('members');
    expect(
      (await patch(group, { op: 'add', path: 'members', value: [{ value: server.people.get('bob')?.id }] })).status,
    ).toBe(400);
    expect((await call('DELETE', group)).status).toBe(204);
    expect(await holders()).toEqual([]);
  });
});

describe('the door', () => {
  test('says what it can do', async () => {
    expect((await call('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      filter: { supported: true, maxResults: 200 },
    });
    expect((await call('GET', '/ResourceTypes')).body).toMatchObject({ totalResults: 2 });
    expect((await call('GET', '/Schemas')).body).toMatchObject({ totalResults: 3 });
  });

  test('is closed without a valid token, in the words of the protocol', async () => {
    for (const by of ['', 'wrong', admin.token]) {
      const { status, body, headers } = await call('GET', '/Users', undefined, by);
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toBe('Bearer');
      expect(body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' });
    }
    expect(await call('POST', '/Users', '{')).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } });
    expect(JSON.stringify(await server.db.platform((tx) => tx.find(scimToken)))).not.toContain(token);
  });

  test('leads to the people of its own tenant only', async () => {
    const id = await create('northern');
    expect((await call('GET', `/Users/${id}`, undefined, south)).status).toBe(404);
    expect((await call('DELETE', `/Users/${id}`, undefined, south)).status).toBe(404);
    expect((await call('GET', '/Users', undefined, south)).body).toMatchObject({ totalResults: 0 });
  });

  test('takes two tokens at once, so that one can be replaced', async () => {
    const second = await admin.scim.createToken({ body: { name: 'Next' } });
    expect(await codeOf(admin.scim.createToken({ body: { name: 'Third' } }))).toBe('SCIM_TOKENS');
    expect((await call('GET', '/Users', undefined, second.token)).status).toBe(200);
    const { tokens } = await admin.scim.overview();
    await admin.scim.removeToken({ params: { id: tokens.find(({ name }) => name === 'Entra')?.id ?? '' } });
    expect((await call('GET', '/Users')).status).toBe(401);
    expect((await call('GET', '/Users', undefined, second.token)).status).toBe(200);
  });
});
