import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq, isNull } from 'drizzle-orm';
import type { Meeting } from '@rmeet/contract';
import { conference } from '../../src/modules/conferences/tables.ts';
import { moveMeeting } from '../../src/modules/meetings/index.ts';
import { MEETING_MOVES, transition, type MeetingMove } from '../../src/modules/meetings/status.ts';
import { meeting, type MeetingRow } from '../../src/modules/meetings/tables.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let made: Meeting;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
  made = await book(server, alice, {
    startTime: server.clock.in(0),
    duration: 60,
    participants: invite(server, 'bob'),
  });
});
afterEach(async () => {
  const at = server.clock.now();
  await server.db.platform((tx) =>
    tx.update(conference, { endedAt: at, endReason: 'ended' }, isNull(conference.endedAt)),
  );
  server.media.restart();
});

const tenantId = () => server.people.get('alice')?.tenantId ?? '';
const detail = () => alice.meetings.detail({ params: { id: made.meetId } });
const status = async () => (await detail()).status;
const set = (values: Partial<MeetingRow>) =>
  server.db.platform((tx) => tx.update(meeting, values, eq(meeting.id, made.meetId)));
const conferences = () => server.db.platform((tx) => tx.count(conference, eq(conference.meetingId, made.meetId)));

/** Rounds of the reconciler over a period of time; they fail if the engine does not answer. */
async function passing(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    server.clock.advance({ seconds: 1 });
    await server.tick().catch((error: unknown) => expect(String(error)).toContain('away'));
  }
}

describe('a meeting that is opened', () => {
  test('is connecting until the media engine has its room; then it runs', async () => {
    server.media.isFailing = true;
    expect(await codeOf(alice.meetings.start({ params: { id: made.meetId }, body: { early: true } }))).toBe(
      'MEDIA_UNAVAILABLE',
    );
    expect(await detail()).toMatchObject({
      status: 'PENDING',
      can: { edit: false, cancel: false, start: false, join: true, end: true },
    });
    expect((await alice.meetings.list({ query: { scope: 'running' } })).records.map(({ meetId }) => meetId)).toContain(
      made.meetId,
    );
    expect((await alice.meetings.list({ query: { scope: 'past' } })).records.map(({ meetId }) => meetId)).not.toContain(
      made.meetId,
    );
    server.media.isFailing = false;
    expect((await bob.conferences.join({ body: { numericId: made.numericId } })).state).toBe('admitted');
    expect(await status()).toBe('ONLINE');
    expect(await conferences()).toBe(1);
  });

  test('is taken over by the reconciler if a crash interrupts this', async () => {
    server.media.isFailing = true;
    await codeOf(alice.meetings.start({ params: { id: made.meetId }, body: { early: true } }));
    server.media.isFailing = false;
    await server.tick();
    expect(await status()).toBe('ONLINE');
  });

  test('is booked again if the engine creates no room for a while, and opens later', async () => {
    server.media.isFailing = true;
    await codeOf(alice.meetings.start({ params: { id: made.meetId }, body: { early: true } }));
    await passing(19);
    expect(await status()).toBe('PENDING');
    server.media.isUp = false;
    await passing(1);
    expect(await detail()).toMatchObject({ status: 'SCHEDULE', can: { edit: true, start: true } });
    server.media.restart();
    expect(await alice.meetings.start({ params: { id: made.meetId }, body: { early: true } })).toMatchObject({
      status: 'ONLINE',
    });
    expect(await conferences()).toBe(2);
  });

  test('can be ended while it connects', async () => {
    server.media.isFailing = true;
    await codeOf(alice.meetings.start({ params: { id: made.meetId }, body: { early: true } }));
    await alice.conferences.end({ params: { meetId: made.meetId } });
    expect(await status()).toBe('OFFLINE');
  });
});

describe('a meeting whose media is lost', () => {
  const join = () => alice.conferences.join({ body: { numericId: made.numericId } });

  test('is abnormal after five seconds, not before, and recovers by itself', async () => {
    const { termId } = await join();
    server.media.connect(termId);
    await server.tick();
    server.media.isUp = false;
    await passing(5);
    expect(await status()).toBe('ONLINE');
    await passing(1);
    expect(await detail()).toMatchObject({
      status: 'ABNORMAL',
      terminalCount: 1,
      can: { edit: false, cancel: false, end: true },
    });
    expect((await alice.meetings.list({ query: { scope: 'running' } })).records.map(({ meetId }) => meetId)).toContain(
      made.meetId,
    );
    expect(
      (await alice.meetings.activity({ query: { startDate: server.clock.in(-2 * 24 * 60 - 60) } })).meetingCount,
    ).toBeGreaterThan(0);
    expect(await codeOf(bob.conferences.join({ body: { numericId: made.numericId } }))).toBe('MEDIA_UNAVAILABLE');
    server.media.restart();
    await passing(1);
    expect(await status()).toBe('ONLINE');
  });

  test('stays unchanged if its room is created again within a second', async () => {
    await join();
    await server.tick();
    server.media.restart();
    await passing(10);
    expect(await status()).toBe('ONLINE');
  });

  test('is over past its end if it is empty, and ten minutes later in any case', async () => {
    const host = await join();
    server.media.connect(host.termId);
    await server.tick();
    server.media.isFailing = true;
    await passing(7);
    expect(await status()).toBe('ABNORMAL');
    server.clock.advance({ minutes: 60 });
    await passing(1);
    expect(await status()).toBe('ABNORMAL');
    await clientOf(server, host.sessionToken).conferences.leave({ params: { meetId: made.meetId } });
    await passing(1);
    expect(await status()).toBe('OFFLINE');

    server.media.restart();
    made = await book(server, alice, { startTime: server.clock.in(0), duration: 30 });
    await join();
    server.media.isUp = false;
    await passing(7);
    server.clock.advance({ minutes: 30 });
    await passing(1);
    expect(await status()).toBe('ABNORMAL');
    server.clock.advance({ minutes: 10 });
    await passing(1);
    expect(await status()).toBe('OFFLINE');
  });

  test('can be ended by its host', async () => {
    await join();
    server.media.isUp = false;
    await passing(7);
    await alice.conferences.end({ params: { meetId: made.meetId } });
    expect(await status()).toBe('OFFLINE');
  });
});

describe('a meeting that requires approval', () => {
  test.each(['waiting', 'refused'] as const)('cannot be opened while it is %s', async (approval) => {
    await set({ approval });
    expect((await detail()).can).toMatchObject({ start: false, join: false });
    expect(await codeOf(alice.meetings.start({ params: { id: made.meetId }, body: { early: true } }))).toBe(
      'MEETING_NOT_APPROVED',
    );
    expect(await codeOf(alice.conferences.join({ body: { numericId: made.numericId } }))).toBe('MEETING_NOT_APPROVED');
    const guest = (password: string) =>
      clientOf(server).conferences.join({ body: { numericId: made.numericId, name: 'Guest', password } });
    expect([await codeOf(guest('0000')), await codeOf(guest('4821'))]).toEqual([
      'MEETING_PASSWORD_WRONG',
      'MEETING_NOT_APPROVED',
    ]);
    expect(await conferences()).toBe(0);
    await set({ approval: 'approved' });
    expect(await alice.meetings.start({ params: { id: made.meetId }, body: { early: true } })).toMatchObject({
      status: 'ONLINE',
    });
  });
});

describe('a local meeting', () => {
  beforeEach(() =>
    set({ type: 'LOCAL_MEETING', startTime: new Date(server.clock.in(5)), endTime: new Date(server.clock.in(65)) }),
  );

  test('starts and ends by the clock', async () => {
    expect(await status()).toBe('SCHEDULE');
    await server.rounds.lapseMeetings();
    expect(await status()).toBe('SCHEDULE');
    server.clock.advance({ minutes: 5 });
    await server.rounds.lapseMeetings();
    expect(await detail()).toMatchObject({
      status: 'ONLINE',
      can: { edit: false, cancel: false, start: false, join: false, end: false },
    });
    server.clock.advance({ minutes: 60 });
    await server.rounds.lapseMeetings();
    expect(await status()).toBe('OFFLINE');
  });

  test('that was never started is over at its end, and an unapproved one never starts', async () => {
    await set({ approval: 'waiting' });
    server.clock.advance({ minutes: 30 });
    await server.rounds.lapseMeetings();
    expect(await status()).toBe('SCHEDULE');
    server.clock.advance({ minutes: 35 });
    await server.rounds.lapseMeetings();
    expect(await status()).toBe('OFFLINE');
  });

  test('has no conference to open', async () => {
    expect(await codeOf(alice.meetings.start({ params: { id: made.meetId }, body: { early: true } }))).toBe(
      'MEETING_IS_LOCAL',
    );
    expect(await codeOf(alice.conferences.join({ body: { numericId: made.numericId } }))).toBe('MEETING_IS_LOCAL');
  });
});

test('a number refers to its running meeting, else to the next one', async () => {
  const { number } = (await server.db.platform((tx) => tx.findOne(meeting, eq(meeting.id, made.meetId)))) as MeetingRow;
  await set({ status: 'OFFLINE' });
  const others = await Promise.all(
    [120, 60, 180].map((minutes) => book(server, alice, { startTime: server.clock.in(minutes) })),
  );
  for (const { meetId } of others)
    await server.db.platform((tx) => tx.update(meeting, { number }, eq(meeting.id, meetId)));
  const found = async () => (await alice.meetings.numeric({ params: { id: number } })).meetId;
  expect(await found()).toBe(others[1]?.meetId);
  for (const held of ['PENDING', 'ABNORMAL', 'ONLINE'] as const) {
    await server.db.platform((tx) => tx.update(meeting, { status: held }, eq(meeting.id, others[2]?.meetId ?? '')));
    expect(await found()).toBe(others[2]?.meetId);
  }
});

/** An endless sequence of small numbers, the same for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test('two concurrent writers never cause a transition that the table forbids', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = randomOf(seed);
    await set({ status: 'SCHEDULE', cancelledAt: null });
    let before: MeetingRow['status'] = 'SCHEDULE';
    for (let step = 0; step < 12; step++) {
      const moves = [0, 1].map(() => MEETING_MOVES[random(MEETING_MOVES.length)] as MeetingMove);
      const done = await Promise.all(
        moves.map((move) =>
          server.db.tenant(tenantId(), (tx) => moveMeeting(tx, made.meetId, move, server.clock.now())),
        ),
      );
      const row = (await server.db.platform((tx) => tx.findOne(meeting, eq(meeting.id, made.meetId)))) as MeetingRow;
      // In any order, each move that took place started in a state of the table, and the final status is the end of the
      // last one.
      const taken = moves.filter((_, at) => done[at] !== undefined);
      const orders = taken.length === 2 ? [taken, taken.toReversed()] : [taken];
      const ends = orders.map((order) =>
        order.reduce<MeetingRow['status'] | null>(
          (at, move) => (at !== null && transition(move).from.includes(at) ? transition(move).to : null),
          before,
        ),
      );
      expect(ends, `${before}, ${moves.join(' and ')}, seed ${seed}`).toContain(row.status);
      before = row.status;
    }
  }
});
