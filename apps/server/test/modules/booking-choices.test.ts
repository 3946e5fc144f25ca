import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONFERENCE_TEMPLATES } from '@rmeet/conference';
import { errorMessage, LIMITS, type BookingBody, type Meeting } from '@rmeet/contract';
import { departmentTree } from '../../src/modules/meetings/invitees/invitees.ts';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { participantGroup, participantGroupMember } from '../../src/modules/meetings/tables.ts';
import { meeting as meetings } from '../../src/modules/meetings/tables.ts';
import { roomBooking } from '../../src/modules/rooms/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
let north: string;
let south: string;
beforeAll(async () => {
  server = await startTestServer({ capacity: 40 });
  [alice, bob, carol, dave] = await Promise.all([
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'carol'),
    signIn(server, 'dave'),
  ]);
  [north, south] = [server.people.get('alice')?.tenantId ?? '', server.people.get('dave')?.tenantId ?? ''];
});
afterAll(() => server.close());

const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const setTenant = (values: Partial<typeof tenant.$inferInsert>) =>
  server.db.platform((tx) => tx.update(tenant, values, eq(tenant.tenantId, north)));

test('GET meetings/mcu-template answers what conferences can be set up for, in both languages', async () => {
  const templates = await alice.booking.templates();
  expect(templates).toEqual(CONFERENCE_TEMPLATES);
  expect(templates.every(({ name, nameEn }) => name !== '' && nameEn !== '')).toBe(true);
});

describe('GET meetings/parCountLimit/{a}/{b}', () => {
  const limitOf = async (type: Meeting['type'], resource = '-') =>
    (await alice.booking.participantLimit({ params: { a: type, b: resource } })).limit;

  test('is the smallest limit of meeting, server, tenant and resource', async () => {
    expect(await limitOf('VIDEO_MEETING')).toBe(40);
    expect(await limitOf('LOCAL_MEETING')).toBe(LIMITS.participants);
    const [small, endless] = [
      await fresh.resource(server, north, { ports: 12 }),
      await fresh.resource(server, north, { ports: null }),
    ];
    expect(await limitOf('VIDEO_MEETING', small)).toBe(12);
    expect(await limitOf('NETWORK_MEETING', endless)).toBe(40);
    await setTenant({ maxTerminals: 5 });
    expect([
      await limitOf('VIDEO_MEETING'),
      await limitOf('PHONE_MEETING', small),
      await limitOf('LOCAL_MEETING'),
    ]).toEqual([5, 5, LIMITS.participants]);
    await setTenant({ maxTerminals: null });
  });

  test('knows no other type, and no resource of others', async () => {
    expect(await codeOf(limitOf('PARTY' as 'VIDEO_MEETING'))).toBe('NOT_FOUND');
    expect(await codeOf(limitOf('VIDEO_MEETING', newId()))).toBe('NOT_FOUND');
    expect(await codeOf(limitOf('VIDEO_MEETING', await fresh.resource(server, south)))).toBe('NOT_FOUND');
  });
});

describe('GET meetings/allowUpdate/{id}', () => {
  const ask = (made: Meeting, query: { startTime?: string; duration?: number } = {}, who: Person = alice) =>
    who.booking.allowUpdate({ params: { id: made.meetId }, query });
  /** The response to that change of the meeting: a second check. */
  const change = (made: Meeting, more: Partial<BookingBody>) =>
    codeOf(
      alice.meetings.update({
        params: { id: made.meetId },
        body: {
          subject: made.subject,
          startTime: made.startTime,
          duration: made.duration,
          password: '4821',
          roomIds: made.rooms.map(({ id }) => id),
          version: made.version,
          ...more,
        },
      }),
    );

  test('says that a meeting may be changed, and changes nothing', async () => {
    const roomId = await fresh.room(server, north);
    const made = await book(server, alice, { roomIds: [roomId] });
    const before = await server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.meetingId, made.meetId)));
    expect(await ask(made)).toEqual({ allowed: true, reason: null, params: {}, message: '' });
    expect(await ask(made, { startTime: server.clock.in(600), duration: 90 })).toEqual({
      allowed: true,
      reason: null,
      params: {},
      message: '',
    });
    expect(await server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.meetingId, made.meetId)))).toEqual(
      before,
    );
    expect(await alice.meetings.detail({ params: { id: made.meetId } })).toEqual(made);
  });

  test('says why a change would be rejected: a time in the past, a meeting too long, a taken room', async () => {
    const roomId = await fresh.room(server, north, { name: 'Board room' });
    await book(server, bob, { roomIds: [roomId], startTime: server.clock.in(180) });
    const made = await book(server, alice, { roomIds: [roomId] });
    await setTenant({ maxMeetingMinutes: 240 });
    const wishes = [
      [{ startTime: server.clock.in(-60) }, 'MEETING_IN_PAST', {}],
      [{ duration: 300 }, 'QUOTA_DURATION', { minutes: 240 }],
      [{ duration: 121 }, 'ROOM_TAKEN', { room: 'Board room', host: 'Bob' }],
      [{ startTime: server.clock.in(150) }, 'ROOM_TAKEN', { room: 'Board room', host: 'Bob' }],
    ] as const;
    for (const [wish, reason, params] of wishes) {
      expect(await ask(made, wish)).toEqual({
        allowed: false,
        reason,
        params,
        message: errorMessage(reason, 'en', params),
      });
      expect(await change(made, wish)).toBe(reason);
    }
    expect(await ask(made, { duration: 120 })).toMatchObject({ allowed: true });
    await setTenant({ maxMeetingMinutes: null });
  });

  test('says why a running or past meeting cannot be changed', async () => {
    const made = await book(server, alice, { startTime: server.clock.in(0) });
    await alice.conferences.join({ body: { numericId: made.numericId } });
    expect(await ask(made)).toMatchObject({ allowed: false, reason: 'MEETING_RUNNING' });
    expect(await change(made, {})).toBe('MEETING_RUNNING');
    await alice.conferences.end({ params: { meetId: made.meetId } });
    expect(await ask(made)).toMatchObject({ allowed: false, reason: 'MEETING_ENDED' });
    expect(await change(made, {})).toBe('MEETING_ENDED');
  });

  test('is for those who may change it', async () => {
    const made = await book(server, alice, { participants: invite(server, 'bob') });
    expect(await codeOf(ask(made, {}, bob))).toBe('FORBIDDEN');
    expect(await codeOf(ask(made, {}, carol))).toBe('NOT_FOUND');
    expect(await codeOf(ask(made, {}, dave))).toBe('NOT_FOUND');
    expect(await codeOf(ask(made, { duration: 1 }))).toBe('INVALID_INPUT');
  });
});

describe('departments', () => {
  test('a tree lists every level after its parent, with all people below it', () => {
    const tree = departmentTree(
      new Map([
        ['B', 1],
        ['A/x', 2],
        ['A-1', 5],
        ['A/x/y', 3],
      ]),
    );
    expect(tree).toEqual([
      { path: 'A', name: 'A', parent: null, people: 5 },
      { path: 'A/x', name: 'x', parent: 'A', people: 5 },
      { path: 'A/x/y', name: 'y', parent: 'A/x', people: 3 },
      { path: 'A-1', name: 'A-1', parent: null, people: 5 },
      { path: 'B', name: 'B', parent: null, people: 1 },
    ]);
  });

  test('GET meetings/departments counts who can be invited, per tenant; GET meetings/invitees lists them', async () => {
    const add = (department: string, values: object = {}) => fresh.account(server, north, { department, ...values });
    await Promise.all([
      add('Ward'),
      add('Ward/Night'),
      add('Ward/Night'),
      add('Ward/Off', { enabled: false }),
      add('Wardrobe'),
      add('Ward/Gone', { enabled: false, deletedAt: server.clock.now() }),
    ]);
    await fresh.account(server, south, { department: 'Ward' });
    const tree = await alice.booking.departments();
    expect(tree.filter(({ path }) => path.startsWith('Ward'))).toEqual([
      { path: 'Ward', name: 'Ward', parent: null, people: 3 },
      { path: 'Ward/Night', name: 'Night', parent: 'Ward', people: 2 },
      { path: 'Wardrobe', name: 'Wardrobe', parent: null, people: 1 },
    ]);
    const peopleOf = (department: string, keyword = '') => alice.meetings.invitees({ query: { department, keyword } });
    expect((await peopleOf('Ward')).map(({ department }) => department).toSorted()).toEqual([
      'Ward',
      'Ward/Night',
      'Ward/Night',
    ]);
    expect(await peopleOf('Nowhere')).toEqual([]);
    const [first] = await peopleOf('Ward/Night');
    expect(await peopleOf('Ward', first?.name)).toContainEqual(first);
    expect(await peopleOf('Ward', 'nobody is called so')).toEqual([]);
  });

  test('a large department is answered up to the limit of a meeting', async () => {
    const rows = Array.from({ length: LIMITS.participants + 5 }, (_, at) => ({
      id: newId(),
      account: `large${at}`,
      name: `Large ${at}`,
      department: 'Large',
      passwordHash: '-',
      createdAt: server.clock.now(),
    }));
    await server.db.tenant(north, (tx) => tx.insert(account, rows));
    expect(await alice.meetings.invitees({ query: { department: 'Large' } })).toHaveLength(LIMITS.participants);
    expect((await alice.booking.departments()).find(({ path }) => path === 'Large')?.people).toBe(
      LIMITS.participants + 5,
    );
    await server.db.tenant(north, (tx) => tx.delete(account, eq(account.department, 'Large')));
  });
});

describe('groups', () => {
  const create = (name: string, userIds: string[] = [idOf('bob')], who: Person = alice) =>
    who.booking.createGroup({ body: { name, userIds } });

  test('POST and GET meetings/groups keep people in their order, each once, for their owner alone', async () => {
    const made = await create('Board', [idOf('carol'), idOf('bob'), idOf('carol')]);
    expect(made).toMatchObject({ name: 'Board', version: 1, people: [{ name: 'Carol' }, { name: 'Bob' }] });
    await create('An early one');
    expect((await alice.booking.groups()).map(({ name }) => name)).toEqual(['An early one', 'Board']);
    expect(await bob.booking.groups()).toEqual([]);
    const row = await server.db.platform((tx) => tx.findOne(auditLog, eq(auditLog.targetId, made.id)));
    expect(row).toMatchObject({
      action: 'booking.createGroup',
      targetKind: 'participantGroup',
      after: { name: 'Board', people: 2 },
    });
  });

  test('have names unique per owner, and only members who can be invited', async () => {
    await create('Named');
    expect(await codeOf(create('named'))).toBe('NAME_TAKEN');
    expect(await codeOf(create('Named', [idOf('alice')], bob))).toBe('OK');
    for (const userIds of [
      [newId()],
      [idOf('erin')],
      [idOf('root')],
      [await fresh.account(server, north, { enabled: false })],
    ]) {
      expect(await codeOf(create('Unknown', userIds))).toBe('PARTICIPANT_UNKNOWN');
    }
    expect(await codeOf(create('', [idOf('bob')]))).toBe('INVALID_INPUT');
    expect(await codeOf(create('Empty', []))).toBe('INVALID_INPUT');
    expect(await codeOf(create('Large', Array.from({ length: LIMITS.groupPeople + 1 }, newId)))).toBe('INVALID_INPUT');
  });

  test('PUT meetings/groups/{id} changes one; of two concurrent edits one is rejected', async () => {
    const made = await create('To change');
    const put = (name: string, version = made.version, who: Person = alice) =>
      who.booking.updateGroup({ params: { id: made.id }, body: { name, userIds: [idOf('carol')], version } });
    const codes = await Promise.all([codeOf(put('Changed')), codeOf(put('Changed too'))]);
    expect(codes.toSorted()).toEqual(['CHANGED_MEANWHILE', 'OK']);
    const changed = (await alice.booking.groups()).find(({ id }) => id === made.id);
    expect(changed).toMatchObject({ version: 2, people: [{ name: 'Carol' }] });
    expect(await codeOf(put('Named', 2))).toBe('NAME_TAKEN');
    expect(await codeOf(put('Mine', 2, bob))).toBe('NOT_FOUND');
    expect(await codeOf(put('Mine', 2, dave))).toBe('NOT_FOUND');
  });

  test("DELETE meetings/groups/{id} removes one of the caller's own", async () => {
    const made = await create('To remove');
    expect(await codeOf(bob.booking.removeGroup({ params: { id: made.id } }))).toBe('NOT_FOUND');
    await alice.booking.removeGroup({ params: { id: made.id } });
    expect((await alice.booking.groups()).some(({ id }) => id === made.id)).toBe(false);
    expect(await codeOf(alice.booking.removeGroup({ params: { id: made.id } }))).toBe('NOT_FOUND');
    expect(
      await server.db.platform((tx) => tx.count(participantGroupMember, eq(participantGroupMember.groupId, made.id))),
    ).toBe(0);
  });

  test('do not show people who can no longer be invited', async () => {
    const gone = await fresh.account(server, north);
    const made = await create('With a leaver', [gone, idOf('bob')]);
    await server.db.tenant(north, (tx) => tx.update(account, { enabled: false }, eq(account.id, gone)));
    expect((await alice.booking.groups()).find(({ id }) => id === made.id)?.people.map(({ name }) => name)).toEqual([
      'Bob',
    ]);
  });

  test(`are limited to ${LIMITS.groups}, even if many are created at once`, async () => {
    const have = await server.db.platform((tx) =>
      tx.count(participantGroup, eq(participantGroup.ownerId, idOf('carol'))),
    );
    const codes = await Promise.all(
      Array.from({ length: LIMITS.groups - have + 5 }, (_, at) => codeOf(create(`Number ${at}`, [idOf('bob')], carol))),
    );
    expect(codes.filter((code) => code === 'OK')).toHaveLength(LIMITS.groups - have);
    expect(codes.filter((code) => code === 'GROUPS_TOO_MANY')).toHaveLength(5);
  });
});

describe('POST meetings/busy', () => {
  const DAY = 24 * 60;
  let day = 10;
  /** Each test has its own day, so that its meetings do not conflict with others. */
  const nextDay = (): number => (day += 2) * DAY;
  const ask = (names: string[], from: number, until: number, more: object = {}, who: Person = alice) =>
    who.booking.busy({
      body: {
        userIds: names.map((name) => idOf(name)),
        from: server.clock.in(from),
        until: server.clock.in(until),
        ...more,
      },
    });
  const named = (found: Awaited<ReturnType<typeof ask>>) =>
    found.map(({ name, meetings: theirs }) => [name, theirs.length]);

  test('names the hosts and participants of overlapping meetings, with the times', async () => {
    const at = nextDay();
    const made = await book(server, bob, { startTime: server.clock.in(at), participants: invite(server, 'carol') });
    const found = await ask(['carol', 'alice', 'bob'], at + 30, at + 90);
    expect(named(found)).toEqual([
      ['Carol', 1],
      ['Bob', 1],
    ]);
    expect(found[0]).toEqual({
      userId: idOf('carol'),
      name: 'Carol',
      meetings: [{ startTime: made.startTime, endTime: server.clock.in(at + 60), subject: null }],
    });
    // A meeting that ends when the other begins does not conflict.
    expect(await ask(['bob', 'carol'], at + 60, at + 90)).toEqual([]);
    expect(await ask(['bob', 'carol'], at - 30, at)).toEqual([]);
    expect(named(await ask(['bob', 'bob'], at - 30, at + 1))).toEqual([['Bob', 1]]);
  });

  test('describes the meeting to those who may see it', async () => {
    const at = nextDay();
    await book(server, bob, {
      subject: 'Secret',
      startTime: server.clock.in(at),
      participants: invite(server, 'carol'),
    });
    const subjectFor = async (who: Person) => (await ask(['bob'], at, at + 60, {}, who))[0]?.meetings[0]?.subject;
    expect([
      await subjectFor(alice),
      await subjectFor(carol),
      await subjectFor(bob),
      await subjectFor(await signIn(server, 'admin')),
    ]).toEqual([null, 'Secret', 'Secret', 'Secret']);
  });

  test('leaves out the edited meeting, cancelled meetings and past ones', async () => {
    const at = nextDay();
    const one = await book(server, bob, { startTime: server.clock.in(at) });
    expect(await ask(['bob'], at, at + 60, { except: one.meetId })).toEqual([]);
    expect(named(await ask(['bob'], at, at + 60))).toEqual([['Bob', 1]]);
    await server.db.platform((tx) => tx.update(meetings, { status: 'OFFLINE' }, eq(meetings.id, one.meetId)));
    expect(await ask(['bob'], at, at + 60)).toEqual([]);
    const two = await book(server, bob, { startTime: server.clock.in(at) });
    await bob.meetings.cancel({ params: { id: two.meetId }, query: {} });
    expect(await ask(['bob'], at, at + 60)).toEqual([]);
  });

  test('reveals nothing about people of another tenant', async () => {
    const at = nextDay();
    await book(server, dave, { startTime: server.clock.in(at), participants: invite(server, 'erin') });
    expect(await ask(['dave', 'erin'], at, at + 60)).toEqual([]);
    expect(
      await alice.booking.busy({
        body: { userIds: [newId()], from: server.clock.in(at), until: server.clock.in(at + 60) },
      }),
    ).toEqual([]);
  });

  test('limits the period, and the people to those of one meeting', async () => {
    expect(await codeOf(ask(['bob'], 60, 60))).toBe('INVALID_INPUT');
    expect(await codeOf(ask(['bob'], 0, 33 * DAY))).toBe('INVALID_INPUT');
    expect(await codeOf(ask([], 0, 60))).toBe('INVALID_INPUT');
    expect(
      await codeOf(
        alice.booking.busy({
          body: {
            userIds: Array.from({ length: LIMITS.participants + 1 }, newId),
            from: server.clock.in(0),
            until: server.clock.in(60),
          },
        }),
      ),
    ).toBe('INVALID_INPUT');
  });

  test('prevents no invitation: busy people can be invited', async () => {
    const at = nextDay();
    await book(server, bob, { startTime: server.clock.in(at) });
    expect(
      await codeOf(book(server, alice, { startTime: server.clock.in(at), participants: invite(server, 'bob') })),
    ).toBe('OK');
  });
});
