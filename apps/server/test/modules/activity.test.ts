import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, type Person } from './support/client.ts';
import { Clock } from './support/clock.ts';
import { bookLive } from './support/live.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let dave: Person;
beforeAll(async () => {
  // In the morning, so that it is still the same day hours later.
  server = await startTestServer({ clock: new Clock(Date.UTC(2026, 10, 10, 8)) });
  [alice, bob, dave] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob'), signIn(server, 'dave')]);
});
afterAll(() => server.close());

/** A person's current meetings, counted from midnight two days ago. */
const on = (who: Person) => who.meetings.activity({ query: { startDate: '2026-11-08T00:00:00Z' } });
const counted = (meetingCount: number) => ({ meetingCount, lessonCount: 0, liveCount: 0 });

test('GET meetings/activity counts running meetings and those of today, for host and participants only', async () => {
  expect(await on(alice)).toEqual(counted(0));
  const today = await book(server, alice, { participants: invite(server, 'bob') });
  const tomorrow = await book(server, alice, {
    startTime: server.clock.in(24 * 60),
    participants: invite(server, 'bob'),
  });
  for (const who of [alice, bob]) expect(await on(who)).toEqual(counted(1));
  expect(await on(dave)).toEqual(counted(0));
  const running = await book(server, alice, { startTime: server.clock.in(0) });
  await alice.meetings.start({ params: { id: running.meetId }, body: { early: true } });
  expect([await on(alice), await on(bob)]).toEqual([counted(2), counted(1)]);
  await alice.conferences.end({ params: { meetId: running.meetId } });
  for (const { meetId } of [today, tomorrow]) await alice.meetings.cancel({ params: { id: meetId }, query: {} });
  expect([await on(alice), await on(bob)]).toEqual([counted(0), counted(0)]);
});

test('GET meetings/activity counts a meeting that began two days ago and still runs, and none older', async () => {
  const long = await book(server, bob, { startTime: server.clock.in(0), duration: 1_440 });
  await bob.meetings.start({ params: { id: long.meetId }, body: { early: true } });
  expect(await on(bob)).toEqual(counted(1));
  expect(await bob.meetings.activity({ query: { startDate: '2026-11-11T00:00:00Z' } })).toEqual(counted(0));
  await bob.conferences.end({ params: { meetId: long.meetId } });
});

test('GET meetings/activity counts live meetings by themselves, until their broadcast is over', async () => {
  const chair = await signIn(server, 'chair');
  const count = async (who: Person) => {
    const { meetingCount, liveCount } = await on(who);
    return [meetingCount, liveCount];
  };
  const [meetings] = await count(chair);
  const { meetId, numericId } = await bookLive(server, chair, {}, { participants: invite(server, 'carol') });
  expect([await count(chair), await on(await signIn(server, 'carol'))]).toEqual([
    [meetings, 1],
    { meetingCount: 0, lessonCount: 0, liveCount: 1 },
  ]);
  await chair.conferences.join({ body: { numericId } });
  const act = (action: 'START' | 'END') => chair.broadcasts.act({ params: { id: meetId }, body: { action } });
  await act('START');
  expect(await count(chair)).toEqual([meetings, 1]);
  await act('END');
  expect(await count(chair)).toEqual([meetings, 0]);
});
