import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Meeting, MeetingBody } from '@rmeet/contract';
import { guestToken } from '../../src/modules/guests/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let chair: Person;
let alice: Person;
let bob: Person;
let made: Meeting;
beforeAll(async () => {
  server = await startTestServer();
  [chair, alice, bob] = await Promise.all([signIn(server, 'chair'), signIn(server, 'alice'), signIn(server, 'bob')]);
});
afterAll(() => server.close());
afterEach(async () => {
  await codeOf(chair.conferences.end({ params: { meetId: made.meetId } }));
});

const allow = (maxMeetingMinutes: number | null) => {
  const north = server.people.get('chair')?.tenantId ?? '';
  return server.db.tenant(north, (tx) => tx.update(tenant, { maxMeetingMinutes }, eq(tenant.tenantId, north)));
};
async function start(body: Partial<MeetingBody> = {}): Promise<void> {
  made = await book(server, chair, { startTime: server.clock.in(0), participants: invite(server, 'alice'), ...body });
  await chair.conferences.join({ body: { numericId: made.numericId } });
}
const extend = (delay: number, who: Person = chair) =>
  who.conferences.extend({ params: { id: made.meetId }, query: { delay: String(delay) } });
const durationNow = async (): Promise<number> =>
  (await chair.meetings.detail({ params: { id: made.meetId } })).duration;

test('an extension moves the booked end in desks, lists, guest links and the log', async () => {
  await start();
  const { id: linkId } = await chair.guests.create({ query: { meetingId: made.meetId } });
  const desk = await connect(server, { token: chair.token }, `meeting:${made.meetId}`);
  const lists = await connect(server, { token: alice.token }, 'activity');
  const { commandId } = await extend(15);
  expect(await durationNow()).toBe(75);
  expect((await desk.event('extended')).event).toMatchObject({ bookedUntil: server.clock.in(75) });
  await lists.event('meetingsChanged');
  expect((await chair.conferences.state({ params: { meetId: made.meetId } })).bookedUntil).toBe(server.clock.in(75));
  const [link] = await server.db.platform((tx) => tx.find(guestToken, eq(guestToken.id, linkId)));
  expect(link?.expiresAt.toISOString()).toBe(server.clock.in(75 + 24 * 60));
  const log = await chair.conferences.events({ params: { meetId: made.meetId }, query: {} });
  expect(log.find((row) => row.commandId === commandId)).toMatchObject({
    verb: 'extend',
    input: { minutes: 15 },
    canUndo: false,
  });
  await Promise.all([desk.close(), lists.close()]);
});

test('past its booked end a meeting is extended from now on', async () => {
  await start();
  server.clock.advance({ minutes: 70 });
  await extend(10);
  expect(await durationNow()).toBe(80);
  server.clock.advance({ minutes: -70 });
});

test('no meeting becomes longer than the organisation allows, or than a day', async () => {
  await start();
  await allow(90);
  expect(await codeOf(extend(31))).toBe('QUOTA_DURATION');
  await extend(30);
  await allow(null);
  expect(await codeOf(extend(1_440 - 90 + 1))).toBe('QUOTA_DURATION');
  await extend(1_440 - 90);
  expect(await durationNow()).toBe(1_440);
  expect(await codeOf(extend(1))).toBe('QUOTA_DURATION');
});

test('it is not extended into the next meeting hosted by its host or by an invited person', async () => {
  await start();
  const next = await book(server, alice, { startTime: server.clock.in(75) });
  await extend(15);
  const refusal = await extend(5).catch((error: Error) => error);
  expect(refusal).toMatchObject({
    answer: { statusCode: 'ROOM_OR_PERSON_BUSY', message: expect.stringContaining('Alice') as string },
  });
  const own = await book(server, chair, { startTime: server.clock.in(76) });
  expect(await extend(5).catch((error: Error) => error.message)).toContain('Alice, Chair');
  expect(await durationNow()).toBe(75);

  // People of other meetings, people who are only invited to the next one, and cancelled meetings do not prevent it.
  await alice.meetings.cancel({ params: { id: next.meetId }, query: {} });
  await chair.meetings.cancel({ params: { id: own.meetId }, query: {} });
  await book(server, bob, { startTime: server.clock.in(76), participants: invite(server, 'alice', 'chair') });
  await extend(5);
  expect(await durationNow()).toBe(80);
});

test('an extension requires the right, and a running meeting', async () => {
  await start();
  expect(await codeOf(extend(5, alice))).toBe('FORBIDDEN');
  expect(await codeOf(extend(5, bob))).toBe('NOT_FOUND');
  const { sessionToken } = await alice.conferences.join({ body: { numericId: made.numericId } });
  expect(await codeOf(extend(5, clientOf(server, sessionToken)))).toBe('FORBIDDEN');
  expect(await codeOf(extend(0))).toBe('INVALID_INPUT');
  expect(await codeOf(extend(1_441))).toBe('INVALID_INPUT');
  await chair.conferences.end({ params: { meetId: made.meetId } });
  expect(await codeOf(extend(5))).toBe('CONFERENCE_OVER');
});
