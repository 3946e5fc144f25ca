import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import type { DeskEvent, DeskInvitee, Meeting } from '@rmeet/contract';
import { conferenceCommand } from '../../src/modules/conferences/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { connect, type TestSocket } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let chair: Person;
let alice: Person;
let bob: Person;
let erin: Person;
let made: Meeting;
let sockets: TestSocket[];
const rz = { res: 'rz' };
beforeAll(async () => {
  server = await startTestServer();
  [chair, alice, bob, erin] = await Promise.all([
    signIn(server, 'chair'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'erin'),
  ]);
});
afterAll(() => server.close());
beforeEach(async () => {
  sockets = [];
  made = await book(server, chair, {
    startTime: server.clock.in(0),
    participants: invite(server, 'alice', 'bob', 'guest@example.org'),
  });
});
afterEach(async () => {
  await Promise.all(sockets.map((socket) => socket.close()));
  await codeOf(chair.conferences.end({ params: params() }));
  await server.tick();
});

const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const U = (name: string): string => `U${idOf(name)}`;
const params = () => ({ meetId: made.meetId });

async function follow(who: { token: string }, topic: string): Promise<TestSocket> {
  const socket = await connect(server, { token: who.token }, topic);
  sockets.push(socket);
  return socket;
}
/** The meeting's desk, opened by its host. */
const openDesk = (): Promise<TestSocket> => follow(chair, `meeting:${made.meetId}`);
const join = (who: Person) => who.conferences.join({ body: { numericId: made.numericId } });
const callAll = (who: Person = chair) => who.conferences.callAll({ params: rz, body: { meetId: made.meetId } });
const ring = (termId: string, who: Person = chair) =>
  who.conferences.changeStatus({ params: rz, body: { meetId: made.meetId, termId, status: 'CALL' } });

async function invitees(): Promise<Record<string, DeskInvitee['state']>> {
  const { invitees: list } = await chair.conferences.state({ params: params() });
  return Object.fromEntries(list.map(({ name, state }) => [name, state]));
}
const eventsOf = (socket: TestSocket, type: string) =>
  socket.messages.flatMap((message) => ('event' in message && message.event.type === type ? [message.event] : []));
/** The last message to the desk reported this person in this state. */
const changed = (socket: TestSocket, name: string, state: DeskInvitee['state']) =>
  expect
    .poll(
      () =>
        (eventsOf(socket, 'inviteesChanged') as (DeskEvent & { type: 'inviteesChanged' })[])
          .flatMap(({ invitees: list }) => list)
          .findLast((one) => one.name === name)?.state,
    )
    .toBe(state);

describe('calling all participants', () => {
  test('rings those who are invited and absent, and no one else', async () => {
    await join(chair);
    await join(bob);
    const [desk, atAlice, atBob, atErin] = [
      await openDesk(),
      await follow(alice, 'user'),
      await follow(bob, 'user'),
      await follow(erin, 'user'),
    ];
    const { commandId } = await callAll();
    expect((await atAlice.event('ring')).event).toMatchObject({
      meetId: made.meetId,
      numericId: made.numericId,
      subject: made.subject,
      from: 'Chair',
      until: server.clock.in(1),
    });
    await changed(desk, 'Alice', 'ringing');
    expect(await invitees()).toEqual({ Alice: 'ringing', 'guest@example.org': 'absent' });
    const log = await chair.conferences.events({ params: params(), query: {} });
    expect(log.find((row) => row.commandId === commandId)).toMatchObject({
      verb: 'call',
      input: { targets: [U('alice')] },
      by: { kind: 'user', name: 'Chair' },
    });
    expect([...eventsOf(atBob, 'ring'), ...eventsOf(atErin, 'ring')]).toEqual([]);
  });

  test('requires the right to call', async () => {
    await join(chair);
    expect(await codeOf(callAll(bob))).toBe('FORBIDDEN');
    expect(await codeOf(callAll(erin))).toBe('NOT_FOUND');
    expect(
      await codeOf(
        clientOf(server, (await join(bob)).sessionToken).conferences.callAll({ params: rz, body: params() }),
      ),
    ).toBe('FORBIDDEN');
    expect(await codeOf(chair.conferences.callAll({ params: { res: 'xx' }, body: params() }))).toBe('ENGINE_UNKNOWN');
  });

  test('again skips those it already rings and those who declined, until that ring ends', async () => {
    await join(chair);
    await callAll();
    await bob.conferences.answerRing({ params: params() });
    const targets = async () => {
      const { commandId } = await callAll();
      const [row] = await server.db.platform((tx) => tx.find(conferenceCommand, eq(conferenceCommand.id, commandId)));
      return (row?.command as { targets: string[] } | undefined)?.targets ?? [];
    };
    expect(await targets()).toEqual([]);
    server.clock.advance({ seconds: 59 });
    expect(await targets()).toEqual([]);
    server.clock.advance({ seconds: 1 });
    await server.tick();
    expect((await targets()).toSorted()).toEqual([U('alice'), U('bob')].toSorted());
  });

  test('leaves out accounts that are disabled', async () => {
    await join(chair);
    const tenantId = server.people.get('bob')?.tenantId ?? '';
    const setEnabled = (enabled: boolean) =>
      server.db.tenant(tenantId, (tx) => tx.update(account, { enabled }, eq(account.id, idOf('bob'))));
    await setEnabled(false);
    const { commandId } = await callAll();
    await setEnabled(true);
    const [row] = await server.db.platform((tx) => tx.find(conferenceCommand, eq(conferenceCommand.id, commandId)));
    expect(row?.command).toMatchObject({ targets: [U('alice')] });
  });
});

describe('a ring', () => {
  beforeEach(async () => {
    await join(chair);
  });

  test('is over when the person joins', async () => {
    const [desk, atAlice] = [await openDesk(), await follow(alice, 'user')];
    await callAll();
    await atAlice.event('ring');
    await join(alice);
    expect((await atAlice.event('ringOver')).event).toEqual({ type: 'ringOver', meetId: made.meetId });
    await changed(desk, 'Alice', 'absent');
    expect(await invitees()).toEqual({ Bob: 'ringing', 'guest@example.org': 'absent' });
  });

  test('is reported to a page that opens while it rings, and to no other person', async () => {
    await callAll();
    server.clock.advance({ seconds: 30 });
    const { meetId, numericId, subject } = made;
    expect(await alice.conferences.rings()).toEqual([
      { meetId, numericId, subject, from: 'Chair', until: server.clock.in(0.5) },
    ]);
    expect(await erin.conferences.rings()).toEqual([]);
    await alice.conferences.answerRing({ params: params() });
    expect(await alice.conferences.rings()).toEqual([]);
    server.clock.advance({ seconds: 30 });
    expect(await bob.conferences.rings()).toEqual([]);
  });

  test('is over when the person comes to the waiting room', async () => {
    await chair.conferences.entry({ params: params(), body: { waitingRoom: true } });
    const atAlice = await follow(alice, 'user');
    await callAll();
    expect(await join(alice)).toMatchObject({ state: 'waiting' });
    await atAlice.event('ringOver');
    expect(await codeOf(ring(U('alice')))).toBe('CALL_TARGET_UNKNOWN');
  });

  test('is over when the person declines, in all their tabs', async () => {
    const [desk, atAlice, elsewhere] = [await openDesk(), await follow(alice, 'user'), await follow(alice, 'user')];
    await callAll();
    await alice.conferences.answerRing({ params: params() });
    await changed(desk, 'Alice', 'declined');
    await atAlice.event('ringOver');
    await elsewhere.event('ringOver');
    expect(await invitees()).toMatchObject({ Alice: 'declined', Bob: 'ringing' });
    // A repeated call changes nothing.
    await alice.conferences.answerRing({ params: params() });
    expect(eventsOf(atAlice, 'ringOver')).toHaveLength(1);
  });

  test('is over after a minute', async () => {
    const [desk, atAlice] = [await openDesk(), await follow(alice, 'user')];
    await callAll();
    await atAlice.event('ring');
    server.clock.advance({ seconds: 59 });
    await server.tick();
    expect(eventsOf(atAlice, 'ringOver')).toEqual([]);
    server.clock.advance({ seconds: 1 });
    await server.tick();
    await atAlice.event('ringOver');
    await changed(desk, 'Alice', 'missed');
    await server.tick();
    expect(eventsOf(atAlice, 'ringOver')).toHaveLength(1);
  });

  test('is over with the conference, also while the media engine is away', async () => {
    const atAlice = await follow(alice, 'user');
    await callAll();
    await chair.conferences.end({ params: params() });
    server.media.isUp = false;
    await server.tick();
    server.media.isUp = true;
    await atAlice.event('ringOver');
    expect(await codeOf(ring(U('alice')))).toBe('CONFERENCE_OVER');
    expect(await codeOf(alice.conferences.answerRing({ params: params() }))).toBe('NOT_FOUND');
  });

  test('reaches one person, or the person of a terminal that has left', async () => {
    const atBob = await follow(bob, 'user');
    await ring(U('bob'));
    await atBob.event('ring');
    expect(await codeOf(ring(U('bob')))).toBe('TOO_MANY_REQUESTS');
    const { termId, sessionToken } = await join(bob);
    expect(await codeOf(ring(termId))).toBe('CALL_TARGET_UNKNOWN');
    expect(await codeOf(ring(U('bob')))).toBe('CALL_TARGET_UNKNOWN');
    await clientOf(server, sessionToken).conferences.leave({ params: params() });
    // A person who has left may be called again at once.
    await ring(termId);
    await expect.poll(() => eventsOf(atBob, 'ring')).toHaveLength(2);
  });

  test('cannot be started for uninvited people, nor for outside addresses without mail', async () => {
    const guest = await clientOf(server).conferences.join({
      body: { numericId: made.numericId, name: 'Guest', password: '4821' },
    });
    await clientOf(server, guest.sessionToken).conferences.leave({ params: params() });
    for (const target of [U('carol'), U('erin'), guest.termId, 'Tnobody', 'U', 'M'])
      expect(await codeOf(ring(target))).toBe('CALL_TARGET_UNKNOWN');
    const { invitees: list, cannot } = await chair.conferences.state({ params: params() });
    expect(cannot).toMatchObject({ mail: 'notConfigured' });
    const outside = list.find(({ userId }) => userId === null);
    expect(outside).toMatchObject({ name: 'guest@example.org', mail: 'none' });
    expect(await codeOf(ring(outside?.termId ?? ''))).toBe('VERB_IMPOSSIBLE');
  });

  test('can be answered only by the called person', async () => {
    await ring(U('bob'));
    expect(await codeOf(alice.conferences.answerRing({ params: params() }))).toBe('NOT_FOUND');
    expect(await codeOf(erin.conferences.answerRing({ params: params() }))).toBe('NOT_FOUND');
    expect(await invitees()).toMatchObject({ Bob: 'ringing' });
  });

  test('that a person missed shows them as absent after they join and leave', async () => {
    const { sessionToken } = await join(alice);
    const desk = await openDesk();
    expect(await invitees()).toEqual({ Bob: 'absent', 'guest@example.org': 'absent' });
    await clientOf(server, sessionToken).conferences.leave({ params: params() });
    await changed(desk, 'Alice', 'absent');
    expect(await invitees()).toEqual({ Alice: 'absent', Bob: 'absent', 'guest@example.org': 'absent' });
  });
});
