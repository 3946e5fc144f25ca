import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Announcement, AnnouncementBody } from '@rmeet/contract';
import { announcement, announcementRead } from '../../src/modules/announcements/tables.ts';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { accountRole } from '../../src/modules/accounts/roles/tables.ts';
import { account, department } from '../../src/modules/accounts/users/tables.ts';
import { drizzleOf, newId } from '../../src/platform/db/index.ts';
import { codeOf, send, signIn, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let [admin, chair, alice, bob, dave, erin, root]: Person[] = [];
let north: string;
beforeAll(async () => {
  server = await startTestServer();
  north = server.people.get('admin')?.tenantId ?? '';
  await signAllIn();
  await server.db.tenant(north, async (tx) => {
    for (const [name, path] of [
      ['alice', 'Hospital/Cardiology/Ward 1'],
      ['bob', 'Hospital/Surgery'],
    ] as const) {
      await tx.update(account, { department: path }, eq(account.id, idOf(name)));
      await tx.insert(department, { path });
    }
  });
});
afterAll(() => server.close());
beforeEach(() => server.db.platform((tx) => tx.delete(announcement, sql`true`)));

async function signAllIn(): Promise<void> {
  const names = ['admin', 'chair', 'alice', 'bob', 'dave', 'erin', 'root'];
  const all: Person[] = [];
  for (const name of names) all.push(await signIn(server, name));
  [admin, chair, alice, bob, dave, erin, root] = all;
}

const who = (person: Person | undefined): Person => {
  if (!person) throw new Error('Not signed in yet.');
  return person;
};
const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const bodyOf = (values: Partial<AnnouncementBody> = {}): AnnouncementBody => ({
  title: 'Water',
  body: 'No water on **Saturday**.',
  aimedAt: { wholeTenant: true },
  ...values,
});
const write = (values: Partial<AnnouncementBody> = {}, by = admin): Promise<Announcement> =>
  who(by).announcements.create({ body: bodyOf(values) });
async function publish(values: Partial<AnnouncementBody> = {}, by = admin): Promise<Announcement> {
  const { id, version } = await write(values, by);
  return who(by).announcements.publish({ params: { id }, body: { version } });
}
const titlesOf = async (person: Person | undefined): Promise<string[]> =>
  (await who(person).announcements.current()).records.map(({ title }) => title);
const found = async (id: string, by = admin): Promise<Announcement | undefined> =>
  (await who(by).announcements.list({ query: {} })).records.find((one) => one.id === id);

describe('an announcement (searchAdvForPersion)', () => {
  test('is seen by the tenant from its publication until it is withdrawn, and by no other tenant', async () => {
    const draft = await write();
    expect(draft).toMatchObject({ status: 'draft', author: 'Admin', publishedAt: null, read: 0 });
    expect(await titlesOf(bob)).toEqual([]);

    const params = { id: draft.id };
    const shown = await who(admin).announcements.publish({ params, body: { version: draft.version } });
    expect(shown.status).toBe('running');
    expect(await who(bob).announcements.current()).toEqual({
      records: [
        {
          id: draft.id,
          title: 'Water',
          body: 'No water on **Saturday**.',
          url: '',
          important: false,
          byPlatform: false,
          from: server.clock.now().toISOString(),
          until: null,
          readAt: null,
        },
      ],
      total: 1,
      unread: 1,
    });
    expect(await titlesOf(erin)).toEqual([]);

    const gone = await who(admin).announcements.withdraw({ params, body: { version: shown.version } });
    expect(gone.status).toBe('withdrawn');
    expect(await titlesOf(bob)).toEqual([]);
    expect(await codeOf(who(bob).announcements.markRead({ params }))).toBe('NOT_FOUND');
  });

  test('appears and disappears at its times, and open pages are notified', async () => {
    const socket = await connect(server, { token: who(bob).token }, 'user');
    const { id } = await publish({ from: server.clock.in(5), until: server.clock.in(10) });
    await socket.event('announcementsChanged');
    expect((await found(id))?.status).toBe('scheduled');
    expect(await titlesOf(bob)).toEqual([]);
    expect(await server.rounds.showAnnouncements()).toBe(0);

    server.clock.advance({ minutes: 5 });
    expect(await server.rounds.showAnnouncements()).toBe(1);
    expect(await titlesOf(bob)).toEqual(['Water']);
    expect((await found(id))?.status).toBe('running');

    server.clock.advance({ minutes: 5 });
    expect(await server.rounds.showAnnouncements()).toBe(1);
    expect(await server.rounds.showAnnouncements()).toBe(0);
    expect(await titlesOf(bob)).toEqual([]);
    expect((await found(id))?.status).toBe('over');
    await socket.message((message) => 'event' in message && message.version >= 3);
    expect(socket.eventTypes).toEqual(['announcementsChanged', 'announcementsChanged', 'announcementsChanged']);
    await socket.close();
  });

  test('reaches a department with all below it, a role, or persons, and no others', async () => {
    await publish({ title: 'Hospital', aimedAt: { departments: ['Hospital'] } });
    await publish({ title: 'Surgery', aimedAt: { departments: ['Hospital/Surgery'] } });
    await publish({ title: 'Bob', aimedAt: { userIds: [idOf('bob')] } });
    const roleId = await fresh.role(server);
    await server.db.tenant(north, (tx) => tx.insert(accountRole, { accountId: idOf('alice'), roleId }));
    const byRole = await publish({ title: 'Role', aimedAt: { roleIds: [roleId] } });
    expect((await titlesOf(bob)).toSorted()).toEqual(['Bob', 'Hospital', 'Surgery']);
    expect((await titlesOf(alice)).toSorted()).toEqual(['Hospital', 'Role']);
    expect(await titlesOf(chair)).toEqual([]);
    expect(byRole).toMatchObject({ aimed: 1, aimedAt: { wholeTenant: false, roles: [{ id: roleId }] } });
    const { records } = await who(admin).announcements.list({ query: {} });
    expect(records.map(({ title, aimed }) => [title, aimed])).toEqual([
      ['Role', 1],
      ['Bob', 1],
      ['Surgery', 1],
      ['Hospital', 2],
    ]);
    await server.db.tenant(north, (tx) => tx.delete(accountRole, eq(accountRole.roleId, roleId)));
    expect(await titlesOf(alice)).toEqual(['Hospital']);
  });

  test('a department is not confused with another whose name begins alike', async () => {
    await publish({ aimedAt: { departments: ['Hospital/Cardiology'] } });
    await server.db.tenant(north, async (tx) => {
      await tx.update(account, { department: 'Hospital/Cardiology2' }, eq(account.id, idOf('bob')));
    });
    expect(await titlesOf(bob)).toEqual([]);
    expect(await titlesOf(alice)).toEqual(['Water']);
    await server.db.tenant(north, async (tx) => {
      await tx.update(account, { department: 'Hospital/Surgery' }, eq(account.id, idOf('bob')));
    });
  });

  test('of the platform is seen in every tenant, and its readers are named with their tenant', async () => {
    const socket = await connect(server, { token: who(erin).token }, 'user');
    const shown = await publish({ title: 'Upgrade', important: true }, root);
    expect(await server.rounds.showAnnouncements()).toBe(1);
    await socket.event('announcementsChanged');
    await socket.close();
    for (const person of [bob, erin])
      expect((await who(person).announcements.current()).records).toMatchObject([
        { title: 'Upgrade', byPlatform: true, important: true },
      ]);
    await who(erin).announcements.markRead({ params: { id: shown.id } });
    await who(bob).announcements.markRead({ params: { id: shown.id } });
    const { records, total } = await who(root).announcements.readers({ params: { id: shown.id }, query: {} });
    expect(total).toBe(2);
    expect(records.map(({ name, tenantName }) => `${name} of ${tenantName}`).toSorted()).toEqual([
      'Bob of north',
      'Erin of south',
    ]);
    const people = [...server.people.values()].filter(({ kind, enabled }) => kind === 'user' && enabled);
    expect(await found(shown.id, root)).toMatchObject({ aimed: people.length, read: 2 });
    // It is the platform's: administrators of tenants neither see nor change it.
    expect(await found(shown.id)).toBeUndefined();
    const { version } = shown;
    expect(await codeOf(who(admin).announcements.withdraw({ params: { id: shown.id }, body: { version } }))).toBe(
      'NOT_FOUND',
    );
    await who(root).announcements.withdraw({ params: { id: shown.id }, body: { version } });
    expect(await titlesOf(erin)).toEqual([]);
  });
});

describe('reading', () => {
  test('counts once per person, and notifies the pages of the reader only', async () => {
    const { id } = await publish();
    await publish({ title: 'Power' });
    const [own, others] = [
      await connect(server, { token: who(bob).token }, 'user'),
      await connect(server, { token: who(alice).token }, 'user'),
    ];
    expect(await who(bob).announcements.markRead({ params: { id } })).toEqual({ unread: 1 });
    expect(await who(bob).announcements.markRead({ params: { id } })).toEqual({ unread: 1 });
    await own.event('announcementsChanged');
    expect(others.eventTypes).toEqual([]);
    await own.close();
    await others.close();
    expect(await found(id)).toMatchObject({ read: 1 });
    expect(await who(bob).announcements.markAllRead()).toEqual({ unread: 0 });
    const { records, unread } = await who(bob).announcements.current();
    expect([unread, records.every(({ readAt }) => readAt !== null)]).toEqual([0, true]);
  });

  test('the lists of readers: who has read it, and who has not', async () => {
    const { id, aimed } = await publish({ aimedAt: { departments: ['Hospital'] } });
    await who(bob).announcements.markRead({ params: { id } });
    const read = await who(admin).announcements.readers({ params: { id }, query: {} });
    expect(read).toMatchObject({
      total: 1,
      records: [
        { name: 'Bob', department: 'Hospital/Surgery', tenantName: '', readAt: server.clock.now().toISOString() },
      ],
    });
    const unread = await who(admin).announcements.readers({ params: { id }, query: { read: 'false' } });
    expect(unread).toMatchObject({ total: aimed - 1, records: [{ name: 'Alice', readAt: null }] });
  });

  test('a person who left the audience is not counted any more', async () => {
    const { id } = await publish({ aimedAt: { userIds: [idOf('bob'), idOf('alice')] } });
    await who(bob).announcements.markRead({ params: { id } });
    const { version } = (await found(id)) ?? { version: 0 };
    const after = await who(admin).announcements.update({
      params: { id },
      body: { ...bodyOf({ aimedAt: { userIds: [idOf('alice')] } }), version },
    });
    expect(after).toMatchObject({ aimed: 1, read: 0, status: 'running' });
  });
});

describe('wrong input', () => {
  test('HTML and control characters are removed; a text of nothing else is refused', async () => {
    const { body, title } = await write({
      title: 'Wa<b>ter</b>',
      body: 'One<script>alert(1)</script>\r\n<img src=x onerror=alert(1)>two <scr<script></script>ipt>\u202E < 3\u0007',
    });
    expect(title).toBe('Water');
    expect(body).toBe('One\ntwo  < 3');
    expect(await codeOf(write({ body: ' <p>\n</p> ' }))).toBe('ANNOUNCEMENT_EMPTY');
  });

  test.each([
    ['javascript:alert(1)', 'ANNOUNCEMENT_LINK_REFUSED'],
    ['data:text/html,x', 'ANNOUNCEMENT_LINK_REFUSED'],
    ['//evil.example.org', 'ANNOUNCEMENT_LINK_REFUSED'],
    ['https://user:secret@example.org', 'ANNOUNCEMENT_LINK_REFUSED'],
    ['example.org', 'ANNOUNCEMENT_LINK_REFUSED'],
    ['https://status.example.org/a?b=c', 'OK'],
    ['mailto:desk@example.org', 'OK'],
    ['/#/myMeeting', 'OK'],
  ])('the link %s: %s', async (url, code) => {
    expect(await codeOf(write({ url }))).toBe(code);
  });

  test('times, audiences and fields', async () => {
    const { clock } = server;
    expect(await codeOf(write({ from: clock.in(10), until: clock.in(5) }))).toBe('ANNOUNCEMENT_TIMES');
    for (const aimedAt of [
      { departments: ['Nowhere'] },
      { roleIds: [newId()] },
      { userIds: [idOf('erin')] },
      { userIds: [idOf('root')] },
    ])
      expect(await codeOf(write({ aimedAt }))).toBe('ANNOUNCEMENT_AUDIENCE_UNKNOWN');
    // The platform has neither departments nor people to aim at.
    for (const aimedAt of [{ departments: ['Hospital'] }, { userIds: [idOf('bob')] }])
      expect(await codeOf(write({ aimedAt }, root))).toBe('ANNOUNCEMENT_AUDIENCE_UNKNOWN');
    for (const values of [{ aimedAt: {} }, { title: ' ' }, { title: 'x'.repeat(121) }, { body: 'x'.repeat(8_001) }])
      expect(await codeOf(write(values))).toBe('INVALID_INPUT');
    const past = await write({ until: clock.in(1) });
    clock.advance({ minutes: 2 });
    const { id, version } = past;
    expect(await codeOf(who(admin).announcements.publish({ params: { id }, body: { version } }))).toBe(
      'ANNOUNCEMENT_TIMES',
    );
  });

  test('states: published twice, withdrawn as a draft, deleted while people see it, changed meanwhile', async () => {
    const draft = await write();
    const params = { id: draft.id };
    const of = (version: number) => ({ params, body: { version } });
    const { announcements } = who(admin);
    expect(await codeOf(announcements.withdraw(of(1)))).toBe('ANNOUNCEMENT_NOT_PUBLISHED');
    expect(await codeOf(announcements.publish(of(7)))).toBe('CHANGED_MEANWHILE');
    await announcements.publish(of(1));
    expect(await codeOf(announcements.publish(of(2)))).toBe('ANNOUNCEMENT_PUBLISHED');
    expect(await codeOf(announcements.remove({ params }))).toBe('ANNOUNCEMENT_PUBLISHED');
    expect(await codeOf(announcements.update({ params, body: { ...bodyOf(), version: 1 } }))).toBe('CHANGED_MEANWHILE');
    await who(bob).announcements.markRead({ params });
    await announcements.withdraw(of(2));
    expect(await codeOf(announcements.remove({ params }))).toBe('OK');
    expect(await codeOf(announcements.remove({ params }))).toBe('NOT_FOUND');
    const left = await server.db.tenant(north, (tx) => tx.count(announcementRead));
    expect(left).toBe(0);
  });

  test('people without the permission, and other tenants', async () => {
    const { id, version } = await publish();
    const params = { id };
    expect(await codeOf(write({}, bob))).toBe('FORBIDDEN');
    expect(await codeOf(who(bob).announcements.list({ query: {} }))).toBe('FORBIDDEN');
    for (const stranger of [dave, root]) {
      const { announcements } = who(stranger);
      expect(await found(id, stranger)).toBeUndefined();
      expect(await codeOf(announcements.withdraw({ params, body: { version } }))).toBe('NOT_FOUND');
      expect(await codeOf(announcements.update({ params, body: { ...bodyOf(), version } }))).toBe('NOT_FOUND');
      expect(await codeOf(announcements.remove({ params }))).toBe('NOT_FOUND');
      expect(await codeOf(announcements.readers({ params, query: {} }))).toBe('NOT_FOUND');
    }
    expect(await codeOf(who(erin).announcements.markRead({ params }))).toBe('NOT_FOUND');
    expect((await send(server, 'GET', '/api/api/v1/rmeetadv/searchAdvForPersion')).statusCode).toBe('UNAUTHORIZED');
  });
});

test('the list is searched, and filtered by status', async () => {
  const { id } = await publish({ title: 'Lift' });
  await write({ title: 'Garden', body: '100% green' });
  await publish({ title: 'Later', from: server.clock.in(60) });
  const titles = async (query: object): Promise<string[]> =>
    (await who(admin).announcements.list({ query })).records.map(({ title }) => title);
  expect(await titles({ keyword: '100%' })).toEqual(['Garden']);
  expect(await titles({ status: 'draft' })).toEqual(['Garden']);
  expect(await titles({ status: 'scheduled' })).toEqual(['Later']);
  expect(await titles({ status: 'running' })).toEqual(['Lift']);
  expect(await titles({ status: 'over' })).toEqual([]);
  const { records } = await who(admin).announcements.list({ query: { size: '1', current: '3' } });
  expect(records.map((one) => one.id)).toEqual([id]);
});

test('every change is in the audit log', async () => {
  const { id } = await publish({ title: 'Audited', aimedAt: { departments: ['Hospital'] } });
  const rows = await server.db.tenant(north, (tx) => tx.find(auditLog, eq(auditLog.targetId, id)));
  expect(rows.map(({ action }) => action).toSorted()).toEqual(['announcements.create', 'announcements.publish']);
  expect(rows.find(({ action }) => action === 'announcements.create')?.after).toMatchObject({
    title: 'Audited',
    aimedAt: ['Hospital'],
  });
});

test('roles that announcements can be aimed at', async () => {
  const roles = await who(admin).announcements.roles();
  expect(roles.length).toBeGreaterThan(0);
  expect(await who(root).announcements.roles()).toEqual(roles);
});

test('20,000 people are counted by the database, and listed by pages', async () => {
  const { tenantId } = server.people.get('erin') ?? { tenantId: '' };
  const before = [...server.people.values()].filter((row) => row.tenantId === tenantId && row.enabled).length;
  await server.db.platform((tx) =>
    drizzleOf(tx).execute(sql`
      insert into account (id, tenant_id, account, name, password_hash, created_at)
      select gen_random_uuid(), ${tenantId}, 'crowd' || n, 'Crowd ' || n, '-', now()
      from generate_series(1, 20000) n`),
  );
  const shown = await publish({ title: 'Crowd' }, dave);
  await server.db.platform((tx) =>
    drizzleOf(tx).execute(sql`
      insert into announcement_read (tenant_id, announcement_id, account_id, read_at)
      select tenant_id, ${shown.id}, id, now() from account where tenant_id = ${tenantId} and name like 'Crowd %7'`),
  );
  const heap = process.memoryUsage().heapUsed;
  expect(await found(shown.id, dave)).toMatchObject({ aimed: before + 20_000, read: 2_000 });
  const page = await who(dave).announcements.readers({ params: { id: shown.id }, query: { read: 'false' } });
  expect([page.records.length, page.total, page.totalIsLowerBound]).toEqual([20, 10_000, true]);
  // The rows of so many people take more than this.
  expect(process.memoryUsage().heapUsed - heap).toBeLessThan(10 * 1024 * 1024);
}, 60_000);
