import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, type BookingBody, type Meeting, type PermissionCode } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { meeting as meetings } from '../../src/modules/meetings/tables.ts';
import { accountPermission, permission } from '../../src/modules/accounts/permissions/tables.ts';
import { registeredTerminal } from '../../src/modules/terminals/tables.ts';
import { newId, PLATFORM_TENANT_ID, sqlError } from '../../src/platform/db/index.ts';
import { call, clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let dave: Person;
let north: string;
let south: string;
beforeAll(async () => {
  server = await startTestServer();
  [alice, bob, dave] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob'), signIn(server, 'dave')]);
  [north, south] = [server.people.get('alice')?.tenantId ?? '', server.people.get('dave')?.tenantId ?? ''];
});
afterAll(() => server.close());

const party = (phone = '+86 10 6512 3456', name = 'Clinic') => ({ kind: 'phone' as const, phone, name });
const body = (more: Partial<BookingBody> = {}): BookingBody => ({
  subject: 'Ward round',
  startTime: server.clock.in(60),
  duration: 60,
  password: '4821',
  ...more,
});
const video = (more: Partial<BookingBody> = {}, who: Person = alice) => who.meetings.createVideo({ body: body(more) });
const telephone = (more: Partial<BookingBody> = {}, who: Person = alice) =>
  who.meetings.createTelephone({ body: body({ participants: [party()], ...more }) });
const local = (more: Partial<BookingBody> = {}, who: Person = alice) =>
  who.meetings.createLocal({ body: body({ password: '', ...more }) });
const network = (more: Partial<BookingBody> = {}, who: Person = alice) =>
  who.meetings.createNetwork({ body: body(more) });
/** The request that changes a meeting and nothing else. */
const edit = (made: Meeting, more: Partial<BookingBody> = {}, who: Person = alice) =>
  who.meetings.update({
    params: { id: made.meetId },
    body: {
      subject: made.subject,
      startTime: made.startTime,
      duration: made.duration,
      password: made.password,
      waitingRoom: made.waitingRoom,
      timeZone: made.timeZone,
      joinBeforeHost: made.joinBeforeHost,
      muteOnEntry: made.muteOnEntry,
      template: made.template,
      vip: made.vip,
      roomIds: made.rooms.map(({ id }) => id),
      terminalIds: made.terminals.map(({ id }) => id),
      participants: made.participants.map((one) =>
        one.kind === 'user' ? { kind: 'user' as const, userId: one.userId } : one,
      ),
      version: made.version,
      ...more,
    },
  });
const auditOf = async (made: Meeting) =>
  server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, made.meetId), { orderBy: auditLog.id }));
const setTerminal = (id: string, values: Partial<typeof registeredTerminal.$inferInsert>) =>
  server.db.tenant(north, (tx) => tx.update(registeredTerminal, values, eq(registeredTerminal.id, id)));

async function grant(name: string, code: PermissionCode): Promise<void> {
  const entry = await server.db.tenant(PLATFORM_TENANT_ID, (tx) => tx.findOne(permission, eq(permission.code, code)));
  const accountId = server.people.get(name)?.id ?? '';
  await server.db.tenant(north, (tx) => tx.insert(accountPermission, { accountId, permissionId: entry?.id ?? '' }));
}

describe('POST meetings/video', () => {
  test('books a meeting of its type with people and room terminals, each once and in order', async () => {
    const [one, two] = [await fresh.terminal(server, north), await fresh.terminal(server, north)];
    const made = await video({ terminalIds: [two, one, two], participants: invite(server, 'bob') });
    expect(made).toMatchObject({
      type: 'VIDEO_MEETING',
      status: 'SCHEDULE',
      participants: [{ kind: 'user' }],
      terminals: [{ id: two, kind: 'sip' }, { id: one }],
    });
    expect(made.terminals).toHaveLength(2);
    const [shown] = (await bob.meetings.list({ query: { keyword: made.numericId } })).records;
    expect(shown?.terminals).toEqual(made.terminals);
  });

  test('refuses disabled terminals and those of other tenants', async () => {
    const [off, foreign] = [await fresh.terminal(server, north), await fresh.terminal(server, south)];
    await setTerminal(off, { enabled: false });
    for (const id of [off, foreign, newId()])
      expect(await codeOf(video({ terminalIds: [id] }))).toBe('TERMINAL_UNKNOWN');
  });

  test('keeps a terminal that is disabled later, and loses one that is deleted', async () => {
    const [one, two] = [await fresh.terminal(server, north), await fresh.terminal(server, north)];
    const made = await video({ terminalIds: [one, two] });
    await setTerminal(one, { enabled: false });
    const edited = await edit(made, { subject: 'Later round' });
    expect(edited.terminals.map(({ id }) => id)).toEqual([one, two]);
    expect(await codeOf(edit(edited, { terminalIds: [] }))).toBe('OK');
    const again = await alice.meetings.detail({ params: { id: made.meetId } });
    expect(await codeOf(edit(again, { terminalIds: [one] }))).toBe('TERMINAL_UNKNOWN');
    const other = await video({ terminalIds: [two] });
    await server.db.tenant(north, (tx) => tx.delete(registeredTerminal, eq(registeredTerminal.id, two)));
    expect((await alice.meetings.detail({ params: { id: other.meetId } })).terminals).toEqual([]);
  });

  test('may call telephone parties, too, each number once', async () => {
    const made = await video({
      participants: [party('+86 10-6512 3456'), party('+861065123456', 'The same'), party('8001', '')],
    });
    expect(made.participants).toEqual([
      { kind: 'phone', phone: '+861065123456', name: 'The same' },
      { kind: 'phone', phone: '8001', name: '' },
    ]);
  });

  test.each(['password', 'waiting room'])('needs a password or the waiting room: %s', async (gate) => {
    expect(await codeOf(video({ password: '' }))).toBe('PASSWORD_OR_WAITING_ROOM');
    expect(await codeOf(gate === 'password' ? video() : video({ password: '', waitingRoom: true }))).toBe('OK');
  });
});

describe('POST meetings/telephone', () => {
  test('books a meeting with at least one telephone party', async () => {
    const made = await telephone({ participants: [party(), ...(invite(server, 'bob') ?? [])] });
    expect(made).toMatchObject({
      type: 'PHONE_MEETING',
      participants: [{ kind: 'user' }, { kind: 'phone', phone: '+861065123456', name: 'Clinic' }],
    });
    expect(await codeOf(telephone({ participants: invite(server, 'bob') }))).toBe('PHONE_PARTY_REQUIRED');
    expect(await codeOf(edit(made, { participants: [] }))).toBe('PHONE_PARTY_REQUIRED');
  });

  test('refuses room terminals, as network meetings do', async () => {
    const terminalIds = [await fresh.terminal(server, north)];
    expect(await codeOf(telephone({ terminalIds }))).toBe('TERMINALS_VIDEO_ONLY');
    expect(await codeOf(network({ terminalIds }))).toBe('TERMINALS_VIDEO_ONLY');
  });

  test('its desk hides telephone parties, which cannot be called from there yet', async () => {
    const made = await telephone({
      startTime: server.clock.in(0),
      participants: [party(), ...(invite(server, 'bob', 'guest@example.org') ?? [])],
    });
    await alice.conferences.join({ body: { numericId: made.numericId } });
    const { invitees } = await alice.conferences.state({ params: { meetId: made.meetId } });
    expect(invitees.map(({ name }) => name)).toEqual(['Bob', 'guest@example.org']);
  });

  test.each(['12', 'not a number', '+86 (10) 6512', '1'.repeat(21)])('refuses the number %s', async (phone) => {
    expect(await codeOf(telephone({ participants: [party(phone)] }))).toBe('INVALID_INPUT');
  });
});

describe('POST meetings/localWithFile', () => {
  test('books rooms and has no conference', async () => {
    const roomId = await fresh.room(server, north);
    const made = await local({ roomIds: [roomId] });
    expect(made).toMatchObject({
      type: 'LOCAL_MEETING',
      password: '',
      waitingRoom: false,
      rooms: [{ id: roomId }],
      can: { start: false, join: false, end: false, edit: true, cancel: true },
    });
    expect(await codeOf(alice.meetings.start({ params: { id: made.meetId }, body: { early: true } }))).toBe(
      'MEETING_IS_LOCAL',
    );
    expect(await codeOf(alice.conferences.join({ body: { numericId: made.numericId } }))).toBe('MEETING_IS_LOCAL');
  });

  test('has no guest link', async () => {
    const made = await local({ roomIds: [await fresh.room(server, north)] });
    expect(made.can.guests).toBe(false);
    expect(await codeOf(alice.guests.create({ query: { meetingId: made.meetId } }))).toBe('MEETING_IS_LOCAL');
  });

  test('has no links to a conference or a desk, for any caller', async () => {
    const none = { config: { url: '', watchUrl: '' }, guestUrl: '' };
    const made = await local({ roomIds: [await fresh.room(server, north)], participants: invite(server, 'bob') });
    expect(made).toMatchObject(none);
    for (const person of [alice, bob]) {
      expect(await person.meetings.detail({ params: { id: made.meetId } })).toMatchObject(none);
      expect((await person.meetings.list({ query: { keyword: made.numericId } })).records).toMatchObject([none]);
    }
    expect(await codeOf(alice.conferences.manageUrl({ params: { a: made.meetId, b: 'chair' }, query: {} }))).toBe(
      'MEETING_IS_LOCAL',
    );
    expect(await codeOf(alice.conferences.monitorUrl({ query: { numericId: made.numericId } }))).toBe(
      'MEETING_IS_LOCAL',
    );
  });

  test('tells people of the meeting who join by its number where to go, and others nothing', async () => {
    const made = await local({ roomIds: [await fresh.room(server, north)], participants: invite(server, 'bob') });
    const join = (who: Pick<Person, 'conferences'>, numericId = made.numericId) =>
      who.conferences.join({ body: { numericId, name: 'Somebody' } }).catch((error: Error) => error.message);
    expect(await join(bob)).toBe('406 MEETING_IS_LOCAL: This meeting takes place only in its room. Please go there.');
    for (const stranger of [clientOf(server), dave])
      expect(await join(stranger)).toBe(await join(stranger, '999999999'));
  });

  test('needs a room and refuses settings of a conference', async () => {
    const roomIds = [await fresh.room(server, north)];
    expect(await codeOf(local())).toBe('ROOM_REQUIRED');
    for (const more of [
      { password: '4821' },
      { waitingRoom: true },
      { participants: [party()] },
      { terminalIds: [await fresh.terminal(server, north)] },
    ]) {
      expect(await codeOf(local({ roomIds, ...more })), JSON.stringify(more)).toBe('LOCAL_WITHOUT_CONFERENCE');
    }
    const made = await local({ roomIds });
    expect(await codeOf(edit(made, { roomIds: [] }))).toBe('ROOM_REQUIRED');
    expect(await codeOf(edit(made, { password: '4821' }))).toBe('LOCAL_WITHOUT_CONFERENCE');
  });

  test('is the only type that may lack password and waiting room, by the database too', async () => {
    const made = await local({ roomIds: [await fresh.room(server, north)] });
    const failure = await server.db
      .tenant(north, (tx) => tx.update(meetings, { type: 'VIDEO_MEETING' }, eq(meetings.id, made.meetId)))
      .catch((error: unknown) => error);
    expect(sqlError(failure)).toMatchObject({ code: '23514', constraint: 'meeting_guest_gate' });
  });

  test('of two simultaneous bookings of a room one succeeds', async () => {
    const roomIds = [await fresh.room(server, north)];
    const codes = await Promise.all([
      codeOf(local({ roomIds })),
      codeOf(local({ roomIds }, bob)),
      codeOf(video({ roomIds })),
    ]);
    expect(codes.toSorted()).toEqual(['OK', 'ROOM_TAKEN', 'ROOM_TAKEN']);
  });
});

describe('rules of every type', () => {
  test.each([
    ['video', video, 'VIDEO_MEETING'],
    ['telephone', telephone, 'PHONE_MEETING'],
    ['network', network, 'NETWORK_MEETING'],
  ] as const)('POST meetings/%s refuses past times, and unknown people and rooms', async (_, make, type) => {
    expect((await make()).type).toBe(type);
    expect(await codeOf(make({ startTime: server.clock.in(-10) }))).toBe('MEETING_IN_PAST');
    expect(await codeOf(make({ participants: [party(), { kind: 'user', userId: newId() }] }))).toBe(
      'PARTICIPANT_UNKNOWN',
    );
    expect(await codeOf(make({ participants: [party(), ...(invite(server, 'erin') ?? [])] }))).toBe(
      'PARTICIPANT_UNKNOWN',
    );
    expect(await codeOf(make({ roomIds: [newId()] }))).toBe('ROOM_UNKNOWN');
    expect(await codeOf(make({ roomIds: [await fresh.room(server, south)] }))).toBe('ROOM_UNKNOWN');
  });

  test('each type requires its own permission', () => {
    const { createVideo, createTelephone, createLocal, createNetwork } = contract.meetings;
    expect([createVideo, createTelephone, createLocal, createNetwork].map((route) => route.permission)).toEqual([
      'sys:video',
      'sys:tel',
      'sys:local',
      'sys:network',
    ]);
  });

  test('importance requires its own permission, but others may still edit an important meeting', async () => {
    expect(await codeOf(video({ vip: true }))).toBe('VIP_NOT_ALLOWED');
    expect(await codeOf(edit(await video(), { vip: true }))).toBe('VIP_NOT_ALLOWED');
    const roomIds = [await fresh.room(server, north)];
    const made = await local({ roomIds });
    await server.db.tenant(north, (tx) => tx.update(meetings, { vip: true }, eq(meetings.id, made.meetId)));
    expect(await edit({ ...made, vip: true }, { subject: 'Board' })).toMatchObject({ vip: true, subject: 'Board' });
    await grant('bob', 'sys:vipMeeting');
    const chief = await signIn(server, 'bob', 'another device');
    expect(await video({ vip: true }, chief)).toMatchObject({ vip: true });
    bob = chief;
  });

  test('an edit changes new fields, keeps omitted ones, and is logged with masked telephone numbers', async () => {
    const terminal = await fresh.terminal(server, north);
    const made = await video({
      timeZone: 'Asia/Shanghai',
      muteOnEntry: true,
      template: 'lecture',
      joinBeforeHost: false,
      participants: [party()],
    });
    expect(made).toMatchObject({
      timeZone: 'Asia/Shanghai',
      muteOnEntry: true,
      template: 'lecture',
      joinBeforeHost: false,
    });
    const same = await edit(made);
    expect({ ...same, version: 0 }).toEqual({ ...made, version: 0 });
    const edited = await edit(same, {
      timeZone: 'Europe/Berlin',
      muteOnEntry: false,
      template: 'rooms',
      joinBeforeHost: true,
      terminalIds: [terminal],
      participants: [party('+86 20 8888 7799', 'Lab')],
    });
    expect(edited).toMatchObject({
      type: 'VIDEO_MEETING',
      timeZone: 'Europe/Berlin',
      muteOnEntry: false,
      template: 'rooms',
      joinBeforeHost: true,
      terminals: [{ id: terminal }],
    });
    const log = await auditOf(made);
    expect(log[0]?.after).toMatchObject({
      type: 'VIDEO_MEETING',
      template: 'lecture',
      participants: [{ kind: 'phone', name: 'Clinic', phone: '***56' }],
    });
    expect(log.at(-1)?.after).toMatchObject({
      template: 'rooms',
      terminals: [edited.terminals[0]?.name],
      participants: [{ kind: 'phone', name: 'Lab', phone: '***99' }],
    });
    expect(log.at(-1)?.before).not.toHaveProperty('subject');
    expect(JSON.stringify(log)).not.toMatch(/65123456|88887799/);
  });

  test('of two concurrent edits one is rejected', async () => {
    const made = await video();
    const codes = await Promise.all([
      codeOf(edit(made, { subject: 'One' })),
      codeOf(edit(made, { subject: 'Other', terminalIds: [await fresh.terminal(server, north)] })),
    ]);
    expect(codes.toSorted()).toEqual(['MEETING_CONFLICT', 'OK']);
  });

  test('a page of meetings shows the terminals of each', async () => {
    const terminalIds = [await fresh.terminal(server, north)];
    await Promise.all(Array.from({ length: 5 }, () => video({ terminalIds, subject: 'Counted' })));
    const { records } = await alice.meetings.list({ query: { keyword: 'Counted', type: 'VIDEO_MEETING' } });
    expect(records).toHaveLength(5);
    expect(records.every(({ terminals }) => terminals[0]?.id === terminalIds[0])).toBe(true);
  });

  test('meetings of another tenant are answered like unknown ones', async () => {
    const made = await video();
    const answer = await call(server, contract.meetings.detail, { params: { id: made.meetId } }, dave.token);
    expect(answer.statusCode).toBe('NOT_FOUND');
  });
});
