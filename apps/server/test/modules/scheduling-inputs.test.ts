import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BookingBody, Meeting } from '@rmeet/contract';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { accountRole } from '../../src/modules/accounts/roles/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { clientOf, signIn, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { workbookOf } from './support/workbooks.ts';
import { expectRefused, type Wrong } from './support/wrong-inputs.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
/** Has no role, so she cannot book. */
let carol: Person;
let admin: Person;
let dave: Person;
let operator: Person;
let north: string;
let south: string;
/** For each kind, one of north and one of south. */
let room: string;
let foreignRoom: string;
let terminal: string;
let foreignTerminal: string;
let resource: string;
let foreignResource: string;
/** A meeting of alice's with bob invited; a running one; one that is over. */
let booked: Meeting;
let running: Meeting;
let over: Meeting;

beforeAll(async () => {
  server = await startTestServer();
  await server.db.platform((tx) =>
    tx.delete(accountRole, eq(accountRole.accountId, server.people.get('carol')?.id ?? '')),
  );
  [admin, alice, bob, carol, dave, operator] = (await Promise.all(
    ['admin', 'alice', 'bob', 'carol', 'dave', 'root'].map((name) => signIn(server, name)),
  )) as [Person, Person, Person, Person, Person, Person];
  [north, south] = [server.people.get('alice')?.tenantId ?? '', server.people.get('dave')?.tenantId ?? ''];
  [room, foreignRoom] = [await fresh.room(server, north), await fresh.room(server, south)];
  [terminal, foreignTerminal] = [await fresh.terminal(server, north), await fresh.terminal(server, south)];
  [resource, foreignResource] = [
    await fresh.resource(server, north, { ports: 4 }),
    await fresh.resource(server, south),
  ];
  over = await book(server, alice, { startTime: server.clock.in(0), participants: invite(server, 'bob') });
  await alice.meetings.start({ params: { id: over.meetId }, body: { early: true } });
  await alice.conferences.end({ params: { meetId: over.meetId } });
  running = await book(server, alice, { startTime: server.clock.in(0), participants: invite(server, 'bob') });
  await alice.meetings.start({ params: { id: running.meetId }, body: { early: true } });
  booked = await book(server, alice, { roomIds: [room], participants: invite(server, 'bob') });
  await server.db.platform((tx) => tx.update(tenant, { maxMeetingMinutes: 600 }, eq(tenant.tenantId, north)));
});
afterAll(() => server.close());

const refused = (call: string, wrongs: Record<string, Wrong>, usual = alice) =>
  expectRefused(server, call, { usual, operator }, wrongs);
const invalid = (fields: string): { expected: string } => ({ expected: `INVALID_INPUT ${fields}` });
const meetingsOf = () => server.db.tenant(north, (tx) => tx.count(meeting));

/**
 * Wrong ids in the path, and callers without the right: for a call that manages a meeting, with `path` before its id.
 */
function byMeeting(path: string, rest: Omit<Wrong, 'expected'> = {}, invited = 'FORBIDDEN'): Record<string, Wrong> {
  const at = (id: string, expected: string, who?: Person): Wrong => ({
    ...rest,
    path: `${path}/${id}`,
    expected,
    ...(who ? { who } : {}),
  });
  return {
    'no id': at('x', 'NOT_FOUND'),
    'an id of nothing': at(newId(), 'NOT_FOUND'),
    'of another tenant': at(booked.meetId, 'NOT_FOUND', dave),
    'by a stranger': at(booked.meetId, 'NOT_FOUND', carol),
    'by somebody invited': at(booked.meetId, invited, bob),
  };
}

describe('rooms', () => {
  test('POST rooms/occupancy/room', async () => {
    const good = { roomIds: [room], from: server.clock.in(0), until: server.clock.in(60) };
    await refused('POST rooms/occupancy/room', {
      nothing: { body: {}, ...invalid('roomIds from until') },
      'no list': { body: { ...good, roomIds: room }, ...invalid('roomIds') },
      'no room': { body: { ...good, roomIds: [] }, ...invalid('roomIds') },
      'no ids': { body: { ...good, roomIds: ['Library'] }, ...invalid('roomIds.0') },
      'too many rooms': {
        body: { ...good, roomIds: Array.from({ length: 201 }, () => newId()) },
        ...invalid('roomIds'),
      },
      'no time': { body: { ...good, from: 'today' }, ...invalid('from until') },
      backwards: { body: { ...good, until: good.from }, ...invalid('until') },
      'more than 32 days': { body: { ...good, until: server.clock.in(33 * 24 * 60) }, ...invalid('until') },
      'no meeting to leave out': { body: { ...good, except: 'mine' }, ...invalid('except') },
    });
  });

  test('GET rooms/query-rooms/floors', () => refused('GET rooms/query-rooms/floors', {}));

  test('POST rooms/checkIn', async () => {
    const good = { meetId: booked.meetId, roomId: room };
    await refused('POST rooms/checkIn', {
      nothing: { body: {}, ...invalid('meetId roomId') },
      'no ids': { body: { meetId: 'mine', roomId: 'Library' }, ...invalid('meetId roomId') },
      'a meeting of nothing': { body: { ...good, meetId: newId() }, expected: 'NOT_FOUND' },
      'of another tenant': { body: good, who: dave, expected: 'NOT_FOUND' },
      'by a stranger': { body: good, who: carol, expected: 'NOT_FOUND' },
      'a room it has not': { body: { ...good, roomId: foreignRoom }, expected: 'ROOM_NOT_BOOKED' },
      'an hour early': { body: good, expected: 'CHECK_IN_EARLY' },
    });
  });
});

describe('media resources', () => {
  test('GET meeting-resource', () =>
    refused('GET meeting-resource', {
      'no page': { query: { current: 0 }, ...invalid('current') },
      'too large a page': { query: { size: 201 }, ...invalid('size') },
      'no state': { query: { status: 'gone' }, ...invalid('status') },
      'no order': { query: { sort: 'colour', order: 'up' }, ...invalid('sort order') },
      'neither true nor false': { query: { tenantWide: 'perhaps' }, ...invalid('tenantWide') },
      'too long a keyword': { query: { keyword: 'x'.repeat(101) }, ...invalid('keyword') },
    }));

  test('PUT meeting-resource', async () => {
    const other = await fresh.resource(server, north);
    const { name } = (await admin.resources.list({ query: { tenantWide: 'true' } })).records.find(
      ({ id }) => id === other,
    ) ?? { name: '' };
    const good = { id: resource, name: 'Main', assignedTo: { everybody: true }, version: 1 };
    await refused(
      'PUT meeting-resource',
      {
        nothing: { body: {}, ...invalid('name id version') },
        'no name': { body: { ...good, name: ' ' }, ...invalid('name') },
        'too long a name': { body: { ...good, name: 'x'.repeat(61) }, ...invalid('name') },
        'too few ports': { body: { ...good, ports: 1 }, ...invalid('ports') },
        'too many ports': { body: { ...good, ports: 100_001 }, ...invalid('ports') },
        'no hours': { body: { ...good, hours: 0 }, ...invalid('hours') },
        'hours in words': { body: { ...good, hours: 'ten' }, ...invalid('hours') },
        'no zone': { body: { ...good, timeZone: 'Mars/Base' }, ...invalid('timeZone') },
        'somebody of another tenant': {
          body: { ...good, assignedTo: { userIds: [server.people.get('erin')?.id] } },
          expected: 'RESOURCE_ASSIGNEE_UNKNOWN',
        },
        'the name of another': { body: { ...good, name: name.toUpperCase() }, expected: 'NAME_TAKEN' },
        'an older version': { body: { ...good, version: 0 }, expected: 'CHANGED_MEANWHILE' },
        'an id of nothing': { body: { ...good, id: newId() }, expected: 'NOT_FOUND' },
        'of another tenant': { body: { ...good, id: foreignResource }, expected: 'NOT_FOUND' },
        'without the right': { body: good, who: alice, expected: 'FORBIDDEN' },
      },
      admin,
    );
  });

  test('GET meetings/choosePcmsMeetingResource', async () => {
    const good = { startTime: server.clock.in(60), duration: 60 };
    await refused('GET meetings/choosePcmsMeetingResource', {
      nothing: { ...invalid('startTime duration') },
      'no time': { query: { ...good, startTime: 'soon' }, ...invalid('startTime') },
      'too short': { query: { ...good, duration: 4 }, ...invalid('duration') },
      'too long': { query: { ...good, duration: 1_441 }, ...invalid('duration') },
      'no meeting to leave out': { query: { ...good, except: 'mine' }, ...invalid('except') },
    });
  });

  test('PUT meetings/resource/{id}', async () => {
    const at = (made: Meeting) => `meetings/resource/${made.meetId}`;
    const [local, waiting, full] = [
      await alice.meetings.createLocal({
        body: { subject: 'Here', startTime: server.clock.in(600), duration: 30, roomIds: [room] },
      }),
      await book(server, alice),
      await book(server, alice),
    ];
    await fresh.approval(server, north, waiting.meetId);
    await server.db.tenant(north, (tx) => tx.update(meeting, { approval: 'refused' }, eq(meeting.id, waiting.meetId)));
    const [small, closed, short] = [
      await fresh.resource(server, north, { ports: 2 }),
      await fresh.resource(server, north, { enabled: false }),
      await fresh.resource(server, north, { hours: 1 }),
    ];
    const long = await book(server, alice, { startTime: server.clock.in(900), duration: 61 });
    await book(server, bob, { startTime: full.startTime, resourceId: small, participants: invite(server, 'alice') });
    await refused('PUT meetings/resource/{id}', {
      ...byMeeting('meetings/resource', { body: { resource } }),
      nothing: { path: at(booked), body: {}, ...invalid('resource') },
      'no id of a resource': { path: at(booked), body: { resource: 'Main' }, ...invalid('resource') },
      'a resource of nothing': { path: at(booked), body: { resource: newId() }, expected: 'RESOURCE_UNKNOWN' },
      'a resource of another tenant': {
        path: at(booked),
        body: { resource: foreignResource },
        expected: 'RESOURCE_UNKNOWN',
      },
      'a disabled resource': { path: at(booked), body: { resource: closed }, expected: 'RESOURCE_UNKNOWN' },
      'a full resource': { path: at(full), body: { resource: small }, expected: 'RESOURCE_FULL' },
      'too few hours': { path: at(long), body: { resource: short }, expected: 'RESOURCE_HOURS' },
      over: { path: at(over), body: { resource }, expected: 'MEETING_ENDED' },
      'in a room alone': { path: at(local), body: { resource }, expected: 'MEETING_IS_LOCAL' },
      'refused by its approver': { path: at(waiting), body: { resource }, expected: 'MEETING_NOT_APPROVED' },
    });
  });

  test('GET /api/limits/getInviteLimit', () =>
    refused('GET /api/limits/getInviteLimit', {
      'no id': { query: { resourceId: 'Main' }, ...invalid('resourceId') },
      'of nothing': { query: { resourceId: newId() }, expected: 'RESOURCE_UNKNOWN' },
      'of another tenant': { query: { resourceId: foreignResource }, expected: 'RESOURCE_UNKNOWN' },
    }));

  test('GET /api/limits/checkBookLimit', async () => {
    const good = { startTime: server.clock.in(60), duration: 60, type: 'VIDEO_MEETING', terminals: 3 };
    await refused('GET /api/limits/checkBookLimit', {
      nothing: { ...invalid('startTime duration type') },
      'no time': { query: { ...good, startTime: 'soon' }, ...invalid('startTime') },
      'no length': { query: { ...good, duration: 0 }, ...invalid('duration') },
      'longer than a day': { query: { ...good, duration: 1_441 }, ...invalid('duration') },
      'no type': { query: { ...good, type: 'PARTY' }, ...invalid('type') },
      'less than nobody': { query: { ...good, terminals: -1 }, ...invalid('terminals') },
      'too many': { query: { ...good, terminals: 100_001 }, ...invalid('terminals') },
      'a resource of nothing': { query: { ...good, resourceId: newId() }, expected: 'RESOURCE_UNKNOWN' },
      'a resource of another tenant': { query: { ...good, resourceId: foreignResource }, expected: 'RESOURCE_UNKNOWN' },
    });
  });
});

describe('booking', () => {
  const good = (more: object = {}): BookingBody => ({
    subject: 'Ward round',
    startTime: server.clock.in(1_200),
    duration: 60,
    password: '4821',
    ...more,
  });
  const mails = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ kind: 'mail', email: `guest${i}@example.org` }));
  const party = { kind: 'phone', name: 'Clinic', phone: '+86 10 6512 3456' };

  /** Errors of bookings of every type; `own` is the additional input of this type. */
  const common = (own: object): Record<string, Wrong> => {
    const wrong = (part: object, expected: string, more: Partial<Wrong> = {}): Wrong => ({
      body: good({ ...own, ...part }),
      expected,
      ...more,
    });
    return {
      nothing: { body: {}, ...invalid('subject startTime duration') },
      'no body': { ...invalid('body') },
      'no subject': wrong({ subject: '  ' }, 'INVALID_INPUT subject'),
      'too long a subject': wrong({ subject: 'x'.repeat(121) }, 'INVALID_INPUT subject'),
      'too long an agenda': wrong({ agenda: 'x'.repeat(4_001) }, 'INVALID_INPUT agenda'),
      'no time': wrong({ startTime: '2026-13-45' }, 'INVALID_INPUT startTime'),
      'too short': wrong({ duration: 4 }, 'INVALID_INPUT duration'),
      'longer than a day': wrong({ duration: 1_441 }, 'INVALID_INPUT duration'),
      'a length in words': wrong({ duration: '60' }, 'INVALID_INPUT duration'),
      'too short a password': wrong({ password: '123' }, 'INVALID_INPUT password'),
      'a password of other signs': wrong({ password: '48 21!' }, 'INVALID_INPUT password'),
      'no zone': wrong({ timeZone: 'Mars/Base' }, 'INVALID_INPUT timeZone'),
      'no template': wrong({ template: 'party' }, 'INVALID_INPUT template'),
      'somebody of no kind': wrong({ participants: [{ kind: 'pigeon' }] }, 'INVALID_INPUT participants.0.kind'),
      'no address': wrong({ participants: [{ kind: 'mail', email: 'guest' }] }, 'INVALID_INPUT participants.0.email'),
      'too many people': wrong({ participants: mails(501) }, 'INVALID_INPUT participants'),
      'no number': wrong({ participants: [{ ...party, phone: '12' }] }, 'INVALID_INPUT participants.0.phone'),
      'too many rooms': wrong({ roomIds: Array.from({ length: 21 }, () => newId()) }, 'INVALID_INPUT roomIds'),
      'too many terminals': wrong(
        { terminalIds: Array.from({ length: 101 }, () => newId()) },
        'INVALID_INPUT terminalIds',
      ),
      'too large': wrong({ agenda: 'x'.repeat(300_000) }, 'BODY_TOO_LARGE'),
      'a time that is over': wrong({ startTime: server.clock.in(-10) }, 'MEETING_IN_PAST'),
      'longer than the tenant allows': wrong({ duration: 601 }, 'QUOTA_DURATION'),
      'important without the right': wrong({ vip: true }, 'VIP_NOT_ALLOWED'),
      'somebody of another tenant': wrong(
        { participants: [...((own as BookingBody).participants ?? []), ...(invite(server, 'erin') ?? [])] },
        'PARTICIPANT_UNKNOWN',
      ),
      'a room of nothing': wrong({ roomIds: [newId()] }, 'ROOM_UNKNOWN'),
      'a room of another tenant': wrong({ roomIds: [foreignRoom] }, 'ROOM_UNKNOWN'),
      'a room that is taken': wrong({ roomIds: [room], startTime: booked.startTime }, 'ROOM_TAKEN'),
      'no rule': wrong({ recurrence: { rule: 'sometimes' } }, 'RECURRENCE_INVALID'),
      'without end': wrong({ recurrence: { rule: 'FREQ=DAILY' } }, 'SERIES_ENDLESS'),
      'too many meetings': wrong({ recurrence: { rule: 'FREQ=DAILY;COUNT=401' } }, 'SERIES_TOO_LONG'),
      'without the right': wrong({}, 'FORBIDDEN', { who: carol }),
    };
  };
  /** Errors of types with a conference. */
  const withConference = (own: object): Record<string, Wrong> => ({
    'neither password nor waiting room': { body: good({ ...own, password: '' }), expected: 'PASSWORD_OR_WAITING_ROOM' },
    'a resource of nothing': { body: good({ ...own, resourceId: newId() }), expected: 'RESOURCE_UNKNOWN' },
    'a resource of another tenant': {
      body: good({ ...own, resourceId: foreignResource }),
      expected: 'RESOURCE_UNKNOWN',
    },
    'a resource with too few ports': {
      body: good({ ...own, resourceId: resource, participants: [party, ...mails(4)] }),
      expected: 'RESOURCE_FULL',
    },
  });

  test('POST meetings/video', async () => {
    const before = await meetingsOf();
    await refused('POST meetings/video', {
      ...common({}),
      ...withConference({}),
      'a terminal of nothing': { body: good({ terminalIds: [newId()] }), expected: 'TERMINAL_UNKNOWN' },
      'a terminal of another tenant': { body: good({ terminalIds: [foreignTerminal] }), expected: 'TERMINAL_UNKNOWN' },
    });
    expect(await meetingsOf()).toBe(before);
  });

  test('POST meetings/telephone', async () => {
    const before = await meetingsOf();
    await refused('POST meetings/telephone', {
      ...common({ participants: [party] }),
      ...withConference({ participants: [party] }),
      'nobody to call': { body: good({ participants: invite(server, 'bob') }), expected: 'PHONE_PARTY_REQUIRED' },
      'room terminals': {
        body: good({ participants: [party], terminalIds: [terminal] }),
        expected: 'TERMINALS_VIDEO_ONLY',
      },
    });
    expect(await meetingsOf()).toBe(before);
  });

  test('POST meetings/localWithFile', async () => {
    const before = await meetingsOf();
    const own = { password: '', roomIds: [room] };
    const form = new FormData();
    form.append('meeting', 'not json');
    await refused('POST meetings/localWithFile', {
      ...common(own),
      'no room': { body: good({ ...own, roomIds: [] }), expected: 'ROOM_REQUIRED' },
      'with a password': { body: good({ ...own, password: '4821' }), expected: 'LOCAL_WITHOUT_CONFERENCE' },
      'with terminals': { body: good({ ...own, terminalIds: [terminal] }), expected: 'LOCAL_WITHOUT_CONFERENCE' },
      'with parties': { body: good({ ...own, participants: [party] }), expected: 'LOCAL_WITHOUT_CONFERENCE' },
      'a form of no meeting': { body: form, expected: 'MALFORMED_BODY' },
    });
    expect(await meetingsOf()).toBe(before);
  });

  test('PUT meetings/withFile/{id}', async () => {
    const body = { ...good(), version: booked.version };
    const at = (made: Meeting) => `meetings/withFile/${made.meetId}`;
    const wrong = (part: object, expected: string, made = booked): Wrong => ({
      path: at(made),
      body: { ...body, ...part },
      expected,
    });
    await refused('PUT meetings/withFile/{id}', {
      ...byMeeting('meetings/withFile', { body }),
      nothing: { path: at(booked), body: {}, ...invalid('subject startTime duration version') },
      'no files': wrong({ keepFileIds: 'all' }, 'INVALID_INPUT keepFileIds'),
      'too many files': wrong({ keepFileIds: Array.from({ length: 21 }, () => newId()) }, 'INVALID_INPUT keepFileIds'),
      'no scope': wrong({ scope: 'some' }, 'INVALID_INPUT scope'),
      'files it has not': wrong({ keepFileIds: [newId()] }, 'FILE_UNKNOWN'),
      'an older version': wrong({ version: 0 }, 'MEETING_CONFLICT'),
      'a time that is over': wrong({ startTime: server.clock.in(-10) }, 'MEETING_IN_PAST'),
      'a room of another tenant': wrong({ roomIds: [foreignRoom] }, 'ROOM_UNKNOWN'),
      'room terminals': wrong({ terminalIds: [terminal] }, 'TERMINALS_VIDEO_ONLY'),
      'while it runs': wrong({}, 'MEETING_RUNNING', running),
      'once it is over': wrong({}, 'MEETING_ENDED', over),
    });
    expect(await alice.meetings.detail({ params: { id: booked.meetId } })).toMatchObject({
      version: booked.version,
      subject: booked.subject,
    });
  });

  test('DELETE meetings/withFile/{id}', async () => {
    const at = (made: Meeting) => `meetings/withFile/${made.meetId}`;
    await refused('DELETE meetings/withFile/{id}', {
      ...byMeeting('meetings/withFile'),
      'no scope': { path: at(booked), query: { scope: 'some' }, ...invalid('scope') },
      'while it runs': { path: at(running), expected: 'MEETING_RUNNING' },
      'once it is over': { path: at(over), expected: 'MEETING_ENDED' },
    });
    expect(await alice.meetings.detail({ params: { id: booked.meetId } })).toMatchObject({ status: 'SCHEDULE' });
  });

  test('GET meetings/allowUpdate/{id}', async () => {
    const path = `meetings/allowUpdate/${booked.meetId}`;
    await refused('GET meetings/allowUpdate/{id}', {
      ...byMeeting('meetings/allowUpdate'),
      'no time': { path, query: { startTime: 'soon' }, ...invalid('startTime') },
      'too short': { path, query: { duration: 4 }, ...invalid('duration') },
      'longer than a day': { path, query: { duration: 1_441 }, ...invalid('duration') },
    });
  });

  test('GET meetings/mcu-template', () => refused('GET meetings/mcu-template', {}));

  test('GET meetings/parCountLimit/{a}/{b}', () =>
    refused('GET meetings/parCountLimit/{a}/{b}', {
      'no type': { path: 'meetings/parCountLimit/PARTY/-', expected: 'NOT_FOUND' },
      'no resource': { path: 'meetings/parCountLimit/VIDEO_MEETING/Main', expected: 'NOT_FOUND' },
      'of another tenant': { path: `meetings/parCountLimit/VIDEO_MEETING/${foreignResource}`, expected: 'NOT_FOUND' },
    }));

  test('GET meetings/notice/resend/{id}', () =>
    refused('GET meetings/notice/resend/{id}', {
      ...byMeeting('meetings/notice/resend'),
      'once it is over': { path: `meetings/notice/resend/${over.meetId}`, expected: 'MEETING_ENDED' },
    }));
});

describe('the white list', () => {
  test('POST meetings/whiteList/{id}', async () => {
    const path = `meetings/whiteList/${booked.meetId}`;
    const ids = (count: number) => Array.from({ length: count }, () => newId());
    await refused('POST meetings/whiteList/{id}', {
      ...byMeeting('meetings/whiteList', { body: {} }),
      'no list': { path, body: { userIds: 'bob' }, ...invalid('userIds') },
      'no ids': { path, body: { userIds: ['bob'] }, ...invalid('userIds.0') },
      'too many': { path, body: { userIds: ids(501) }, ...invalid('userIds') },
      'a department without a name': { path, body: { departments: [' '] }, ...invalid('departments.0') },
      'no number': { path, body: { numbers: ['ward 3'] }, ...invalid('numbers.0') },
      'somebody there is not': { path, body: { userIds: ids(1) }, expected: 'PARTICIPANT_UNKNOWN' },
      'somebody of another tenant': {
        path,
        body: { userIds: [server.people.get('erin')?.id] },
        expected: 'PARTICIPANT_UNKNOWN',
      },
      'once it is over': { path: `meetings/whiteList/${over.meetId}`, body: {}, expected: 'MEETING_ENDED' },
    });
    expect(await alice.whiteList.read({ params: { id: booked.meetId } })).toEqual({
      users: [],
      departments: [],
      numbers: [],
    });
  });

  test('GET meetings/whiteList/{id}', () => refused('GET meetings/whiteList/{id}', byMeeting('meetings/whiteList')));
});

describe('what was and what is on', () => {
  test('GET meetings/history', () =>
    refused('GET meetings/history', {
      'no page': { query: { current: 'one' }, ...invalid('current') },
      'too large a page': { query: { size: 201 }, ...invalid('size') },
      'no times': { query: { from: 'once', until: 'now' }, ...invalid('from until') },
      'no type': { query: { type: 'PARTY' }, ...invalid('type') },
      'no order': { query: { sort: 'colour' }, ...invalid('sort') },
      'too long a keyword': { query: { keyword: 'x'.repeat(101) }, ...invalid('keyword') },
    }));

  test('GET meetings/historyAll', async () => {
    const [startDate, endDate] = [server.clock.in(-60), server.clock.in(60)];
    await refused('GET meetings/historyAll', {
      nothing: { ...invalid('startDate endDate') },
      'no time': { query: { startDate: 'once', endDate }, ...invalid('startDate endDate') },
      backwards: { query: { startDate: endDate, endDate: startDate }, ...invalid('endDate') },
      'more than 366 days': { query: { startDate: server.clock.in(-367 * 24 * 60), endDate }, ...invalid('endDate') },
      'no type': { query: { startDate, endDate, type: 'PARTY' }, ...invalid('type') },
    });
  });

  test('GET meetings/history/record', async () => {
    const held = (await alice.history.list({ query: {} })).records.find(({ meetId }) => meetId === over.meetId);
    await refused('GET meetings/history/record', {
      nothing: { ...invalid('id') },
      'no id': { query: { id: 'x' }, ...invalid('id') },
      'of nothing': { query: { id: newId() }, expected: 'NOT_FOUND' },
      'a meeting, not a conference': { query: { id: over.meetId }, expected: 'NOT_FOUND' },
      'of another tenant': { query: { id: held?.id ?? '' }, who: dave, expected: 'NOT_FOUND' },
      'by a stranger': { query: { id: held?.id ?? '' }, who: carol, expected: 'NOT_FOUND' },
    });
  });

  test('GET meetings/activity', () =>
    refused('GET meetings/activity', {
      nothing: { ...invalid('startDate') },
      'no time': { query: { startDate: 'two days back' }, ...invalid('startDate') },
    }));
});

describe('the registry of room terminals', () => {
  const good = { name: 'Library TV', address: 'library@rooms.example.org', kind: 'sip' };
  const wrong = (part: object, expected: string): Wrong => ({ body: { ...good, ...part }, expected });
  const body = (): Record<string, Wrong> => ({
    'no name': wrong({ name: '' }, 'INVALID_INPUT name'),
    'too long a name': wrong({ name: 'x'.repeat(61) }, 'INVALID_INPUT name'),
    'no address': wrong({ address: 'two words' }, 'INVALID_INPUT address'),
    'no kind': wrong({ kind: 'fax' }, 'INVALID_INPUT kind'),
    'no id of a room': wrong({ roomId: 'Library' }, 'INVALID_INPUT roomId'),
    'too long a note': wrong({ note: 'x'.repeat(501) }, 'INVALID_INPUT note'),
    'a room of nothing': wrong({ roomId: newId() }, 'ROOM_UNKNOWN'),
    'a room of another tenant': wrong({ roomId: foreignRoom }, 'ROOM_UNKNOWN'),
    'without the right': { body: good, who: alice, expected: 'FORBIDDEN' },
  });

  test('GET terminal-registry', () =>
    refused('GET terminal-registry', {
      'no kind': { query: { kind: 'fax' }, ...invalid('kind') },
      'no room': { query: { roomId: 'Library' }, ...invalid('roomId') },
      'no state': { query: { status: 'gone' }, ...invalid('status') },
      'no order': { query: { sort: 'colour' }, ...invalid('sort') },
      'too large a page': { query: { size: 201 }, ...invalid('size') },
    }));

  test('POST terminal-registry', async () => {
    const { address } = await admin.terminals.create({
      body: { ...good, kind: 'sip', address: 'taken@rooms.example.org' },
    });
    await refused(
      'POST terminal-registry',
      {
        nothing: { body: {}, ...invalid('name address kind') },
        ...body(),
        'an address that is taken': wrong({ address: address.toUpperCase() }, 'TERMINAL_ADDRESS_TAKEN'),
      },
      admin,
    );
  });

  test('PUT terminal-registry', async () => {
    const of = (wrongs: Record<string, Wrong>) =>
      Object.fromEntries(
        Object.entries(wrongs).map(([name, one]) => [
          name,
          { ...one, body: { id: terminal, version: 1, ...(one.body as object) } },
        ]),
      );
    await refused(
      'PUT terminal-registry',
      {
        nothing: { body: {}, ...invalid('name address kind id version') },
        ...of({
          ...body(),
          'an older version': wrong({ version: 0 }, 'CHANGED_MEANWHILE'),
          'an id of nothing': wrong({ id: newId() }, 'NOT_FOUND'),
          'of another tenant': wrong({ id: foreignTerminal }, 'NOT_FOUND'),
        }),
      },
      admin,
    );
  });

  test('DELETE terminal-registry', () =>
    refused(
      'DELETE terminal-registry',
      {
        nothing: { body: {}, ...invalid('ids') },
        none: { body: { ids: [] }, ...invalid('ids') },
        'no ids': { body: { ids: ['TV'] }, ...invalid('ids.0') },
        'too many': { body: { ids: Array.from({ length: 501 }, () => newId()) }, ...invalid('ids') },
        'of nothing': { body: { ids: [newId()] }, expected: 'NOT_FOUND' },
        'of another tenant': { body: { ids: [terminal, foreignTerminal] }, expected: 'NOT_FOUND' },
        'without the right': { body: { ids: [terminal] }, who: alice, expected: 'FORBIDDEN' },
      },
      admin,
    ));

  test('POST terminal-registry/import', async () => {
    const file = await workbookOf([['name', 'address', 'kind']]);
    await refused(
      'POST terminal-registry/import',
      {
        nothing: { body: {}, ...invalid('file dryRun') },
        'no base64': { body: { file: '<>', dryRun: true }, ...invalid('file') },
        'no workbook': {
          body: { file: Buffer.from('name,address\n').toString('base64'), dryRun: true },
          expected: 'SHEET_UNREADABLE',
        },
        'without the right': { body: { file, dryRun: true }, who: alice, expected: 'FORBIDDEN' },
      },
      admin,
    );
  });

  test('GET terminal-registry/export', () =>
    refused(
      'GET terminal-registry/export',
      {
        'no kind': { query: { kind: 'fax' }, ...invalid('kind') },
        'a ticket of nothing': {
          query: { ticket: 'n3ZcQx1YzP0cQx1YzP0c' },
          who: clientOf(server),
          expected: 'TICKET_INVALID',
        },
        'without the right': { who: alice, expected: 'FORBIDDEN' },
      },
      admin,
    ));
});
