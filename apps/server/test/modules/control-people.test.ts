import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { meetingGrant } from '../../src/modules/meetings/tables.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { openConference, replayed, rz, stepOf, type Inside, type TestConference } from './support/conference.ts';
import { invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let admin: Person;
let room: TestConference;
let host: Inside;
let member: Inside;
let meetId: string;

beforeAll(async () => {
  server = await startTestServer({ capacity: 5 });
  [alice, bob, admin] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob'), signIn(server, 'admin')]);
});
afterAll(() => server.close());
beforeEach(async () => {
  room = await openConference(server, alice, { participants: invite(server, 'bob') });
  ({ meetId } = room);
  host = await room.join(alice);
  member = await room.join(bob);
});
afterEach(async () => {
  await codeOf(alice.conferences.end(room));
  await room.close();
});

const remove = (by: Inside | Person['conferences'], termId: string, canReturn: 'true' | 'false' = 'true') =>
  ('calls' in by ? by.calls : by).delTerm({ params: { ...rz, id: meetId }, query: { termId, canReturn } });

describe('a removed participant', () => {
  test('is notified, is cut off from media and push, and may join again', async () => {
    server.media.connect(member.termId);
    const [{ socket }, { socket: others }] = [await room.watch(member), await room.watch(host)];
    await remove(host, member.termId);
    expect((await socket.event('removed')).event).toEqual({ type: 'removed', canReturn: true });
    expect(await socket.message((message) => 'error' in message)).toEqual({ error: 'TERMINAL_REMOVED' });
    await socket.closed;
    expect(socket.eventTypes).toEqual(['removed']);
    expect(await stepOf(others, 'remove')).toMatchObject({
      changes: [{ termId: member.termId, field: 'present', after: false }],
      affected: [],
    });
    expect(server.media.theRoom().has(member.termId)).toBe(false);
    expect(await codeOf(member.calls.enter(room))).toBe('TERMINAL_GONE');
    expect((await room.join(bob)).state).toBe('admitted');
    expect(replayed(await room.log())).toEqual(await room.control());
  });

  test('for good cannot return to this conference: by account, by browser or by the guest link', async () => {
    const { resource } = await alice.guests.create({ query: { meetingId: meetId } });
    const [marked, linked] = [
      await room.guest('Dave', 'browser of Dave'),
      await room.join(clientOf(server), { name: 'Erin', resource }),
    ];
    for (const { termId } of [member, marked, linked]) await remove(host, termId, 'false');
    expect(await codeOf(room.join(bob))).toBe('TERMINAL_REMOVED');
    expect(await codeOf(room.guest('David', 'browser of Dave'))).toBe('TERMINAL_REMOVED');
    expect(await codeOf(room.join(clientOf(server), { name: 'Eve', resource }))).toBe('TERMINAL_REMOVED');
    // All guests share the meeting's one link: another browser is another person.
    expect((await room.join(clientOf(server), { name: 'Frank', resource, deviceId: 'browser of Frank' })).state).toBe(
      'admitted',
    );
    expect((await room.guest('Grace', 'browser of Grace')).state).toBe('admitted');
    await host.calls.end(room);
    const next = await openConference(server, alice, { participants: invite(server, 'bob') });
    expect((await next.join(bob)).state).toBe('admitted');
    await alice.conferences.end(next);
  });

  test('who had vanished cannot return to the old presence; others can, even if locked', async () => {
    const [second, guest] = [await room.join(bob), await room.guest('Carol')];
    for (const { termId } of [host, second]) server.media.connect(termId);
    for (let rounds = 0; rounds < 8; rounds += 1) {
      await server.tick();
      server.clock.advance({ seconds: 9 });
    }
    expect((await room.control()).terminals[member.termId]?.present).toBe(false);
    await remove(host, second.termId, 'false');
    await host.calls.setConfLock({ params: rz, query: { meetId, conflock: '1' } });
    expect(await codeOf(member.calls.enter(room))).toBe('TERMINAL_REMOVED');
    expect(await guest.calls.enter(room)).toMatchObject({ state: 'admitted' });
  });

  test('may be several, and hanging up does the same but allows a return', async () => {
    const guest = await room.guest('Carol');
    const termIds = [member.termId, guest.termId];
    await host.calls.delTermBatch({ params: { ...rz, id: meetId }, query: { termIds } });
    expect(Object.values((await room.control()).terminals).filter(({ present }) => present)).toHaveLength(1);
    const again = await room.join(bob);
    await host.calls.changeStatus({ params: rz, body: { meetId, termId: again.termId, status: 'HANGUP' } });
    expect((await room.join(bob)).state).toBe('admitted');
  });

  test('must not have a higher role: a co-chair may mute the chair but not remove it, nor a host', async () => {
    const guest = await room.guest('Carol');
    await host.calls.coChairs({ params: room.params, body: { termIds: [guest.termId], appoint: true } });
    expect(await codeOf(remove(guest, host.termId))).toBe('FORBIDDEN');
    expect(
      await codeOf(guest.calls.sendBack({ params: room.params, body: { termIds: [member.termId, host.termId] } })),
    ).toBe('FORBIDDEN');
    expect(await codeOf(guest.calls.termMute({ params: rz, body: { meetId, termId: host.termId, mute: true } }))).toBe(
      'OK',
    );
    await host.calls.setConfChairman({ params: rz, query: { meetId, termId: member.termId } });
    expect(await codeOf(remove(guest, member.termId))).toBe('FORBIDDEN');
    expect(await codeOf(remove(member, host.termId))).toBe('FORBIDDEN');
    expect(await codeOf(remove((await room.desk('chair', alice)).conferences, host.termId))).toBe('FORBIDDEN');
    expect(await codeOf(remove(member, guest.termId))).toBe('OK');
    expect(await codeOf(remove(admin.conferences, host.termId))).toBe('OK');
  });
});

describe('a locked conference', () => {
  test('admits only hosts and those the chair lets in', async () => {
    await host.calls.entry({ params: room.params, body: { waitingRoom: true } });
    const waiting = await room.guest('Carol');
    await host.calls.setConfLock({ params: rz, query: { meetId, conflock: '1' } });
    expect(await codeOf(room.guest('Dave'))).toBe('CONFERENCE_LOCKED');
    expect(await codeOf(room.join(bob))).toBe('CONFERENCE_LOCKED');
    expect((await room.join(alice)).state).toBe('admitted');
    expect((await room.join(admin)).state).toBe('admitted');
    await host.calls.admit({ params: room.params, body: { termIds: [waiting.termId], admit: true } });
    expect(await waiting.calls.enter(room)).toMatchObject({ state: 'admitted' });
    await host.calls.setConfLock({ params: rz, query: { meetId, conflock: '0' } });
    expect((await room.guest('Dave')).state).toBe('waiting');
  });

  test('admits a person who was granted the meeting, as a host', async () => {
    await host.calls.setConfLock({ params: rz, query: { meetId, conflock: '1' } });
    const [carol, row] = [await signIn(server, 'carol'), server.people.get('carol')];
    expect(await codeOf(room.join(carol, { password: '4821' }))).toBe('CONFERENCE_LOCKED');
    expect(await codeOf(carol.conferences.muteAll({ params: rz, body: { meetId } }))).toBe('NOT_FOUND');
    await server.db.tenant(row?.tenantId ?? '', (tx) =>
      tx.insert(meetingGrant, {
        meetingId: meetId,
        accountId: row?.id ?? '',
        grantedBy: 'Alice',
        grantedAt: server.clock.now(),
      }),
    );
    expect(await codeOf(carol.conferences.muteAll({ params: rz, body: { meetId } }))).toBe('OK');
    const { termId, state } = await room.join(carol);
    expect([state, (await room.control()).terminals[termId]?.role]).toEqual(['admitted', 'host']);
  });
});

describe('the waiting room', () => {
  test('switched on while the conference runs holds all but hosts; switched off it holds no one', async () => {
    await host.calls.entry({ params: room.params, body: { waitingRoom: true } });
    expect([(await room.join(bob)).state, (await room.join(alice)).state]).toEqual(['waiting', 'admitted']);
    await host.calls.entry({ params: room.params, body: { waitingRoom: false } });
    expect((await room.guest('Carol')).state).toBe('admitted');
  });

  test('takes a participant back, who sees nothing until the chair admits them again', async () => {
    server.media.connect(member.termId);
    const [{ socket }, { socket: others }] = [await room.watch(member), await room.watch(host)];
    await host.calls.sendBack({ params: room.params, body: { termIds: [member.termId] } });
    await socket.event('sentBack');
    expect((await others.event('waitingAdded')).event).toMatchObject({
      terminal: { termId: member.termId, name: 'Bob', message: null },
    });
    expect(server.media.theRoom().has(member.termId)).toBe(false);
    await socket.message(
      (message) => 'subscribed' in message && message !== socket.messages.find((first) => 'subscribed' in first),
    );
    await host.calls.setConfLock({ params: rz, query: { meetId, conflock: '1' } });
    expect(await member.calls.enter(room)).toMatchObject({ state: 'waiting' });
    expect(await codeOf(member.calls.selfUnmute(room))).toBe('FORBIDDEN');

    await host.calls.admit({ params: room.params, body: { termIds: [member.termId], admit: true } });
    await socket.event('admitted');
    expect(socket.eventTypes).toEqual(['sentBack', 'admitted']);
    expect(await member.calls.enter(room)).toMatchObject({ state: 'admitted' });
    expect((await room.control()).terminals[member.termId]).toMatchObject({ present: true, seat: 2 });
  });

  test('passes one message to the chair', async () => {
    await host.calls.entry({ params: room.params, body: { waitingRoom: true } });
    const { socket } = await room.watch(host);
    const waiting = await room.guest('Carol');
    await waiting.calls.knock({ params: room.params, body: { text: ' It is Carol of ward 3. ' } });
    await socket.message(
      (message) =>
        'event' in message &&
        message.event.type === 'waitingAdded' &&
        message.event.terminal.message === 'It is Carol of ward 3.',
    );
    expect(await codeOf(waiting.calls.knock({ params: room.params, body: { text: 'Hello?' } }))).toBe(
      'MESSAGE_SENT_ALREADY',
    );
    expect(await codeOf(member.calls.knock({ params: room.params, body: { text: 'Hello?' } }))).toBe('FORBIDDEN');
    expect((await room.watch(host)).state.waiting).toMatchObject([
      { name: 'Carol', message: 'It is Carol of ward 3.' },
    ]);
  });

  test('refuses with a reason, and the log knows', async () => {
    await host.calls.entry({ params: room.params, body: { waitingRoom: true } });
    const waiting = await room.guest('Carol');
    const socket = await connect(server, { sessionToken: waiting.token }, `meeting:${meetId}`);
    await host.calls.admit({
      params: room.params,
      body: { termIds: [waiting.termId], admit: false, reason: 'Please come at ten.' },
    });
    expect((await socket.event('refused')).event).toEqual({ type: 'refused', reason: 'Please come at ten.' });
    expect((await room.log()).at(-1)).toMatchObject({
      verb: 'refuse',
      command: { termIds: [waiting.termId], reason: 'Please come at ten.' },
    });
    await socket.close();
  });

  test('admits all of a list if there is room, as one command and one arrival each', async () => {
    await host.calls.entry({ params: room.params, body: { waitingRoom: true } });
    const waiting = [await room.guest('One'), await room.guest('Two'), await room.guest('Three')];
    await host.calls.admit({
      params: room.params,
      body: { termIds: waiting.map(({ termId }) => termId), admit: true },
    });
    expect((await room.log()).slice(-4).map(({ verb }) => verb)).toEqual(['admit', 'arrive', 'arrive', 'arrive']);
    expect(
      await codeOf(
        host.calls.admit({ params: room.params, body: { termIds: [(await room.guest('Four')).termId], admit: true } }),
      ),
    ).toBe('MEETING_FULL');
  });
});
