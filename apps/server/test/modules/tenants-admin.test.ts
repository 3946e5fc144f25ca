import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { contract, type Tenant } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { conference } from '../../src/modules/conferences/tables.ts';
import { PLATFORM_TENANT_ID } from '../../src/modules/accounts/tenants/index.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { call, clientOf, codeOf, encrypt, signIn, type Person } from './support/client.ts';
import { book } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let root: Person;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [root, admin] = await Promise.all([signIn(server, 'root'), signIn(server, 'admin')]);
});

const noQuotas = { users: null, terminals: null, recordingBytes: null, meetingFileBytes: null, meetingMinutes: null };
let made = 0;
const body = (name: string) => {
  made += 1;
  return { name, quotas: noQuotas, deniedFeatures: [], admin: { account: `first-${made}`, name: 'First' } };
};
const idOf = (person: string): string => server.people.get(person)?.tenantId ?? '';
const auditOf = (tenantId: string, action: string) =>
  server.db.tenant(tenantId, async (tx) =>
    (await tx.find(auditLog, eq(auditLog.action, action), { orderBy: auditLog.id })).at(-1),
  );
/** The fields of a tenant for an update. */
const editable = ({
  id,
  version,
  name,
  quotas,
  deniedFeatures,
  colour,
  meetingAdmin,
  serviceDesk,
  passwordRules,
  auditMonths,
}: Tenant) => ({
  id,
  version,
  name,
  quotas,
  deniedFeatures: deniedFeatures as [],
  colour,
  meetingAdmin,
  serviceDesk,
  passwordRules,
  auditMonths,
});
const find = async (tenantId: string): Promise<Tenant> => {
  const found = (await root.tenants.list({ query: { size: '200' } })).records.find(({ id }) => id === tenantId);
  if (!found) throw new Error('There is no such tenant.');
  return found;
};
/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('creating a tenant', () => {
  test("answers the first administrator's password once; it must be changed before anything else", async () => {
    const given = { ...body('Riverside'), quotas: { ...noQuotas, users: 10 }, deniedFeatures: ['sys:tel' as const] };
    const { tenant, password } = await root.tenants.create({ body: given });
    expect(tenant).toMatchObject({
      name: 'Riverside',
      enabled: true,
      quotas: { users: 10 },
      usage: { users: 1, terminals: 0 },
      deniedFeatures: ['sys:tel'],
      version: 1,
    });
    const [row] = await server.db.tenant(tenant.id, (tx) => tx.find(account));
    expect(row).toMatchObject({ account: given.admin.account, isTenantAdmin: true, passwordDue: true, kind: 'user' });
    const login = (plain: string) =>
      encrypt(server, plain).then((secret) =>
        codeOf(clientOf(server).auth.login({ body: { account: given.admin.account, password: secret } })),
      );
    expect(await login(password)).toBe('PWD_EXPIRED');
    expect(await login(`${password}x`)).toBe('BAD_CREDENTIALS');
  });

  test('is recorded in its own log, without the password', async () => {
    const { tenant, password } = await root.tenants.create({ body: body('Hillside') });
    const row = await auditOf(tenant.id, 'tenants.create');
    expect(row).toMatchObject({
      actorKind: 'operator',
      actorName: 'Root',
      targetKind: 'tenant',
      targetId: tenant.id,
      targetName: 'Hillside',
      after: { name: 'Hillside', password: '***' },
    });
    expect(JSON.stringify(row)).not.toContain(password);
  });

  test('refuses a taken name, whatever its case, and leaves nothing; account names may repeat', async () => {
    expect(
      await codeOf(
        root.tenants.create({ body: { ...body('NORTH'), admin: { account: 'left.behind', name: 'Left' } } }),
      ),
    ).toBe('TENANT_NAME_TAKEN');
    expect(await server.db.platform((tx) => tx.count(account, eq(account.account, 'left.behind')))).toBe(0);
    expect(
      await codeOf(root.tenants.create({ body: { ...body('Seaside'), admin: { account: 'Alice', name: 'Alice' } } })),
    ).toBe('OK');
  });

  test('twice at once with one name creates one', async () => {
    const codes = await Promise.all([
      codeOf(root.tenants.create({ body: body('Twin') })),
      codeOf(root.tenants.create({ body: body('twin') })),
    ]);
    expect(codes.toSorted()).toEqual(['OK', 'TENANT_NAME_TAKEN']);
  });
});

describe('the list', () => {
  test("is searched, filtered, sorted and paged, without the platform's own tenant", async () => {
    const names = async (query: object) => (await root.tenants.list({ query })).records.map(({ name }) => name);
    expect(await names({ keyword: 'ORT' })).toEqual(['north']);
    expect(await names({ keyword: '%' })).toEqual([]);
    expect(await names({ keyword: 'Rmeet' })).toEqual([]);
    const everything = await names({ size: '200' });
    expect(everything).toEqual(everything.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())));
    expect(await names({ size: '200', order: 'DESC' })).toEqual(everything.toReversed());
    expect(await names({ size: '1', current: '2' })).toEqual([everything[1]]);
  });

  test('counts people and terminals', async () => {
    expect((await find(idOf('alice'))).usage).toEqual({ users: 5, terminals: 0 });
    const { numericId, meetId } = await book(server, admin, { startTime: server.clock.in(0) });
    await admin.conferences.join({ body: { numericId } });
    expect((await find(idOf('alice'))).usage).toEqual({ users: 5, terminals: 1 });
    await admin.conferences.end({ params: { meetId } });
  });

  test('to choose from names all tenants, and the one chosen before', async () => {
    // An operator without a task in any tenant does not see any.
    expect(await codeOf((await signIn(server, 'ops')).tenants.options({ query: {} }))).toBe('FORBIDDEN');
    expect(await root.tenants.options({ query: { keyword: 'south' } })).toEqual([
      { id: idOf('dave'), name: 'south', enabled: true },
    ]);
    expect((await root.tenants.options({ query: { id: idOf('alice') } })).map(({ name }) => name)).toEqual(['north']);
    expect(await root.tenants.options({ query: { id: PLATFORM_TENANT_ID } })).toEqual([]);
  });
});

describe('changing a tenant', () => {
  test('accepts the newest version only, counts it, and records what changed', async () => {
    const { tenant } = await root.tenants.create({ body: body('Changing') });
    const changed = await root.tenants.update({
      body: {
        ...editable(tenant),
        name: 'Changed',
        colour: '#AABBCC',
        quotas: { ...noQuotas, terminals: 50 },
        auditMonths: 24,
      },
    });
    expect(changed).toMatchObject({
      name: 'Changed',
      colour: '#aabbcc',
      quotas: { terminals: 50 },
      auditMonths: 24,
      version: 2,
    });
    expect(await codeOf(root.tenants.update({ body: { ...editable(tenant), name: 'Again' } }))).toBe(
      'CHANGED_MEANWHILE',
    );
    expect(await auditOf(tenant.id, 'tenants.update')).toMatchObject({
      before: { name: 'Changing', colour: null, maxTerminals: null, auditMonths: 12 },
      after: { name: 'Changed', colour: '#aabbcc', maxTerminals: 50, auditMonths: 24 },
    });
  });

  test('of two concurrent edits one is rejected', async () => {
    const { tenant } = await root.tenants.create({ body: body('Contended') });
    const edits = [5, 6].map((users) =>
      codeOf(root.tenants.update({ body: { ...editable(tenant), quotas: { ...noQuotas, users } } })),
    );
    expect((await Promise.all(edits)).toSorted()).toEqual(['CHANGED_MEANWHILE', 'OK']);
  });

  test("refuses a taken name, unknown tenants and the platform's own", async () => {
    const { tenant } = await root.tenants.create({ body: body('Renamed') });
    expect(await codeOf(root.tenants.update({ body: { ...editable(tenant), name: 'South' } }))).toBe(
      'TENANT_NAME_TAKEN',
    );
    for (const id of [newId(), PLATFORM_TENANT_ID]) {
      expect(await codeOf(root.tenants.update({ body: { ...editable(tenant), id, name: 'Elsewhere' } }))).toBe(
        'NOT_FOUND',
      );
      expect(await codeOf(root.tenants.setEnabled({ body: { id, enabled: false } }))).toBe('NOT_FOUND');
    }
  });

  test('applies denied features at once, and notifies its people', async () => {
    const bob = await signIn(server, 'bob');
    const socket = await connect(server, { token: bob.token }, 'user');
    const north = await find(idOf('bob'));
    const denied = await root.tenants.update({ body: { ...editable(north), deniedFeatures: ['sys:network'] } });
    await socket.event('accessChanged');
    expect(await codeOf(book(server, bob))).toBe('FORBIDDEN');
    await root.tenants.update({ body: { ...editable(denied), deniedFeatures: [] } });
    expect(await codeOf(book(server, bob))).toBe('OK');
    await socket.close();
  });

  test('by its own administrators keeps name, quotas and features', async () => {
    const own = await admin.tenants.own();
    const { passwordRules, auditMonths, version } = own;
    const phoneNumber = Buffer.from('+86 10 1234').toString('base64');
    const sent = {
      version,
      colour: '#112233',
      welcome: { zh: '欢迎', en: ' Welcome ' },
      meetingAdmin: { name: 'Mei', phoneNumber },
      serviceDesk: { name: 'IT', phoneNumber: '--' },
      passwordRules,
      auditMonths,
      name: 'Mine',
      quotas: { ...noQuotas, users: 1 },
    };
    const changed = await admin.tenants.updateOwn({ body: sent });
    expect(changed).toEqual({
      ...own,
      version: version + 1,
      colour: '#112233',
      welcome: { zh: '欢迎', en: 'Welcome' },
      meetingAdmin: { name: 'Mei', phoneNumber },
      serviceDesk: { name: 'IT', phoneNumber: '--' },
    });
    expect(await auditOf(own.id, 'tenants.updateOwn')).toMatchObject({
      actorKind: 'user',
      after: { colour: '#112233', welcomeZh: '欢迎', meetingAdminName: 'Mei' },
    });
    expect(await codeOf(admin.tenants.updateOwn({ body: { ...sent, version: version + 1, auditMonths: 5 } }))).toBe(
      'INVALID_INPUT',
    );
    expect(await codeOf(admin.tenants.updateOwn({ body: sent }))).toBe('CHANGED_MEANWHILE');
  });

  test('requires the right to it', async () => {
    const [alice, ops] = [await signIn(server, 'alice'), await signIn(server, 'ops')];
    const north = editable(await find(idOf('alice')));
    for (const person of [alice, admin, ops]) {
      expect(await codeOf(person.tenants.list({ query: {} }))).toBe('FORBIDDEN');
      expect(await codeOf(person.tenants.update({ body: north }))).toBe('FORBIDDEN');
    }
    expect(await codeOf(alice.tenants.own())).toBe('FORBIDDEN');
    expect(await Promise.all([alice, admin, root].map((person) => person.tenants.isTenantAdmin()))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('the logo', () => {
  const put = async (logo: string | null) => {
    const own = await admin.tenants.own();
    return admin.tenants.updateOwn({ body: { ...editable(own), logo } });
  };
  const get = (url: string) => server.app.inject({ method: 'GET', url });

  test('is served with its media type, and cached by browsers while it is current', async () => {
    const { logoUrl, id, version } = await put(PNG);
    expect(logoUrl).toBe(`/api/api/v1/tenant/${id}/logo?v=${version}`);
    const answer = await get(logoUrl ?? '');
    expect(answer.rawPayload.toString('base64')).toBe(PNG);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000',
    });
    expect(answer.headers['content-disposition']).toMatch(/^inline/);
    expect((await get(`/api/api/v1/tenant/${id}/logo?v=1`)).headers['cache-control']).toBe('no-store');
  });

  test('never returns under an earlier address', async () => {
    const first = await put(PNG);
    const none = await put(null);
    expect(none.logoUrl).toBeNull();
    expect((await get(first.logoUrl ?? '')).statusCode).toBe(404);
    expect((await put(PNG)).logoUrl).not.toBe(first.logoUrl);
    const untouched = await admin.tenants.updateOwn({ body: editable(await admin.tenants.own()) });
    expect(untouched.logoUrl).not.toBeNull();
  });

  test('of a tenant without one is NOT_FOUND, as that of no tenant', async () => {
    for (const id of [idOf('dave'), newId(), PLATFORM_TENANT_ID])
      expect((await get(`/api/api/v1/tenant/${id}/logo`)).statusCode).toBe(404);
  });

  const bytes = (text: string, length = 64) => Buffer.concat([Buffer.from(text, 'latin1')], length).toString('base64');
  test.each([
    ['a page', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>').toString('base64')],
    ['a GIF', bytes('GIF89a\x01\x00\x01\x00')],
    ['a PNG of no size', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    ['a PNG of 65,536 pixels', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\x01\0\0\0\x01\0\0')],
    ['the start of a JPEG', bytes('\xff\xd8\xff\xe0\xff\xff')],
    ['a RIFF that is none', bytes('RIFF\0\0\0\0WAVE')],
    ['too little', 'iVBORw=='],
  ])('may not be %s', async (_, logo) => {
    expect(await codeOf(put(logo))).toBe('PICTURE_UNREADABLE');
  });

  test.each([
    ['image/jpeg', bytes('\xff\xd8\xff\xe0\x00\x04ab\xff\xff\xc2\x00\x11\x08\x00\x10\x00\x20')],
    ['image/webp', bytes('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x1f\0\0\x0f\0\0')],
    ['image/webp', bytes('RIFF\0\0\0\0WEBPVP8L\x0a\0\0\0\x2f\x1f\xc0\x03\x00')],
    ['image/webp', bytes('RIFF\0\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x20\0\x10\0')],
  ])('may be %s', async (type, logo) => {
    const { logoUrl } = await put(logo);
    expect((await get(logoUrl ?? '')).headers['content-type']).toBe(type);
  });
});

describe('disabling a tenant', () => {
  test('ends its sessions and conferences at once, and admits no one until it is enabled again', async () => {
    const { tenantId = '' } = server.people.get('dave') ?? {};
    const [dave, erin] = [await signIn(server, 'dave'), await signIn(server, 'erin')];
    const { numericId, meetId } = await book(server, dave, { startTime: server.clock.in(0) });
    const { sessionToken } = await dave.conferences.join({ body: { numericId } });
    const [sockets, inside] = [
      await connect(server, { token: erin.token }, 'user'),
      await connect(server, { sessionToken }, `meeting:${meetId}`),
    ];

    expect((await root.tenants.setEnabled({ body: { id: tenantId, enabled: false } })).enabled).toBe(false);
    await inside.event('ended');
    await sockets.closed;
    for (const person of [dave, erin]) expect(await codeOf(person.meetings.list({ query: {} }))).toBe('UNAUTHORIZED');
    expect(await server.db.tenant(tenantId, (tx) => tx.find(conference))).toMatchObject([{ endReason: 'ended' }]);
    expect(server.media.rooms.size).toBe(0);
    expect(await codeOf(signIn(server, 'dave'))).toBe('TENANT_DISABLED');
    expect(
      await codeOf(clientOf(server).conferences.join({ body: { numericId, name: 'Guest', password: '4821' } })),
    ).toBe('MEETING_NUMBER_UNKNOWN');
    expect(await auditOf(tenantId, 'tenants.setEnabled')).toMatchObject({
      before: { enabled: true },
      after: { enabled: false },
    });
    expect(await codeOf(admin.meetings.list({ query: {} }))).toBe('OK');

    await root.tenants.setEnabled({ body: { id: tenantId, enabled: true } });
    const again = await signIn(server, 'dave');
    expect((await again.conferences.join({ body: { numericId } })).state).toBe('admitted');
    await inside.close();
  });

  test('twice changes and records nothing more', async () => {
    const { tenant } = await root.tenants.create({ body: body('Twice') });
    const off = { body: { id: tenant.id, enabled: false } };
    const [first, second] = [
      await call(server, contract.tenants.setEnabled, off, root.token),
      await call(server, contract.tenants.setEnabled, off, root.token),
    ];
    expect(second.data).toEqual(first.data);
    expect(
      await server.db.tenant(tenant.id, (tx) => tx.count(auditLog, eq(auditLog.action, 'tenants.setEnabled'))),
    ).toBe(1);
  });
});
