import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Building, Meeting, MeetingBody, Recurrence, SeriesScope } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { meeting, meetingSeries, type MeetingRow } from '../../src/modules/meetings/tables.ts';
import { roomBooking } from '../../src/modules/rooms/tables.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { Clock } from './support/clock.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let admin: Person;
let main: Building;
beforeAll(async () => {
  server = await startTestServer({ clock: new Clock(Date.parse('2027-01-04T07:00:00Z')) });
  [admin, alice, bob] = await Promise.all([signIn(server, 'admin'), signIn(server, 'alice'), signIn(server, 'bob')]);
  main = await admin.rooms.createBuilding({ body: { name: 'Main', timeZone: 'Europe/Berlin' } });
});
afterAll(() => server.close());

let made = 0;
const addRoom = async (): Promise<{ id: string; name: string }> =>
  admin.rooms.create({ body: { name: `Room ${(made += 1)}`, buildingId: main.id, floor: '3', capacity: 12 } });
interface Wish extends Partial<MeetingBody> {
  rule?: string;
}
/** Mondays in February, at nine in Berlin, unless given otherwise. */
const book = (who: Person, { rule = 'FREQ=WEEKLY;COUNT=4', ...body }: Wish = {}): Promise<Meeting> =>
  who.meetings.createNetwork({
    body: {
      subject: 'Ward round',
      startTime: '2027-02-01T08:00:00Z',
      duration: 60,
      timeZone: 'Europe/Berlin',
      password: '4821',
      ...body,
      recurrence: { rule },
    },
  });
const all = async ({ numericId }: Meeting): Promise<MeetingRow[]> =>
  (await server.db.platform((tx) => tx.find(meeting, eq(meeting.number, numericId)))).toSorted(
    (a, b) => a.startTime.getTime() - b.startTime.getTime(),
  );
const standing = async (of: Meeting): Promise<MeetingRow[]> =>
  (await all(of)).filter((row) => row.cancelledAt === null);
const startsOf = async (of: Meeting): Promise<string[]> =>
  (await standing(of)).map((row) => row.startTime.toISOString().slice(5, 16));
/** One of the meetings that were not cancelled, ordered by time. */
async function nth(of: Meeting, at: number, who = alice): Promise<Meeting> {
  return who.meetings.detail({ params: { id: (await standing(of)).at(at)?.id ?? '' } });
}
interface Edit extends Partial<MeetingBody> {
  recurrence?: Recurrence;
  version?: number;
}
const bodyOf = ({
  subject,
  agenda,
  startTime,
  duration,
  timeZone,
  password,
  participants,
  rooms,
  version,
}: Meeting) => ({
  subject,
  agenda,
  startTime,
  duration,
  timeZone,
  password,
  version,
  roomIds: rooms.map(({ id }) => id),
  participants: participants.map((one) => (one.kind === 'user' ? { kind: one.kind, userId: one.userId } : one)),
});
const edit = (of: Meeting, scope: SeriesScope, body: Edit, who = alice): Promise<Meeting> =>
  who.meetings.update({ params: { id: of.meetId }, body: { ...bodyOf(of), ...body, scope } });
const cancel = (of: Meeting, scope: SeriesScope, who = alice) =>
  who.meetings.cancel({ params: { id: of.meetId }, query: { scope } });
const seriesOf = async ({ numericId }: Meeting) =>
  (await server.db.platform((tx) => tx.find(meetingSeries, eq(meetingSeries.number, numericId)))).toSorted(
    (a, b) => a.startTime.getTime() - b.startTime.getTime(),
  );
const messageOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'OK',
    (error: Error) => error.message,
  );

describe('one meeting of a series', () => {
  test('is changed separately, and keeps the start by the rule as its id', async () => {
    const first = await book(alice, { participants: invite(server, 'bob') });
    const moved = await edit(await nth(first, 1), 'one', { startTime: '2027-02-09T10:00:00Z', subject: 'Moved' });
    expect(moved).toMatchObject({
      subject: 'Moved',
      numericId: first.numericId,
      series: { id: first.series?.id, recurrenceId: '2027-02-08T08:00:00.000Z', detached: true },
    });
    expect(await startsOf(first)).toEqual(['02-01T08:00', '02-09T10:00', '02-15T08:00', '02-22T08:00']);
    expect((await standing(first)).map(({ detached, subject }) => [detached, subject])).toEqual([
      [false, 'Ward round'],
      [true, 'Moved'],
      [false, 'Ward round'],
      [false, 'Ward round'],
    ]);
    expect(await codeOf(edit(moved, 'one', { recurrence: { rule: 'FREQ=DAILY;COUNT=2' } }))).toBe('RECURRENCE_INVALID');
  });

  test('is cancelled separately', async () => {
    const first = await book(alice);
    await cancel(await nth(first, 2), 'one');
    expect(await startsOf(first)).toEqual(['02-01T08:00', '02-08T08:00', '02-22T08:00']);
  });

  test('has no series if it was booked alone, whatever scope is requested', async () => {
    const single = await alice.meetings.createNetwork({
      body: { subject: 'Alone', startTime: '2027-02-01T08:00:00Z', duration: 60, password: '4821' },
    });
    expect(await edit(single, 'all', { subject: 'Still alone' })).toMatchObject({
      subject: 'Still alone',
      series: null,
    });
    await cancel(single, 'following');
    expect(await codeOf(nth(single, 0))).not.toBe('OK');
  });
});

describe('all meetings of a series', () => {
  test('get only the edited fields, and separately changed meetings keep their time', async () => {
    const one = await addRoom();
    const first = await book(alice, { roomIds: [one.id], participants: invite(server, 'bob') });
    const moved = await edit(await nth(first, 1), 'one', { startTime: '2027-02-09T10:00:00Z', agenda: 'Own agenda' });
    const edited = await edit(await nth(first, 0), 'all', {
      subject: 'Big round',
      duration: 90,
      password: '9999',
      participants: invite(server, 'bob', 'guest@example.org'),
    });
    expect(edited).toMatchObject({ subject: 'Big round', duration: 90, password: '9999', version: 2 });
    expect(await startsOf(first)).toEqual(['02-01T08:00', '02-09T10:00', '02-15T08:00', '02-22T08:00']);
    const shown = await nth(first, 1);
    expect(shown).toMatchObject({
      subject: 'Big round',
      agenda: 'Own agenda',
      duration: 90,
      password: '9999',
      participants: [{ name: 'Bob' }, { email: 'guest@example.org' }],
      rooms: [{ id: one.id }],
      version: moved.version + 1,
    });
    expect((await seriesOf(first)).map(({ subject, rule }) => [subject, rule])).toEqual([
      ['Big round', 'FREQ=WEEKLY;COUNT=4'],
    ]);
    const bookings = await server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.roomId, one.id)));
    expect(bookings.map(({ startTime, endTime }) => (endTime.getTime() - startTime.getTime()) / 60_000)).toEqual([
      90, 90, 90, 90,
    ]);
    const audited = await server.db.platform((tx) =>
      tx.find(auditLog, and(eq(auditLog.targetId, first.meetId), eq(auditLog.action, 'meetings.update'))),
    );
    expect(audited).toMatchObject([
      {
        before: { subject: 'Ward round', password: '***' },
        after: { subject: 'Big round', password: '***', scope: 'all' },
      },
    ]);
  });

  test('move together, including days of the week, and keep the clock of their zone', async () => {
    const first = await book(alice, { rule: 'FREQ=WEEKLY;BYDAY=MO,FR;COUNT=4', startTime: '2027-03-22T08:00:00Z' });
    await edit(await nth(first, 1), 'one', { startTime: '2027-03-27T10:00:00Z' });
    // A day and an hour later; the clocks change on 28 March.
    await edit(await nth(first, 0), 'all', { startTime: '2027-03-23T09:00:00Z' });
    expect(await startsOf(first)).toEqual(['03-23T09:00', '03-27T09:00', '03-30T08:00', '04-03T08:00']);
    expect((await nth(first, 1)).series).toMatchObject({
      id: first.series?.id,
      rule: 'FREQ=WEEKLY;BYDAY=TU,SA;WKST=TU;COUNT=4',
      recurrenceId: '2027-03-27T09:00:00.000Z',
    });
    // Another time zone with the same local time now: the others follow its clock.
    await edit(await nth(first, 0), 'all', { timeZone: 'UTC' });
    expect(await startsOf(first)).toEqual(['03-23T09:00', '03-27T09:00', '03-30T09:00', '04-03T09:00']);
  });

  test('exclude those that run or have started', async () => {
    const first = await book(alice, { startTime: '2027-01-04T09:00:00Z' });
    server.clock.advance({ hours: 2 });
    await alice.meetings.start({ params: { id: first.meetId }, body: { early: true } });
    expect(await codeOf(edit(first, 'all', { subject: 'Too late' }))).toBe('MEETING_RUNNING');
    expect(await codeOf(cancel(first, 'all'))).toBe('MEETING_RUNNING');
    await edit(await nth(first, 1), 'all', { subject: 'From now on', startTime: '2027-01-11T10:00:00Z' });
    expect(
      (await standing(first)).map(({ subject, startTime }) => [subject, startTime.toISOString().slice(5, 16)]),
    ).toEqual([
      ['Ward round', '01-04T09:00'],
      ['From now on', '01-11T10:00'],
      ['From now on', '01-18T10:00'],
      ['From now on', '01-25T10:00'],
    ]);
    expect((await seriesOf(first)).map(({ rule, number }) => [rule, number])).toEqual([
      ['FREQ=WEEKLY;UNTIL=20270111T085959Z', first.numericId],
      ['FREQ=WEEKLY;COUNT=3', first.numericId],
    ]);
    await cancel(await nth(first, 2), 'all');
    expect(await startsOf(first)).toEqual(['01-04T09:00']);
  });

  test('get another rule: meetings on common days stay, others are removed or added', async () => {
    const one = await addRoom();
    const first = await book(alice, { roomIds: [one.id], participants: invite(server, 'bob') });
    const before = await standing(first);
    await cancel(await nth(first, 3), 'one');
    await edit(await nth(first, 0), 'all', {
      recurrence: { rule: 'FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,WE;COUNT=8', except: ['2027-02-10T08:00:00Z'] },
    });
    expect(await startsOf(first)).toEqual([
      '02-01T08:00',
      '02-03T08:00',
      '02-08T08:00',
      '02-15T08:00',
      '02-17T08:00',
      '02-24T08:00',
    ]);
    const after = await standing(first);
    expect([0, 2, 3].map((at) => after[at]?.id)).toEqual([0, 1, 2].map((at) => before[at]?.id));
    expect(await nth(first, 5, bob)).toMatchObject({
      numericId: first.numericId,
      rooms: [{ id: one.id }],
      participants: [{ name: 'Bob' }],
      host: { name: 'Alice' },
    });
    // Mondays are no longer part of it; excluded days stay excluded.
    const stays = await edit(await nth(first, 1), 'all', {
      recurrence: { rule: 'FREQ=WEEKLY;BYDAY=WE;UNTIL=20270228T000000Z' },
    });
    expect(stays.meetId).toBe(after[1]?.id);
    expect(await startsOf(first)).toEqual(['02-03T08:00', '02-17T08:00', '02-24T08:00']);
    expect(
      (await server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.roomId, one.id)))).filter(
        ({ releasedAt }) => releasedAt === null,
      ),
    ).toHaveLength(3);
  });

  test('get their old rule back: meetings dropped by the other rule return, cancelled ones do not', async () => {
    const first = await book(alice);
    await cancel(await nth(first, 1), 'one');
    await edit(await nth(first, 0), 'all', { recurrence: { rule: 'FREQ=WEEKLY;BYDAY=MO,WE;COUNT=4' } });
    expect(await startsOf(first)).toEqual(['02-01T08:00', '02-03T08:00', '02-10T08:00']);
    await edit(await nth(first, 0), 'all', { recurrence: { rule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=4' } });
    expect(await startsOf(first)).toEqual(['02-01T08:00', '02-15T08:00', '02-22T08:00']);
    await edit(await nth(first, 0), 'all', { recurrence: { rule: 'FREQ=WEEKLY;BYDAY=WE;COUNT=3' } });
    await edit(await nth(first, 0), 'all', { recurrence: { rule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=3' } });
    // From the first one that existed then.
    expect(await startsOf(first)).toEqual(['02-08T08:00', '02-15T08:00', '02-22T08:00']);
    // Days that exist twice by now, once dropped and once created again, stay.
    await edit(await nth(first, 0), 'all', { recurrence: { rule: 'FREQ=WEEKLY;BYDAY=MO,TU;COUNT=6' } });
    expect(await startsOf(first)).toEqual([
      '02-08T08:00',
      '02-09T08:00',
      '02-15T08:00',
      '02-16T08:00',
      '02-22T08:00',
      '02-23T08:00',
    ]);
    expect(await seriesOf(first)).toMatchObject([{ id: first.series?.id, rule: 'FREQ=WEEKLY;BYDAY=MO,TU;COUNT=6' }]);
  });
});

describe('a meeting and those after it', () => {
  test('continue as a separate series under the same number', async () => {
    const first = await book(alice, { rule: 'FREQ=WEEKLY;UNTIL=20270301T230000Z' });
    const moved = await edit(await nth(first, 4), 'one', { startTime: '2027-03-02T08:00:00Z' });
    const next = await edit(await nth(first, 2), 'following', {
      subject: 'New round',
      startTime: '2027-02-15T12:00:00Z',
    });
    expect(next).toMatchObject({
      numericId: first.numericId,
      subject: 'New round',
      series: { rule: 'FREQ=WEEKLY;UNTIL=20270301T230000Z', recurrenceId: '2027-02-15T12:00:00.000Z' },
    });
    expect(next.series?.id).not.toBe(first.series?.id);
    expect(
      (await standing(first)).map(({ subject, startTime, seriesId }) => [
        subject,
        startTime.toISOString().slice(5, 16),
        seriesId === first.series?.id,
      ]),
    ).toEqual([
      ['Ward round', '02-01T08:00', true],
      ['Ward round', '02-08T08:00', true],
      ['New round', '02-15T12:00', false],
      ['New round', '02-22T12:00', false],
      ['New round', '03-01T12:00', false],
    ]);
    expect((await alice.meetings.detail({ params: { id: moved.meetId } })).series?.id).toBe(next.series?.id);
    expect((await seriesOf(first))[0]?.rule).toBe('FREQ=WEEKLY;UNTIL=20270215T075959Z');
    // Without a change of times, meetings that were changed separately keep their times.
    const apart = await edit(await nth(first, 3), 'one', { startTime: '2027-02-23T12:00:00Z' });
    await edit(await nth(first, 2), 'following', { agenda: 'New' });
    expect(await alice.meetings.detail({ params: { id: apart.meetId } })).toMatchObject({
      agenda: 'New',
      startTime: '2027-02-23T12:00:00.000Z',
      series: { id: next.series?.id, recurrenceId: '2027-02-22T12:00:00.000Z', detached: true },
    });
  });

  test('remain the same series if they begin with the first', async () => {
    const first = await book(alice, { rule: 'FREQ=DAILY;COUNT=3' });
    await cancel(await nth(first, 1), 'one');
    const next = await edit(await nth(first, 0), 'following', { startTime: '2027-02-01T09:30:00Z' });
    expect(next.series).toMatchObject({ id: first.series?.id, rule: 'FREQ=DAILY;COUNT=3' });
    // Cancelled meetings do not return.
    expect(await startsOf(first)).toEqual(['02-01T09:30', '02-03T09:30']);
    expect((await seriesOf(first)).map(({ except }) => except)).toEqual([['2027-02-02T09:30:00.000Z']]);
  });

  test('are cancelled, and the series ends before them', async () => {
    const first = await book(alice);
    await cancel(await nth(first, 2), 'following');
    expect(await startsOf(first)).toEqual(['02-01T08:00', '02-08T08:00']);
    expect((await nth(first, 0)).series?.rule).toBe('FREQ=WEEKLY;UNTIL=20270215T075959Z');
    expect((await all(first)).filter(({ cancelledAt }) => cancelledAt !== null)).toHaveLength(2);
    const audited = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, 'meetings.cancel')));
    expect(audited.at(-1)).toMatchObject({
      before: { cancelled: false },
      after: { cancelled: true, scope: 'following' },
    });
  });
});

describe('a change of a series', () => {
  test('is refused as a whole if rooms are taken', async () => {
    const one = await addRoom();
    const first = await book(alice, { roomIds: [one.id] });
    await bob.meetings.createNetwork({
      body: { subject: 'Other', startTime: '2027-02-15T12:30:00Z', duration: 60, password: '4821', roomIds: [one.id] },
    });
    const refusal =
      '409 SERIES_ROOMS_TAKEN: Rooms are taken for 1 of the meetings ' +
      '(2027-02-15). Skip those dates, or choose another room or time.';
    expect(
      await messageOf(edit(await nth(first, 0), 'all', { subject: 'Refused', startTime: '2027-02-01T12:00:00Z' })),
    ).toBe(refusal);
    expect(
      (await standing(first)).map(({ subject, startTime, version }) => [
        subject,
        startTime.toISOString().slice(5, 16),
        version,
      ]),
    ).toEqual(['02-01', '02-08', '02-15', '02-22'].map((day) => ['Ward round', `${day}T08:00`, 1]));
    // Half an hour later they overlap only with themselves.
    await edit(await nth(first, 0), 'all', { startTime: '2027-02-01T08:30:00Z' });
    expect((await standing(first)).every(({ startTime }) => startTime.getUTCMinutes() === 30)).toBe(true);
  });

  test('is refused for each reason that refuses a new series, and for moves that the rule does not allow', async () => {
    const first = await book(alice);
    const monthly = await book(alice, { rule: 'FREQ=MONTHLY;BYDAY=1MO;COUNT=3' });
    const refusals: [string, Edit, Meeting?][] = [
      ['RECURRENCE_INVALID', { recurrence: { rule: 'FREQ=HOURLY;COUNT=3' } }],
      ['SERIES_ENDLESS', { recurrence: { rule: 'FREQ=DAILY' } }],
      ['SERIES_TOO_LONG', { recurrence: { rule: 'FREQ=DAILY;COUNT=401' } }],
      ['SERIES_EMPTY', { recurrence: { rule: 'FREQ=DAILY;COUNT=1', except: ['2027-02-01T08:00:00Z'] } }],
      ['SERIES_OVERLAPS', { recurrence: { rule: 'FREQ=DAILY;COUNT=3;BYHOUR=9,10' }, duration: 61 }],
      ['MEETING_IN_PAST', { startTime: '2027-01-01T08:00:00Z' }],
      ['PASSWORD_OR_WAITING_ROOM', { password: '' }],
      ['MEETING_CONFLICT', { version: 7 }],
      ['SERIES_RULE_NEEDED', { startTime: '2027-02-02T08:00:00Z' }, monthly],
    ];
    for (const [code, body, of] of refusals)
      expect([code, await codeOf(edit(await nth(of ?? first, 0), 'all', body))]).toEqual([code, code]);
    expect(await codeOf(edit(first, 'all', { subject: 'Mine' }, bob))).toBe('NOT_FOUND');
    expect(await codeOf(cancel(first, 'all', bob))).toBe('NOT_FOUND');
    expect(await startsOf(first)).toEqual(['02-01T08:00', '02-08T08:00', '02-15T08:00', '02-22T08:00']);
  });

  test('is refused if another edit of any meeting came first', async () => {
    const first = await book(alice);
    const [second, last] = [await nth(first, 1), await nth(first, 3)];
    await edit(last, 'following', { agenda: 'New' });
    expect(await codeOf(edit(second, 'all', { agenda: 'Mine' }))).toBe('MEETING_CONFLICT');
    expect(await codeOf(edit(last, 'one', { agenda: 'Mine' }))).toBe('MEETING_CONFLICT');
    const fresh = [await nth(first, 0), await nth(first, 1), await nth(first, 2)];
    const results = await Promise.all(
      fresh.map((one, at) => codeOf(edit(one, at === 1 ? 'following' : 'all', { agenda: `By ${at}` }))),
    );
    expect(results.toSorted()).toEqual(['MEETING_CONFLICT', 'MEETING_CONFLICT', 'OK']);
  });

  test('waits for concurrent bookings of the same rooms, without deadlock', async () => {
    const rooms = [await addRoom(), await addRoom()].map(({ id }) => id);
    const at = (index: number): string =>
      new Date(Date.parse('2027-02-01T06:00:00Z') + index * 3_600_000).toISOString();
    const booked = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        book(alice, {
          rule: 'FREQ=DAILY;COUNT=5',
          startTime: at(index),
          roomIds: index % 2 === 0 ? rooms : rooms.toReversed(),
        }),
      ),
    );
    const results = await Promise.all(
      booked.flatMap((one, index) => [
        messageOf(
          edit(one, 'all', { startTime: at((index + 1) % 12), roomIds: index % 3 === 0 ? rooms : rooms.toReversed() }),
        ),
        messageOf(nth(one, 2).then((third) => edit(third, 'one', { startTime: third.startTime, duration: 90 }))),
        messageOf(book(bob, { rule: 'FREQ=DAILY;COUNT=5', startTime: at(index), roomIds: rooms.slice(index % 2) })),
        messageOf(cancel(booked[(index + 5) % 12] as Meeting, index % 2 === 0 ? 'following' : 'one')),
      ]),
    );
    const expected = /^(OK|409 (SERIES_ROOMS_TAKEN|ROOM_TAKEN|MEETING_CONFLICT)|406 MEETING_ENDED|404 NOT_FOUND)/;
    expect(results.filter((result) => !expected.test(result))).toEqual([]);
    for (const roomId of rooms) {
      const bookings = (await server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.roomId, roomId))))
        .filter(({ releasedAt }) => releasedAt === null)
        .toSorted((a, b) => a.startTime.getTime() - b.startTime.getTime());
      expect(bookings.filter((row, index) => index > 0 && row.startTime < (bookings[index - 1]?.endTime ?? 0))).toEqual(
        [],
      );
    }
  });

  test('of many meetings takes little time', async () => {
    const [one, two] = [await addRoom(), await addRoom()];
    const first = await book(alice, {
      rule: 'FREQ=DAILY;COUNT=400',
      roomIds: [one.id],
      participants: invite(server, 'bob'),
    });
    const before = performance.now();
    await edit(first, 'all', {
      startTime: '2027-02-01T12:00:00Z',
      roomIds: [two.id],
      password: '8888',
      participants: invite(server, 'carol'),
    });
    await cancel(await nth(first, 100), 'following');
    expect(performance.now() - before).toBeLessThan(30_000);
    expect(await standing(first)).toHaveLength(100);
    expect((await nth(first, 50)).participants).toMatchObject([{ name: 'Carol' }]);
    expect(
      (await server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.roomId, two.id)))).filter(
        ({ releasedAt }) => releasedAt === null,
      ),
    ).toHaveLength(100);
  });
});

describe('the number of a series', () => {
  test('leads to the running meeting, otherwise to the next one, otherwise to the last', async () => {
    // Four in a day, one after the other; now it is five to ten.
    server.clock.advance({ minutes: (Date.parse('2027-01-04T09:55:00Z') - server.clock.now().getTime()) / 60_000 });
    const first = await book(alice, {
      rule: 'FREQ=DAILY;BYHOUR=10,11,12,13;COUNT=4',
      startTime: '2027-01-04T10:00:00Z',
      timeZone: 'UTC',
      participants: invite(server, 'bob'),
    });
    const found = async () => (await bob.meetings.numeric({ params: { id: first.numericId } })).startTime.slice(11, 16);
    const join = async () => {
      await bob.conferences.join({ body: { numericId: first.numericId } });
      return (await standing(first))
        .filter(({ status }) => status === 'ONLINE')
        .map(({ startTime }) => startTime.toISOString().slice(11, 16));
    };
    expect(await found()).toBe('10:00');
    server.clock.advance({ minutes: 66 });
    // Nobody joined the first one, which could still be opened; its time is over.
    expect(await found()).toBe('11:00');
    expect(await join()).toEqual(['11:00']);
    server.clock.advance({ minutes: 65 });
    // It runs longer than it was booked for.
    expect(await join()).toEqual(['11:00']);
    await alice.conferences.end({ params: { meetId: (await nth(first, 1)).meetId } });
    expect(await found()).toBe('12:00');
    await cancel(await nth(first, 2), 'one');
    server.clock.advance({ minutes: 45 });
    expect(await join()).toEqual(['13:00']);
    await alice.conferences.end({ params: { meetId: (await nth(first, 2)).meetId } });
    expect(await codeOf(bob.conferences.join({ body: { numericId: first.numericId } }))).toBe('MEETING_ENDED');
  });
});
