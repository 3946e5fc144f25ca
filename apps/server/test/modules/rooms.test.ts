import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, type Building, type Room } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { meetingGrant } from '../../src/modules/meetings/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { call, codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
let main: Building;
beforeAll(async () => {
  server = await startTestServer();
  [admin, alice, bob, carol, dave] = await Promise.all([
    signIn(server, 'admin'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'carol'),
    signIn(server, 'dave'),
  ]);
  main = await admin.rooms.createBuilding({
    body: { name: 'Main', address: '1 Harbour Road', timeZone: 'Asia/Shanghai' },
  });
});
afterAll(() => server.close());

let made = 0;
const unique = (word: string): string => `${word} ${(made += 1)}`;
const addRoom = (values: object = {}): Promise<Room> =>
  admin.rooms.create({ body: { name: unique('Room'), buildingId: main.id, floor: '3', capacity: 12, ...values } });
const addBuilding = (values: object = {}): Promise<Building> =>
  admin.rooms.createBuilding({ body: { name: unique('Building'), timeZone: 'UTC', ...values } });
const bodyOf = ({
  name,
  building,
  floor,
  capacity,
  equipment,
  opening,
  releaseMinutes,
  note,
  enabled,
  version,
}: Room) => ({
  name,
  buildingId: building.id,
  floor,
  capacity,
  equipment,
  opening,
  releaseMinutes,
  note,
  enabled,
  version,
});
const lastAudit = async (id: string) =>
  (await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, id))))
    .toSorted((a, b) => a.id.localeCompare(b.id))
    .at(-1);

describe('buildings', () => {
  test('are added, changed and deleted, each with its row in the audit log', async () => {
    const one = await addBuilding({ address: 'Old Road' });
    expect(one).toMatchObject({ address: 'Old Road', timeZone: 'UTC', roomCount: 0, version: 1 });
    const two = await admin.rooms.updateBuilding({
      params: { id: one.id },
      body: { name: one.name, address: 'New Road', timeZone: 'Europe/Berlin', version: 1 },
    });
    expect(two).toMatchObject({ address: 'New Road', timeZone: 'Europe/Berlin', version: 2 });
    expect(await lastAudit(one.id)).toMatchObject({
      action: 'rooms.updateBuilding',
      before: { address: 'Old Road', timeZone: 'UTC' },
      after: { address: 'New Road', timeZone: 'Europe/Berlin' },
    });
    expect(
      await codeOf(
        admin.rooms.updateBuilding({ params: { id: one.id }, body: { name: one.name, timeZone: 'UTC', version: 1 } }),
      ),
    ).toBe('CHANGED_MEANWHILE');
    await admin.rooms.removeBuilding({ params: { id: one.id } });
    expect((await alice.rooms.buildings()).map(({ id }) => id)).not.toContain(one.id);
    expect(await codeOf(admin.rooms.removeBuilding({ params: { id: one.id } }))).toBe('NOT_FOUND');
    // The name can be used again.
    await addBuilding({ name: one.name });
  });

  test('have names unique in the tenant, whatever their case', async () => {
    const one = await addBuilding();
    expect(await codeOf(addBuilding({ name: one.name.toUpperCase() }))).toBe('NAME_TAKEN');
    const other = await addBuilding();
    expect(
      await codeOf(
        admin.rooms.updateBuilding({ params: { id: other.id }, body: { name: one.name, timeZone: 'UTC', version: 1 } }),
      ),
    ).toBe('NAME_TAKEN');
    expect((await dave.rooms.createBuilding({ body: { name: one.name, timeZone: 'UTC' } })).name).toBe(one.name);
    expect(await codeOf(addBuilding({ timeZone: 'Mars/Base' }))).toBe('INVALID_INPUT');
  });

  test('cannot be deleted while they contain a room, even a disabled one', async () => {
    const one = await addBuilding();
    const room = await addRoom({ buildingId: one.id, enabled: false });
    const refusal = await admin.rooms.removeBuilding({ params: { id: one.id } }).catch((error: Error) => error.message);
    expect(refusal).toContain('BUILDING_NOT_EMPTY: There are 1 rooms');
    expect((await alice.rooms.buildings()).find(({ id }) => id === one.id)?.roomCount).toBe(1);
    await admin.rooms.remove({ params: { id: room.id } });
    await admin.rooms.removeBuilding({ params: { id: one.id } });
  });

  test('of another tenant do not exist', async () => {
    const body = { name: 'Theirs', timeZone: 'UTC', version: 1 };
    for (const id of [main.id, newId()]) {
      expect(await codeOf(dave.rooms.updateBuilding({ params: { id }, body }))).toBe('NOT_FOUND');
      expect(await codeOf(dave.rooms.removeBuilding({ params: { id } }))).toBe('NOT_FOUND');
      expect(
        await codeOf(dave.rooms.create({ body: { name: 'Theirs', buildingId: id, floor: '1', capacity: 1 } })),
      ).toBe('BUILDING_UNKNOWN');
    }
  });
});

describe('rooms', () => {
  test('are added, changed and deleted, each with its row in the audit log', async () => {
    const opening = { days: [1, 2, 3], from: '08:00', until: '20:00' };
    const one = await addRoom({
      equipment: ['camera', 'display', 'camera'],
      opening,
      releaseMinutes: 15,
      note: 'Key at the desk',
    });
    expect(one).toMatchObject({
      building: { id: main.id, name: 'Main', timeZone: 'Asia/Shanghai' },
      equipment: ['camera', 'display'],
      opening,
      releaseMinutes: 15,
      enabled: true,
      version: 1,
    });
    const other = await addBuilding();
    const two = await admin.rooms.update({
      params: { id: one.id },
      body: { ...bodyOf(one), buildingId: other.id, opening: null },
    });
    expect(two).toMatchObject({ building: { id: other.id }, opening: null, version: 2 });
    expect(await lastAudit(one.id)).toMatchObject({
      action: 'rooms.update',
      before: { building: 'Main', opening },
      after: { building: other.name, opening: null },
    });
    expect(await codeOf(admin.rooms.update({ params: { id: one.id }, body: bodyOf(one) }))).toBe('CHANGED_MEANWHILE');
    expect(
      await codeOf(admin.rooms.update({ params: { id: one.id }, body: { ...bodyOf(two), buildingId: newId() } })),
    ).toBe('BUILDING_UNKNOWN');
    await admin.rooms.remove({ params: { id: one.id } });
    expect(await codeOf(admin.rooms.remove({ params: { id: one.id } }))).toBe('NOT_FOUND');
    expect(await codeOf(admin.rooms.update({ params: { id: one.id }, body: bodyOf(two) }))).toBe('NOT_FOUND');
  });

  test('have names unique in their building, whatever their case', async () => {
    const one = await addRoom();
    expect(await codeOf(addRoom({ name: one.name.toUpperCase() }))).toBe('NAME_TAKEN');
    const elsewhere = await addRoom({ name: one.name, buildingId: (await addBuilding()).id });
    expect(
      await codeOf(
        admin.rooms.update({ params: { id: elsewhere.id }, body: { ...bodyOf(elsewhere), buildingId: main.id } }),
      ),
    ).toBe('NAME_TAKEN');
    await admin.rooms.remove({ params: { id: one.id } });
    await addRoom({ name: one.name });
  });

  test('are listed with numbers in order, page by page', async () => {
    const { id: buildingId } = await addBuilding({ name: 'House 2' });
    for (const [name, floor, capacity] of [
      ['Room 10', '2', 4],
      ['Room 2', '10', 9],
      ['Room 2b', '2', 6],
      ['room 1', '10', 9],
      ['Room 2', '2', 8],
    ] as const) {
      const taken = name === 'Room 2' && floor === '10';
      await addRoom({ name: taken ? 'Room 3' : name, floor, capacity, buildingId });
    }
    const names = async (query: object) =>
      (await admin.rooms.list({ query: { buildingId, ...query } })).records.map((room) => room.name);
    expect(await names({})).toEqual(['Room 2', 'Room 2b', 'Room 10', 'room 1', 'Room 3']);
    expect([
      ...(await names({ size: 2 })),
      ...(await names({ size: 2, current: 2 })),
      ...(await names({ size: 2, current: 3 })),
    ]).toEqual(await names({}));
    expect(await names({ sort: 'name' })).toEqual(['room 1', 'Room 2', 'Room 2b', 'Room 3', 'Room 10']);
    expect(await names({ sort: 'capacity', order: 'DESC' })).toEqual([
      'Room 3',
      'room 1',
      'Room 2',
      'Room 2b',
      'Room 10',
    ]);
    expect(await names({ keyword: 'ROOM 2' })).toEqual(['Room 2', 'Room 2b']);
    expect((await admin.rooms.list({ query: { keyword: 'house 2' } })).total).toBe(5);
  });

  test('GET rooms/query-rooms/floors lists them by building and floor, without disabled ones', async () => {
    const { id: buildingId } = await addBuilding({ name: 'Tower' });
    const [high, low] = [await addRoom({ buildingId, floor: '12' }), await addRoom({ buildingId, floor: '2' })];
    await addRoom({ buildingId, floor: '3', enabled: false });
    const tower = (await alice.rooms.floors()).find(({ building }) => building.id === buildingId);
    expect(tower?.floors.map(({ floor, rooms }) => [floor, rooms.map(({ id }) => id)])).toEqual([
      ['2', [low.id]],
      ['12', [high.id]],
    ]);
    expect(tower?.building.roomCount).toBe(3);
    expect((await admin.rooms.list({ query: { buildingId, status: 'disabled' } })).total).toBe(1);
    await admin.rooms.update({ params: { id: high.id }, body: { ...bodyOf(high), enabled: false } });
    await admin.rooms.remove({ params: { id: low.id } });
    expect((await alice.rooms.floors()).some(({ building }) => building.id === buildingId)).toBe(false);
  });

  test('are managed only by those with the right', async () => {
    const one = await addRoom();
    expect(await codeOf(alice.rooms.list({ query: {} }))).toBe('FORBIDDEN');
    expect(
      await codeOf(alice.rooms.create({ body: { name: 'Mine', buildingId: main.id, floor: '1', capacity: 1 } })),
    ).toBe('FORBIDDEN');
    expect(await codeOf(alice.rooms.remove({ params: { id: one.id } }))).toBe('FORBIDDEN');
    expect(await codeOf(dave.rooms.update({ params: { id: one.id }, body: bodyOf(one) }))).toBe('NOT_FOUND');
    expect(await codeOf(dave.rooms.remove({ params: { id: one.id } }))).toBe('NOT_FOUND');
    expect((await dave.rooms.list({ query: {} })).total).toBe(0);
    expect(await dave.rooms.floors()).toEqual([]);
  });

  test('cannot be deleted while they are booked; past meetings keep their names', async () => {
    const one = await addRoom();
    const meeting = await book(server, alice, { roomIds: [one.id] });
    const refusal = await admin.rooms.remove({ params: { id: one.id } }).catch((error: Error) => error.message);
    expect(refusal).toContain('ROOM_BOOKED: The room is still booked 1 times');
    server.clock.advance({ minutes: 121 });
    await admin.rooms.remove({ params: { id: one.id } });
    expect((await alice.meetings.detail({ params: { id: meeting.meetId } })).rooms).toMatchObject([
      { id: one.id, name: one.name, building: 'Main', floor: '3', checkedIn: false },
    ]);
    server.clock.advance({ minutes: -121 });
    expect(await codeOf(book(server, bob, { startTime: server.clock.in(300), roomIds: [one.id] }))).toBe(
      'ROOM_UNKNOWN',
    );
  });
});

describe('POST rooms/occupancy/room', () => {
  const ask = async (who: Person, roomIds: string[], more: object = {}) =>
    (
      await who.rooms.occupancy({
        body: { roomIds, from: server.clock.in(0), until: server.clock.in(24 * 60), ...more },
      })
    ).map(({ taken }) => taken);

  test('says who has a room, and describes the meeting only to those who may see it', async () => {
    const one = await addRoom();
    const meeting = await book(server, alice, {
      subject: 'Secret',
      roomIds: [one.id],
      participants: invite(server, 'bob'),
    });
    const shown = { startTime: meeting.startTime, endTime: server.clock.in(120), host: 'Alice', checkedIn: false };
    for (const who of [alice, bob, admin])
      expect(await ask(who, [one.id])).toEqual([[{ ...shown, meetId: meeting.meetId, subject: 'Secret' }]]);
    expect(await ask(carol, [one.id])).toEqual([[{ ...shown, meetId: null, subject: null }]]);
    expect(await ask(carol, [one.id], { except: meeting.meetId })).toEqual([[]]);
    const grant = {
      meetingId: meeting.meetId,
      accountId: server.people.get('carol')?.id ?? '',
      grantedBy: 'Alice',
      grantedAt: server.clock.now(),
    };
    await server.db.tenant(server.people.get('carol')?.tenantId ?? '', (tx) => tx.insert(meetingGrant, grant));
    expect(await ask(carol, [one.id])).toEqual([[{ ...shown, meetId: meeting.meetId, subject: 'Secret' }]]);
  });

  test('contains the bookings that overlap the period, room by room in the requested order', async () => {
    const [one, two] = [await addRoom(), await addRoom()];
    await book(server, alice, { startTime: server.clock.in(60), duration: 60, roomIds: [one.id, two.id] });
    await book(server, alice, { startTime: server.clock.in(120), duration: 30, roomIds: [two.id] });
    const count = async (from: number, until: number) =>
      (await ask(bob, [two.id, one.id], { from: server.clock.in(from), until: server.clock.in(until) })).map(
        (taken) => taken.length,
      );
    expect(await count(0, 1_440)).toEqual([2, 1]);
    expect(await count(0, 60)).toEqual([0, 0]);
    expect(await count(119, 121)).toEqual([2, 1]);
    expect(await count(120, 180)).toEqual([1, 0]);
  });

  test('of foreign and unknown rooms is empty, and a period is at most 32 days', async () => {
    const one = await addRoom();
    await book(server, alice, { roomIds: [one.id] });
    expect(await ask(dave, [one.id, newId()])).toEqual([[], []]);
    expect(await codeOf(ask(alice, [one.id], { until: server.clock.in(33 * 24 * 60) }))).toBe('INVALID_INPUT');
    expect(await codeOf(ask(alice, [one.id], { until: server.clock.in(0) }))).toBe('INVALID_INPUT');
    expect(
      (
        await call(server, contract.rooms.occupancy, {
          body: { roomIds: [one.id], from: server.clock.in(0), until: server.clock.in(60) },
        })
      ).statusCode,
    ).toBe('UNAUTHORIZED');
  });
});
