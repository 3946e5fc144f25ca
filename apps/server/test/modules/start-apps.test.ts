import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { START_APP_LIMITS, type StartApp, type StartAppBody } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { accountRole } from '../../src/modules/accounts/roles/tables.ts';
import { startApp } from '../../src/modules/start-apps/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let bob: Person;
let dave: Person;
let erin: Person;
let north: string;
beforeAll(async () => {
  server = await startTestServer();
  north = server.people.get('admin')?.tenantId ?? '';
  [admin, bob, dave, erin] = [
    await signIn(server, 'admin'),
    await signIn(server, 'bob'),
    await signIn(server, 'dave'),
    await signIn(server, 'erin'),
  ];
});
afterAll(() => server.close());
beforeEach(() => server.db.platform((tx) => tx.delete(startApp, eq(startApp.tenantId, startApp.tenantId))));

const bodyOf = (values: Partial<StartAppBody> = {}): StartAppBody => ({
  name: '门户',
  nameEn: 'Portal',
  icon: 'building',
  url: 'https://portal.example.org/',
  ...values,
});
const add = (values: Partial<StartAppBody> = {}, by = admin): Promise<StartApp> =>
  by.startApps.create({ body: bodyOf(values) });
const namesOf = async (person: Person): Promise<string[]> =>
  (await person.startApps.apps()).map(({ nameEn, name }) => nameEn || name);

describe('GET apps', () => {
  test('returns the apps of the own tenant in their order', async () => {
    const { id } = await add();
    await add({ name: 'Help', nameEn: '', url: '/help/index.html', icon: 'globe' });
    expect(await bob.startApps.apps()).toEqual([
      { id, name: '门户', nameEn: 'Portal', icon: 'building', url: 'https://portal.example.org/', order: 0 },
      expect.objectContaining({ name: 'Help', order: 1 }),
    ]);
    expect(await erin.startApps.apps()).toEqual([]);
  });

  test('leaves out apps for roles that the caller does not have', async () => {
    const roleId = await fresh.role(server);
    const { id } = await add({ roleIds: [roleId] });
    await add({ nameEn: 'All' });
    expect(await namesOf(bob)).toEqual(['All']);
    await server.db.tenant(north, (tx) =>
      tx.insert(accountRole, { accountId: server.people.get('bob')?.id ?? '', roleId }),
    );
    expect(await namesOf(bob)).toEqual(['Portal', 'All']);
    expect((await admin.startApps.list()).records.find((one) => one.id === id)?.roles).toMatchObject([{ id: roleId }]);
    await server.db.tenant(north, (tx) => tx.delete(accountRole, eq(accountRole.roleId, roleId)));
    // Also without any holder it is not for all.
    expect(await namesOf(bob)).toEqual(['All']);
  });
});

describe('management', () => {
  test('apps are changed, put in another order and removed', async () => {
    const first = await add({ nameEn: 'First' });
    const second = await add({ nameEn: 'Second' });
    await admin.startApps.sort({ body: { ids: [second.id, first.id] } });
    expect(await namesOf(bob)).toEqual(['Second', 'First']);
    const changed = await admin.startApps.update({
      params: { id: first.id },
      body: { ...bodyOf({ nameEn: 'Renamed' }), version: first.version },
    });
    expect(changed).toMatchObject({ nameEn: 'Renamed', order: 1, version: 2 });
    await admin.startApps.remove({ params: { id: second.id } });
    expect(await namesOf(bob)).toEqual(['Renamed']);
    const rows = await server.db.tenant(north, (tx) => tx.find(auditLog, eq(auditLog.targetKind, 'startApp')));
    expect(new Set(rows.map(({ action }) => action))).toEqual(
      new Set(['startApps.create', 'startApps.sort', 'startApps.update', 'startApps.remove']),
    );
  });

  test.each([
    ['javascript:alert(1)', 'START_APP_ADDRESS_REFUSED'],
    ['JavaScript:alert(1)', 'START_APP_ADDRESS_REFUSED'],
    ['data:text/html,<script>', 'START_APP_ADDRESS_REFUSED'],
    ['http://portal.example.org/', 'START_APP_ADDRESS_REFUSED'],
    ['//portal.example.org/', 'START_APP_ADDRESS_REFUSED'],
    ['/\\portal.example.org/', 'START_APP_ADDRESS_REFUSED'],
    ['https://name:word@portal.example.org/', 'START_APP_ADDRESS_REFUSED'],
    ['https://', 'START_APP_ADDRESS_REFUSED'],
    ['portal.example.org', 'START_APP_ADDRESS_REFUSED'],
    ['', 'INVALID_INPUT'],
    ['https://portal.example.org/a?b=c#d', 'OK'],
    ['/#/record-meeting', 'OK'],
  ])('the address %s: %s', async (url, code) => {
    expect(await codeOf(add({ url }))).toBe(code);
  });

  test('wrong input: fields, roles, versions, orders, and too many', async () => {
    for (const values of [{ name: ' ' }, { name: 'x'.repeat(31) }, { icon: '<svg>' }, { icon: '' }])
      expect(await codeOf(add(values))).toBe('INVALID_INPUT');
    expect(await codeOf(add({ roleIds: [newId()] }))).toBe('START_APP_ROLE_UNKNOWN');
    const { id } = await add();
    const other = await add();
    const update = (version: number) => admin.startApps.update({ params: { id }, body: { ...bodyOf(), version } });
    expect(await codeOf(update(7))).toBe('CHANGED_MEANWHILE');
    for (const ids of [[id], [id, id]])
      expect(await codeOf(admin.startApps.sort({ body: { ids } }))).toBe('CHANGED_MEANWHILE');
    expect(await codeOf(admin.startApps.sort({ body: { ids: [id, newId()] } }))).toBe('NOT_FOUND');
    await server.db.tenant(north, (tx) =>
      tx.insert(
        startApp,
        Array.from({ length: START_APP_LIMITS.apps - 2 }, (_, i) => ({
          id: newId(),
          name: `App ${i}`,
          icon: 'globe',
          url: '/',
          sort: i + 2,
          createdAt: server.clock.now(),
        })),
      ),
    );
    expect(await codeOf(add())).toBe('START_APPS_FULL');
    await admin.startApps.remove({ params: { id: other.id } });
    expect(await codeOf(add())).toBe('OK');
  });

  test('people without the permission, and other tenants', async () => {
    const { id, version } = await add();
    expect(await codeOf(add({}, bob))).toBe('FORBIDDEN');
    expect(await codeOf(bob.startApps.list())).toBe('FORBIDDEN');
    expect(await codeOf(dave.startApps.remove({ params: { id } }))).toBe('NOT_FOUND');
    expect(await codeOf(dave.startApps.update({ params: { id }, body: { ...bodyOf(), version } }))).toBe('NOT_FOUND');
    expect(await codeOf(dave.startApps.sort({ body: { ids: [id] } }))).toBe('NOT_FOUND');
    expect((await dave.startApps.list()).records).toEqual([]);
  });
});
