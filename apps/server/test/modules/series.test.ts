import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS, type Building, type Meeting, type MeetingBody, type RuleScope } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { meeting, meetingNumber, meetingSeries, type MeetingRow } from '../../src/modules/meetings/tables.ts';
import { roomBooking } from '../../src/modules/rooms/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { Clock } from './support/clock.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let chair: Person;
let alice: Person;
let bob: Person;
let main: Building;
beforeAll(async () => {
  server = await startTestServer({ clock: new Clock(Date.parse('2027-01-04T07:00:00Z')) });
  [admin, chair, alice, bob] = await Promise.all([
    signIn(server, 'admin'),
    signIn(server, 'chair'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
  ]);
  main = await admin.rooms.createBuilding({ body: { name: 'Main', timeZone: 'Europe/Berlin' } });
});
afterAll(() => server.close());

let made = 0;
const addRoom = async (values: object = {}): Promise<{ id: string; name: string }> =>
  admin.rooms.create({
    body: { name: `Room ${(made += 1)}`, buildingId: main.id, floor: '3', capacity: 12, ...values },
  });
interface Wish extends Partial<MeetingBody> {
  rule?: string;
  except?: string[];
}
const book = (who: Person, { rule = 'FREQ=WEEKLY;COUNT=4', except = [], ...body }: Wish = {}): Promise<Meeting> =>
  who.meetings.createNetwork({
    body: {
      subject: 'Ward round',
      startTime: '2027-02-01T08:00:00Z',
      duration: 60,
      timeZone: 'Europe/Berlin',
      password: '4821',
      ...body,
      recurrence: { rule, except },
    },
  });
const preview = (
  who: Person,
  {
    rule = 'FREQ=WEEKLY;COUNT=4',
    except = [],
    ...body
  }: Wish & { userIds?: string[]; meetingId?: string | undefined; scope?: RuleScope } = {},
) =>
  who.series.preview({
    body: {
      startTime: '2027-02-01T08:00:00Z',
      duration: 60,
      timeZone: 'Europe/Berlin',
      ...body,
      recurrence: { rule, except },
    },
  });
const rowsOf = async (of: Meeting): Promise<MeetingRow[]> =>
  (await server.db.platform((tx) => tx.find(meeting, eq(meeting.number, of.numericId)))).toSorted(
    (a, b) => a.startTime.getTime() - b.startTime.getTime(),
  );
const startsOf = async (of: Meeting): Promise<string[]> =>
  (await rowsOf(of)).filter((row) => row.cancelledAt === null).map((row) => row.startTime.toISOString().slice(0, 16));
const messageOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'OK',
    (error: Error) => error.message,
  );
const idOf = (name: string): string => server.people.get(name)?.id ?? '';

describe('booking a series', () => {
  test('creates all its meetings under one number, by the clock of its zone', async () => {
    const first = await book(alice, {
      rule: 'freq=weekly;count=4',
      startTime: '2027-03-15T08:00:00Z',
      participants: invite(server, 'bob', 'guest@example.org'),
      except: ['2027-03-22T09:00:00+01:00'],
    });
    expect(first).toMatchObject({
      startTime: '2027-03-15T08:00:00.000Z',
      series: { rule: 'FREQ=WEEKLY;COUNT=4', recurrenceId: '2027-03-15T08:00:00.000Z', detached: false },
      participants: [{ name: 'Bob' }, { email: 'guest@example.org' }],
    });
    // The clocks change on 28 March.
    expect(await startsOf(first)).toEqual(['2027-03-15T08:00', '2027-03-29T07:00', '2027-04-05T07:00']);
    const listed = await bob.meetings.list({ query: { keyword: first.numericId } });
    expect(listed.records.map(({ password, series, numericId }) => [password, series?.id, numericId])).toEqual(
      Array.from({ length: 3 }, () => ['4821', first.series?.id, first.numericId]),
    );
    const [number] = await server.db.platform((tx) =>
      tx.find(meetingNumber, eq(meetingNumber.number, first.numericId)),
    );
    expect(number?.kind).toBe('series');
    const audited = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, first.meetId)));
    expect(audited).toMatchObject([
      { action: 'meetings.createNetwork', after: { series: 'FREQ=WEEKLY;COUNT=4', subject: 'Ward round' } },
    ]);
  });

  test('keeps the zone it was booked in, wherever its host is', async () => {
    const first = await book(alice, {
      rule: 'FREQ=MONTHLY;COUNT=4',
      startTime: '2027-02-05T14:00:00Z',
      timeZone: 'America/New_York',
    });
    // New York changes its clocks on 14 March, Berlin two weeks later.
    expect(await startsOf(first)).toEqual([
      '2027-02-05T14:00',
      '2027-03-05T14:00',
      '2027-04-05T13:00',
      '2027-05-05T13:00',
    ]);
  });

  test('skips months without a 31st and years without a 29 February', async () => {
    expect(
      await startsOf(await book(alice, { rule: 'FREQ=MONTHLY;COUNT=3', startTime: '2027-01-31T08:00:00Z' })),
    ).toEqual(['2027-01-31T08:00', '2027-03-31T07:00', '2027-05-31T07:00']);
    expect(
      await startsOf(await book(alice, { rule: 'FREQ=DAILY;COUNT=2', startTime: '2028-02-28T08:00:00Z' })),
    ).toEqual(['2028-02-28T08:00', '2028-02-29T08:00']);
    expect(await codeOf(book(alice, { rule: 'FREQ=YEARLY;COUNT=2', startTime: '2028-02-29T08:00:00Z' }))).toBe(
      'SERIES_TOO_LONG',
    );
  });

  test('is refused for an invalid rule, with the reason', async () => {
    const refusals: [string, Wish][] = [
      ['RECURRENCE_INVALID', { rule: 'FREQ=SECONDLY;COUNT=3' }],
      ['SERIES_ENDLESS', { rule: 'FREQ=DAILY' }],
      ['SERIES_TOO_LONG', { rule: 'FREQ=DAILY;COUNT=401' }],
      ['SERIES_EMPTY', { rule: 'FREQ=DAILY;COUNT=1', except: ['2027-02-01T08:00:00Z'] }],
      ['SERIES_OVERLAPS', { rule: 'FREQ=DAILY;BYHOUR=9,10;COUNT=3', duration: 61 }],
      ['MEETING_IN_PAST', { startTime: '2027-01-03T08:00:00Z' }],
      ['PASSWORD_OR_WAITING_ROOM', { password: '' }],
      ['PARTICIPANT_UNKNOWN', { participants: [{ kind: 'user', userId: newId() }] }],
      ['ROOM_UNKNOWN', { roomIds: [newId()] }],
      ['INVALID_INPUT', { rule: `FREQ=DAILY;COUNT=3;${' '.repeat(300)}` }],
    ];
    for (const [code, wish] of refusals)
      expect([code, await codeOf(book(alice, { subject: 'Refused', ...wish }))]).toEqual([code, code]);
    expect(await messageOf(book(alice, { rule: 'FREQ=DAILY;COUNT=401' }))).toBe(
      '406 SERIES_TOO_LONG: A series can have at most 400 meetings within 2 years. Please make it shorter.',
    );
    expect((await alice.meetings.list({ query: { keyword: 'Refused' } })).total).toBe(0);
    expect(
      (await server.db.platform((tx) => tx.find(meetingSeries, eq(meetingSeries.subject, 'Refused')))).length,
    ).toBe(0);
  });

  test('creates four hundred meetings with many people and rooms in little time', async () => {
    const rooms = [await addRoom(), await addRoom()];
    const mails = Array.from({ length: 20 }, (_, index) => `guest${index}@example.org`);
    const before = performance.now();
    const first = await book(alice, {
      rule: `FREQ=DAILY;COUNT=${LIMITS.occurrences}`,
      roomIds: rooms.map(({ id }) => id),
      participants: invite(server, 'bob', ...mails),
    });
    expect(performance.now() - before).toBeLessThan(30_000);
    expect(await rowsOf(first)).toHaveLength(LIMITS.occurrences);
    expect(
      await server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.roomId, rooms[0]?.id ?? ''))),
    ).toHaveLength(LIMITS.occurrences);
    const last = (await rowsOf(first)).at(-1);
    expect((await bob.meetings.detail({ params: { id: last?.id ?? '' } })).participants).toHaveLength(21);
  });
});

describe('rooms of a series', () => {
  test('are booked for all its meetings or for none; taken ones are listed with dates', async () => {
    const [one, two] = [await addRoom(), await addRoom()];
    await book(chair, { rule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=4', startTime: '2027-02-09T08:30:00Z', roomIds: [one.id] });
    const wish = { rule: 'FREQ=DAILY;COUNT=60', startTime: '2027-02-02T08:00:00Z', roomIds: [two.id, one.id] };
    expect(await messageOf(book(alice, wish))).toBe(
      '409 SERIES_ROOMS_TAKEN: Rooms are taken for 4 of the meetings (2027-02-09, 2027-02-23, 2027-03-09, ' +
        '2027-03-23). Skip those dates, or choose another room or time.',
    );
    expect(await server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.roomId, two.id)))).toEqual([]);
    const { occurrences, total } = await preview(alice, wish);
    const taken = occurrences.filter(({ roomsTaken }) => roomsTaken.length > 0);
    expect(total).toBe(60);
    expect(taken.map(({ startTime, roomsTaken }) => [startTime.slice(0, 10), roomsTaken])).toEqual(
      ['2027-02-09', '2027-02-23', '2027-03-09', '2027-03-23'].map((day) => [
        day,
        [{ roomId: one.id, name: one.name, host: 'Chair' }],
      ]),
    );
    const first = await book(alice, { ...wish, except: taken.map(({ startTime }) => startTime) });
    expect(await rowsOf(first)).toHaveLength(56);
  });

  test('must be open at all its times', async () => {
    const one = await addRoom({ opening: { days: [1, 2, 3, 4, 5], from: '08:00', until: '18:00' } });
    const wish = { rule: 'FREQ=DAILY;COUNT=7', startTime: '2027-02-01T08:00:00Z', roomIds: [one.id] };
    expect(await codeOf(book(alice, wish))).toBe('ROOM_CLOSED');
    const { occurrences } = await preview(alice, wish);
    expect(
      occurrences
        .filter(({ roomsClosed }) => roomsClosed.length > 0)
        .map(({ startTime, roomsClosed }) => [startTime.slice(0, 10), roomsClosed]),
    ).toEqual([
      ['2027-02-06', [{ roomId: one.id, name: one.name }]],
      ['2027-02-07', [{ roomId: one.id, name: one.name }]],
    ]);
    // In Berlin the room opens at eight, in summer and in winter; New York changes its clocks earlier.
    const american = {
      rule: 'FREQ=WEEKLY;COUNT=12',
      startTime: '2027-02-01T07:30:00Z',
      timeZone: 'America/New_York',
      roomIds: [one.id],
    };
    expect(
      (await preview(alice, american)).occurrences
        .filter(({ roomsClosed }) => roomsClosed.length > 0)
        .map(({ startTime }) => startTime.slice(0, 10)),
    ).toEqual(['2027-03-15', '2027-03-22']);
  });

  test('have one winner for each time, however many people book at once', async () => {
    const rooms = [await addRoom(), await addRoom(), await addRoom()].map(({ id }) => id);
    const people = [alice, bob, chair];
    const attempts = Array.from({ length: 50 }, (_, index) => {
      const roomIds = [rooms[index % 3], rooms[(index * 2 + 1) % 3]].flatMap((id) => id ?? []);
      const startTime = new Date(
        Date.parse('2027-05-03T08:00:00Z') + (index % 7) * 1_800_000 + (index % 4) * 86_400_000,
      ).toISOString();
      return messageOf(
        book(people[index % 3] as Person, {
          rule: `FREQ=WEEKLY;COUNT=${4 + (index % 5)}`,
          startTime,
          roomIds: index % 2 === 0 ? roomIds : roomIds.toReversed(),
        }),
      );
    });
    const results = await Promise.all(attempts);
    expect(results.filter((result) => result !== 'OK' && !result.includes('SERIES_ROOMS_TAKEN'))).toEqual([]);
    expect(results.filter((result) => result === 'OK').length).toBeGreaterThan(0);
    for (const roomId of rooms) {
      const bookings = (
        await server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.roomId, roomId)))
      ).toSorted((a, b) => a.startTime.getTime() - b.startTime.getTime());
      expect(bookings.filter((row, at) => at > 0 && row.startTime < (bookings[at - 1]?.endTime ?? 0))).toEqual([]);
    }
  });
});

describe('a preview', () => {
  test('shows when people have another meeting', async () => {
    await alice.meetings.createNetwork({
      body: {
        subject: 'Other',
        startTime: '2027-06-09T02:30:00Z',
        duration: 60,
        password: '4821',
        participants: invite(server, 'bob'),
      },
    });
    const { occurrences } = await preview(chair, {
      rule: 'FREQ=DAILY;COUNT=3',
      startTime: '2027-06-08T02:00:00Z',
      userIds: [idOf('alice'), idOf('bob'), idOf('carol'), newId()],
    });
    expect(occurrences.map(({ startTime, endTime, busyCount }) => [startTime, endTime, busyCount])).toEqual([
      ['2027-06-08T02:00:00.000Z', '2027-06-08T03:00:00.000Z', 0],
      ['2027-06-09T02:00:00.000Z', '2027-06-09T03:00:00.000Z', 2],
      ['2027-06-10T02:00:00.000Z', '2027-06-10T03:00:00.000Z', 0],
    ]);
  });

  test('ignores the series that is being changed', async () => {
    const one = await addRoom();
    // Later than all meetings above that are booked concurrently, of which either may win.
    const first = await book(alice, {
      rule: 'FREQ=DAILY;COUNT=3',
      startTime: '2027-09-15T08:00:00Z',
      roomIds: [one.id],
    });
    const wish = {
      rule: 'FREQ=DAILY;COUNT=3',
      startTime: '2027-09-15T08:30:00Z',
      roomIds: [one.id],
      userIds: [idOf('alice')],
    };
    expect(
      (await preview(bob, wish)).occurrences.map(({ roomsTaken, busyCount }) => [roomsTaken.length, busyCount]),
    ).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect(
      (await preview(alice, { ...wish, meetingId: first.meetId })).occurrences.map(({ roomsTaken, busyCount }) => [
        roomsTaken.length,
        busyCount,
      ]),
    ).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect(await codeOf(preview(bob, { ...wish, meetingId: first.meetId }))).toBe('NOT_FOUND');
  });

  test('shows what happens to the meetings of the series that is being changed', async () => {
    const one = await addRoom();
    const first = await book(alice, {
      rule: 'FREQ=DAILY;COUNT=4',
      startTime: '2027-07-05T08:00:00Z',
      roomIds: [one.id],
    });
    const rows = (await rowsOf(first)).toSorted((a, b) => a.startTime.getTime() - b.startTime.getTime());
    const detail = (at: number) => alice.meetings.detail({ params: { id: rows[at]?.id ?? '' } });
    const { subject, timeZone, password, version } = await detail(1);
    await alice.meetings.update({
      params: { id: rows[1]?.id ?? '' },
      body: {
        subject,
        duration: 30,
        timeZone,
        password,
        version,
        roomIds: [one.id],
        startTime: '2027-07-06T12:00:00Z',
      },
    });
    await alice.meetings.cancel({ params: { id: rows[2]?.id ?? '' }, query: {} });
    const wish = { startTime: '2027-07-06T08:30:00Z', roomIds: [one.id], meetingId: rows[1]?.id };
    const told = async (rule: string, scope: RuleScope) => {
      const { occurrences, dropped, stayOut, left } = await preview(alice, { ...wish, rule, scope });
      return {
        left,
        becomes: occurrences.map((found) => [
          found.startTime.slice(5, 16),
          rows.findIndex(({ id }) => id === found.meeting?.meetId),
          found.meeting?.detached,
        ]),
        dropped: dropped.map(({ meetId }) => rows.findIndex(({ id }) => id === meetId)),
        stayOut,
      };
    };
    expect(await told('FREQ=DAILY;COUNT=4', 'following')).toEqual({
      left: 3,
      becomes: [
        ['07-06T08:30', 1, true],
        ['07-08T08:30', 3, false],
        ['07-09T08:30', -1, undefined],
      ],
      dropped: [],
      stayOut: ['2027-07-07T08:30:00.000Z'],
    });
    expect(await told('FREQ=WEEKLY;COUNT=2', 'following')).toEqual({
      left: 3,
      becomes: [
        ['07-06T08:30', 1, true],
        ['07-13T08:30', -1, undefined],
      ],
      dropped: [3],
      stayOut: [],
    });
    expect(await told('FREQ=DAILY;INTERVAL=3;COUNT=2', 'all')).toMatchObject({
      left: 4,
      becomes: [
        ['07-05T08:30', 0, false],
        ['07-08T08:30', 3, false],
      ],
      dropped: [1],
    });
    expect(
      (await preview(alice, { ...wish, rule: 'FREQ=WEEKLY;COUNT=2', scope: 'following' })).occurrences[0]?.meeting,
    ).toEqual({ meetId: rows[1]?.id, startTime: '2027-07-06T12:00:00.000Z', duration: 30, detached: true });
    // Unchanged meetings conflict like all others.
    expect(
      (
        await preview(alice, {
          ...wish,
          startTime: '2027-07-05T08:30:00Z',
          rule: 'FREQ=DAILY;COUNT=2',
          scope: 'following',
        })
      ).occurrences.map(({ roomsTaken }) => roomsTaken.length),
    ).toEqual([1]);
    const single = await alice.meetings.createNetwork({
      body: { subject: 'Alone', startTime: '2027-08-02T08:00:00Z', duration: 60, password: '4821' },
    });
    const { occurrences } = await preview(alice, {
      rule: 'FREQ=DAILY;COUNT=2',
      startTime: '2027-08-03T08:00:00Z',
      meetingId: single.meetId,
      userIds: [idOf('alice')],
    });
    expect(occurrences.map(({ meeting: of, busyCount }) => [of?.startTime, busyCount])).toEqual([
      ['2027-08-02T08:00:00.000Z', 0],
      [undefined, 0],
    ]);
  });

  test('is refused for the same reasons as booking', async () => {
    const dave = await signIn(server, 'dave');
    const one = await addRoom();
    const refusals: [string, Wish & { meetingId?: string }][] = [
      ['RECURRENCE_INVALID', { rule: 'FREQ=HOURLY;COUNT=3' }],
      ['SERIES_ENDLESS', { rule: 'FREQ=DAILY' }],
      ['SERIES_TOO_LONG', { rule: 'FREQ=DAILY;COUNT=401' }],
      ['SERIES_EMPTY', { rule: 'FREQ=DAILY;UNTIL=20270101T000000Z' }],
      ['SERIES_OVERLAPS', { rule: 'FREQ=DAILY;BYHOUR=9,10;COUNT=3', duration: 61 }],
      ['ROOM_UNKNOWN', { roomIds: [one.id] }],
      ['NOT_FOUND', { meetingId: newId() }],
    ];
    for (const [code, wish] of refusals) expect([code, await codeOf(preview(dave, wish))]).toEqual([code, code]);
  });
});
