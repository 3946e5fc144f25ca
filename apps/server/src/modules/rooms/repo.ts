import { and, asc, count, desc, eq, gt, ilike, inArray, isNull, or, sql, type SQL } from 'drizzle-orm';
import { TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { containing, newId, type TenantTx } from '../../platform/db/index.ts';
import { building, room, roomBooking, type BuildingRow, type RoomRow } from './tables.ts';

export type RoomQuery = Input<typeof contract.rooms.list>['query'];
type BuildingValues = Pick<BuildingRow, 'name' | 'sortName' | 'address' | 'timeZone'>;
type RoomValues = Omit<RoomRow, 'id' | 'tenantId' | 'version' | 'createdAt' | 'deletedAt'>;

const isThere = isNull(room.deletedAt);
/** For the room of the same query. */
const buildingName = sql`(select ${building.name} from ${building} where ${building.id} = ${room.buildingId})`;
const buildingOrder = sql`(select ${building.sortName} from ${building} where ${building.id} = ${room.buildingId})`;

/** The buildings of the tenant, in natural order. */
export function findBuildings(tx: TenantTx): Promise<BuildingRow[]> {
  return tx.find(building, isNull(building.deletedAt), { orderBy: [asc(building.sortName), asc(building.id)] });
}

/**
 * One building; with `lock`, `share` prevents its deletion, and `update` any change, until the end of the transaction.
 */
export function findBuilding(tx: TenantTx, id: string, lock?: 'share' | 'update'): Promise<BuildingRow | undefined> {
  return tx.findOne(building, and(eq(building.id, id), isNull(building.deletedAt)), lock ? { lock } : {});
}

/** Buildings by their ids, including deleted ones. */
export async function buildingsById(tx: TenantTx, ids: readonly string[]): Promise<Map<string, BuildingRow>> {
  const rows = ids.length === 0 ? [] : await tx.find(building, inArray(building.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The number of rooms in each building; buildings without any are missing. */
export async function roomCounts(tx: TenantTx): Promise<Map<string, number>> {
  const rooms = tx.scoped(room);
  const rows = await tx
    .select({ id: rooms.buildingId, n: count() })
    .from(rooms)
    .where(isNull(rooms.deletedAt))
    .groupBy(rooms.buildingId);
  return new Map(rows.map(({ id, n }) => [id, n]));
}

export async function insertBuilding(
  tx: TenantTx,
  values: BuildingValues & Pick<BuildingRow, 'createdAt'>,
): Promise<BuildingRow> {
  const [row] = await tx.insert(building, { id: newId(), ...values });
  if (!row) throw new Error('A new building was lost.');
  return row;
}

/** Changes a building and counts the edit; undefined if `version` is no longer the newest. */
export async function updateBuilding(
  tx: TenantTx,
  id: string,
  version: number,
  values: BuildingValues,
): Promise<BuildingRow | undefined> {
  const [row] = await tx.update(
    building,
    { ...values, version: version + 1 },
    allOf(eq(building.id, id), eq(building.version, version)),
  );
  return row;
}

export async function deleteBuilding(tx: TenantTx, id: string, now: Date): Promise<void> {
  await tx.update(building, { deletedAt: now }, eq(building.id, id));
}

/** One room; with `lock`, it cannot be changed or booked until the end of the transaction. */
export function findRoom(tx: TenantTx, id: string, lock = false): Promise<RoomRow | undefined> {
  return tx.findOne(room, and(eq(room.id, id), isThere), lock ? { lock: 'update' } : {});
}

/** The rooms that may be booked, by building, floor and name. */
export function findBookable(tx: TenantTx): Promise<RoomRow[]> {
  return tx.find(room, and(isThere, eq(room.enabled, true)), {
    orderBy: [asc(room.sortFloor), asc(room.sortName), asc(room.id)],
  });
}

function orderOf({ sort, order }: RoomQuery): SQL[] {
  const direction = order === 'ASC' ? asc : desc;
  const byPlace = [direction(buildingOrder), direction(room.sortFloor), direction(room.sortName), direction(room.id)];
  if (sort === 'building') return byPlace;
  return [direction(sort === 'name' ? room.sortName : room.capacity), ...byPlace];
}

/**
 * One page of rooms, and their number, counted to one past the limit. A keyword is part of a room's or its building's
 * name, or the floor.
 */
export async function listRooms(tx: TenantTx, query: RoomQuery): Promise<{ rows: RoomRow[]; total: number }> {
  const { keyword, buildingId, status, current, size } = query;
  const pattern = keyword && containing(keyword);
  const where = and(
    isThere,
    pattern
      ? or(ilike(room.name, pattern), ilike(room.floor, pattern), sql`${buildingName} ilike ${pattern}`)
      : undefined,
    buildingId === undefined ? undefined : eq(room.buildingId, buildingId),
    status === undefined ? undefined : eq(room.enabled, status === 'enabled'),
  );
  const rows = await tx.find(room, where, { orderBy: orderOf(query), limit: size, offset: (current - 1) * size });
  return { rows, total: await tx.count(room, where, TOTAL_COUNT_LIMIT + 1) };
}

export function countRoomsIn(tx: TenantTx, buildingId: string): Promise<number> {
  return tx.count(room, and(isThere, eq(room.buildingId, buildingId)));
}

export async function insertRoom(tx: TenantTx, values: RoomValues & Pick<RoomRow, 'createdAt'>): Promise<RoomRow> {
  const [row] = await tx.insert(room, { id: newId(), ...values });
  if (!row) throw new Error('A new room was lost.');
  return row;
}

/** Changes a room and counts the edit; undefined if `version` is no longer the newest. */
export async function updateRoom(
  tx: TenantTx,
  id: string,
  version: number,
  values: RoomValues,
): Promise<RoomRow | undefined> {
  const [row] = await tx.update(
    room,
    { ...values, version: version + 1 },
    allOf(eq(room.id, id), eq(room.version, version)),
  );
  return row;
}

export async function deleteRoom(tx: TenantTx, id: string, now: Date): Promise<void> {
  await tx.update(room, { deletedAt: now }, eq(room.id, id));
}

/** How many bookings of a room are not over. */
export function countToCome(tx: TenantTx, roomId: string, now: Date): Promise<number> {
  return tx.count(
    roomBooking,
    and(eq(roomBooking.roomId, roomId), isNull(roomBooking.releasedAt), gt(roomBooking.endTime, now)),
  );
}
