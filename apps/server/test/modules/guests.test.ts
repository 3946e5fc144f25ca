import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import type { Admission, Meeting, MeetingBody } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { terminalSession } from '../../src/modules/conferences/tables.ts';
import { guestToken } from '../../src/modules/guests/tables.ts';
import { newToken } from '../../src/platform/secrets/index.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { withoutIds } from './support/ids.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
let nobody: Person;
beforeAll(async () => {
  server = await startTestServer();
  nobody = clientOf(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  [admin, alice, bob, carol, dave] = await Promise.all([
    signIn(server, 'admin'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'carol'),
    signIn(server, 'dave'),
  ]);
});

const DAY = 86_400_000;
const ward = (body: Partial<MeetingBody> = {}): Promise<Meeting> =>
  book(server, alice, { startTime: server.clock.in(0), participants: invite(server, 'bob'), ...body });
const create = (who: Person, { meetId }: Meeting) => who.guests.create({ query: { meetingId: meetId } });
const linkOf = async (meeting: Meeting): Promise<string> => (await create(alice, meeting)).resource;
const detail = (resource: string) => nobody.guests.queryMeetDetail({ query: { resource } });
const join = (who: Person, resource: string, extra: { name?: string; numericId?: string } = {}): Promise<Admission> =>
  who.conferences.join({ body: { resource, ...extra } });
const come = (resource: string, name = 'Dana') => join(nobody, resource, { name });
/** The result codes of all calls that use a link. */
const everyWay = (who: Person, resource: string) =>
  Promise.all(
    [
      who.guests.count({ query: { resource } }),
      who.guests.queryMeetDetail({ query: { resource } }),
      join(who, resource, { name: 'Dana' }),
    ].map(codeOf),
  );
const terminal = ({ termId }: Admission) =>
  server.db.platform((tx) => tx.findOne(terminalSession, eq(terminalSession.termId, termId)));

describe('a guest link', () => {
  test('is shown once; only its hash is stored', async () => {
    const meeting = await ward();
    expect(await alice.guests.query({ query: { meetingId: meeting.meetId } })).toBeNull();
    const made = await create(alice, meeting);
    expect(made).toMatchObject({
      meetingId: meeting.meetId,
      count: 0,
      createdBy: 'Alice',
      url: `${server.origin}/#/join?guest=${made.resource}`,
    });
    expect(Date.parse(made.expiresAt)).toBe(Date.parse(meeting.startTime) + 60 * 60_000 + DAY);
    expect(Buffer.from(made.resource, 'base64url')).toHaveLength(32);
    const { resource, url, ...rest } = made;
    expect(await alice.guests.query({ query: { meetingId: meeting.meetId } })).toEqual(rest);
    const stored = await server.db.platform(async (tx) =>
      JSON.stringify([await tx.find(guestToken), await tx.find(auditLog)]),
    );
    expect(stored).not.toContain(resource);
    expect(stored).toContain('guests.create');
    expect(url).toContain(resource);
  });

  test('is for those who run the meeting; others learn only what they may know of the meeting', async () => {
    const meeting = await ward();
    const query = { meetingId: meeting.meetId };
    const calls = (who: Person) =>
      Promise.all(
        [
          who.guests.create({ query }),
          who.guests.update({ query }),
          who.guests.query({ query }),
          who.guests.queryUsers({ query }),
          who.guests.remove({ query }),
        ].map(codeOf),
      );
    expect(await calls(bob)).toEqual(Array.from({ length: 5 }, () => 'FORBIDDEN'));
    for (const stranger of [carol, dave])
      expect(await calls(stranger)).toEqual(Array.from({ length: 5 }, () => 'NOT_FOUND'));
    expect(await codeOf(create(admin, meeting))).toBe('OK');
  });

  test('created again leaves one that works; a renewal keeps the count; removed, none is left', async () => {
    const meeting = await ward();
    const query = { meetingId: meeting.meetId };
    const first = await linkOf(meeting);
    const second = await linkOf(meeting);
    expect(await codeOf(detail(first))).toBe('GUEST_LINK_INVALID');
    await come(second);
    const third = await alice.guests.update({ query });
    expect(third.count).toBe(1);
    expect(await codeOf(detail(second))).toBe('GUEST_LINK_INVALID');
    await come(third.resource);
    expect(await alice.guests.query({ query })).toMatchObject({ id: third.id, count: 2 });
    await alice.guests.remove({ query });
    expect(await codeOf(come(third.resource))).toBe('GUEST_LINK_INVALID');
    expect(await alice.guests.query({ query })).toBeNull();
    expect(await Promise.all([alice.guests.update({ query }), alice.guests.remove({ query })].map(codeOf))).toEqual([
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
  });

  test('created twice at once leaves one that works', async () => {
    const meeting = await ward();
    const made = await Promise.all([create(alice, meeting), create(admin, meeting)]);
    expect((await Promise.all(made.map(({ resource }) => codeOf(detail(resource))))).toSorted()).toEqual([
      'GUEST_LINK_INVALID',
      'OK',
    ]);
  });

  test('survives a change of the password and follows a change of the time', async () => {
    const meeting = await ward({ startTime: server.clock.in(60) });
    const resource = await linkOf(meeting);
    const moved = await alice.meetings.update({
      params: { id: meeting.meetId },
      body: { ...meeting, password: '1248', startTime: server.clock.in(3 * 24 * 60) },
    });
    expect(await detail(resource)).toMatchObject({ startTime: moved.startTime });
    const token = await alice.guests.query({ query: { meetingId: meeting.meetId } });
    expect(Date.parse(token?.expiresAt ?? '')).toBe(Date.parse(moved.startTime) + 60 * 60_000 + DAY);
    server.clock.advance({ hours: 3 * 24 });
    [alice] = [await signIn(server, 'alice')];
    expect((await come(resource)).state).toBe('admitted');
    await alice.conferences.end({ params: { meetId: meeting.meetId } });
  });

  test('ends with the meeting: when it is over, cancelled, or its tenant is disabled', async () => {
    const [over, cancelled] = [await ward(), await ward()];
    const links = [await linkOf(over), await linkOf(cancelled)];
    await alice.conferences.join({ body: { numericId: over.numericId } });
    await alice.conferences.end({ params: { meetId: over.meetId } });
    await alice.meetings.cancel({ params: { id: cancelled.meetId }, query: {} });
    for (const resource of links) {
      expect(await everyWay(nobody, resource)).toEqual(Array.from({ length: 3 }, () => 'GUEST_LINK_INVALID'));
    }
    expect(await codeOf(create(alice, over))).toBe('MEETING_ENDED');
    expect(await codeOf(create(alice, cancelled))).toBe('NOT_FOUND');

    const foreign = await book(server, dave, { startTime: server.clock.in(0) });
    const { resource } = await create(dave, foreign);
    const [root, id] = [await signIn(server, 'root'), server.people.get('dave')?.tenantId ?? ''];
    await root.tenants.setEnabled({ body: { id, enabled: false } });
    expect(await codeOf(detail(resource))).toBe('GUEST_LINK_INVALID');
    await root.tenants.setEnabled({ body: { id, enabled: true } });
    expect(await codeOf(detail(resource))).toBe('OK');
  });

  test("ends a day after the meeting's end, even while it runs on", async () => {
    const meeting = await ward({ duration: 60 });
    const resource = await linkOf(meeting);
    await alice.conferences.join({ body: { numericId: meeting.numericId } });
    server.clock.advance({ hours: 24, minutes: 59 });
    expect(await codeOf(detail(resource))).toBe('OK');
    server.clock.advance({ minutes: 1 });
    expect(await codeOf(detail(resource))).toBe('GUEST_LINK_INVALID');
    expect(
      (await nobody.conferences.join({ body: { numericId: meeting.numericId, name: 'Dana', password: '4821' } })).state,
    ).toBe('admitted');
  });

  test('shows guests what they may know, before the meeting too', async () => {
    const meeting = await ward({ startTime: server.clock.in(120), waitingRoom: true });
    const resource = await linkOf(meeting);
    expect(await detail(resource)).toEqual({
      subject: 'Ward round',
      startTime: meeting.startTime,
      duration: 60,
      hostName: 'Alice',
      numericId: meeting.numericId,
      waitingRoom: true,
      e2ee: false,
      recorded: false,
      inside: { count: 0, names: [] },
      look: { name: expect.any(String) as string, logoUrl: null, colour: null, welcome: { zh: '', en: '' } },
    });
    expect(await nobody.guests.count({ query: { resource } })).toBe(0);
    expect(await codeOf(come(resource))).toBe('MEETING_NOT_STARTED');
  });
});

describe('joining by guest link', () => {
  test('needs a name, but neither number nor password', async () => {
    const meeting = await ward();
    const resource = await linkOf(meeting);
    expect(await codeOf(join(nobody, resource))).toBe('NAME_REQUIRED');
    const dana = await come(resource);
    expect(dana).toMatchObject({ state: 'admitted', meetId: meeting.meetId });
    expect(await terminal(dana)).toMatchObject({ role: 'guest', name: 'Dana', accountId: null });
    expect(await nobody.guests.count({ query: { resource } })).toBe(1);
    await clientOf(server, dana.sessionToken).conferences.leave({ params: { meetId: meeting.meetId } });
    const leftAt = server.clock.now().toISOString();
    server.clock.advance({ seconds: 1 });
    await come(resource, 'Eli');
    expect(await alice.guests.queryUsers({ query: { meetingId: meeting.meetId } })).toMatchObject([
      { name: 'Eli', leftAt: null },
      { name: 'Dana', leftAt },
    ]);
  });

  test('passes through the waiting room if there is one', async () => {
    const meeting = await ward({ waitingRoom: true });
    expect((await come(await linkOf(meeting))).state).toBe('waiting');
  });

  test('keeps the role of people who belong to the meeting', async () => {
    const meeting = await ward({ waitingRoom: true });
    const resource = await linkOf(meeting);
    const roles = await Promise.all([alice, bob].map(async (who) => (await terminal(await join(who, resource)))?.role));
    expect(roles).toEqual(['host', 'member']);
    expect(await terminal(await join(carol, resource))).toMatchObject({
      role: 'member',
      state: 'waiting',
      name: 'Carol',
      accountId: server.people.get('carol')?.id,
    });
    expect(await terminal(await join(dave, resource))).toMatchObject({
      role: 'guest',
      state: 'waiting',
      name: 'Dave',
      accountId: null,
    });
  });

  test('has priority over a number in the same call', async () => {
    const [meeting, other] = [await ward(), await ward()];
    expect((await join(nobody, await linkOf(meeting), { name: 'Dana', numericId: other.numericId })).meetId).toBe(
      meeting.meetId,
    );
  });
});

test('guessing is slowed down per address; an expired link does not count as a guess', async () => {
  const meeting = await ward();
  const [former, resource] = [await linkOf(meeting), await linkOf(meeting)];
  const here = clientOf(server, undefined, '198.51.100.7');
  for (let i = 0; i < 25; i++)
    expect(await codeOf(here.guests.count({ query: { resource: former } }))).toBe('GUEST_LINK_INVALID');
  for (let i = 0; i < 7; i++) {
    expect(await everyWay(here, newToken())).toEqual(Array.from({ length: 3 }, () => 'GUEST_LINK_INVALID'));
  }
  expect(await everyWay(here, newToken())).toEqual(Array.from({ length: 3 }, () => 'TOO_MANY_REQUESTS'));
  // A guest with a valid link is not delayed by attempts of others from the same address.
  expect(await everyWay(here, resource)).toEqual(Array.from({ length: 3 }, () => 'OK'));
});

describe('the number of active meetings', () => {
  test("counts the caller's own meetings that run or are due today", async () => {
    const midnight = new Date(server.clock.now()).setHours(0, 0, 0, 0);
    const startDate = new Date(midnight - 2 * DAY).toISOString();
    const on = async (who: Person) => (await who.meetings.activity({ query: { startDate } })).meetingCount;
    const chair = await signIn(server, 'chair');
    expect(await chair.meetings.activity({ query: { startDate } })).toEqual({
      meetingCount: 0,
      lessonCount: 0,
      liveCount: 0,
    });
    const soon = { startTime: server.clock.in(0) };
    const own = await book(server, chair, soon);
    await book(server, alice, { ...soon, participants: invite(server, 'chair') });
    await book(server, alice, soon);
    expect(await on(chair)).toBe(2);
    await chair.conferences.join({ body: { numericId: own.numericId } });
    await book(server, chair, { startTime: new Date(midnight + DAY).toISOString() });
    const cancelled = await book(server, chair, soon);
    await chair.meetings.cancel({ params: { id: cancelled.meetId }, query: {} });
    expect(await on(chair)).toBe(2);
    await chair.conferences.end({ params: { meetId: own.meetId } });
    expect(await on(chair)).toBe(1);
    expect(await on(await signIn(server, 'erin'))).toBe(0);
  });
});

describe('the audit log of meetings and conferences', () => {
  const entries = async (name: string) =>
    server.db.tenant(server.people.get('alice')?.tenantId ?? '', (tx) =>
      tx.find(auditLog, eq(auditLog.targetName, name), { orderBy: auditLog.id }),
    );

  test('records bookings, changes, starts, admissions, ends and cancellations, but never the password', async () => {
    const made = await ward({ subject: 'Recorded', waitingRoom: true, startTime: server.clock.in(10) });
    const { meetId, numericId } = made;
    const edited = await alice.meetings.update({
      params: { id: meetId },
      body: { ...made, duration: 30, password: '7913' },
    });
    await alice.meetings.start({ params: { id: meetId }, body: { early: true } });
    const waiting = [
      await nobody.conferences.join({ body: { numericId, name: 'Dana', password: '7913' } }),
      await nobody.conferences.join({ body: { numericId, name: 'Eli', password: '7913' } }),
    ];
    const admit = (index: number, yes: boolean) =>
      alice.conferences.admit({ params: { meetId }, body: { termIds: [waiting[index]?.termId ?? ''], admit: yes } });
    await admit(0, true);
    await admit(1, false);
    const host = await alice.conferences.join({ body: { numericId } });
    await clientOf(server, host.sessionToken).conferences.end({ params: { meetId } });
    const rows = await entries('Recorded');
    expect(rows.map(({ action, actorKind, before, after }) => ({ action, actorKind, before, after }))).toMatchObject([
      {
        action: 'meetings.createNetwork',
        actorKind: 'user',
        before: null,
        after: { subject: 'Recorded', duration: 60, password: '***', participants: [{ name: 'Bob' }] },
      },
      {
        action: 'meetings.update',
        before: { duration: 60, password: '***' },
        after: { duration: 30, password: '***' },
      },
      { action: 'meetings.start', after: { status: 'ONLINE' } },
      { action: 'conferences.admit', after: { verb: 'admit', names: ['Dana'] } },
      { action: 'conferences.admit', after: { verb: 'refuse', names: ['Eli'] } },
      { action: 'conferences.end', actorKind: 'terminal' },
    ]);
    expect(Object.keys(rows[1]?.after ?? {})).toEqual(['duration', 'password']);
    expect(withoutIds(rows)).not.toMatch(/4821|7913/);
    expect(edited.duration).toBe(30);

    const cancelled = await ward({ subject: 'Cancelled' });
    await alice.meetings.cancel({ params: { id: cancelled.meetId }, query: {} });
    expect((await entries('Cancelled')).map(({ action }) => action)).toEqual([
      'meetings.createNetwork',
      'meetings.cancel',
    ]);
  });

  test('does not record refused calls', async () => {
    const made = await ward({ subject: 'Refused' });
    expect(await codeOf(bob.meetings.cancel({ params: { id: made.meetId }, query: {} }))).toBe('FORBIDDEN');
    expect(await codeOf(alice.meetings.update({ params: { id: made.meetId }, body: { ...made, version: 9 } }))).toBe(
      'MEETING_CONFLICT',
    );
    expect(await entries('Refused')).toHaveLength(1);
  });
});
