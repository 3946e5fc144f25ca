import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BookingBody, Meeting, Recurrence } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { meeting, meetingNumber, meetingSeries, type MeetingRow } from '../../src/modules/meetings/tables.ts';
import { notice } from '../../src/modules/notices/tables.ts';
import { roomBooking } from '../../src/modules/rooms/tables.ts';
import type { MailServer, ReceivedMail } from '@rmeet/testkit';
import { readCalendar } from './support/calendar.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { Clock } from './support/clock.ts';
import { startServerWithMail } from './support/mail-server.ts';
import { invite } from './support/meetings.ts';
import type { TestServer } from './support/server.ts';

let mails: MailServer;
let server: TestServer;
let chair: Person;
let bob: Person;
let admin: Person;
beforeAll(async () => {
  ({ server, mails } = await startServerWithMail({ clock: new Clock(Date.parse('2027-01-04T07:00:00Z')) }));
  [admin, chair, bob] = await Promise.all([signIn(server, 'admin'), signIn(server, 'chair'), signIn(server, 'bob')]);
});
afterAll(() => server.close());
beforeEach(() => {
  mails.received.length = 0;
});

const book = (body: Partial<BookingBody> = {}): Promise<Meeting> =>
  chair.meetings.createNetwork({
    body: {
      subject: 'Alone',
      startTime: '2027-02-01T08:00:00Z',
      duration: 60,
      timeZone: 'Europe/Berlin',
      password: '4821',
      ...body,
    },
  });
const repeat = (
  { meetId, subject, startTime, duration, timeZone, password, version, rooms }: Meeting,
  recurrence: Recurrence,
  body: Partial<BookingBody> = {},
  who = chair,
): Promise<Meeting> =>
  who.meetings.update({
    params: { id: meetId },
    body: {
      subject,
      startTime,
      duration,
      timeZone,
      password,
      version,
      roomIds: rooms.map(({ id }) => id),
      ...body,
      recurrence,
    },
  });
const rowsOf = async ({ numericId }: Meeting): Promise<MeetingRow[]> =>
  (await server.db.platform((tx) => tx.find(meeting, eq(meeting.number, numericId)))).toSorted(
    (a, b) => a.startTime.getTime() - b.startTime.getTime(),
  );
const startsOf = async (of: Meeting): Promise<string[]> =>
  (await rowsOf(of)).map(({ startTime }) => startTime.toISOString().slice(5, 16));

async function delivered(count: number): Promise<ReceivedMail[]> {
  await server.rounds.sendNotices();
  await expect.poll(() => mails.received.length, { timeout: 20_000 }).toBe(count);
  await expect
    .poll(() => server.db.platform((tx) => tx.count(notice, eq(notice.status, 'SENDING'))), { timeout: 20_000 })
    .toBe(0);
  return mails.received.splice(0).toSorted((a, b) => a.to.join().localeCompare(b.to.join()));
}

describe('a single meeting that is made a series', () => {
  test('becomes the first of a series, with its number, its rooms and its people', async () => {
    const { id: buildingId } = await admin.rooms.createBuilding({ body: { name: 'Main', timeZone: 'Europe/Berlin' } });
    const room = await admin.rooms.create({ body: { name: 'One', buildingId, floor: '3', capacity: 12 } });
    const single = await book({ roomIds: [room.id], participants: invite(server, 'bob') });
    const first = await repeat(
      single,
      { rule: 'FREQ=WEEKLY;COUNT=4', except: ['2027-02-15T08:00:00Z'] },
      { participants: invite(server, 'bob'), subject: 'Not alone' },
    );
    expect(first).toMatchObject({
      meetId: single.meetId,
      numericId: single.numericId,
      subject: 'Not alone',
      version: 2,
      series: { rule: 'FREQ=WEEKLY;COUNT=4', recurrenceId: '2027-02-01T08:00:00.000Z', detached: false },
    });
    expect(await startsOf(first)).toEqual(['02-01T08:00', '02-08T08:00', '02-22T08:00']);
    const third = await bob.meetings.detail({ params: { id: (await rowsOf(first))[2]?.id ?? '' } });
    expect(third).toMatchObject({
      subject: 'Not alone',
      numericId: single.numericId,
      password: '4821',
      rooms: [{ id: room.id }],
      participants: [{ name: 'Bob' }],
      series: { id: first.series?.id },
    });
    expect(await server.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.roomId, room.id)))).toHaveLength(3);
    expect(
      await server.db.platform((tx) => tx.find(meetingNumber, eq(meetingNumber.number, single.numericId))),
    ).toMatchObject([{ kind: 'series' }]);
    const audited = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, single.meetId)));
    expect(audited.at(-1)).toMatchObject({
      action: 'meetings.update',
      before: { subject: 'Alone', series: null },
      after: { subject: 'Not alone', series: 'FREQ=WEEKLY;COUNT=4' },
    });
    // From now on it is a series like any other.
    await chair.meetings.cancel({ params: { id: third.meetId }, query: { scope: 'following' } });
    expect((await rowsOf(first)).filter(({ cancelledAt }) => cancelledAt === null)).toHaveLength(2);
  });

  test('moves to the first day of the rule, whatever scope is requested', async () => {
    const single = await book({ startTime: '2027-02-04T08:00:00Z' });
    const { meetId, version } = single;
    const first = await chair.meetings.update({
      params: { id: meetId },
      body: {
        subject: 'Mondays',
        startTime: '2027-02-04T09:00:00Z',
        duration: 30,
        timeZone: 'Europe/Berlin',
        password: '4821',
        version,
        scope: 'all',
        recurrence: { rule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=2' },
      },
    });
    expect(first).toMatchObject({ meetId, startTime: '2027-02-08T09:00:00.000Z', duration: 30 });
    expect(await startsOf(first)).toEqual(['02-08T09:00', '02-15T09:00']);
  });

  test('passes its files on to all meetings', async () => {
    const { id: buildingId } = await admin.rooms.createBuilding({ body: { name: 'Annex', timeZone: 'Europe/Berlin' } });
    const room = await admin.rooms.create({ body: { name: 'Files', buildingId, floor: '1', capacity: 12 } });
    const single = await chair.meetings.createLocal({
      body: { subject: 'Local', startTime: '2027-03-01T08:00:00Z', duration: 60, roomIds: [room.id] },
      files: [new File(['one'], 'one.txt'), new File(['two'], 'two.txt')],
    });
    const keepFileIds = single.files.filter(({ name }) => name === 'two.txt').map(({ id }) => id);
    const first = await chair.meetings.updateWithFile({
      params: { id: single.meetId },
      files: [new File(['three'], 'three.txt')],
      body: {
        subject: 'Local',
        startTime: single.startTime,
        duration: 60,
        roomIds: [room.id],
        version: single.version,
        keepFileIds,
        recurrence: { rule: 'FREQ=DAILY;COUNT=2' },
      },
    });
    const [, second] = await rowsOf(first);
    const names = async (id = '') => (await chair.meetings.detail({ params: { id } })).files.map(({ name }) => name);
    expect([await names(first.meetId), await names(second?.id)]).toEqual([
      ['two.txt', 'three.txt'],
      ['two.txt', 'three.txt'],
    ]);
  });

  test('is sent as the same event, which recurs from then on', async () => {
    const single = await book({
      subject: 'Told',
      startTime: '2027-04-05T08:00:00Z',
      participants: invite(server, 'guest@example.org'),
    });
    expect(readCalendar((await delivered(1))[0])).toMatchObject({
      uid: `${single.meetId}@rmeet`,
      sequence: 0,
      starts: ['2027-04-05T08:00:00.000Z'],
    });
    const first = await repeat(
      single,
      { rule: 'FREQ=WEEKLY;COUNT=3' },
      { participants: invite(server, 'guest@example.org', 'other@example.org') },
    );
    const [guest, other] = await delivered(2);
    expect([guest?.subject, other?.subject]).toEqual(['会议变更：Told', '会议邀请：Told']);
    for (const told of [guest, other]) {
      expect(readCalendar(told)).toEqual({
        method: 'REQUEST',
        uid: `${single.meetId}@rmeet`,
        sequence: 1,
        recurrenceId: undefined,
        starts: ['2027-04-05T08:00:00.000Z', '2027-04-12T08:00:00.000Z', '2027-04-19T08:00:00.000Z'],
      });
    }
    const [, second] = await rowsOf(first);
    await chair.meetings.cancel({ params: { id: second?.id ?? '' }, query: {} });
    expect(readCalendar((await delivered(2))[0])).toMatchObject({
      method: 'CANCEL',
      uid: `${single.meetId}@rmeet`,
      sequence: 2,
      recurrenceId: '2027-04-12T08:00:00.000Z',
    });
    await chair.meetings.cancel({ params: { id: first.meetId }, query: { scope: 'all' } });
    const off = readCalendar((await delivered(2))[0]);
    expect(off).toMatchObject({ method: 'CANCEL', uid: `${single.meetId}@rmeet`, recurrenceId: undefined });
    expect(off.sequence).toBeGreaterThan(1);
  });

  test('stays unchanged if a series would be refused', async () => {
    const { id: buildingId } = await admin.rooms.createBuilding({ body: { name: 'Full', timeZone: 'Europe/Berlin' } });
    const room = await admin.rooms.create({ body: { name: 'Full', buildingId, floor: '1', capacity: 12 } });
    await bob.meetings.createNetwork({
      body: { subject: 'Other', startTime: '2027-05-04T08:30:00Z', duration: 60, password: '4821', roomIds: [room.id] },
    });
    const single = await book({
      startTime: '2027-05-03T08:00:00Z',
      roomIds: [room.id],
      participants: invite(server, 'bob'),
    });
    const people = { participants: invite(server, 'bob') };
    const refusals: [string, Recurrence, Partial<BookingBody>?, Person?][] = [
      ['SERIES_ROOMS_TAKEN', { rule: 'FREQ=DAILY;COUNT=3' }],
      ['RECURRENCE_INVALID', { rule: 'FREQ=HOURLY;COUNT=3' }],
      ['SERIES_ENDLESS', { rule: 'FREQ=DAILY' }],
      ['SERIES_TOO_LONG', { rule: 'FREQ=DAILY;COUNT=401' }],
      ['SERIES_OVERLAPS', { rule: 'FREQ=DAILY;COUNT=3;BYHOUR=9,10' }, { duration: 61 }],
      ['FORBIDDEN', { rule: 'FREQ=WEEKLY;COUNT=3' }, {}, bob],
      ['MEETING_IN_PAST', { rule: 'FREQ=DAILY;COUNT=3' }, { startTime: '2027-01-03T08:00:00Z' }],
    ];
    for (const [code, recurrence, body, who] of refusals)
      expect([code, await codeOf(repeat(single, recurrence, { ...people, ...body }, who))]).toEqual([code, code]);
    expect(await codeOf(repeat({ ...single, version: 7 }, { rule: 'FREQ=WEEKLY;COUNT=3' }))).toBe('MEETING_CONFLICT');
    expect(await chair.meetings.detail({ params: { id: single.meetId } })).toMatchObject({
      series: null,
      version: 1,
      startTime: '2027-05-03T08:00:00.000Z',
    });
    expect(await server.db.platform((tx) => tx.find(meetingSeries, eq(meetingSeries.id, single.meetId)))).toEqual([]);
  });

  test('becomes one series, however many requests arrive at once', async () => {
    const single = await book({ startTime: '2027-06-07T08:00:00Z' });
    const results = await Promise.all(
      [2, 3, 4, 5].map((count) => codeOf(repeat(single, { rule: `FREQ=DAILY;COUNT=${count}` }))),
    );
    expect(results.toSorted()).toEqual(['MEETING_CONFLICT', 'MEETING_CONFLICT', 'MEETING_CONFLICT', 'OK']);
    expect(await rowsOf(single)).toHaveLength(2 + results.indexOf('OK'));
  });
});

describe('a new rule', () => {
  test('is sent as the series again, from its first start on; moved and cancelled ones separately', async () => {
    const single = await book({
      subject: 'Other days',
      startTime: '2027-07-05T08:00:00Z',
      participants: invite(server, 'guest@example.org'),
      recurrence: { rule: 'FREQ=WEEKLY;COUNT=4' },
    });
    await delivered(1);
    const [, second] = await rowsOf(single);
    const moved = await chair.meetings.detail({ params: { id: second?.id ?? '' } });
    await chair.meetings.update({
      params: { id: moved.meetId },
      body: {
        subject: 'Moved',
        startTime: '2027-07-12T12:00:00Z',
        duration: 60,
        timeZone: 'Europe/Berlin',
        password: '4821',
        version: moved.version,
        participants: invite(server, 'guest@example.org', 'other@example.org'),
      },
    });
    await delivered(2);
    const first = await chair.meetings.detail({ params: { id: single.meetId } });
    const body = {
      subject: first.subject,
      startTime: first.startTime,
      duration: 60,
      timeZone: 'Europe/Berlin',
      password: '4821',
      version: first.version,
      participants: invite(server, 'guest@example.org'),
    };
    await chair.meetings.update({
      params: { id: first.meetId },
      body: { ...body, scope: 'all', recurrence: { rule: 'FREQ=WEEKLY;BYDAY=WE;COUNT=3' } },
    });
    const told = (await delivered(3)).map((received) =>
      Object.assign(readCalendar(received), { to: received.to.join() }),
    );
    const uid = `${single.series?.id}@rmeet`;
    expect(told.find(({ to, method }) => to === 'guest@example.org' && method === 'REQUEST')).toMatchObject({
      uid,
      recurrenceId: undefined,
      starts: ['2027-07-07T08:00:00.000Z', '2027-07-14T08:00:00.000Z', '2027-07-21T08:00:00.000Z'],
    });
    for (const to of ['guest@example.org', 'other@example.org'])
      expect(told.find((one) => one.to === to && one.method === 'CANCEL')).toMatchObject({
        uid,
        recurrenceId: '2027-07-12T08:00:00.000Z',
      });
    // Back to the first rule: the Mondays are new meetings that replace the old ones.
    const now = await chair.meetings.detail({
      params: { id: (await rowsOf(single)).find(({ cancelledAt }) => cancelledAt === null)?.id ?? '' },
    });
    await chair.meetings.update({
      params: { id: now.meetId },
      body: {
        ...body,
        startTime: now.startTime,
        version: now.version,
        scope: 'all',
        recurrence: { rule: 'FREQ=WEEKLY;BYDAY=MO;COUNT=2' },
      },
    });
    expect((await delivered(1)).map(readCalendar)).toMatchObject([
      { method: 'REQUEST', uid, starts: ['2027-07-12T08:00:00.000Z', '2027-07-19T08:00:00.000Z'] },
    ]);
  });
});
