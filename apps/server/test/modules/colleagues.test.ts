import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import type { Admission, Meeting, MeetingBody } from '@rmeet/contract';
import { terminalSession } from '../../src/modules/conferences/tables.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const PASSWORD = '4821';
let server: TestServer;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [alice, bob, carol, dave] = [
    await signIn(server, 'alice'),
    await signIn(server, 'bob'),
    await signIn(server, 'carol'),
    await signIn(server, 'dave'),
  ];
});

/** Alice's current meeting, to which bob is invited; carol is their colleague, dave belongs to another organisation. */
const ward = (body: Partial<MeetingBody> = {}): Promise<Meeting> =>
  book(server, alice, { startTime: server.clock.in(0), participants: invite(server, 'bob'), ...body });
const join = (
  who: Person,
  { numericId }: Meeting,
  extra: { password?: string; name?: string } = {},
): Promise<Admission> => who.conferences.join({ body: { numericId, ...extra } });

/** The organisation has set none. */
const look = { name: expect.any(String) as string, logoUrl: null, colour: null, welcome: { zh: '', en: '' } };

describe('a colleague who was not invited', () => {
  test('needs the password and joins as a member; people of other tenants or without account are guests', async () => {
    const meeting = await ward();
    await join(alice, meeting);
    expect(await codeOf(join(carol, meeting))).toBe('MEETING_PASSWORD_REQUIRED');
    await join(bob, meeting);
    await join(carol, meeting, { password: PASSWORD });
    await join(dave, meeting, { password: PASSWORD });
    await join(clientOf(server), meeting, { password: PASSWORD, name: 'Grace' });

    const desk = await alice.conferences.state({ params: { meetId: meeting.meetId } });
    expect(desk.terminals.map(({ name, role, invited }) => [name, role, invited])).toEqual([
      ['Alice', 'host', true],
      ['Bob', 'member', true],
      ['Carol', 'member', false],
      ['Dave', 'guest', false],
      ['Grace', 'guest', false],
    ]);
    await alice.conferences.end({ params: { meetId: meeting.meetId } });
    const {
      records: [held],
    } = await alice.history.list({ query: { keyword: meeting.numericId } });
    const { attendance } = await alice.history.record({ query: { id: held?.id ?? '' } });
    expect(attendance.map(({ name, role }) => [name, role])).toEqual([
      ['Alice', 'host'],
      ['Bob', 'member'],
      ['Carol', 'member'],
      ['Dave', 'guest'],
      ['Grace', 'guest'],
    ]);
  });

  test('waits if the meeting has a waiting room; invited people enter', async () => {
    for (const meeting of [await ward({ waitingRoom: true }), await ward({ password: '', waitingRoom: true })]) {
      const password = meeting.password === '' ? {} : { password: PASSWORD };
      expect([(await join(bob, meeting)).state, (await join(carol, meeting, password)).state]).toEqual([
        'admitted',
        'waiting',
      ]);
    }
  });

  test('who waited only for a host enters with them', async () => {
    const meeting = await ward({ joinBeforeHost: false });
    const [invited, colleague] = [await join(bob, meeting), await join(carol, meeting, { password: PASSWORD })];
    await join(alice, meeting);
    const stateOf = async ({ termId }: Admission) =>
      (await server.db.platform((tx) => tx.findOne(terminalSession, eq(terminalSession.termId, termId))))?.state;
    expect([await stateOf(invited), await stateOf(colleague)]).toEqual(['admitted', 'admitted']);
  });

  test('stored as a guest by an earlier release is a member in the history', async () => {
    const meeting = await ward();
    const { termId } = await join(carol, meeting, { password: PASSWORD });
    await server.db.platform((tx) => tx.update(terminalSession, { role: 'guest' }, eq(terminalSession.termId, termId)));
    await join(alice, meeting);
    await alice.conferences.end({ params: { meetId: meeting.meetId } });
    const {
      records: [held],
    } = await alice.history.list({ query: { keyword: meeting.numericId } });
    const { attendance } = await alice.history.record({ query: { id: held?.id ?? '' } });
    expect(attendance.find(({ name }) => name === 'Carol')?.role).toBe('member');
  });
});

describe('GET conferences/pre-join', () => {
  const preJoin = (who: Person, { numericId }: Pick<Meeting, 'numericId'>) =>
    who.conferences.preJoin({ query: { numericId } });
  const NOTHING = { asksPassword: true, meeting: null };

  test('describes the meeting to its people, who are asked for nothing', async () => {
    const meeting = await ward({ startTime: server.clock.in(24 * 60) });
    const facts = {
      meetId: meeting.meetId,
      subject: 'Ward round',
      hostName: 'Alice',
      startTime: meeting.startTime,
      duration: 60,
      e2ee: false,
      recorded: false,
      inside: { count: 0, names: [] as string[] },
      look,
    };
    expect(await preJoin(alice, meeting)).toEqual({ asksPassword: false, meeting: { ...facts, early: true } });
    expect(await preJoin(bob, meeting)).toEqual({ asksPassword: false, meeting: { ...facts, early: false } });
    await alice.whiteList.write({
      params: { id: meeting.meetId },
      body: { userIds: [server.people.get('carol')?.id ?? ''] },
    });
    expect(await preJoin(carol, meeting)).toEqual({ asksPassword: false, meeting: { ...facts, early: false } });
    await alice.conferences.join({ body: { numericId: meeting.numericId, early: true } });
    expect((await preJoin(bob, meeting)).meeting).toEqual({
      ...facts,
      early: false,
      inside: { count: 1, names: ['Alice'] },
    });
    expect((await preJoin(alice, meeting)).meeting?.early).toBe(false);
  });

  test('tells others nothing, not even whether the meeting exists', async () => {
    const meeting = await ward();
    for (const who of [carol, dave])
      expect([await preJoin(who, meeting), await preJoin(who, { numericId: '999999999' })]).toEqual([NOTHING, NOTHING]);
    await alice.meetings.cancel({ params: { id: meeting.meetId }, query: {} });
    expect(await preJoin(alice, meeting)).toEqual(NOTHING);
    expect(await codeOf(clientOf(server).conferences.preJoin({ query: { numericId: meeting.numericId } }))).toBe(
      'UNAUTHORIZED',
    );
  });

  test('does not ask the owner of a fixed number for its password', async () => {
    const { numericId } = await alice.fixedNumber.read();
    expect([await preJoin(alice, { numericId }), await preJoin(carol, { numericId })]).toEqual([
      { asksPassword: false, meeting: null },
      NOTHING,
    ]);
  });
});

describe('POST conferences/look-up', () => {
  const nobody = () => clientOf(server);
  const lookUp = (who: Person, { numericId }: Pick<Meeting, 'numericId'>, password?: string) =>
    who.conferences.lookUp({ body: { numericId, ...(password === undefined ? {} : { password }) } });

  test('describes the meeting to a person with the password, with the number inside, but without names', async () => {
    const meeting = await ward();
    await join(alice, meeting);
    const { meetId, subject, startTime, duration } = meeting;
    const facts = {
      meetId,
      subject,
      hostName: 'Alice',
      startTime,
      duration,
      early: false,
      e2ee: false,
      recorded: false,
    };
    for (const who of [nobody(), dave, carol])
      expect(await lookUp(who, meeting, PASSWORD)).toEqual({
        asksPassword: false,
        meeting: { ...facts, inside: { count: 1, names: [] }, look },
      });
    expect((await lookUp(bob, meeting)).meeting?.inside).toEqual({ count: 1, names: ['Alice'] });
  });

  test('reveals nothing without the right password, and counts wrong ones as joining does', async () => {
    const meeting = await ward();
    expect(await codeOf(lookUp(nobody(), meeting))).toBe('MEETING_PASSWORD_REQUIRED');
    const guesser = clientOf(server, undefined, '10.1.0.9');
    const guesses: string[] = [];
    for (let guess = 0; guess < 7; guess += 1) guesses.push(await codeOf(lookUp(guesser, meeting, `wrong${guess}`)));
    expect(guesses).toEqual([...Array.from({ length: 6 }, () => 'MEETING_PASSWORD_WRONG'), 'TOO_MANY_REQUESTS']);
    expect(await codeOf(join(guesser, meeting, { password: PASSWORD, name: 'Grace' }))).toBe('TOO_MANY_REQUESTS');
    expect((await lookUp(nobody(), meeting, PASSWORD)).meeting?.subject).toBe('Ward round');
  });

  test('describes a meeting without a password only to its people', async () => {
    const meeting = await ward({ password: '', waitingRoom: true });
    expect(await lookUp(nobody(), meeting)).toEqual({ asksPassword: false, meeting: null });
    expect((await lookUp(bob, meeting)).meeting?.subject).toBe('Ward round');
  });

  test('reports at once that a meeting is over or unknown', async () => {
    const meeting = await ward();
    await alice.meetings.cancel({ params: { id: meeting.meetId }, query: {} });
    expect(await codeOf(lookUp(nobody(), meeting, PASSWORD))).toBe('MEETING_CANCELLED');
    expect(await codeOf(lookUp(nobody(), { numericId: '999999999' }, PASSWORD))).toBe('MEETING_NUMBER_UNKNOWN');
  });
});
