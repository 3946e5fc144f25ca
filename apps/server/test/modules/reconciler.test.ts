import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq, isNull } from 'drizzle-orm';
import type { Admission, Meeting } from '@rmeet/contract';
import { conference, reconcilerLease, terminalSession } from '../../src/modules/conferences/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { createLease } from '../../src/modules/conferences/engine/lease.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { makeStore, type Store } from './support/store.ts';

let store: Store;
let server: TestServer;
let alice: Person;
let bob: Person;
let made: Meeting;
let host: Admission;
beforeAll(async () => {
  store = await makeStore();
  server = await startTestServer({ store });
});
afterAll(async () => {
  await server.close();
  await store.remove();
});
beforeEach(async () => {
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
  made = await book(server, alice, {
    startTime: server.clock.in(0),
    duration: 60,
    participants: invite(server, 'bob'),
  });
  host = await alice.conferences.join({ body: { numericId: made.numericId } });
  server.media.connect(host.termId);
  await server.tick();
});
afterEach(async () => {
  const at = server.clock.now();
  await server.db.platform((tx) =>
    tx.update(conference, { endedAt: at, endReason: 'ended' }, isNull(conference.endedAt)),
  );
  server.media.restart();
});

const terminal = (termId: string) =>
  server.db.platform((tx) => tx.findOne(terminalSession, eq(terminalSession.termId, termId)));
const inRoom = () => [...server.media.theRoom().keys()];
const detail = () => alice.meetings.detail({ params: { id: made.meetId } });

/** Rounds of the reconciler over a period of time. */
async function passing(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    server.clock.advance({ seconds: 1 });
    await server.tick();
  }
}

describe('a participant on the media engine', () => {
  test('without admission is removed within one round', async () => {
    server.media.connect('Tstranger');
    await server.tick();
    expect(inRoom()).toEqual([host.termId]);
  });

  test('that has left but stays is removed', async () => {
    await clientOf(server, host.sessionToken).conferences.leave({ params: { meetId: made.meetId } });
    server.media.connect(host.termId);
    await server.tick();
    expect(inRoom()).toEqual([]);
  });

  test('in the room of an ended conference loses the room', async () => {
    const [room] = [...server.media.rooms.keys()];
    await alice.conferences.end({ params: { meetId: made.meetId } });
    await server.media.createRoom(room ?? '');
    await server.media.createRoom('somebody-elses-room');
    await server.tick();
    expect([...server.media.rooms.keys()]).toEqual(['somebody-elses-room']);
  });
});

describe('joins and departures', () => {
  test('are recorded with their times', async () => {
    expect(await terminal(host.termId)).toMatchObject({
      state: 'admitted',
      joinedAt: server.clock.now(),
      leftAt: null,
    });
    await passing(5);
    await clientOf(server, host.sessionToken).conferences.leave({ params: { meetId: made.meetId } });
    expect(await terminal(host.termId)).toMatchObject({ state: 'left', leftAt: server.clock.now() });
    expect(inRoom()).toEqual([]);
  });

  test('allow 20 seconds to return, and a new entry after that', async () => {
    const member = await bob.conferences.join({ body: { numericId: made.numericId } });
    server.media.connect(member.termId);
    const socket = await connect(server, { sessionToken: host.sessionToken }, `meeting:${made.meetId}`);
    await passing(1);
    server.media.disconnect(member.termId);
    await passing(20);
    expect(await terminal(member.termId)).toMatchObject({ state: 'admitted' });
    server.media.connect(member.termId);
    await passing(1);
    server.media.disconnect(member.termId);
    await passing(21);
    expect(await terminal(member.termId)).toMatchObject({ state: 'lost', leftAt: server.clock.now() });
    expect((await socket.event('terminalLeft')).event).toMatchObject({ termId: member.termId });

    server.media.connect(member.termId);
    await passing(1);
    expect(inRoom()).toEqual([host.termId]);
    const calls = clientOf(server, member.sessionToken).conferences;
    expect(await codeOf(calls.hand({ params: { meetId: made.meetId }, body: { raised: true } }))).toBe('TERMINAL_GONE');
    expect(await calls.enter({ params: { meetId: made.meetId } })).toMatchObject({
      state: 'admitted',
      termId: member.termId,
    });
    expect((await socket.event('terminalJoined')).event).toMatchObject({ terminal: { termId: member.termId } });
    expect(await codeOf(calls.hand({ params: { meetId: made.meetId }, body: { raised: true } }))).toBe('OK');
    await socket.close();
  });

  test('forget a terminal that never arrives after a minute', async () => {
    const member = await bob.conferences.join({ body: { numericId: made.numericId } });
    await passing(60);
    expect(await terminal(member.termId)).toMatchObject({ state: 'admitted', joinedAt: null });
    await passing(1);
    expect(await terminal(member.termId)).toMatchObject({ state: 'lost' });
  });

  test('forget a waiting terminal without a push socket, but not one with a socket', async () => {
    const open = await book(server, alice, { startTime: server.clock.in(0), password: '', waitingRoom: true });
    const knock = (name: string) => clientOf(server).conferences.join({ body: { numericId: open.numericId, name } });
    const [patient, gone] = [await knock('Patient'), await knock('Gone')];
    const socket = await connect(server, { sessionToken: patient.sessionToken }, `meeting:${open.meetId}`);
    await passing(45);
    expect(await terminal(gone.termId)).toMatchObject({ state: 'left' });
    expect(await terminal(patient.termId)).toMatchObject({ state: 'waiting' });
    await socket.close();
  });
});

describe('the media process', () => {
  test('gets its rooms back in one round after a restart, and no terminal counts as vanished', async () => {
    server.media.isUp = false;
    await passing(30);
    server.media.restart();
    await passing(1);
    expect(inRoom()).toEqual([]);
    await passing(19);
    server.media.connect(host.termId);
    await passing(1);
    expect(await terminal(host.termId)).toMatchObject({ state: 'admitted' });
  });

  test('does not stop the rounds by one failure', async () => {
    const { media } = server;
    media.isFailing = true;
    await expect(server.tick()).rejects.toThrow('away');
    media.isFailing = false;
    media.connect('Tstranger');
    await server.tick();
    expect(inRoom()).toEqual([host.termId]);
  });
});

test('a terminal that is no longer seen inside receives nothing until it returns', async () => {
  const member = await bob.conferences.join({ body: { numericId: made.numericId } });
  const calls = clientOf(server, member.sessionToken).conferences;
  const params = { meetId: made.meetId };
  const socket = await connect(server, { sessionToken: member.sessionToken }, `meeting:${made.meetId}`);
  const count = (key: string) => socket.messages.filter((message) => key in message).length;
  await socket.message((message) => 'snapshot' in message);
  await passing(61);
  expect(await terminal(member.termId)).toMatchObject({ state: 'lost' });
  await expect.poll(() => count('subscribed')).toBe(2);
  const said = { id: newId(), text: 'Among us' };
  await clientOf(server, host.sessionToken).conferences.chat({ params, body: said });
  await calls.enter({ params });
  await expect.poll(() => count('snapshot')).toBe(2);
  expect(socket.eventTypes).not.toContain('chat');
  expect(JSON.stringify(socket.messages.at(-1))).toContain('Among us');
  await socket.close();
});

describe('an empty conference', () => {
  const leave = () => clientOf(server, host.sessionToken).conferences.leave({ params: { meetId: made.meetId } });

  test('ends two minutes after the last departure if its booked end has passed', async () => {
    server.clock.advance({ minutes: 61 });
    await server.tick();
    expect(await detail()).toMatchObject({ status: 'ONLINE' });
    await leave();
    await server.tick();
    server.clock.advance({ seconds: 119 });
    await server.tick();
    expect(await detail()).toMatchObject({ status: 'ONLINE' });
    server.clock.advance({ seconds: 1 });
    await server.tick();
    expect(await detail()).toMatchObject({ status: 'OFFLINE' });
    expect(server.media.rooms.size).toBe(0);
  });

  test('closes after half an hour before its booked end, and can be reopened', async () => {
    await leave();
    await server.tick();
    server.clock.advance({ minutes: 30 });
    await server.tick();
    expect(await detail()).toMatchObject({ status: 'SCHEDULE', can: { join: true, start: true } });
    expect((await bob.conferences.join({ body: { numericId: made.numericId } })).state).toBe('admitted');
    expect(await server.db.platform((tx) => tx.count(conference, eq(conference.meetingId, made.meetId)))).toBe(2);
  });

  test('stays open if a person returns in between', async () => {
    server.clock.advance({ minutes: 61 });
    await leave();
    await server.tick();
    server.clock.advance({ seconds: 119 });
    const member = await bob.conferences.join({ body: { numericId: made.numericId } });
    server.media.connect(member.termId);
    await passing(2);
    expect(await detail()).toMatchObject({ status: 'ONLINE', terminalCount: 1 });
  });
});

test('a restarted server continues the running conferences', async () => {
  const { media, clock } = server;
  await server.close();
  server = await startTestServer({ store, media, clock });
  alice = clientOf(server, alice.token);
  clock.advance({ seconds: 5 });
  media.connect('Tstranger');
  await server.tick();
  expect(inRoom()).toEqual([host.termId]);
  expect(
    await codeOf(
      clientOf(server, host.sessionToken).conferences.hand({ params: { meetId: made.meetId }, body: { raised: true } }),
    ),
  ).toBe('OK');
  expect(await detail()).toMatchObject({ status: 'ONLINE', terminalCount: 1 });
});

test('after a long downtime of the server, waiting terminals get time to return', async () => {
  const open = await book(server, alice, { startTime: server.clock.in(0), password: '', waitingRoom: true });
  const knock = (name: string) => clientOf(server).conferences.join({ body: { numericId: open.numericId, name } });
  const [patient, gone] = [await knock('Patient'), await knock('Gone')];
  const { media, clock } = server;
  await server.close();
  clock.advance({ seconds: 60 });
  server = await startTestServer({ store, media, clock });
  alice = clientOf(server, alice.token);
  await server.tick();
  expect(await terminal(patient.termId)).toMatchObject({ state: 'waiting' });
  const socket = await connect(server, { sessionToken: patient.sessionToken }, `meeting:${open.meetId}`);
  await passing(41);
  expect(await terminal(patient.termId)).toMatchObject({ state: 'waiting' });
  expect(await terminal(gone.termId)).toMatchObject({ state: 'left' });
  await socket.close();
});

test('two servers on one database take turns', async () => {
  const { db, clock } = server;
  await db.platform((tx) => tx.delete(reconcilerLease, eq(reconcilerLease.name, 'conferences')));
  const [one, other] = [createLease(db, clock.now), createLease(db, clock.now)];
  expect([await one.hold(), await other.hold()]).toEqual([true, false]);
  clock.advance({ seconds: 4 });
  expect([await one.hold(), await other.hold()]).toEqual([true, false]);
  clock.advance({ seconds: 5 });
  expect([await other.hold(), await one.hold()]).toEqual([true, false]);
  await other.release();
  expect(await one.hold()).toBe(true);
});
