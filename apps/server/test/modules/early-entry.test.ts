import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eq, isNull } from 'drizzle-orm';
import { contract, type Admission, type Meeting, type MeetingBody } from '@rmeet/contract';
import { conference } from '../../src/modules/conferences/tables.ts';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { roomBooking } from '../../src/modules/rooms/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { call, clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const TOMORROW = 24 * 60;
let server: TestServer;
let admin: Person;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  server = await startTestServer();
  [admin, alice, bob] = await Promise.all([signIn(server, 'admin'), signIn(server, 'alice'), signIn(server, 'bob')]);
});
afterAll(() => server.close());
afterEach(async () => {
  const at = server.clock.now();
  await server.db.platform((tx) =>
    tx.update(conference, { endedAt: at, endReason: 'ended' }, isNull(conference.endedAt)),
  );
  server.media.restart();
});

/** Alice's meeting of tomorrow, with bob invited. */
async function tomorrows(body: Partial<MeetingBody> = {}) {
  const made = await book(server, alice, {
    startTime: server.clock.in(TOMORROW),
    participants: invite(server, 'bob'),
    ...body,
  });
  const join = async (
    who: Person,
    extra: { early?: boolean; password?: string; name?: string } = {},
  ): Promise<Admission> => {
    const admission = await who.conferences.join({ body: { numericId: made.numericId, ...extra } });
    if (admission.state === 'admitted') server.media.connect(admission.termId);
    return admission;
  };
  const leave = ({ sessionToken, meetId }: Admission) =>
    clientOf(server, sessionToken).conferences.leave({ params: { meetId } });
  const detail = (who = alice): Promise<Meeting> => who.meetings.detail({ params: { id: made.meetId } });
  return { made, join, leave, detail };
}

/** Whether a person's list with this scope contains the meeting. */
async function isListed(who: Person, scope: 'upcoming' | 'running', { meetId }: Meeting): Promise<boolean> {
  const { records } = await who.meetings.list({ query: { scope, size: 200 } });
  return records.some((one) => one.meetId === meetId);
}

/** Rounds of the reconciler over a period of time. */
async function passing(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 5) {
    server.clock.advance({ seconds: 5 });
    await server.tick();
  }
}

/** Everything that early entry must not change. */
const booked = ({ startTime, duration, version, status, password, participants, can }: Meeting) => ({
  startTime,
  duration,
  version,
  status,
  password,
  participants,
  can,
});

describe('a meeting of tomorrow', () => {
  test('is opened by host or tenant admin only after a confirmation; the refusal says when it starts', async () => {
    const { join, made, detail } = await tomorrows({
      startTime: '2031-06-01T23:30:00.000Z',
      timeZone: 'Asia/Shanghai',
    });
    for (const who of [alice, admin]) {
      const refusal = await join(who).catch((error: unknown) => error);
      expect(refusal).toMatchObject({
        message:
          '406 MEETING_EARLY: The meeting starts at 02/06/2031, ' +
          '07:30 GMT+8. Confirm that you want to enter before then.',
      });
    }
    expect(await codeOf(alice.meetings.start({ params: { id: made.meetId }, body: undefined }))).toBe('MEETING_EARLY');
    expect(await codeOf(join(bob, { early: true }))).toBe('MEETING_NOT_STARTED');
    expect(await codeOf(join(clientOf(server), { early: true, name: 'Guest', password: '4821' }))).toBe(
      'MEETING_NOT_STARTED',
    );
    expect((await detail()).status).toBe('SCHEDULE');

    const answer = await call(server, contract.conferences.join, { body: { numericId: made.numericId } }, alice.token);
    expect(answer).toMatchObject({
      httpStatus: 406,
      statusCode: 'MEETING_EARLY',
      details: { startTime: '2031-06-01T23:30:00.000Z' },
    });
  });

  test('keeps its times, stays upcoming for all and can be edited after its host has entered', async () => {
    const { join, made, detail } = await tomorrows();
    await join(alice, { early: true });
    expect(await detail()).toMatchObject({
      ...booked(made),
      status: 'ONLINE',
      terminalCount: 1,
      can: { edit: true, cancel: true, start: false, join: true, end: true },
    });
    for (const who of [alice, bob])
      expect([await isListed(who, 'upcoming', made), await isListed(who, 'running', made)]).toEqual([true, true]);
    expect((await join(bob)).state).toBe('admitted');

    const { subject, agenda, startTime, duration, timeZone, password, version } = await detail();
    const edited = await alice.meetings.update({
      params: { id: made.meetId },
      body: {
        subject: `${subject} 2`,
        agenda,
        startTime,
        duration,
        timeZone,
        password,
        version,
        participants: invite(server, 'bob'),
      },
    });
    expect(edited).toMatchObject({
      subject: `${subject} 2`,
      startTime: made.startTime,
      status: 'ONLINE',
      terminalCount: 2,
    });
  });

  test('is restored two minutes after the last participant left, and asks for confirmation again', async () => {
    const { join, leave, made, detail } = await tomorrows();
    const [host, member] = [await join(alice, { early: true }), await join(bob)];
    await server.tick();
    await leave(host);
    await passing(180);
    expect((await detail()).status).toBe('ONLINE');
    await leave(member);
    await passing(110);
    expect((await detail()).status).toBe('ONLINE');
    await passing(15);
    expect(booked(await detail())).toEqual(booked(made));
    expect(await isListed(bob, 'running', made)).toBe(false);
    expect(await codeOf(join(alice))).toBe('MEETING_EARLY');
    expect(await codeOf(join(bob))).toBe('MEETING_NOT_STARTED');
  });

  test('is restored as booked when its host ends it for all, and when the limit of the tenant does', async () => {
    const { join, made, detail } = await tomorrows();
    const push = await connect(
      server,
      { sessionToken: (await join(alice, { early: true })).sessionToken },
      `meeting:${made.meetId}`,
    );
    await alice.conferences.end({ params: { meetId: made.meetId } });
    expect((await push.event('ended')).event).toEqual({ type: 'ended', why: 'early' });
    expect(booked(await detail())).toEqual(booked(made));

    const limit = (maxMeetingMinutes: number | null) =>
      server.db.platform((tx) => tx.update(tenant, { maxMeetingMinutes }, eq(tenant.name, 'north')));
    const soon = await tomorrows({ startTime: server.clock.in(61) });
    await limit(60);
    try {
      await soon.join(alice, { early: true });
      server.clock.advance({ minutes: 60 });
      await server.tick();
      expect(booked(await soon.detail())).toEqual(booked(soon.made));
    } finally {
      await limit(null);
    }
  });

  test('can be cancelled while people are inside, who are notified', async () => {
    const { join, made } = await tomorrows();
    const push = await connect(
      server,
      { sessionToken: (await join(alice, { early: true })).sessionToken },
      `meeting:${made.meetId}`,
    );
    expect(await codeOf(bob.meetings.cancel({ params: { id: made.meetId }, query: {} }))).toBe('FORBIDDEN');
    await alice.meetings.cancel({ params: { id: made.meetId }, query: {} });
    expect((await push.event('ended')).event).toEqual({ type: 'ended', why: 'cancelled' });
    const row = await server.db.platform((tx) => tx.findOne(meeting, eq(meeting.id, made.meetId)));
    expect(row).toMatchObject({ status: 'OFFLINE' });
    expect(row?.cancelledAt).not.toBeNull();
    expect(await codeOf(join(alice, { early: true }))).toBe('MEETING_CANCELLED');
  });

  test('keeps its room, without counting as a check-in', async () => {
    const building = await admin.rooms.createBuilding({ body: { name: 'Early', timeZone: 'UTC' } });
    const room = await admin.rooms.create({
      body: { name: 'Early 1', buildingId: building.id, floor: '1', capacity: 8 },
    });
    const { join, leave, made, detail } = await tomorrows({ roomIds: [room.id] });
    const host = await join(alice, { early: true });
    await server.tick();
    expect((await detail()).rooms).toEqual([expect.objectContaining({ id: room.id, checkedIn: false })]);
    await leave(host);
    await passing(125);
    const [booking] = await server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.meetingId, made.meetId)));
    expect(booking).toMatchObject({ checkedInAt: null, releasedAt: null, startTime: new Date(made.startTime) });
  });

  test('continues into its time if people are inside, and then ends like any other', async () => {
    const { join, made, detail } = await tomorrows({ startTime: server.clock.in(30) });
    await join(alice, { early: true });
    server.clock.advance({ minutes: 31 });
    await server.tick();
    expect(await detail()).toMatchObject({
      startTime: made.startTime,
      status: 'ONLINE',
      can: { edit: false, cancel: false },
    });
    await alice.conferences.end({ params: { meetId: made.meetId } });
    expect((await detail()).status).toBe('OFFLINE');
  });
});

test('in the last quarter of an hour before the start no confirmation is needed', async () => {
  const { join } = await tomorrows({ startTime: server.clock.in(15) });
  expect((await join(alice)).state).toBe('admitted');
});

test("a person who waits for a host does not keep tomorrow's meeting open", async () => {
  const { join, leave, made, detail } = await tomorrows({ joinBeforeHost: false, waitingRoom: true });
  const host = await join(alice, { early: true });
  const waiting = await connect(
    server,
    { sessionToken: (await join(clientOf(server), { name: 'Guest', password: '4821' })).sessionToken },
    `meeting:${made.meetId}`,
  );
  await leave(host);
  await passing(125);
  expect((await detail()).status).toBe('SCHEDULE');
  expect((await waiting.event('ended')).event).toEqual({ type: 'ended', why: 'early' });
});

describe('a series', () => {
  const daily = async () => {
    const first = await alice.meetings.createNetwork({
      body: {
        subject: 'Daily',
        startTime: server.clock.in(10),
        duration: 30,
        password: '4821',
        participants: invite(server, 'bob'),
        recurrence: { rule: 'FREQ=DAILY;COUNT=3' },
      },
    });
    const rows = (await server.db.platform((tx) => tx.find(meeting, eq(meeting.number, first.numericId)))).toSorted(
      (a, b) => a.startTime.getTime() - b.startTime.getTime(),
    );
    const nth = (at: number) => alice.meetings.detail({ params: { id: rows[at]?.id ?? '' } });
    return { numericId: first.numericId, nth, meetIds: rows.map(({ id }) => id) };
  };

  test('is entered early at the named meeting; its number still leads to the meeting that is due', async () => {
    const { numericId, nth, meetIds } = await daily();
    const second = { numericId, meetId: meetIds[1] ?? '' };
    expect(await codeOf(alice.conferences.join({ body: second }))).toBe('MEETING_EARLY');
    expect((await alice.conferences.join({ body: { ...second, early: true } })).meetId).toBe(meetIds[1]);
    expect([(await nth(0)).status, (await nth(1)).status]).toEqual(['SCHEDULE', 'ONLINE']);
    expect((await bob.conferences.join({ body: { numericId } })).meetId).toBe(meetIds[0]);
    expect((await bob.conferences.join({ body: second })).meetId).toBe(meetIds[1]);
  });

  test('is cancelled together with the meeting that was entered early', async () => {
    const { numericId, nth, meetIds } = await daily();
    await alice.conferences.join({ body: { numericId, meetId: meetIds[2] ?? '', early: true } });
    await alice.meetings.cancel({ params: { id: meetIds[1] ?? '' }, query: { scope: 'following' } });
    expect((await nth(0)).status).toBe('SCHEDULE');
    expect([await codeOf(nth(1)), await codeOf(nth(2))]).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  });
});
