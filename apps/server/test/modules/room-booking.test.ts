import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Building, Meeting, MeetingBody, Occupancy } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { room, roomBooking, type RoomBookingRow } from '../../src/modules/rooms/tables.ts';
import { newId, sqlError } from '../../src/platform/db/index.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let chair: Person;
let alice: Person;
let bob: Person;
let main: Building;
beforeAll(async () => {
  server = await startTestServer();
  [admin, chair, alice, bob] = await Promise.all([
    signIn(server, 'admin'),
    signIn(server, 'chair'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
  ]);
  main = await admin.rooms.createBuilding({ body: { name: 'Main', timeZone: 'Asia/Shanghai' } });
});
afterAll(() => server.close());

let made = 0;
const addRoom = async (values: object = {}): Promise<{ id: string; name: string }> =>
  admin.rooms.create({
    body: { name: `Room ${(made += 1)}`, buildingId: main.id, floor: '3', capacity: 12, ...values },
  });
const edit = (meeting: Meeting, body: Partial<MeetingBody>, who: Person = alice): Promise<Meeting> =>
  who.meetings.update({
    params: { id: meeting.meetId },
    body: {
      subject: meeting.subject,
      startTime: meeting.startTime,
      duration: meeting.duration,
      password: '4821',
      roomIds: meeting.rooms.map(({ id }) => id),
      version: meeting.version,
      ...body,
    },
  });
const detail = (meeting: Meeting) => alice.meetings.detail({ params: { id: meeting.meetId } });
const bookingsOf = (meeting: Meeting): Promise<RoomBookingRow[]> =>
  server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.meetingId, meeting.meetId)));
async function taken(roomId: string): Promise<Occupancy[]> {
  const [of] = await alice.rooms.occupancy({
    body: { roomIds: [roomId], from: server.clock.in(-24 * 60), until: server.clock.in(24 * 60) },
  });
  return of?.taken ?? [];
}
const timesOf = async (roomId: string) => (await taken(roomId)).map(({ startTime, endTime }) => [startTime, endTime]);
const messageOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'OK',
    (error: Error) => error.message,
  );

describe('booking', () => {
  test('takes all named rooms, in their order, each once', async () => {
    const [one, two] = [await addRoom(), await addRoom({ floor: '5' })];
    const meeting = await book(server, alice, { roomIds: [two.id, one.id, two.id] });
    const shown = [
      { id: two.id, name: two.name, building: 'Main', floor: '5', checkedIn: false },
      { id: one.id, name: one.name, building: 'Main', floor: '3', checkedIn: false },
    ];
    expect(meeting.rooms).toEqual(shown);
    expect((await alice.meetings.list({ query: { keyword: meeting.numericId } })).records[0]?.rooms).toEqual(shown);
    expect(await timesOf(one.id)).toEqual([[meeting.startTime, server.clock.in(120)]]);
    const row = await server.db.platform((tx) => tx.findOne(auditLog, eq(auditLog.targetId, meeting.meetId)));
    expect(row?.after).toMatchObject({ rooms: [`${two.name}, Main`, `${one.name}, Main`] });
  });

  test('takes all rooms or none, and names the holder of a taken one', async () => {
    const [one, two] = [await addRoom(), await addRoom()];
    const first = await book(server, chair, { roomIds: [two.id] });
    const attempt = () => book(server, alice, { startTime: server.clock.in(90), roomIds: [one.id, two.id] });
    expect(await messageOf(attempt())).toBe(
      `409 ROOM_TAKEN: Chair has booked ${two.name} for that time. Choose another room or time.`,
    );
    expect(await taken(one.id)).toEqual([]);
    // A meeting that begins when the other ends does not conflict.
    await book(server, alice, { startTime: server.clock.in(120), roomIds: [one.id, two.id] });
    await book(server, alice, { startTime: server.clock.in(30), duration: 30, roomIds: [two.id] });
    expect((await taken(two.id)).map(({ meetId }) => meetId)).toContain(null);
    expect((await chair.meetings.detail({ params: { id: first.meetId } })).rooms).toHaveLength(1);
  });

  test('refuses disabled rooms and those of other tenants', async () => {
    const foreign = newId();
    const off = await addRoom({ enabled: false });
    for (const id of [foreign, off.id])
      expect(await codeOf(book(server, alice, { roomIds: [id] }))).toBe('ROOM_UNKNOWN');
    const dave = await signIn(server, 'dave');
    const own = await addRoom();
    expect(await codeOf(book(server, dave, { roomIds: [own.id] }))).toBe('ROOM_UNKNOWN');
  });

  test('is protected by the database itself', async () => {
    const one = await addRoom();
    const meeting = await book(server, alice, { roomIds: [one.id] });
    const other = await book(server, bob);
    const tenantId = server.people.get('alice')?.tenantId ?? '';
    const twice = {
      id: newId(),
      meetingId: other.meetId,
      roomId: one.id,
      position: 0,
      startTime: new Date(meeting.startTime),
      endTime: new Date(server.clock.in(61)),
    };
    const failure = await server.db
      .tenant(tenantId, (tx) => tx.insert(roomBooking, twice))
      .catch((error: unknown) => error);
    expect(sqlError(failure)).toMatchObject({ code: '23P01', constraint: 'room_booking_once' });
  });
});

describe('opening times', () => {
  /** The next such weekday after tomorrow at a time of day, UTC. */
  const next = (weekday: number, clock: string): string => {
    const day = new Date(server.clock.in(2 * 24 * 60));
    while (day.getUTCDay() !== weekday) day.setUTCDate(day.getUTCDate() + 1);
    return `${day.toISOString().slice(0, 10)}T${clock}:00.000Z`;
  };
  const office = { days: [1, 2, 3, 4, 5], from: '08:00', until: '20:00' };

  test('are those of the building, and the refusal shows them', async () => {
    const one = await addRoom({ opening: office });
    const attempt = (startTime: string, duration = 60) =>
      codeOf(book(server, alice, { startTime, duration, roomIds: [one.id] }));
    // Shanghai is eight hours ahead.
    expect(await attempt(next(1, '00:00'))).toBe('OK');
    expect(await attempt(next(2, '11:00'))).toBe('OK');
    expect(await attempt(next(2, '11:01'))).toBe('ROOM_CLOSED');
    expect(await attempt(next(0, '23:59'))).toBe('ROOM_CLOSED');
    expect(await attempt(next(6, '02:00'))).toBe('ROOM_CLOSED');
    const body = { subject: 'Late', startTime: next(3, '15:00'), duration: 30, password: '4821', roomIds: [one.id] };
    expect(await messageOf(alice.meetings.createNetwork({ body }))).toBe(
      `406 ROOM_CLOSED: ${one.name} is open Monday to Friday ` +
        '08:00–20:00 (Asia/Shanghai) only. Choose another room or time.',
    );
    const chinese = await server.app.inject({
      method: 'POST',
      url: '/api/api/v1/meetings/network',
      headers: { authorization: alice.token, 'accept-language': 'zh' },
      payload: body,
    });
    expect(chinese.json<{ message: string }>().message).toContain('仅在 周一至周五 08:00–20:00（Asia/Shanghai） 开放');
  });

  test('include a night between two days that are open all day', async () => {
    const { id: buildingId } = await admin.rooms.createBuilding({ body: { name: 'Night', timeZone: 'UTC' } });
    const always = await addRoom({ buildingId, opening: { days: [5, 6], from: '00:00', until: '24:00' } });
    const attempt = (startTime: string, duration: number) =>
      codeOf(book(server, alice, { startTime, duration, roomIds: [always.id] }));
    expect(await attempt(next(5, '23:00'), 120)).toBe('OK');
    expect(await attempt(next(6, '23:00'), 60)).toBe('OK');
    expect(await attempt(next(6, '22:00'), 121)).toBe('ROOM_CLOSED');
    expect(await attempt(next(4, '23:30'), 60)).toBe('ROOM_CLOSED');
  });

  test('do not change existing bookings', async () => {
    const one = await addRoom();
    const meeting = await book(server, alice, { startTime: next(6, '02:00'), roomIds: [one.id] });
    await server.db.platform((tx) => tx.update(room, { opening: office, enabled: false }, eq(room.id, one.id)));
    const renamed = await edit(meeting, { subject: 'Renamed' });
    expect(renamed.rooms).toHaveLength(1);
    expect(await codeOf(edit(renamed, { startTime: next(6, '03:00') }))).toBe('ROOM_UNKNOWN');
  });
});

describe('an edit', () => {
  test('moves the rooms with the meeting, and changes the rooms', async () => {
    const [one, two, three] = [await addRoom(), await addRoom(), await addRoom()];
    const meeting = await book(server, alice, { roomIds: [one.id, two.id] });
    const moved = await edit(meeting, { startTime: server.clock.in(90), duration: 45 });
    expect(await timesOf(one.id)).toEqual([[server.clock.in(90), server.clock.in(135)]]);
    const changed = await edit(moved, { roomIds: [three.id, two.id] });
    expect(changed.rooms.map(({ id }) => id)).toEqual([three.id, two.id]);
    expect(await taken(one.id)).toEqual([]);
    expect((await edit(changed, { roomIds: [] })).rooms).toEqual([]);
    expect(await taken(two.id)).toEqual([]);
  });

  test('into a time at which the room is taken changes nothing', async () => {
    const one = await addRoom();
    await book(server, chair, { startTime: server.clock.in(120), roomIds: [one.id] });
    const meeting = await book(server, alice, { roomIds: [one.id] });
    expect(await codeOf(edit(meeting, { duration: 61, subject: 'Longer' }))).toBe('ROOM_TAKEN');
    expect(await detail(meeting)).toMatchObject({
      duration: 60,
      subject: 'Ward round',
      version: 1,
      rooms: [{ id: one.id }],
    });
  });
});

describe('a meeting that is over', () => {
  test('releases its rooms when it is cancelled', async () => {
    const one = await addRoom();
    const meeting = await book(server, alice, { roomIds: [one.id] });
    await alice.meetings.cancel({ params: { id: meeting.meetId }, query: {} });
    expect(await taken(one.id)).toEqual([]);
    await book(server, bob, { roomIds: [one.id] });
  });

  test('releases the rest of its time when it is ended, and keeps the past', async () => {
    const one = await addRoom();
    const meeting = await book(server, alice, { startTime: server.clock.in(0), roomIds: [one.id] });
    const start = server.clock.in(0);
    await alice.meetings.start({ params: { id: meeting.meetId }, body: { early: true } });
    expect((await detail(meeting)).rooms).toMatchObject([{ checkedIn: true }]);
    server.clock.advance({ minutes: 20 });
    await alice.conferences.end({ params: { meetId: meeting.meetId } });
    expect(await timesOf(one.id)).toEqual([[start, server.clock.in(0)]]);
    expect((await detail(meeting)).rooms).toMatchObject([{ id: one.id, checkedIn: true }]);
    await book(server, bob, { startTime: server.clock.in(0), roomIds: [one.id] });
  });

  test('releases the room completely when it is ended before its start', async () => {
    const one = await addRoom();
    const meeting = await book(server, alice, { startTime: server.clock.in(10), roomIds: [one.id] });
    await alice.meetings.start({ params: { id: meeting.meetId }, body: { early: false } });
    // It may begin early; its room is booked for the actual time.
    expect(await timesOf(one.id)).toEqual([[meeting.startTime, server.clock.in(70)]]);
    await alice.conferences.end({ params: { meetId: meeting.meetId } });
    expect(await taken(one.id)).toEqual([]);
  });

  test('releases rooms without check-in if it was never opened', async () => {
    const one = await addRoom();
    const meeting = await book(server, alice, { startTime: server.clock.in(0), duration: 5, roomIds: [one.id] });
    server.clock.advance({ hours: 3 });
    await server.rounds.lapseMeetings();
    expect((await detail(meeting)).status).toBe('OFFLINE');
    expect(await bookingsOf(meeting)).toMatchObject([{ releasedAt: server.clock.now(), checkedInAt: null }]);
  });
});

test('an extension extends the rooms, and is refused if another meeting has one next', async () => {
  const [one, two] = [await addRoom(), await addRoom()];
  const meeting = await book(server, alice, { startTime: server.clock.in(0), roomIds: [one.id, two.id] });
  await alice.conferences.join({ body: { numericId: meeting.numericId } });
  await book(server, bob, { startTime: server.clock.in(75), roomIds: [two.id] });
  const extend = (delay: number) =>
    alice.conferences.extend({ params: { id: meeting.meetId }, query: { delay: String(delay) } });
  // Everybody who views the board of rooms is notified, for any meeting.
  const board = await connect(server, { token: chair.token }, 'activity');
  await extend(15);
  expect((await board.event('meetingsChanged')).event).toMatchObject({ meetId: meeting.meetId });
  await board.close();
  const [seen] = await chair.rooms.occupancy({
    body: { roomIds: [one.id], from: server.clock.in(0), until: server.clock.in(120) },
  });
  expect(seen?.taken).toMatchObject([{ meetId: null, endTime: server.clock.in(75) }]);
  expect((await timesOf(one.id))[0]?.[1]).toBe(server.clock.in(75));
  expect(await messageOf(extend(5))).toBe(
    `406 ROOM_OR_PERSON_BUSY: It cannot be extended that far: ${two.name} is busy afterwards. Choose less time.`,
  );
  expect((await detail(meeting)).duration).toBe(75);
  await alice.rooms.release({ body: { meetId: meeting.meetId, roomId: two.id } });
  await extend(5);
  expect((await timesOf(one.id))[0]?.[1]).toBe(server.clock.in(80));
  await alice.conferences.end({ params: { meetId: meeting.meetId } });
});

test("an extension is refused if a room closes before, by its building's clock, until it is released", async () => {
  const { id: buildingId } = await admin.rooms.createBuilding({
    body: { name: 'Annex', timeZone: 'Asia/Kathmandu' },
  });
  const clockIn = (minutes: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Kathmandu', hour: '2-digit', minute: '2-digit' }).format(
      new Date(server.clock.in(minutes)),
    );
  // No meeting here crosses midnight.
  while (Number(clockIn(0).slice(0, 2)) > 20) server.clock.advance({ hours: 1 });
  const until = clockIn(76);
  const one = await addRoom({ buildingId, opening: { days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', until } });
  const meeting = await book(server, alice, { startTime: server.clock.in(0), roomIds: [one.id] });
  await alice.conferences.join({ body: { numericId: meeting.numericId } });
  const extend = (delay: number) =>
    alice.conferences.extend({ params: { id: meeting.meetId }, query: { delay: String(delay) } });
  await extend(15);
  const refused =
    `406 ROOM_CLOSES: ${one.name} is open every day 00:00–${until} (Asia/Kathmandu) only, so the ` +
    'meeting cannot be extended that far. Choose less time, or release the room first.';
  expect(await messageOf(extend(15))).toBe(refused);
  expect((await timesOf(one.id))[0]?.[1]).toBe(server.clock.in(75));
  await alice.rooms.release({ body: { meetId: meeting.meetId, roomId: one.id } });
  await extend(15);
  expect((await detail(meeting)).duration).toBe(90);
  await alice.conferences.end({ params: { meetId: meeting.meetId } });
});

describe('checking in (POST rooms/checkIn) and releasing (POST rooms/release)', () => {
  const checkIn = (who: Person, meeting: Meeting, roomId: string) =>
    codeOf(who.rooms.checkIn({ body: { meetId: meeting.meetId, roomId } }));

  test('is for invited people, from a quarter of an hour before the start to the end', async () => {
    const one = await addRoom();
    const meeting = await book(server, alice, { roomIds: [one.id], participants: invite(server, 'bob') });
    expect(await checkIn(bob, meeting, one.id)).toBe('CHECK_IN_EARLY');
    server.clock.advance({ minutes: 45 });
    expect(await checkIn(chair, meeting, one.id)).toBe('NOT_FOUND');
    expect(await checkIn(bob, meeting, newId())).toBe('ROOM_NOT_BOOKED');
    const lists = await connect(server, { token: alice.token }, 'activity');
    expect(await checkIn(bob, meeting, one.id)).toBe('OK');
    expect((await lists.event('meetingsChanged')).event).toMatchObject({ meetId: meeting.meetId });
    await lists.close();
    expect((await detail(meeting)).rooms).toMatchObject([{ checkedIn: true }]);
    expect(await taken(one.id)).toMatchObject([{ checkedIn: true }]);
    server.clock.advance({ minutes: 75 });
    expect(await checkIn(bob, meeting, one.id)).toBe('ROOM_NOT_BOOKED');
  });

  test('keeps the room; without a check-in it is released after its minutes', async () => {
    const one = await addRoom({ releaseMinutes: 15 });
    const kept = await addRoom({ releaseMinutes: 15 });
    const never = await addRoom();
    const meeting = await book(server, alice, { startTime: server.clock.in(0), roomIds: [one.id, kept.id, never.id] });
    await alice.rooms.checkIn({ body: { meetId: meeting.meetId, roomId: kept.id } });
    server.clock.advance({ minutes: 14 });
    expect(await server.rounds.releaseRooms()).toBe(0);
    server.clock.advance({ minutes: 1 });
    const lists = await connect(server, { token: alice.token }, 'activity');
    expect(await server.rounds.releaseRooms()).toBe(1);
    await lists.event('meetingsChanged');
    await lists.close();
    expect((await detail(meeting)).rooms.map(({ id }) => id)).toEqual([kept.id, never.id]);
    const row = await server.db.platform((tx) =>
      tx.findOne(auditLog, and(eq(auditLog.targetId, meeting.meetId), eq(auditLog.action, 'rooms.release'))),
    );
    expect(row).toMatchObject({ actorKind: 'system', before: { room: one.name } });
    expect(await server.rounds.releaseRooms()).toBe(0);
    await book(server, bob, { startTime: server.clock.in(0), duration: 20, roomIds: [one.id] });
    // An edit that requests the room again reports who has it now.
    expect(await codeOf(edit(await detail(meeting), { roomIds: [one.id] }))).toBe('ROOM_TAKEN');
  });

  test('happens by itself in a running meeting, and remains valid after all have left', async () => {
    const one = await addRoom({ releaseMinutes: 5 });
    const meeting = await book(server, alice, { startTime: server.clock.in(0), roomIds: [one.id] });
    await alice.meetings.start({ params: { id: meeting.meetId }, body: { early: true } });
    server.clock.advance({ minutes: 30 });
    expect(await server.rounds.releaseRooms()).toBe(0);
    expect(await bookingsOf(meeting)).toMatchObject([{ releasedAt: null, checkedInAt: new Date(meeting.startTime) }]);
    await alice.conferences.end({ params: { meetId: meeting.meetId } });
  });

  test('a room is released by those who manage the meeting', async () => {
    const one = await addRoom();
    const meeting = await book(server, alice, {
      startTime: server.clock.in(0),
      roomIds: [one.id],
      participants: invite(server, 'bob'),
    });
    const release = (who: Person) => codeOf(who.rooms.release({ body: { meetId: meeting.meetId, roomId: one.id } }));
    await alice.rooms.checkIn({ body: { meetId: meeting.meetId, roomId: one.id } });
    server.clock.advance({ minutes: 10 });
    expect(await release(bob)).toBe('FORBIDDEN');
    expect(await release(chair)).toBe('NOT_FOUND');
    expect(await release(alice)).toBe('OK');
    expect(await release(alice)).toBe('ROOM_NOT_BOOKED');
    expect((await detail(meeting)).rooms).toEqual([]);
    expect(await timesOf(one.id)).toEqual([[meeting.startTime, server.clock.in(0)]]);
    await book(server, bob, { startTime: server.clock.in(0), roomIds: [one.id] });
  });
});

describe(
  'of 200 clients who book one room for overlapping times at once (POST meetings/network)',
  { timeout: 120_000 },
  () => {
    /** Each over HTTP, on its own connection. */
    async function bookAtOnce(roomId: string, startTimes: readonly string[]) {
      const people = [alice, bob, chair, admin];
      return Promise.all(
        startTimes.map(async (startTime, i) => {
          const body = { subject: `Attempt ${i}`, startTime, duration: 60, password: '4821', roomIds: [roomId] };
          const response = await fetch(`${server.origin}/api/api/v1/meetings/network`, {
            method: 'POST',
            headers: {
              authorization: people[i % 4]?.token ?? '',
              'content-type': 'application/json',
              'accept-language': 'en',
            },
            body: JSON.stringify(body),
          });
          const { statusCode, message } = (await response.json()) as { statusCode: string; message: string };
          return { startTime, httpStatus: response.status, statusCode, message };
        }),
      );
    }
    type Answer = Awaited<ReturnType<typeof bookAtOnce>>[number];
    const isWon = ({ statusCode }: Answer): boolean => statusCode === 'OK';
    function expectTold(lost: readonly Answer[], name: string): void {
      for (const answer of lost) {
        expect(answer).toMatchObject({ httpStatus: 409, statusCode: 'ROOM_TAKEN' });
        expect(answer.message).toMatch(new RegExp(`^(Alice|Bob|Chair|Admin) has booked ${name} for that time`));
      }
    }

    test('one client gets each slot, and the others see the reason', async () => {
      const one = await addRoom();
      const slots = [server.clock.in(600), server.clock.in(660)];
      const answers = await bookAtOnce(
        one.id,
        Array.from({ length: 200 }, (_, i) => slots[i % 2] ?? ''),
      );
      expect(
        answers
          .filter(isWon)
          .map(({ startTime }) => startTime)
          .toSorted((a, b) => a.localeCompare(b)),
      ).toEqual(slots);
      const lost = answers.filter((answer) => !isWon(answer));
      expect(lost).toHaveLength(198);
      expectTold(lost, one.name);
      expect(await taken(one.id)).toHaveLength(2);
    });

    test('no two get overlapping times, and no free time is refused', async () => {
      const one = await addRoom();
      // A start for every minute of more than three hours: each hour overlaps with up to 119 others.
      const answers = await bookAtOnce(
        one.id,
        Array.from({ length: 200 }, (_, i) => server.clock.in(1_200 + i)),
      );
      const overlaps = (a: Answer, b: Answer): boolean =>
        Math.abs(Date.parse(a.startTime) - Date.parse(b.startTime)) < 3_600_000;
      const won = answers.filter(isWon);
      const lost = answers.filter((answer) => !isWon(answer));
      expect(won.filter((a) => won.some((b) => a !== b && overlaps(a, b)))).toEqual([]);
      expect(lost.filter((a) => !won.some((b) => overlaps(a, b)))).toEqual([]);
      expectTold(lost, one.name);
      const times = (await server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.roomId, one.id)))).map(
        ({ startTime }) => startTime.toISOString(),
      );
      expect(times.toSorted((a, b) => a.localeCompare(b))).toEqual(
        won.map(({ startTime }) => startTime).toSorted((a, b) => a.localeCompare(b)),
      );
    });
  },
);
