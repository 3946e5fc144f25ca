import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  LIMITS,
  type Meeting,
  type MeetingBody,
  type MeetingResource,
  type MeetingResourceBody,
} from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { accountRole } from '../../src/modules/accounts/roles/tables.ts';
import { meetingResource, resourceBooking } from '../../src/modules/resources/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { CallFailed, codeOf, signIn, type Person } from './support/client.ts';
import { Clock } from './support/clock.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const CAPACITY = 40;

let server: TestServer;
let admin: Person;
let alice: Person;
let bob: Person;
let dave: Person;
let north: string;
beforeAll(async () => {
  // In the middle of a month in every time zone, so that bookings of the next days are in one month.
  server = await startTestServer({ capacity: CAPACITY, clock: new Clock(Date.UTC(2026, 10, 10, 8)) });
  north = server.people.get('admin')?.tenantId ?? '';
  [admin, alice, bob, dave] = [
    await signIn(server, 'admin'),
    await signIn(server, 'alice'),
    await signIn(server, 'bob'),
    await signIn(server, 'dave'),
  ];
});
afterAll(() => server.close());
beforeEach(() =>
  server.db.platform(async (tx) => {
    await tx.update(meeting, { status: 'OFFLINE', cancelledAt: server.clock.now() }, eq(meeting.status, 'SCHEDULE'));
    await tx.delete(resourceBooking, eq(resourceBooking.tenantId, resourceBooking.tenantId));
    await tx.delete(meetingResource, eq(meetingResource.tenantId, meetingResource.tenantId));
    await tx.update(
      tenant,
      { maxMeetingMinutes: null, maxTerminals: null, meetingAdminName: '', meetingAdminPhone: '' },
      eq(tenant.tenantId, north),
    );
  }),
);

const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const add = (values: Partial<MeetingResourceBody> = {}, who = admin): Promise<MeetingResource> =>
  who.resources.create({ body: { name: 'Main', assignedTo: { everybody: true }, ...values } });
const bodyOf = ({
  id,
  name,
  zone,
  ports,
  hours,
  timeZone,
  enabled,
  version,
  assignedTo: { everybody, accounts, departments },
}: MeetingResource) => ({
  id,
  name,
  zone,
  ports,
  hours,
  timeZone,
  enabled,
  version,
  assignedTo: { everybody, departments, userIds: accounts.map(({ userId }) => userId) },
});
const change = (resource: MeetingResource, values: object, who = admin): Promise<MeetingResource> =>
  who.resources.update({ body: { ...bodyOf(resource), ...values } });
const list = async (query: object = { tenantWide: 'true' }, who = admin): Promise<MeetingResource[]> =>
  (await who.resources.list({ query })).records;
const edit = (before: Meeting, values: Partial<MeetingBody> & { version?: number }, who = alice): Promise<Meeting> =>
  who.meetings.update({
    params: { id: before.meetId },
    body: {
      subject: before.subject,
      startTime: before.startTime,
      duration: before.duration,
      password: before.password,
      resourceId: before.resource?.id ?? null,
      version: before.version,
      ...values,
    },
  });
const auditOf = (action: string) =>
  server.db.tenant(north, (tx) => tx.find(auditLog, eq(auditLog.action, action), { orderBy: auditLog.id }));
/** People in addition to the host, so that there are `count` with the host. */
const mails = (count: number): MeetingBody['participants'] =>
  Array.from({ length: count - 1 }, (_, at) => ({ kind: 'mail' as const, email: `guest${at}@example.org` }));
async function messageOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CallFailed) return error.answer.message;
    throw error;
  }
  return expect.fail('The call went well.');
}

describe('a media resource (POST, PUT, DELETE meeting-resource)', () => {
  test('is added, changed in its newest version and deleted, each with a row in the audit log', async () => {
    const made = await add({
      zone: 'cn-east',
      ports: 100,
      hours: 200,
      timeZone: 'Asia/Shanghai',
      assignedTo: { userIds: [idOf('alice'), idOf('alice')], departments: [' 外科 / 骨科 '] },
    });
    expect(made).toEqual({
      id: made.id,
      name: 'Main',
      zone: 'cn-east',
      ports: 100,
      hours: 200,
      timeZone: 'Asia/Shanghai',
      enabled: true,
      assignedTo: {
        everybody: false,
        accounts: [{ userId: idOf('alice'), name: 'Alice' }],
        departments: ['外科/骨科'],
      },
      portsUsed: 0,
      minutesUsed: 0,
      version: 1,
    });
    const changed = await change(made, { name: 'Backup', ports: null, assignedTo: { everybody: true } });
    expect(changed).toMatchObject({
      name: 'Backup',
      ports: null,
      assignedTo: { everybody: true, accounts: [], departments: [] },
      version: 2,
    });
    expect(await codeOf(change(made, { name: 'Late' }))).toBe('CHANGED_MEANWHILE');
    await admin.resources.remove({ params: { id: made.id } });
    expect(await list()).toEqual([]);
    expect(await codeOf(change(changed, {}))).toBe('NOT_FOUND');
    expect(await auditOf('resources.create')).toMatchObject([
      { targetId: made.id, after: { name: 'Main', ports: 100, assignedTo: ['外科/骨科', 'Alice'] } },
    ]);
    expect(await auditOf('resources.update')).toMatchObject([
      {
        before: { name: 'Main', ports: 100, assignedTo: ['外科/骨科', 'Alice'] },
        after: { name: 'Backup', ports: null, assignedTo: ['*'] },
      },
    ]);
    expect(await auditOf('resources.remove')).toMatchObject([{ targetName: 'Backup', before: { zone: 'cn-east' } }]);
  });

  test('has a name unique in the tenant, whatever its case, and is assigned only to its people', async () => {
    const made = await add();
    const other = await add({ name: 'Other' });
    expect(await codeOf(add({ name: 'MAIN' }))).toBe('NAME_TAKEN');
    expect(await codeOf(change(other, { name: 'main' }))).toBe('NAME_TAKEN');
    for (const stranger of [newId(), idOf('dave'), idOf('root')]) {
      expect(await codeOf(add({ name: 'Third', assignedTo: { userIds: [stranger] } }))).toBe(
        'RESOURCE_ASSIGNEE_UNKNOWN',
      );
      expect(await codeOf(change(made, { assignedTo: { userIds: [stranger] } }))).toBe('RESOURCE_ASSIGNEE_UNKNOWN');
    }
    expect((await list()).map(({ name }) => name)).toEqual(['Main', 'Other']);
  });

  test('cannot be deleted while meetings are booked on it', async () => {
    const made = await add();
    const { meetId } = await book(server, alice, { resourceId: made.id });
    expect(await messageOf(admin.resources.remove({ params: { id: made.id } }))).toBe(
      'There are 1 meetings booked on the resource. Move or cancel them first.',
    );
    await alice.meetings.cancel({ params: { id: meetId }, query: {} });
    await admin.resources.remove({ params: { id: made.id } });
    // The meeting keeps its own copy of the name.
    expect(await server.db.tenant(north, (tx) => tx.count(meetingResource))).toBe(1);
  });

  test('is unknown to other tenants, and changed only by those who manage resources', async () => {
    const made = await add();
    expect(await codeOf(change(made, {}, dave))).toBe('NOT_FOUND');
    expect(await codeOf(dave.resources.remove({ params: { id: made.id } }))).toBe('NOT_FOUND');
    expect(await list({ tenantWide: 'true' }, dave)).toEqual([]);
    for (const attempt of [
      () => add({}, alice),
      () => change(made, {}, alice),
      () => alice.resources.remove({ params: { id: made.id } }),
    ])
      expect(await codeOf(attempt())).toBe('FORBIDDEN');
    expect(await codeOf(book(server, dave, { resourceId: made.id }))).toBe('RESOURCE_UNKNOWN');
  });
});

describe('GET meeting-resource', () => {
  test('lists assigned resources, or all for managers, with the usage now and this month', async () => {
    await server.db.tenant(north, (tx) =>
      tx.update(account, { department: '内科/心内科' }, eq(account.id, idOf('bob'))),
    );
    await add({ name: 'For all' });
    await add({ name: 'Off', enabled: false });
    await add({ name: 'For Alice', assignedTo: { userIds: [idOf('alice')] } });
    await add({ name: 'Medicine', zone: 'cn-west', assignedTo: { departments: ['内科'] } });
    await add({ name: 'Medicines', assignedTo: { departments: ['内科/心'] } });
    const names = async (who: Person, query: object = {}): Promise<string[]> =>
      (await list(query, who)).map(({ name }) => name);
    expect(await names(alice)).toEqual(['For Alice', 'For all']);
    expect(await names(bob)).toEqual(['For all', 'Medicine']);
    expect(await names(bob, { tenantWide: 'true' })).toEqual(['For all', 'Medicine']);
    expect(await names(admin)).toEqual(['For all']);
    expect(await names(admin, { tenantWide: 'true' })).toEqual([
      'For Alice',
      'For all',
      'Medicine',
      'Medicines',
      'Off',
    ]);
    expect(await names(admin, { tenantWide: 'true', status: 'disabled' })).toEqual(['Off']);
    expect(await names(admin, { tenantWide: 'true', keyword: 'WEST' })).toEqual(['Medicine']);
  });

  test('counts a meeting in the month in which it begins, by the clock of the resource', async () => {
    const made = await add({ hours: 3, timeZone: 'Asia/Shanghai' });
    await book(server, alice, {
      startTime: server.clock.in(0),
      duration: 30,
      resourceId: made.id,
      participants: mails(5),
    });
    // 30 November, 23:30 in Shanghai, and half past midnight there.
    await book(server, alice, { startTime: '2026-11-30T15:30:00Z', duration: 90, resourceId: made.id });
    expect(
      await codeOf(book(server, alice, { startTime: '2026-11-30T15:31:00Z', duration: 90, resourceId: made.id })),
    ).toBe('RESOURCE_HOURS');
    await book(server, alice, { startTime: '2026-11-30T16:30:00Z', duration: 180, resourceId: made.id });
    expect(await list()).toMatchObject([{ portsUsed: 5, minutesUsed: 120 }]);
  });
});

describe('a booking', () => {
  test('has no such limits in a tenant without resources', async () => {
    expect(await book(server, alice, { participants: mails(30) })).toMatchObject({ resource: null });
    expect(await alice.resources.choose({ query: { startTime: server.clock.in(60), duration: 60 } })).toEqual({
      hasAny: false,
      resources: [],
    });
  });

  test('is refused without an assigned resource, except in rooms alone; older meetings can be edited', async () => {
    const before = await book(server, alice);
    const made = await add({ assignedTo: { userIds: [idOf('bob')] } });
    expect(await messageOf(book(server, alice))).toBe(
      'You have not yet been assigned meeting resources, please contact ' +
        'the administrator or service desk to apply for activation!',
    );
    expect(await codeOf(book(server, alice, { resourceId: made.id }))).toBe('NO_RESOURCES');
    expect(await edit(before, { subject: 'Changed' })).toMatchObject({ subject: 'Changed' });
    expect(await codeOf(edit(before, { version: before.version + 1, resourceId: made.id }))).toBe('RESOURCE_UNKNOWN');
    expect(await book(server, bob)).toMatchObject({ resource: null });
    expect(await book(server, bob, { resourceId: made.id })).toMatchObject({
      resource: { id: made.id, name: 'Main' },
    });
  });

  test('counts host, people, parties and terminals against the ports at that time, on any resource', async () => {
    const made = await add({ ports: 10 });
    const morning = await book(server, alice, {
      startTime: server.clock.in(60),
      duration: 60,
      participants: mails(6),
      resourceId: made.id,
    });
    expect(
      await messageOf(
        book(server, bob, {
          startTime: server.clock.in(90),
          duration: 60,
          participants: mails(5),
          resourceId: made.id,
        }),
      ),
    ).toBe('Main has only 4 ports left at that time. Invite fewer, or choose another resource or time.');
    await book(server, bob, {
      startTime: server.clock.in(90),
      duration: 60,
      participants: mails(4),
      resourceId: made.id,
    });
    // Directly after the first, overlapping only the second.
    await book(server, bob, {
      startTime: server.clock.in(120),
      duration: 60,
      participants: mails(6),
      resourceId: made.id,
    });
    expect(await codeOf(edit(morning, { participants: mails(7) }))).toBe('RESOURCE_FULL');
    expect(await edit(morning, { participants: mails(3) })).toMatchObject({ resource: { id: made.id } });
    // Counted against none.
    await book(server, bob, { startTime: server.clock.in(60), duration: 60, participants: mails(20) });
    const party = { kind: 'phone' as const, name: 'Clinic', phone: '+86 10 6512 3456' };
    expect(
      await codeOf(
        book(server, alice, {
          startTime: server.clock.in(60),
          duration: 60,
          participants: [...(mails(3) ?? []), party],
          resourceId: made.id,
        }),
      ),
    ).toBe('RESOURCE_FULL');
    expect(
      await book(server, alice, {
        startTime: server.clock.in(60),
        duration: 60,
        participants: mails(3),
        resourceId: made.id,
      }),
    ).toMatchObject({ resource: { id: made.id } });
  });

  test('can use the ports of a meeting that ends at its start', async () => {
    const made = await add({ ports: 6 });
    await book(server, alice, {
      startTime: server.clock.in(60),
      duration: 60,
      participants: mails(4),
      resourceId: made.id,
    });
    await book(server, alice, {
      startTime: server.clock.in(120),
      duration: 60,
      participants: mails(4),
      resourceId: made.id,
    });
    // Overlapping one after the other, never both.
    const beside = { startTime: server.clock.in(90), duration: 60, resourceId: made.id };
    expect(await codeOf(book(server, bob, { ...beside, participants: mails(3) }))).toBe('RESOURCE_FULL');
    expect(await book(server, bob, { ...beside, participants: mails(2) })).toMatchObject({ resource: { id: made.id } });
  });

  test('keeps its share if the resource is later made smaller, closed or assigned to others', async () => {
    const made = await add({ ports: 10 });
    const kept = await book(server, alice, { participants: mails(6), resourceId: made.id });
    await change(made, { ports: 2, enabled: false, assignedTo: { userIds: [idOf('bob')] } });
    const edited = await edit(kept, { subject: 'Same', participants: mails(6) });
    expect(edited).toMatchObject({ subject: 'Same', resource: { id: made.id } });
    expect(await codeOf(edit(edited, { participants: mails(6), duration: 30 }))).toBe('RESOURCE_FULL');
    expect(await edit(edited, { participants: mails(6), resourceId: null })).toMatchObject({ resource: null });
  });

  test('returns its share when it is cancelled or ends, and takes more when it is extended', async () => {
    const made = await add({ ports: 4, hours: 2 });
    const cancelled = await book(server, alice, {
      startTime: server.clock.in(0),
      duration: 120,
      participants: mails(4),
      resourceId: made.id,
    });
    expect(await codeOf(book(server, bob, { startTime: server.clock.in(0), duration: 60, resourceId: made.id }))).toBe(
      'RESOURCE_FULL',
    );
    await alice.meetings.cancel({ params: { id: cancelled.meetId }, query: {} });
    const running = await book(server, alice, {
      startTime: server.clock.in(0),
      duration: 60,
      participants: mails(4),
      resourceId: made.id,
    });
    await alice.meetings.start({ params: { id: running.meetId }, body: { early: true } });
    await server.tick();
    const next = await book(server, bob, { startTime: server.clock.in(60), duration: 30, resourceId: made.id });
    const longer = () => alice.conferences.extend({ params: { id: running.meetId }, query: { delay: '10' } });
    expect(await messageOf(longer())).toBe(
      'It cannot be extended that far: Main is busy afterwards. Choose less time.',
    );
    await bob.meetings.cancel({ params: { id: next.meetId }, query: {} });
    await longer();
    expect(await list()).toMatchObject([{ portsUsed: 4, minutesUsed: 70 }]);
    server.clock.advance({ minutes: 20 });
    await alice.conferences.end({ params: { meetId: running.meetId } });
    expect(await list()).toMatchObject([{ portsUsed: 0, minutesUsed: 20 }]);
    expect(await alice.meetings.detail({ params: { id: running.meetId } })).toMatchObject({
      status: 'OFFLINE',
      resource: { id: made.id },
    });
    await book(server, bob, {
      startTime: server.clock.in(5),
      duration: 60,
      participants: mails(4),
      resourceId: made.id,
    });
  });

  test('of a meeting that was not opened has used nothing', async () => {
    const made = await add({ hours: 1 });
    await book(server, alice, { startTime: server.clock.in(0), duration: 60, resourceId: made.id });
    expect(
      await codeOf(book(server, alice, { startTime: server.clock.in(600), duration: 60, resourceId: made.id })),
    ).toBe('RESOURCE_HOURS');
    server.clock.advance({ hours: 2, minutes: 1 });
    await server.rounds.lapseMeetings();
    expect(await list()).toMatchObject([{ minutesUsed: 0 }]);
  });

  test('never exceeds a resource, however many people book at once', async () => {
    const made = await add({ ports: 20, hours: 10 });
    const before = await server.db.tenant(north, (tx) => tx.count(meeting));
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const who = at % 2 === 0 ? alice : bob;
        return codeOf(
          book(server, who, {
            startTime: server.clock.in(60),
            duration: 60,
            participants: mails(3),
            resourceId: made.id,
          }),
        ).catch(() => 'OK');
      }),
    );
    expect(
      Object.fromEntries(
        Map.groupBy(answers, (code) => code)
          .entries()
          .map(([code, all]) => [code, all.length]),
      ),
    ).toEqual({ OK: 6, RESOURCE_FULL: 44 });
    const booked = await server.db.tenant(north, (tx) =>
      tx.find(resourceBooking, eq(resourceBooking.resourceId, made.id)),
    );
    expect(booked.reduce((sum, { ports }) => sum + ports, 0)).toBe(18);
    // Rejected bookings leave nothing behind.
    expect(await server.db.tenant(north, (tx) => tx.count(meeting))).toBe(before + 6);
    const hours = await Promise.all(
      Array.from({ length: 50 }, async (_, at) =>
        codeOf(
          book(server, alice, { startTime: server.clock.in(180 + at * 60), duration: 60, resourceId: made.id }),
        ).catch(() => 'OK'),
      ),
    );
    expect(hours.filter((code) => code === 'OK')).toHaveLength(4);
    expect(new Set(hours)).toEqual(new Set(['OK', 'RESOURCE_HOURS']));
  });
});

describe('GET meetings/choosePcmsMeetingResource', () => {
  test('lists resources with what is free for the whole period, without counting the edited meeting', async () => {
    const main = await add({ ports: 10, hours: 2 });
    const open = await add({ name: 'Open' });
    await add({ name: 'Not hers', assignedTo: { userIds: [idOf('bob')] } });
    const own = await book(server, alice, {
      startTime: server.clock.in(60),
      duration: 60,
      participants: mails(6),
      resourceId: main.id,
    });
    const query = { startTime: server.clock.in(110), duration: 60 };
    const plain = {
      id: open.id,
      name: 'Open',
      zone: '',
      ports: null,
      hours: null,
      portsFree: null,
      minutesFree: null,
    };
    const shown = (portsFree: number, minutesFree: number) => ({
      hasAny: true,
      resources: [{ id: main.id, name: 'Main', zone: '', ports: 10, hours: 2, portsFree, minutesFree }, plain],
    });
    expect(await alice.resources.choose({ query })).toEqual(shown(4, 60));
    expect(await alice.resources.choose({ query: { ...query, startTime: server.clock.in(120) } })).toEqual(
      shown(10, 60),
    );
    expect(await alice.resources.choose({ query: { ...query, except: own.meetId } })).toEqual(shown(10, 120));
    // Callers who may not change the meeting do not see it.
    expect((await bob.resources.choose({ query: { ...query, except: own.meetId } })).resources[0]).toMatchObject({
      portsFree: 4,
    });
    expect(await dave.resources.choose({ query: { ...query, except: own.meetId } })).toEqual({
      hasAny: false,
      resources: [],
    });
  });

  test('offers the resources of the host for an edited meeting, and its present one', async () => {
    const main = await add({ assignedTo: { userIds: [idOf('alice')] } });
    const own = await book(server, alice, { resourceId: main.id });
    await change(main, { assignedTo: { userIds: [idOf('bob')] } });
    const query = { startTime: own.startTime, duration: 60 };
    expect((await alice.resources.choose({ query })).resources).toEqual([]);
    expect((await alice.resources.choose({ query: { ...query, except: own.meetId } })).resources).toMatchObject([
      { id: main.id },
    ]);
    expect((await admin.resources.choose({ query: { ...query, except: own.meetId } })).resources).toMatchObject([
      { id: main.id },
    ]);
  });
});

describe('PUT meetings/resource/{id}', () => {
  const assign = (id: string, resource: string | null, who = alice): Promise<Meeting> =>
    who.resources.assign({ params: { id }, body: { resource } });

  test('assigns a meeting to a resource and removes it, by host or administrator, with audit rows', async () => {
    const [main, other] = [
      await add({ ports: 10 }),
      await add({ name: 'Other', assignedTo: { userIds: [idOf('bob')] } }),
    ];
    const { meetId } = await book(server, alice, {
      participants: [...(mails(4) ?? []), ...(invite(server, 'bob') ?? [])],
    });
    expect(await assign(meetId, main.id)).toMatchObject({ resource: { id: main.id, name: 'Main' }, version: 1 });
    expect(await codeOf(assign(meetId, other.id))).toBe('RESOURCE_UNKNOWN');
    expect(await assign(meetId, other.id, admin)).toMatchObject({ resource: { name: 'Other' } });
    expect(await alice.resources.choose({ query: { startTime: server.clock.in(60), duration: 60 } })).toMatchObject({
      resources: [{ portsFree: 10 }],
    });
    expect(await assign(meetId, null)).toMatchObject({ resource: null });
    expect((await auditOf('resources.assign')).slice(-3)).toMatchObject([
      { targetId: meetId, before: { resource: '' }, after: { resource: 'Main' } },
      { before: { resource: 'Main' }, after: { resource: 'Other' } },
      { before: { resource: 'Other' }, after: { resource: '' } },
    ]);
    expect(await codeOf(assign(meetId, main.id, bob))).toBe('FORBIDDEN');
    expect(await codeOf(assign(meetId, main.id, dave))).toBe('NOT_FOUND');
    expect(await codeOf(assign(newId(), main.id))).toBe('NOT_FOUND');
  });

  test('is refused for an unknown, disabled or full resource, without hours left, and after the meeting', async () => {
    const main = await add({ ports: 4, hours: 1 });
    const { meetId } = await book(server, alice, {
      startTime: server.clock.in(10),
      duration: 60,
      participants: mails(3),
    });
    const off = await add({ name: 'Off', enabled: false });
    for (const unknown of [newId(), off.id]) expect(await codeOf(assign(meetId, unknown))).toBe('RESOURCE_UNKNOWN');
    const other = await book(server, bob, {
      startTime: server.clock.in(10),
      duration: 30,
      participants: mails(2),
      resourceId: main.id,
    });
    expect(await messageOf(assign(meetId, main.id))).toBe(
      'Main has only 2 ports left at that time. Invite fewer, or choose another resource or time.',
    );
    await bob.meetings.update({
      params: { id: other.meetId },
      body: {
        subject: 'Moved',
        startTime: server.clock.in(100),
        duration: 30,
        password: '4821',
        resourceId: main.id,
        version: 1,
      },
    });
    expect(await messageOf(assign(meetId, main.id))).toBe(
      'Main has only 30 minutes left that month. Make the meeting shorter, or choose another resource or time.',
    );
    await alice.meetings.cancel({ params: { id: meetId }, query: {} });
    expect(await codeOf(assign(meetId, main.id))).toBe('NOT_FOUND');
    server.clock.advance({ minutes: 90 });
    await bob.meetings.start({ params: { id: other.meetId }, body: { early: false } });
    await bob.conferences.end({ params: { meetId: other.meetId } });
    expect(await codeOf(assign(other.meetId, null, bob))).toBe('MEETING_ENDED');
  });
});

describe('GET limits/getInviteLimit', () => {
  test('is the smallest limit of product, server, tenant and resource', async () => {
    const limit = (resourceId?: string, who = alice) =>
      who.resources.inviteLimit({ query: resourceId === undefined ? {} : { resourceId } });
    expect(await limit()).toEqual({ people: CAPACITY - 1, terminals: Math.min(LIMITS.terminals, CAPACITY - 1) });
    await server.db.platform((tx) => tx.update(tenant, { maxTerminals: 20 }, eq(tenant.tenantId, north)));
    expect(await limit()).toEqual({ people: 19, terminals: 19 });
    const main = await add({ ports: 8 });
    expect(await limit(main.id)).toEqual({ people: 7, terminals: 7 });
    expect(await limit()).toEqual({ people: 19, terminals: 19 });
    await change(main, { assignedTo: { userIds: [idOf('bob')] } });
    expect(await limit()).toEqual({ people: 0, terminals: 0 });
    for (const unknown of [main.id, newId()]) expect(await codeOf(limit(unknown))).toBe('RESOURCE_UNKNOWN');
    expect(await codeOf(limit(main.id, dave))).toBe('RESOURCE_UNKNOWN');
  });
});

describe('GET limits/checkBookLimit', () => {
  const check = (values: object = {}, who = alice) =>
    who.resources.bookLimit({
      query: { startTime: server.clock.in(60), duration: 60, type: 'NETWORK_MEETING', terminals: 3, ...values },
    });

  test('says which limit a booking breaks first, how high it is, and whom to ask', async () => {
    await server.db.platform((tx) =>
      tx.update(
        tenant,
        { maxMeetingMinutes: 120, maxTerminals: 20, meetingAdminName: 'IT', meetingAdminPhone: '8001' },
        eq(tenant.tenantId, north),
      ),
    );
    const contacts = {
      meetingAdmin: { name: 'IT', phoneNumber: 'ODAwMQ==' },
      serviceDesk: { name: '', phoneNumber: '--' },
    };
    expect(await check()).toEqual({ allowed: true, limit: null, value: null, contacts });
    expect(await check({ duration: 121 })).toEqual({ allowed: false, limit: 'duration', value: 120, contacts });
    expect(await check({ terminals: 21 })).toMatchObject({ allowed: false, limit: 'terminals', value: 20 });
    expect(await check({ terminals: 21, type: 'LOCAL_MEETING' })).toMatchObject({ allowed: true });
    expect(await check({ type: 'LIVE_MEETING' })).toMatchObject({ allowed: true });
    const main = await add({ ports: 10, hours: 3 });
    const own = await book(server, alice, {
      startTime: server.clock.in(60),
      duration: 120,
      participants: mails(6),
      resourceId: main.id,
    });
    expect(await check({ resourceId: main.id, terminals: 4 })).toMatchObject({ allowed: true });
    expect(await check({ resourceId: main.id, terminals: 5 })).toMatchObject({
      allowed: false,
      limit: 'ports',
      value: 4,
    });
    expect(await check({ resourceId: main.id, duration: 90, startTime: server.clock.in(600) })).toMatchObject({
      allowed: false,
      limit: 'hours',
      value: 60,
    });
    expect(await check({ resourceId: main.id, duration: 90, terminals: 8, except: own.meetId })).toMatchObject({
      allowed: true,
    });
    await change(main, { assignedTo: { userIds: [idOf('bob')] } });
    expect(await check()).toMatchObject({ allowed: false, limit: 'resource', value: null });
    expect(await check({ except: own.meetId, resourceId: main.id })).toMatchObject({ allowed: true });
    expect(await codeOf(check({ resourceId: main.id }))).toBe('RESOURCE_UNKNOWN');
    expect(await codeOf(check({ resourceId: main.id, except: own.meetId }, dave))).toBe('RESOURCE_UNKNOWN');
  });

  test('reports a type that the person may not book', async () => {
    await server.db.platform((tx) => tx.delete(accountRole, eq(accountRole.accountId, idOf('carol'))));
    const carol = await signIn(server, 'carol');
    for (const type of ['NETWORK_MEETING', 'VIDEO_MEETING', 'PHONE_MEETING', 'LOCAL_MEETING', 'LIVE_MEETING']) {
      expect(await check({ type }, carol)).toMatchObject({ allowed: false, limit: 'type', value: null });
      expect(await check({ type })).toMatchObject({ allowed: true });
    }
  });
});
