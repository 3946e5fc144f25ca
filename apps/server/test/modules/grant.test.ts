import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyCommand, NO_CONTROL } from '@rmeet/conference';
import type { ConferenceState, Meeting } from '@rmeet/contract';
import { findCommandsAfter } from '../../src/modules/conferences/control/repo.ts';
import { findConference } from '../../src/modules/conferences/repo.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let chair: Person;
let alice: Person;
let bob: Person;
let carol: Person;
let made: Meeting;
beforeAll(async () => {
  server = await startTestServer();
  [chair, alice, bob, carol] = await Promise.all([
    signIn(server, 'chair'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'carol'),
  ]);
});
afterAll(() => server.close());
beforeEach(async () => {
  made = await book(server, chair, { startTime: server.clock.in(0), participants: invite(server, 'alice') });
});
afterEach(async () => {
  await codeOf(chair.conferences.end({ params: { meetId: made.meetId } }));
});

const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const params = () => ({ meetId: made.meetId });
const grant = (names: string[], who: Person = chair, rights: 'control' | 'none' = 'control') =>
  who.conferences.grantAuth({
    query: params(),
    body: { userIds: names.map((name) => (name.length === 36 ? name : idOf(name))), rights },
  });
const takeBack = (names: string[], who: Person = chair) => grant(names, who, 'none');
const detail = (who: Person) => who.meetings.detail({ params: { id: made.meetId } });

interface Inside extends Person {
  termId: string;
}
async function join(who: Person): Promise<Inside> {
  const { termId, sessionToken } = await who.conferences.join({ body: { numericId: made.numericId } });
  return { ...clientOf(server, sessionToken), termId };
}
const roleOf = async (termId: string): Promise<string | undefined> =>
  (await chair.conferences.state({ params: params() })).control.terminals[termId]?.role;

describe('a meeting granted to a person', () => {
  test('is in their list, and they may run it as its host may', async () => {
    expect(await codeOf(detail(bob))).toBe('NOT_FOUND');
    expect(await grant(['bob'])).toBeNull();
    expect(await detail(bob)).toMatchObject({
      granted: [{ userId: idOf('bob'), name: 'Bob' }],
      can: { edit: true, cancel: true, start: true, guests: true, grant: true },
    });
    expect((await detail(alice)).granted).toEqual([{ userId: idOf('bob'), name: 'Bob' }]);
    expect((await bob.meetings.list({ query: {} })).records.map(({ meetId }) => meetId)).toContain(made.meetId);
    await bob.guests.create({ query: { meetingId: made.meetId } });
    await grant(['carol'], bob);
    await takeBack(['bob', 'carol'], carol);
    for (const who of [bob, carol]) expect(await codeOf(detail(who))).toBe('NOT_FOUND');
    expect((await bob.meetings.list({ query: {} })).records.map(({ meetId }) => meetId)).not.toContain(made.meetId);
    expect((await detail(chair)).granted).toEqual([]);
  });

  test('admits them as host, and lets them command from outside', async () => {
    await join(chair);
    const guest = await clientOf(server).conferences.join({
      body: { numericId: made.numericId, name: 'Guest', password: '4821' },
    });
    expect(
      await codeOf(
        bob.conferences.setConfLock({ params: { res: 'rz' }, query: { meetId: made.meetId, conflock: '1' } }),
      ),
    ).toBe('NOT_FOUND');
    expect(await grant(['bob'])).toMatchObject({ affected: [] });
    await bob.conferences.setConfLock({ params: { res: 'rz' }, query: { meetId: made.meetId, conflock: '1' } });
    const { termId } = await join(bob);
    expect(await roleOf(termId)).toBe('host');
    await bob.conferences.termMute({
      params: { res: 'rz' },
      body: { meetId: made.meetId, termId: guest.termId, mute: true },
    });
  });
});

describe('a person inside who is granted the meeting', () => {
  test('becomes host at once, is notified, and loses the role when the grant is revoked', async () => {
    await join(chair);
    const inside = await join(alice);
    const socket = await connect(server, { sessionToken: inside.token }, `meeting:${made.meetId}`);
    const mine = () =>
      socket.messages
        .flatMap((message) => ('snapshot' in message ? [(message.snapshot as ConferenceState).me] : []))
        .at(-1);
    expect(await codeOf(inside.conferences.extend({ params: { id: made.meetId }, query: { delay: '5' } }))).toBe(
      'FORBIDDEN',
    );
    await grant(['alice']);
    expect((await socket.event('terminalChanged')).event).toMatchObject({
      terminal: { termId: inside.termId, role: 'host' },
    });
    await expect.poll(mine).toMatchObject({ role: 'host', can: { end: true, lock: true } });
    expect(await roleOf(inside.termId)).toBe('host');
    await inside.conferences.extend({ params: { id: made.meetId }, query: { delay: '5' } });

    await takeBack(['alice']);
    expect(await codeOf(inside.conferences.extend({ params: { id: made.meetId }, query: { delay: '5' } }))).toBe(
      'FORBIDDEN',
    );
    await expect.poll(mine).toMatchObject({ role: 'member', can: { end: false, lock: false } });
    expect(await roleOf(inside.termId)).toBe('member');
    await socket.close();
  });

  test('who chairs only by the grant loses the chair when it is revoked', async () => {
    await grant(['bob']);
    const first = await join(bob);
    const host = await join(chair);
    const chairId = async () => (await chair.conferences.state({ params: params() })).control.chairId;
    expect(await chairId()).toBe(first.termId);
    await takeBack(['bob'], host);
    expect(await chairId()).toBe(host.termId);
    // Not invited, but a colleague, so they continue as a member.
    expect(await roleOf(first.termId)).toBe('member');
  });

  test('the log records the grant and can be replayed', async () => {
    await join(chair);
    const inside = await join(alice);
    const answer = await grant(['alice']);
    const log = await chair.conferences.events({ params: params(), query: {} });
    expect(log.find(({ commandId }) => commandId === answer?.commandId)).toMatchObject({
      verb: 'grant',
      input: { userIds: [idOf('alice')], granted: true, roles: { [inside.termId]: 'host' } },
    });
    const { conferenceId } = await chair.conferences.state({ params: params() });
    const { stored, commands } = await server.db.platform(async (tx) => ({
      stored: await findConference(tx, conferenceId),
      commands: await findCommandsAfter(tx, conferenceId, 0),
    }));
    expect(commands.reduce((control, { command }) => applyCommand(control, command), NO_CONTROL)).toEqual(
      stored?.control,
    );
  });

  test('an onlooker from outside loses the desk when the grant is revoked', async () => {
    await join(chair);
    await grant(['bob']);
    const desk = await connect(server, { token: bob.token }, `meeting:${made.meetId}`);
    await desk.message((message) => 'snapshot' in message);
    await takeBack(['bob']);
    await desk.message((message) => 'error' in message && message.topic === `meeting:${made.meetId}`);
    await desk.close();
  });
});

describe('granting', () => {
  test('requires the right to it', async () => {
    expect(await codeOf(grant(['bob'], alice))).toBe('FORBIDDEN');
    expect(await codeOf(grant(['bob'], bob))).toBe('NOT_FOUND');
    const [host, member] = [await join(chair), await join(alice)];
    expect(await codeOf(grant(['bob'], member))).toBe('FORBIDDEN');
    await grant(['bob'], host);
    // A terminal that is only the chair controls this conference, but cannot grant it.
    await takeBack(['bob'], host);
    await chair.conferences.setConfChairman({
      params: { res: 'rz' },
      query: { meetId: made.meetId, termId: member.termId },
    });
    expect(await codeOf(grant(['bob'], member))).toBe('FORBIDDEN');
  });

  test('is limited to the own organisation, and changes nothing for the host and for earlier grants', async () => {
    expect(await codeOf(grant(['erin']))).toBe('PARTICIPANT_UNKNOWN');
    expect(await codeOf(grant(['ops']))).toBe('PARTICIPANT_UNKNOWN');
    expect(await codeOf(grant(['0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11']))).toBe('PARTICIPANT_UNKNOWN');
    await grant(['chair', 'alice']);
    await grant(['alice']);
    expect((await detail(chair)).granted).toEqual([{ userId: idOf('alice'), name: 'Alice' }]);
  });

  test('is limited to meetings that are not over', async () => {
    await join(chair);
    await chair.conferences.end({ params: params() });
    expect(await codeOf(grant(['bob']))).toBe('MEETING_ENDED');
  });
});
