import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BookingBody, Meeting } from '@rmeet/contract';
import { notice } from '../../src/modules/notices/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import type { MailServer, ReceivedMail } from '@rmeet/testkit';
import { readCalendar as read } from './support/calendar.ts';
import { signIn, type Person } from './support/client.ts';
import { Clock } from './support/clock.ts';
import { startServerWithMail } from './support/mail-server.ts';
import { invite } from './support/meetings.ts';
import type { TestServer } from './support/server.ts';

let mails: MailServer;
let server: TestServer;
let chair: Person;
beforeAll(async () => {
  // A week before summer time ends in Berlin.
  ({ server, mails } = await startServerWithMail({ clock: new Clock(Date.parse('2027-10-18T06:00:00Z')) }));
  chair = await signIn(server, 'chair');
  await server.db.tenant(server.people.get('chair')?.tenantId ?? '', (tx) =>
    tx.update(account, { locale: 'en' }, eq(account.account, 'chair')),
  );
});
afterAll(() => server.close());
beforeEach(() => {
  mails.received.length = 0;
});

async function delivered(count: number): Promise<ReceivedMail[]> {
  await server.rounds.sendNotices();
  await expect.poll(() => mails.received.length, { timeout: 20_000 }).toBe(count);
  await expect
    .poll(() => server.db.platform((tx) => tx.count(notice, eq(notice.status, 'SENDING'))), { timeout: 20_000 })
    .toBe(0);
  return mails.received.splice(0).toSorted((a, b) => a.to.join().localeCompare(b.to.join()));
}

const bookSeries = (body: Partial<BookingBody>): Promise<Meeting> =>
  chair.meetings.createNetwork({
    body: {
      subject: 'Weekly',
      startTime: '2027-10-20T08:00:00Z',
      duration: 60,
      password: '4821',
      timeZone: 'Europe/Berlin',
      recurrence: { rule: 'FREQ=WEEKLY;COUNT=3' },
      participants: invite(server, 'guest@example.org'),
      ...body,
    },
  });
const meetingsOf = async (made: Meeting): Promise<Meeting[]> =>
  (await chair.meetings.list({ query: { size: 100 } })).records.filter(({ series }) => series?.id === made.series?.id);

test('a series is one invitation, which recurs by the clock of its zone', async () => {
  const made = await bookSeries({});
  const [guest, ...others] = await delivered(1);
  expect(others).toEqual([]);
  // At ten in Berlin: after summer time ends, that is an hour later in UTC.
  expect(read(guest)).toEqual({
    method: 'REQUEST',
    uid: `${made.series?.id}@rmeet`,
    sequence: 0,
    recurrenceId: undefined,
    starts: ['2027-10-20T08:00:00.000Z', '2027-10-27T08:00:00.000Z', '2027-11-03T09:00:00.000Z'],
  });
  expect(guest?.ical?.content).toContain('BEGIN:VTIMEZONE');
  expect(guest?.text).toContain('Repeats: Every week, 3 times\n');
});

test('omitted meetings are omitted in the calendar, too', async () => {
  await bookSeries({
    subject: 'Gap',
    startTime: '2027-10-21T08:00:00Z',
    recurrence: { rule: 'FREQ=WEEKLY;COUNT=3', except: ['2027-10-21T08:00:00Z'] },
  });
  expect(read((await delivered(1))[0]).starts).toEqual(['2027-10-28T08:00:00.000Z', '2027-11-04T09:00:00.000Z']);
});

test('a meeting cancelled alone is announced alone, a cancelled series as a whole', async () => {
  const made = await bookSeries({ subject: 'Called off', startTime: '2027-10-22T08:00:00Z' });
  await delivered(1);
  const [, second] = await meetingsOf(made);
  await chair.meetings.cancel({ params: { id: second?.meetId ?? '' }, query: { scope: 'one' } });
  const [one] = await delivered(1);
  expect(read(one)).toEqual({
    method: 'CANCEL',
    uid: `${made.series?.id}@rmeet`,
    sequence: 1,
    recurrenceId: second?.startTime,
    starts: [second?.startTime],
  });
  await chair.meetings.cancel({ params: { id: made.meetId }, query: { scope: 'all' } });
  const [all] = await delivered(1);
  expect(read(all)).toMatchObject({ method: 'CANCEL', uid: `${made.series?.id}@rmeet`, recurrenceId: undefined });
});

test("a moved meeting is an event of its own with the series' UID", async () => {
  const made = await bookSeries({ subject: 'Moved', startTime: '2027-10-23T08:00:00Z' });
  await delivered(1);
  const [, second] = await meetingsOf(made);
  if (!second) throw new Error('There is no second meeting.');
  await chair.meetings.update({
    params: { id: second.meetId },
    body: {
      subject: 'Moved',
      startTime: '2027-10-30T12:00:00Z',
      duration: 60,
      password: '4821',
      timeZone: 'Europe/Berlin',
      participants: invite(server, 'guest@example.org', 'other@example.org'),
      version: second.version,
      scope: 'one',
    },
  });
  const [guest, other] = await delivered(2);
  expect(guest?.subject).toBe('Changed: Moved');
  expect(other?.subject).toBe('Invitation: Moved');
  for (const told of [guest, other])
    expect(read(told)).toEqual({
      method: 'REQUEST',
      uid: `${made.series?.id}@rmeet`,
      sequence: 1,
      recurrenceId: second.startTime,
      starts: ['2027-10-30T12:00:00.000Z'],
    });
});

test('a change from one meeting on splits the series: the first part ends earlier, the rest is a new one', async () => {
  const made = await bookSeries({ subject: 'Cut', startTime: '2027-10-25T08:00:00Z' });
  await delivered(1);
  const [, second] = await meetingsOf(made);
  if (!second) throw new Error('There is no second meeting.');
  const cut = await chair.meetings.update({
    params: { id: second.meetId },
    body: {
      subject: 'Cut, later',
      startTime: '2027-11-01T12:00:00Z',
      duration: 60,
      password: '4821',
      timeZone: 'Europe/Berlin',
      participants: invite(server, 'guest@example.org'),
      version: second.version,
      scope: 'following',
    },
  });
  const told = (await delivered(2)).map(read);
  expect(told.find(({ uid }) => uid === `${made.series?.id}@rmeet`)).toMatchObject({
    method: 'REQUEST',
    sequence: 1,
    starts: ['2027-10-25T08:00:00.000Z'],
  });
  expect(told.find(({ uid }) => uid === `${cut.series?.id}@rmeet`)).toMatchObject({
    method: 'REQUEST',
    sequence: 0,
    starts: ['2027-11-01T12:00:00.000Z', '2027-11-08T12:00:00.000Z'],
  });
});

test('a change of the whole series is announced once', async () => {
  const made = await bookSeries({ subject: 'All', startTime: '2027-10-26T08:00:00Z' });
  await delivered(1);
  await chair.meetings.update({
    params: { id: made.meetId },
    body: {
      subject: 'All of it',
      startTime: made.startTime,
      duration: 30,
      password: '4821',
      timeZone: 'Europe/Berlin',
      participants: invite(server, 'guest@example.org'),
      version: made.version,
      scope: 'all',
    },
  });
  const [guest] = await delivered(1);
  expect(guest?.subject).toBe('Changed: All of it');
  expect(read(guest)).toMatchObject({
    uid: `${made.series?.id}@rmeet`,
    sequence: 1,
    starts: ['2027-10-26T08:00:00.000Z', '2027-11-02T09:00:00.000Z', '2027-11-09T09:00:00.000Z'],
  });
});

test('people are reminded of each of its meetings', async () => {
  await bookSeries({
    subject: 'Reminded',
    startTime: '2027-10-19T08:00:00Z',
    recurrence: { rule: 'FREQ=DAILY;COUNT=2' },
  });
  await delivered(1);
  server.clock.advance({ hours: 25, minutes: 46 });
  const [guest] = await delivered(1);
  expect([guest?.subject, guest?.ical]).toEqual(['Reminder: Reminded', undefined]);
  expect(guest?.text).toContain('19 Oct 2027');
  await server.rounds.sendNotices();
  await delivered(0);
});
