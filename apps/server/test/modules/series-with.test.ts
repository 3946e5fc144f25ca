import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Meeting, MeetingBody } from '@rmeet/contract';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { resourceBooking } from '../../src/modules/resources/tables.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { Clock } from './support/clock.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer({ clock: new Clock(Date.parse('2027-01-04T07:00:00Z')) });
  [admin, alice] = await Promise.all([signIn(server, 'admin'), signIn(server, 'alice')]);
});
afterAll(() => server.close());

const bodyOf = (wish: Partial<MeetingBody>) => ({
  subject: 'Case review',
  startTime: '2027-02-01T08:00:00Z',
  duration: 60,
  password: '4821',
  ...wish,
});
const book = (wish: Partial<MeetingBody>): Promise<Meeting> =>
  alice.meetings.createVideo({ body: { ...bodyOf(wish), recurrence: { rule: 'FREQ=DAILY;COUNT=3' } } });
const all = async ({ numericId }: Meeting): Promise<Meeting[]> => {
  const rows = (await server.db.platform((tx) => tx.find(meeting, eq(meeting.number, numericId)))).toSorted(
    (a, b) => a.startTime.getTime() - b.startTime.getTime(),
  );
  return Promise.all(rows.map(({ id }) => alice.meetings.detail({ params: { id } })));
};

test('terminals and a resource are booked for all meetings of a series', async () => {
  const [one, two] = [
    await admin.terminals.create({ body: { name: 'Library TV', address: 'library@rooms.example.org', kind: 'sip' } }),
    await admin.terminals.create({ body: { name: 'Hall TV', address: 'hall@rooms.example.org', kind: 'sip' } }),
  ];
  const resource = await admin.resources.create({ body: { name: 'Main', ports: 4, assignedTo: { everybody: true } } });
  const wish = { terminalIds: [one.id], resourceId: resource.id, participants: invite(server, 'bob') };
  const first = await book(wish);
  expect((await all(first)).map(({ terminals, resource: on }) => [terminals.map(({ id }) => id), on?.id])).toEqual(
    Array.from({ length: 3 }, () => [[one.id], resource.id]),
  );
  // Three of its four ports are taken on each day.
  expect(await codeOf(book({ ...wish, startTime: '2027-02-03T08:30:00Z' }))).toBe('RESOURCE_FULL');
  await alice.meetings.update({
    params: { id: first.meetId },
    body: {
      ...bodyOf({ ...wish, terminalIds: [two.id, one.id], startTime: '2027-02-01T12:00:00Z' }),
      version: 1,
      scope: 'all',
    },
  });
  expect((await all(first)).map(({ terminals }) => terminals.map(({ id }) => id))).toEqual(
    Array.from({ length: 3 }, () => [two.id, one.id]),
  );
  const bookings = await server.db.platform((tx) =>
    tx.find(resourceBooking, eq(resourceBooking.resourceId, resource.id)),
  );
  expect(bookings.map(({ ports, startTime }) => [ports, startTime.getUTCHours()])).toEqual(
    Array.from({ length: 3 }, () => [4, 12]),
  );
  expect(
    await codeOf(
      alice.meetings.update({
        params: { id: first.meetId },
        body: {
          ...bodyOf({
            ...wish,
            terminalIds: [two.id, one.id],
            startTime: '2027-02-01T12:00:00Z',
            participants: invite(server, 'bob', 'carol'),
          }),
          version: 2,
          scope: 'all',
        },
      }),
    ),
  ).toBe('RESOURCE_FULL');
  await alice.meetings.cancel({ params: { id: first.meetId }, query: { scope: 'all' } });
  expect(
    (await server.db.platform((tx) => tx.find(resourceBooking, eq(resourceBooking.resourceId, resource.id)))).every(
      ({ releasedAt }) => releasedAt !== null,
    ),
  ).toBe(true);
});

test('each meeting of a series requires approval if a rule wants it', async () => {
  await admin.approvals.updateRules({
    body: {
      all: true,
      types: [],
      vip: false,
      longerThan: null,
      morePeopleThan: null,
      version: (await admin.approvals.rules()).version,
    },
  });
  const first = await book({ startTime: '2027-03-01T08:00:00Z' });
  expect(first.approval).toBe('waiting');
  expect((await all(first)).map(({ approval }) => approval)).toEqual(['waiting', 'waiting', 'waiting']);
});
