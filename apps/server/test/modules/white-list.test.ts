import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { and, eq } from 'drizzle-orm';
import type { Meeting, MeetingBody, WhiteListBody } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { openConference, type TestConference } from './support/conference.ts';
import { fresh } from './support/fresh.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let [alice, bob, carol, admin, erin]: Person[] = [];
let made: Meeting;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [alice, bob, carol, admin, erin] = await Promise.all(
    ['alice', 'bob', 'carol', 'admin', 'erin'].map((name) => signIn(server, name)),
  );
  made = await book(server, who(alice), { startTime: server.clock.in(0), participants: invite(server, 'bob') });
});

const who = (person: Person | undefined): Person => {
  if (!person) throw new Error('Nobody is signed in.');
  return person;
};
const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const read = (person: Person | undefined) => who(person).whiteList.read({ params: { id: made.meetId } });
const write = (body: WhiteListBody, person: Person | undefined = alice) =>
  who(person).whiteList.write({ params: { id: made.meetId }, body });
const join = (person: Person | undefined) => who(person).conferences.join({ body: { numericId: made.numericId } });
const setDepartment = (name: string, department: string) =>
  server.db.platform((tx) => tx.update(account, { department }, eq(account.id, idOf(name))));

describe('GET and POST meetings/whiteList/{id}', () => {
  test('keep the names given by the host, each once, in order', async () => {
    expect(await read(alice)).toEqual({ users: [], departments: [], numbers: [] });
    const list = await write({
      userIds: [idOf('carol'), idOf('chair'), idOf('carol')],
      departments: ['Clinic/Surgery', '/Clinic/Surgery/', 'Lab'],
      numbers: ['+86 10-1234 5678', '+861012345678', '114'],
    });
    expect(list).toEqual({
      users: [
        { userId: idOf('carol'), name: 'Carol', department: '' },
        { userId: idOf('chair'), name: 'Chair', department: '' },
      ],
      departments: ['Clinic/Surgery', 'Lab'],
      numbers: ['+861012345678', '114'],
    });
    expect(await read(admin)).toEqual(list);
    await write({ departments: ['Lab'] });
    expect(await read(alice)).toEqual({ users: [], departments: ['Lab'], numbers: [] });
  });

  test('are for those who manage the meeting', async () => {
    expect(await Promise.all([codeOf(read(bob)), codeOf(write({}, bob))])).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    for (const stranger of [carol, erin])
      expect(await Promise.all([codeOf(read(stranger)), codeOf(write({}, stranger))])).toEqual([
        'NOT_FOUND',
        'NOT_FOUND',
      ]);
    await write({ userIds: [idOf('carol')] });
    expect(await codeOf(read(carol))).toBe('NOT_FOUND');
  });

  test('refuse people of other organisations, and invalid numbers', async () => {
    for (const id of [idOf('erin'), idOf('ops'), newId()])
      expect(await codeOf(write({ userIds: [id] }))).toBe('PARTICIPANT_UNKNOWN');
    expect(await codeOf(write({ numbers: ['call me'] }))).toBe('INVALID_INPUT');
    expect(await codeOf(write({ departments: [' '] }))).toBe('INVALID_INPUT');
  });

  test('stay unchanged once the meeting is over', async () => {
    await write({ departments: ['Lab'] });
    await server.db.platform((tx) => tx.update(meeting, { status: 'OFFLINE' }, eq(meeting.id, made.meetId)));
    expect(await codeOf(write({}))).toBe('MEETING_ENDED');
    expect((await read(alice)).departments).toEqual(['Lab']);
  });

  test('are audited with names and departments, never with telephone numbers', async () => {
    await write({ userIds: [idOf('carol')], departments: ['Lab'], numbers: ['+861012345678'] });
    const [row] = await server.db.platform((tx) =>
      tx.find(auditLog, and(eq(auditLog.action, 'whiteList.write'), eq(auditLog.targetId, made.meetId))),
    );
    expect(row).toMatchObject({
      before: { users: [], departments: [], numbers: 0 },
      after: { users: ['Carol'], departments: ['Lab'], numbers: 1 },
    });
    expect(JSON.stringify(row)).not.toContain('1012345678');
  });
});

describe('a person on the white list', () => {
  test('joins as a member without the password, when signed in', async () => {
    expect(await codeOf(join(carol))).toBe('MEETING_PASSWORD_REQUIRED');
    await write({ userIds: [idOf('carol')] });
    const { state, sessionToken } = await join(carol);
    expect(state).toBe('admitted');
    expect(await codeOf(clientOf(server, sessionToken).conferences.leave({ params: { meetId: made.meetId } }))).toBe(
      'OK',
    );
    const anybody = clientOf(server).conferences.join({ body: { numericId: made.numericId, name: 'Carol' } });
    expect(await codeOf(anybody)).toBe('MEETING_PASSWORD_REQUIRED');
    await write({});
    expect(await codeOf(join(carol))).toBe('MEETING_PASSWORD_REQUIRED');
  });

  test('passes the waiting room of a meeting that holds guests, as members do', async () => {
    made = await book(server, who(alice), { startTime: server.clock.in(0), password: '', waitingRoom: true });
    expect((await join(carol)).state).toBe('waiting');
    await write({ userIds: [idOf('carol')] });
    expect((await join(carol)).state).toBe('admitted');
  });

  test('may be listed by department or a parent of it, but not by a mere prefix of the name', async () => {
    await setDepartment('carol', 'Clinic/Surgery/Ward 3');
    await write({ departments: ['Clinic/Surg', 'Clinic/Surgery/Ward 3/Night'] });
    expect(await codeOf(join(carol))).toBe('MEETING_PASSWORD_REQUIRED');
    await write({ departments: ['Clinic/Surgery'] });
    expect((await join(carol)).state).toBe('admitted');
    await setDepartment('carol', '');
    expect(await codeOf(join(carol))).toBe('MEETING_PASSWORD_REQUIRED');
  });

  test('belongs to this organisation: an equally named department elsewhere does not count', async () => {
    await setDepartment('erin', 'Lab');
    await write({ departments: ['Lab'] });
    expect(await codeOf(join(erin))).toBe('MEETING_PASSWORD_REQUIRED');
  });

  test('is removed with the account', async () => {
    const id = await fresh.account(server, server.people.get('alice')?.tenantId ?? '');
    await write({ userIds: [id] });
    await server.db.platform((tx) =>
      tx.update(account, { deletedAt: server.clock.now(), enabled: false }, eq(account.id, id)),
    );
    expect((await read(alice)).users).toEqual([]);
    expect(await codeOf(write({ userIds: [id] }))).toBe('PARTICIPANT_UNKNOWN');
  });
});

describe('a waiting person who is put on the white list', () => {
  let room: TestConference;
  const open = async (body: Partial<MeetingBody> = {}) => {
    room = await openConference(server, who(alice), { password: '', waitingRoom: true, participants: [], ...body });
    made = room.meeting;
  };
  afterEach(() => room.close());

  test('is admitted at once as a member, with notice; others keep waiting', async () => {
    await open();
    await setDepartment('bob', 'Clinic/Surgery');
    const [listed, ofDepartment, other, outside] = [
      await room.join(who(carol)),
      await room.join(who(bob)),
      await room.join(await signIn(server, 'chair')),
      await room.guest('Outside'),
    ];
    const sockets = [
      await connect(server, { sessionToken: listed.token }, `meeting:${room.meetId}`),
      await connect(server, { sessionToken: ofDepartment.token }, `meeting:${room.meetId}`),
    ];
    await write({ userIds: [idOf('carol')], departments: ['Clinic'] });
    for (const socket of sockets) {
      await socket.event('admitted');
      await socket.close();
    }
    for (const { calls } of [listed, ofDepartment])
      expect(await calls.enter({ params: room.params })).toMatchObject({ state: 'admitted' });
    expect((await room.control()).terminals).toMatchObject({
      [listed.termId]: { role: 'member', present: true },
      [ofDepartment.termId]: { role: 'member', present: true },
    });
    for (const { calls } of [other, outside])
      expect(await calls.enter({ params: room.params })).toMatchObject({ state: 'waiting' });
    await setDepartment('bob', '');
  });

  test('keeps waiting if the waiting room is for all, until the host admits them', async () => {
    await open();
    const listed = await room.join(who(carol));
    const desk = await room.desk('chair', who(alice));
    await desk.conferences.entry({ params: room.params, body: { waitingRoom: true } });
    await write({ userIds: [idOf('carol')] });
    expect(await listed.calls.enter({ params: room.params })).toMatchObject({ state: 'waiting' });
    await write({});
    await desk.conferences.admit({ params: room.params, body: { termIds: [listed.termId], admit: true } });
    expect(await listed.calls.enter({ params: room.params })).toMatchObject({ state: 'admitted' });
  });

  test('keeps waiting only for the host, and enters with the host', async () => {
    await open({ joinBeforeHost: false });
    const listed = await room.join(who(carol));
    const socket = await connect(server, { sessionToken: listed.token }, `meeting:${room.meetId}`);
    await write({ userIds: [idOf('carol')] });
    expect(await socket.event('waitChanged')).toMatchObject({ event: { awaitsHost: true } });
    await room.join(who(alice));
    await socket.event('admitted');
    await socket.close();
  });
});
