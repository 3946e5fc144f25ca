import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Meeting } from '@rmeet/contract';
import { meeting as meetings } from '../../src/modules/meetings/tables.ts';
import { roomBooking } from '../../src/modules/rooms/tables.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { makeStore, type Store } from './support/store.ts';

/** Rooms of one building. */
async function roomsOf(server: TestServer) {
  const admin = await signIn(server, 'admin');
  const { id: buildingId } = await admin.rooms.createBuilding({ body: { name: 'Main', timeZone: 'Asia/Shanghai' } });
  let made = 0;
  return async (values: object = {}): Promise<{ id: string; name: string }> =>
    admin.rooms.create({
      body: { name: `Room ${(made += 1)}`, buildingId, floor: '3', capacity: 12, releaseMinutes: 10, ...values },
    });
}

/** A person's notices about a meeting, the oldest first. */
async function toldOf(who: Person, { subject }: Meeting): Promise<string[]> {
  const { records } = await who.notices.list({ query: {} });
  return records
    .filter((row) => row.subject === subject)
    .map(({ kind, rooms }) => `${kind}: ${rooms.join('; ')}`)
    .toReversed();
}

describe('a room without check-in', () => {
  let server: TestServer;
  let [alice, bob, chair]: Person[] = [];
  let addRoom: Awaited<ReturnType<typeof roomsOf>>;
  beforeAll(async () => {
    server = await startTestServer();
    [alice, bob, chair] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob'), signIn(server, 'chair')]);
    addRoom = await roomsOf(server);
  });
  afterAll(() => server.close());
  const who = (person: Person | undefined): Person => {
    if (!person) throw new Error('Nobody is signed in.');
    return person;
  };

  test('is released, with one notice to the host and participants', async () => {
    const [one, kept] = [await addRoom(), await addRoom()];
    const made = await book(server, who(alice), {
      subject: 'Forgotten',
      startTime: server.clock.in(0),
      roomIds: [one.id, kept.id],
      participants: invite(server, 'bob'),
    });
    await who(bob).rooms.checkIn({ body: { meetId: made.meetId, roomId: kept.id } });
    server.clock.advance({ minutes: 10 });
    const centre = await connect(server, { token: who(alice).token }, 'user');
    const released = await Promise.all([server.rounds.releaseRooms(), server.rounds.releaseRooms()]);
    expect(released.reduce((sum, count) => sum + count)).toBe(1);
    await centre.event('noticesChanged');
    await centre.close();
    expect(await toldOf(who(alice), made)).toEqual([`roomReleased: ${kept.name}, Main`]);
    expect((await toldOf(who(bob), made)).at(-1)).toBe(`roomReleased: ${kept.name}, Main`);
    expect(await server.rounds.releaseRooms()).toBe(0);
  });

  test('is released from a local meeting as well, which runs by the clock alone', async () => {
    const one = await addRoom();
    const made = await who(alice).meetings.createLocal({
      body: {
        subject: 'Empty room',
        startTime: server.clock.in(0),
        duration: 60,
        password: '',
        roomIds: [one.id],
        participants: invite(server, 'bob'),
      },
    });
    await server.rounds.lapseMeetings();
    server.clock.advance({ minutes: 10 });
    expect(await server.rounds.releaseRooms()).toBe(1);
    expect(await toldOf(who(alice), made)).toEqual(['roomReleased: ']);
    const { meetId } = await book(server, who(chair), { startTime: server.clock.in(0), roomIds: [one.id] });
    await who(chair).meetings.cancel({ params: { id: meetId }, query: {} });
  });

  test('is reported for that meeting alone if it belongs to a series', async () => {
    const one = await addRoom();
    const first = await who(alice).meetings.createNetwork({
      body: {
        subject: 'Rounds',
        startTime: server.clock.in(0),
        duration: 30,
        password: '4821',
        roomIds: [one.id],
        participants: invite(server, 'bob'),
        recurrence: { rule: 'FREQ=DAILY;COUNT=3' },
      },
    });
    server.clock.advance({ minutes: 10 });
    expect(await server.rounds.releaseRooms()).toBe(1);
    expect(await toldOf(who(alice), first)).toEqual(['roomReleased: ']);
    expect((await toldOf(who(bob), first)).map((text) => text.split(':')[0])).toEqual(['invitation', 'roomReleased']);
    const rows = await server.db.platform((tx) =>
      tx.find(meetings, eq(meetings.seriesId, first.series?.id ?? ''), { orderBy: meetings.startTime }),
    );
    expect(rows.map(({ detached }) => detached)).toEqual([true, false, false]);
    const others = await Promise.all(rows.slice(1).map(({ id }) => who(alice).meetings.detail({ params: { id } })));
    expect(others.map(({ rooms }) => rooms.map(({ id }) => id))).toEqual([[one.id], [one.id]]);
  });

  test('is announced as a change if its host releases it in time, but not after it was used', async () => {
    const [unused, used] = [await addRoom(), await addRoom()];
    const made = await book(server, who(alice), {
      subject: 'Given back',
      startTime: server.clock.in(0),
      roomIds: [unused.id, used.id],
      participants: invite(server, 'bob'),
    });
    const release = (roomId: string) => who(alice).rooms.release({ body: { meetId: made.meetId, roomId } });
    await release(unused.id);
    await who(bob).rooms.checkIn({ body: { meetId: made.meetId, roomId: used.id } });
    server.clock.advance({ minutes: 30 });
    await release(used.id);
    expect((await toldOf(who(bob), made)).at(-1)).toBe(`change: ${used.name}, Main`);
    expect(await toldOf(who(alice), made)).toEqual([]);
  });

  test('is kept by a concurrent check-in, or the check-in is rejected', async () => {
    for (let round = 0; round < 5; round += 1) {
      const one = await addRoom();
      const made = await book(server, who(alice), {
        subject: `Late ${round}`,
        startTime: server.clock.in(0),
        duration: 20,
        roomIds: [one.id],
      });
      server.clock.advance({ minutes: 10 });
      const [answer, released] = await Promise.all([
        codeOf(who(alice).rooms.checkIn({ body: { meetId: made.meetId, roomId: one.id } })),
        server.rounds.releaseRooms(),
      ]);
      const rooms = (await who(alice).meetings.detail({ params: { id: made.meetId } })).rooms.length;
      expect([
        ['OK', 0, 1],
        ['ROOM_NOT_BOOKED', 1, 0],
      ]).toContainEqual([answer, released, rooms]);
    }
  });
});

/** The embedded database can be used by one process only. */
describe('two servers on one database', () => {
  let store: Store;
  let east: TestServer;
  let west: TestServer;
  let addRoom: Awaited<ReturnType<typeof roomsOf>>;
  beforeAll(async () => {
    store = await makeStore();
    east = await startTestServer({ store });
    west = await startTestServer({ store, clock: east.clock, media: east.media });
    addRoom = await roomsOf(east);
  });
  afterAll(async () => {
    await Promise.all([east.close(), west.close()]);
    await store.remove();
  });

  test('release a room once, and announce it once', async () => {
    const alice = await signIn(east, 'alice');
    const rooms = await Promise.all(Array.from({ length: 6 }, () => addRoom()));
    const made = await book(east, alice, {
      subject: 'Twice',
      startTime: east.clock.in(0),
      roomIds: rooms.map(({ id }) => id),
    });
    east.clock.advance({ minutes: 10 });
    const released = await Promise.all([east, west, east, west].map((server) => server.rounds.releaseRooms()));
    expect(released.reduce((sum, count) => sum + count)).toBe(6);
    expect(await toldOf(alice, made)).toHaveLength(6);
  });

  test('refuse a room that another meeting is extended in', async () => {
    const [here, there] = [await signIn(east, 'alice'), await signIn(west, 'bob')];
    for (let round = 0; round < 8; round += 1) {
      const one = await addRoom();
      const made = await book(east, here, { startTime: east.clock.in(0), duration: 30, roomIds: [one.id] });
      await here.conferences.join({ body: { numericId: made.numericId } });
      const answers = await Promise.all([
        codeOf(here.conferences.extend({ params: { id: made.meetId }, query: { delay: '15' } })),
        codeOf(book(west, there, { startTime: west.clock.in(30), duration: 15, roomIds: [one.id] })),
        west.rounds.releaseRooms().then(() => 'OK'),
      ]);
      expect([
        ['OK', 'ROOM_TAKEN', 'OK'],
        ['ROOM_OR_PERSON_BUSY', 'OK', 'OK'],
      ]).toContainEqual(answers);
      const rows = await east.db.platform((tx) =>
        tx.find(roomBooking, eq(roomBooking.roomId, one.id), { orderBy: roomBooking.startTime }),
      );
      expect(rows.map(({ releasedAt }) => releasedAt)).toEqual(answers[0] === 'OK' ? [null] : [null, null]);
      await here.conferences.end({ params: { meetId: made.meetId } });
    }
  });

  test('release a room and extend its meeting in either order', async () => {
    const [here, there] = [await signIn(east, 'alice'), await signIn(west, 'alice')];
    for (let round = 0; round < 8; round += 1) {
      const one = await addRoom();
      const made = await book(east, here, { startTime: east.clock.in(0), duration: 30, roomIds: [one.id] });
      await here.conferences.join({ body: { numericId: made.numericId } });
      east.clock.advance({ minutes: 5 });
      const answers = await Promise.all([
        codeOf(here.conferences.extend({ params: { id: made.meetId }, query: { delay: '15' } })),
        codeOf(there.rooms.release({ body: { meetId: made.meetId, roomId: one.id } })),
      ]);
      expect(answers).toEqual(['OK', 'OK']);
      const [row] = await east.db.platform((tx) => tx.find(roomBooking, eq(roomBooking.roomId, one.id)));
      expect(row).toMatchObject({ releasedAt: east.clock.now(), endTime: east.clock.now() });
      expect(await there.meetings.detail({ params: { id: made.meetId } })).toMatchObject({ duration: 45, rooms: [] });
      await here.conferences.end({ params: { meetId: made.meetId } });
    }
  });
});
