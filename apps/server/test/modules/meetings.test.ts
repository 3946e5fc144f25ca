import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { contract, type Meeting } from '@rmeet/contract';
import { meeting, meetingNumber } from '../../src/modules/meetings/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { call, clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let alice: Person;
let bob: Person;
let carol: Person;
beforeAll(async () => {
  server = await startTestServer();
  [admin, alice, bob, carol] = await Promise.all([
    signIn(server, 'admin'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'carol'),
  ]);
});
afterAll(() => server.close());

const subjects = (page: { records: Meeting[] }) => page.records.map((record) => record.subject);
const idOf = (name: string) => server.people.get(name)?.id ?? '';

describe('booking', () => {
  test('creates a meeting with a random nine-digit number, its links and the rights of the host', async () => {
    const made = await book(server, alice, {
      subject: '  Handover ',
      agenda: 'Beds',
      participants: invite(server, 'bob', 'guest@example.org'),
    });
    expect(made.numericId).toMatch(/^[1-9]\d{8}$/);
    expect(made).toMatchObject({
      subject: 'Handover',
      type: 'NETWORK_MEETING',
      status: 'SCHEDULE',
      version: 1,
      terminalCount: 0,
      password: '4821',
      host: { userId: idOf('alice'), name: 'Alice' },
      participants: [
        { kind: 'user', userId: idOf('bob'), name: 'Bob' },
        { kind: 'mail', email: 'guest@example.org' },
      ],
      can: { edit: true, cancel: true, start: true, join: true, end: false },
    });
    const link = `${server.origin}/#/join?number=${made.numericId}&pwd=4821`;
    expect(made).toMatchObject({ guestUrl: link, config: { url: `${link}&watch=0`, watchUrl: `${link}&watch=1` } });
  });

  test('keeps the password sealed, bound to its meeting', async () => {
    const [one, other] = [await book(server, alice, { password: 'secret77' }), await book(server, alice)];
    const rows = await server.db.platform((tx) => tx.find(meeting));
    expect(JSON.stringify(rows)).not.toContain('secret77');
    const sealed = rows.find((row) => row.id === one.meetId)?.passwordSealed ?? null;
    await server.db.platform((tx) => tx.update(meeting, { passwordSealed: sealed }, eq(meeting.id, other.meetId)));
    expect(
      (await call(server, contract.meetings.detail, { params: { id: other.meetId } }, alice.token)).httpStatus,
    ).toBe(500);
    await server.db.platform((tx) =>
      tx.update(meeting, { passwordSealed: null, waitingRoom: true }, eq(meeting.id, other.meetId)),
    );
  });

  test('gives no two meetings the same number, and numbers in no order', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => book(server, bob)));
    const numbers = made.map((one) => Number(one.numericId));
    expect(new Set(numbers).size).toBe(20);
    expect(numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0))).toBe(false);
    expect(
      await server.db.platform((tx) => tx.count(meetingNumber, eq(meetingNumber.kind, 'meeting'))),
    ).toBeGreaterThanOrEqual(20);
  });

  test('invites each person once and leaves the host out', async () => {
    const made = await book(server, alice, {
      participants: invite(server, 'bob', 'bob', 'alice', 'A@example.org', 'a@example.org'),
    });
    expect(made.participants).toHaveLength(2);
  });

  test.each([
    ['a start that is over', { startTime: '2020-01-01T00:00:00Z' }, 'MEETING_IN_PAST'],
    ['neither password nor waiting room', { password: '' }, 'PASSWORD_OR_WAITING_ROOM'],
    ['an unknown participant', { participants: [{ kind: 'user' as const, userId: newId() }] }, 'PARTICIPANT_UNKNOWN'],
    ['a short password', { password: '123' }, 'INVALID_INPUT'],
    ['no subject', { subject: ' ' }, 'INVALID_INPUT'],
    ['too long a meeting', { duration: 24 * 60 + 1 }, 'INVALID_INPUT'],
  ])('refuses %s', async (_, body, code) => {
    expect(await codeOf(book(server, alice, body))).toBe(code);
  });

  test('refuses people of another tenant as if they did not exist', async () => {
    expect(await codeOf(book(server, alice, { participants: invite(server, 'erin') }))).toBe('PARTICIPANT_UNKNOWN');
  });
});

describe('seeing', () => {
  test('is for host, participants and the tenant administrator; others learn nothing', async () => {
    const made = await book(server, alice, { participants: invite(server, 'bob') });
    const see = (token: string | undefined, id = made.meetId) =>
      call(server, contract.meetings.detail, { params: { id } }, token);
    expect((await see(alice.token)).data.can).toMatchObject({ edit: true });
    expect((await see(bob.token)).data).toMatchObject({
      password: '4821',
      can: { edit: false, cancel: false, start: false, join: true, end: false },
    });
    expect((await see(admin.token)).data.can).toMatchObject({ edit: true, cancel: true });
    expect(await see(carol.token)).toEqual(await see(carol.token, newId()));
    expect((await see(undefined)).statusCode).toBe('UNAUTHORIZED');
  });

  test('works by number too', async () => {
    const made = await book(server, alice, { participants: invite(server, 'bob') });
    const see = (token: string, id: string) => call(server, contract.meetings.numeric, { params: { id } }, token);
    expect((await see(bob.token, made.numericId)).data.meetId).toBe(made.meetId);
    expect(await see(carol.token, made.numericId)).toEqual(await see(carol.token, '999999999'));
  });
});

describe('the list', () => {
  let chair: Person;
  beforeAll(async () => {
    chair = await signIn(server, 'chair');
    const base = { host: chair, day: 24 * 60 };
    for (const [subject, inMinutes, extra] of [
      ['budget 50%', 60, {}],
      ['rounds', base.day * 2, { participants: invite(server, 'carol') }],
      ['audit', base.day * 3, { duration: 30 }],
    ] as const) {
      await book(server, chair, { subject, startTime: server.clock.in(inMinutes), ...extra });
    }
    const past = await book(server, chair, { subject: 'gone' });
    const start = new Date(server.clock.in(-base.day * 2));
    await server.db.platform((tx) =>
      tx.update(
        meeting,
        { startTime: start, endTime: new Date(start.getTime() + 3_600_000), status: 'OFFLINE' },
        eq(meeting.id, past.meetId),
      ),
    );
    const running = await book(server, chair, { subject: 'live', startTime: server.clock.in(1) });
    await chair.meetings.start({ params: { id: running.meetId }, body: { early: true } });
  });

  const day = () => ({ dayStart: server.clock.in(-60), dayEnd: server.clock.in(12 * 60) });

  test.each([
    ['all', ['gone', 'live', 'budget 50%', 'rounds', 'audit']],
    ['running', ['live']],
    ['today', ['live', 'budget 50%']],
    ['upcoming', ['rounds', 'audit']],
    ['past', ['gone']],
  ] as const)('shows what is %s', async (scope, expected) => {
    expect(subjects(await chair.meetings.list({ query: { scope, ...day() } }))).toEqual(expected);
  });

  test('shows participants their meetings, and others nothing', async () => {
    expect(subjects(await carol.meetings.list({ query: { keyword: 'rounds' } }))).toEqual(['rounds']);
    expect((await bob.meetings.list({ query: { keyword: 'rounds' } })).total).toBe(0);
  });

  test('shows the tenant admin all meetings on request, other people never', async () => {
    expect((await admin.meetings.list({ query: { keyword: 'rounds' } })).total).toBe(0);
    expect(subjects(await admin.meetings.list({ query: { keyword: 'rounds', tenantWide: 'true' } }))).toEqual([
      'rounds',
    ]);
    expect((await bob.meetings.list({ query: { keyword: 'rounds', tenantWide: 'true' } })).total).toBe(0);
  });

  test.each([
    ['BUDGET', ['budget 50%']],
    ['50%', ['budget 50%']],
    ['%', ['budget 50%']],
    ['chai', ['gone', 'live', 'budget 50%', 'rounds', 'audit']],
    ['\\', []],
  ])('finds %s in subjects, numbers and hosts', async (keyword, expected) => {
    expect(subjects(await chair.meetings.list({ query: { keyword } }))).toEqual(expected);
  });

  test('finds a number, or a part of it', async () => {
    const [first] = (await chair.meetings.list({ query: { keyword: 'audit' } })).records;
    expect(subjects(await chair.meetings.list({ query: { keyword: first?.numericId.slice(2) } }))).toContain('audit');
  });

  test('sorts, filters and pages', async () => {
    expect(subjects(await chair.meetings.list({ query: { sort: 'subject', order: 'DESC' } }))).toEqual([
      'rounds',
      'live',
      'gone',
      'budget 50%',
      'audit',
    ]);
    expect(subjects(await chair.meetings.list({ query: { sort: 'duration' } }))[0]).toBe('audit');
    expect(subjects(await chair.meetings.list({ query: { status: 'OFFLINE' } }))).toEqual(['gone']);
    const second = await chair.meetings.list({ query: { size: '2', current: '2' } });
    expect(second).toMatchObject({ total: 5, current: 2, size: 2 });
    expect(subjects(second)).toEqual(['budget 50%', 'rounds']);
    expect((await chair.meetings.list({ query: { current: '9' } })).records).toEqual([]);
  });

  test('counts to 10,000 and says that there are more', async () => {
    const [row] = await server.db.platform((tx) => tx.find(meeting, eq(meeting.subject, 'audit')));
    if (!row) throw new Error('There is no meeting to copy.');
    const erin = server.people.get('erin');
    if (!erin) throw new Error('There is no erin.');
    const copies = Array.from({ length: 10_001 }, (_, i) => ({
      ...row,
      id: newId(),
      subject: `copy ${i}`,
      passwordSealed: null,
      waitingRoom: true,
      tenantId: erin.tenantId,
      hostId: erin.id,
    }));
    await server.db.platform(async (tx) => {
      for (let i = 0; i < copies.length; i += 1_000) await tx.insert(meeting, copies.slice(i, i + 1_000));
    });
    const southern = await signIn(server, 'erin');
    expect(await southern.meetings.list({ query: { size: '1' } })).toMatchObject({
      total: 10_000,
      totalIsLowerBound: true,
    });
    expect(await southern.meetings.list({ query: { keyword: 'copy 9999' } })).toMatchObject({ total: 1 });
  });
});

describe('changing', () => {
  const edit = (made: Meeting, body = {}) => ({
    params: { id: made.meetId },
    body: {
      subject: made.subject,
      startTime: made.startTime,
      duration: made.duration,
      password: made.password,
      version: made.version,
      ...body,
    },
  });

  test('keeps the number and counts the version', async () => {
    const made = await book(server, alice, { participants: invite(server, 'bob') });
    const changed = await alice.meetings.update(
      edit(made, { subject: 'Later', duration: 30, participants: invite(server, 'carol') }),
    );
    expect(changed).toMatchObject({
      subject: 'Later',
      duration: 30,
      version: 2,
      numericId: made.numericId,
      participants: [{ name: 'Carol' }],
    });
  });

  test('concurrently gives the second editor a conflict, and nothing is lost', async () => {
    const made = await book(server, alice);
    const answers = await Promise.all(
      ['one', 'two'].map((subject) => codeOf(alice.meetings.update(edit(made, { subject })))),
    );
    expect(answers.toSorted()).toEqual(['MEETING_CONFLICT', 'OK']);
    const now = await alice.meetings.detail({ params: { id: made.meetId } });
    expect(now).toMatchObject({ version: 2, subject: answers[0] === 'OK' ? 'one' : 'two' });
    expect((await alice.meetings.update(edit(now, { subject: 'three' }))).version).toBe(3);
  });

  test('is for the host and the tenant admin', async () => {
    const made = await book(server, alice, { participants: invite(server, 'bob') });
    expect(await codeOf(bob.meetings.update(edit(made)))).toBe('FORBIDDEN');
    expect(await codeOf(carol.meetings.update(edit(made)))).toBe('NOT_FOUND');
    expect((await admin.meetings.update(edit(made, { subject: 'By the admin' }))).host.name).toBe('Alice');
  });

  test('refuses what booking refuses, and a meeting that runs or is over', async () => {
    const made = await book(server, alice, { startTime: server.clock.in(10) });
    expect(await codeOf(alice.meetings.update(edit(made, { password: '' })))).toBe('PASSWORD_OR_WAITING_ROOM');
    expect(await codeOf(alice.meetings.update(edit(made, { startTime: '2020-01-01T00:00:00Z' })))).toBe(
      'MEETING_IN_PAST',
    );
    expect(await codeOf(alice.meetings.update(edit(made, { participants: invite(server, 'erin') })))).toBe(
      'PARTICIPANT_UNKNOWN',
    );
    await alice.meetings.start({ params: { id: made.meetId }, body: { early: true } });
    expect(await codeOf(alice.meetings.update(edit(made)))).toBe('MEETING_RUNNING');
    expect(await codeOf(alice.meetings.cancel({ params: { id: made.meetId }, query: {} }))).toBe('MEETING_RUNNING');
    await alice.conferences.end({ params: { meetId: made.meetId } });
    expect(await codeOf(alice.meetings.update(edit(made)))).toBe('MEETING_ENDED');
    expect(await codeOf(alice.meetings.cancel({ params: { id: made.meetId }, query: {} }))).toBe('MEETING_ENDED');
    expect(await codeOf(alice.meetings.start({ params: { id: made.meetId }, body: { early: true } }))).toBe(
      'MEETING_ENDED',
    );
  });

  test('notifies all people of the tenant, and no one in another', async () => {
    const [here, there] = [
      await connect(server, { token: bob.token }, 'activity'),
      await connect(server, { token: (await signIn(server, 'dave')).token }, 'activity'),
    ];
    const made = await book(server, alice);
    const { event } = await here.event('meetingsChanged');
    expect(event).toMatchObject({ meetId: made.meetId });
    expect(there.eventTypes).toEqual([]);
    await Promise.all([here.close(), there.close()]);
  });
});

describe('cancelling and starting', () => {
  test('a cancelled meeting disappears for all', async () => {
    const made = await book(server, alice, { participants: invite(server, 'bob') });
    expect(await codeOf(bob.meetings.cancel({ params: { id: made.meetId }, query: {} }))).toBe('FORBIDDEN');
    await alice.meetings.cancel({ params: { id: made.meetId }, query: {} });
    expect(await codeOf(alice.meetings.detail({ params: { id: made.meetId } }))).toBe('NOT_FOUND');
    expect(await codeOf(alice.meetings.numeric({ params: { id: made.numericId } }))).toBe('NOT_FOUND');
    expect((await alice.meetings.list({ query: { keyword: made.numericId } })).total).toBe(0);
    expect(
      await codeOf(
        clientOf(server).conferences.join({ body: { numericId: made.numericId, name: 'Guest', password: '4821' } }),
      ),
    ).toBe('MEETING_CANCELLED');
  });

  test('starting opens the conference; a second start does no harm', async () => {
    const made = await book(server, alice, { startTime: server.clock.in(10), participants: invite(server, 'bob') });
    expect(await codeOf(bob.meetings.start({ params: { id: made.meetId }, body: { early: true } }))).toBe('FORBIDDEN');
    const started = await alice.meetings.start({ params: { id: made.meetId }, body: { early: true } });
    expect(started).toMatchObject({
      status: 'ONLINE',
      can: { edit: false, cancel: false, start: false, join: true, end: true },
    });
    expect(await alice.meetings.start({ params: { id: made.meetId }, body: { early: true } })).toMatchObject({
      status: 'ONLINE',
    });
    expect(await codeOf(alice.conferences.end({ params: { meetId: made.meetId } }))).toBe('OK');
  });

  test('starting needs the media engine', async () => {
    const made = await book(server, alice);
    server.media.isUp = false;
    expect(await codeOf(alice.meetings.start({ params: { id: made.meetId }, body: { early: true } }))).toBe(
      'MEDIA_UNAVAILABLE',
    );
    server.media.isUp = true;
    expect((await alice.meetings.detail({ params: { id: made.meetId } })).status).toBe('SCHEDULE');
  });
});

test('an unopened meeting is over an hour past its end, by the next round', async () => {
  const [early, late] = [
    await book(server, alice, { startTime: server.clock.in(0), duration: 30 }),
    await book(server, alice, { startTime: server.clock.in(1), duration: 30 }),
  ];
  server.clock.advance({ minutes: 90 });
  await server.rounds.lapseMeetings();
  const statuses = await Promise.all(
    [early, late].map(async ({ meetId }) => (await alice.meetings.detail({ params: { id: meetId } })).status),
  );
  expect(statuses).toEqual(['OFFLINE', 'SCHEDULE']);
  expect(await server.rounds.lapseMeetings()).toBe(0);
});

test('invitees are people of the tenant, found by part of name or account', async () => {
  const names = async (keyword?: string) =>
    (await alice.meetings.invitees({ query: { keyword } })).map((person) => person.name);
  expect(await names()).toEqual(['Admin', 'Alice', 'Bob', 'Carol', 'Chair']);
  expect(await names('AL')).toEqual(['Alice']);
  expect(await names('erin')).toEqual([]);
  expect(await alice.meetings.invitees({ query: { keyword: 'alice' } })).toEqual([
    { userId: idOf('alice'), account: 'alice', name: 'Alice', department: '外科' },
  ]);
});
