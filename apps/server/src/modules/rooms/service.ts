import { TOTAL_COUNT_LIMIT, type Building, type contract, type Data, type Input, type Room } from '@rmeet/contract';
import { isUniqueViolation, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import { sortKeyOf } from './natural-order.ts';
import { presentBuilding, presentRoom } from './present.ts';
import {
  buildingsById,
  countRoomsIn,
  countToCome,
  deleteBuilding,
  deleteRoom,
  findBookable,
  findBuilding,
  findBuildings,
  findRoom,
  insertBuilding,
  insertRoom,
  listRooms,
  roomCounts,
  updateBuilding,
  updateRoom,
  type RoomQuery,
} from './repo.ts';
import type { BuildingRow, RoomRow } from './tables.ts';

type UserContext = Context<UserCaller>;
type RoomBody = Input<typeof contract.rooms.create>['body'];
type BuildingBody = Input<typeof contract.rooms.createBuilding>['body'];

const ROOM_FIELDS = [
  'name',
  'building',
  'floor',
  'capacity',
  'equipment',
  'opening',
  'releaseMinutes',
  'note',
  'enabled',
] as const satisfies readonly (keyof Room)[];
const BUILDING_FIELDS = ['name', 'address', 'timeZone'] as const satisfies readonly (keyof Building)[];

export interface RoomDeps {
  db: Db;
  now: () => Date;
}

const targetOf = ({ id, name }: RoomRow) => ({ kind: 'room', id, name });
const buildingTarget = ({ id, name }: BuildingRow) => ({ kind: 'building', id, name });
const roomValues = (body: RoomBody) => ({
  ...body,
  equipment: [...new Set(body.equipment)],
  sortName: sortKeyOf(body.name),
  sortFloor: sortKeyOf(body.floor),
});
const buildingValues = (body: BuildingBody) => ({ ...body, sortName: sortKeyOf(body.name) });

/** A room for the audit log, with its building by name. */
const audited = (room: Room) => ({ ...room, building: room.building.name });
const auditedRoom = (room: Room) => Object.fromEntries(ROOM_FIELDS.map((field) => [field, audited(room)[field]]));
const auditedBuilding = (row: BuildingRow) => Object.fromEntries(BUILDING_FIELDS.map((field) => [field, row[field]]));

/** @throws AppError NAME_TAKEN on a unique violation */
async function orNameTaken<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUniqueViolation(error, 'room_name_key') || isUniqueViolation(error, 'building_name_key'))
      throw new AppError('NAME_TAKEN', { name });
    throw error;
  }
}

async function present(tx: TenantTx, rows: readonly RoomRow[]): Promise<Room[]> {
  const buildings = await buildingsById(tx, [...new Set(rows.map((row) => row.buildingId))]);
  return rows.flatMap((row) => {
    const of = buildings.get(row.buildingId);
    return of ? [presentRoom(row, of)] : [];
  });
}

async function presentOne(tx: TenantTx, row: RoomRow): Promise<Room> {
  const [room] = await present(tx, [row]);
  if (!room) throw new Error('A room disappeared while it was presented.');
  return room;
}

async function mustHaveBuilding(tx: TenantTx, id: string): Promise<void> {
  if (!(await findBuilding(tx, id, 'share'))) throw new AppError('BUILDING_UNKNOWN');
}

/** Reads rooms by building and floor, or by list. */
function createRoomReader({ db }: RoomDeps) {
  return {
    /** Buildings without a bookable room are left out. */
    floors: ({ caller }: UserContext): Promise<Data<typeof contract.rooms.floors>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const counts = await roomCounts(tx);
        const rooms = Map.groupBy(await findBookable(tx), (row) => row.buildingId);
        return (await findBuildings(tx)).flatMap((row) => {
          const inside = rooms.get(row.id);
          if (!inside) return [];
          const floors = [...Map.groupBy(inside, ({ floor }) => floor)].map(([floor, list]) => ({
            floor,
            rooms: list.map((one) => presentRoom(one, row)),
          }));
          return [{ building: presentBuilding(row, counts.get(row.id) ?? 0), floors }];
        });
      }),

    list: ({ caller }: UserContext, query: RoomQuery): Promise<Data<typeof contract.rooms.list>> =>
      db.tenant(caller.tenantId, async (tx) => {
        const { rows, total } = await listRooms(tx, query);
        const page = {
          records: await present(tx, rows),
          total: Math.min(total, TOTAL_COUNT_LIMIT),
          current: query.current,
          size: query.size,
        };
        return total > TOTAL_COUNT_LIMIT ? { ...page, totalIsLowerBound: true } : page;
      }),
  };
}

/** Creates, changes and deletes rooms. */
function createRoomEditing({ db, now }: RoomDeps) {
  return {
    /** @throws AppError NAME_TAKEN, BUILDING_UNKNOWN */
    create: (context: UserContext, body: RoomBody): Promise<Room> =>
      orNameTaken(
        body.name,
        db.tenant(context.caller.tenantId, async (tx) => {
          await mustHaveBuilding(tx, body.buildingId);
          const row = await insertRoom(tx, { ...roomValues(body), createdAt: now() });
          const made = await presentOne(tx, row);
          await recordAudit(tx, context, now(), { target: targetOf(row), after: auditedRoom(made) });
          return made;
        }),
      ),

    /**
     * Changes a room. Its bookings stay.
     *
     * @throws AppError NOT_FOUND, NAME_TAKEN, BUILDING_UNKNOWN, CHANGED_MEANWHILE
     */
    update: (context: UserContext, id: string, { version, ...body }: RoomBody & { version: number }): Promise<Room> =>
      orNameTaken(
        body.name,
        db.tenant(context.caller.tenantId, async (tx) => {
          const found = await findRoom(tx, id, true);
          if (!found) throw new AppError('NOT_FOUND');
          await mustHaveBuilding(tx, body.buildingId);
          const before = await presentOne(tx, found);
          const row = await updateRoom(tx, id, version, roomValues(body));
          if (!row) throw new AppError('CHANGED_MEANWHILE');
          const after = await presentOne(tx, row);
          await recordAudit(tx, context, now(), {
            target: targetOf(row),
            ...changed(audited(before), audited(after), ROOM_FIELDS),
          });
          return after;
        }),
      ),

    /** @throws AppError NOT_FOUND, ROOM_BOOKED */
    remove: (context: UserContext, id: string): Promise<void> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const row = await findRoom(tx, id, true);
        if (!row) throw new AppError('NOT_FOUND');
        const toCome = await countToCome(tx, id, now());
        if (toCome > 0) throw new AppError('ROOM_BOOKED', { count: toCome });
        const before = auditedRoom(await presentOne(tx, row));
        await deleteRoom(tx, id, now());
        await recordAudit(tx, context, now(), { target: targetOf(row), before });
      }),
  };
}

/** Buildings. */
function createBuildings({ db, now }: RoomDeps) {
  return {
    buildings: ({ caller }: UserContext): Promise<Building[]> =>
      db.tenant(caller.tenantId, async (tx) => {
        const counts = await roomCounts(tx);
        return (await findBuildings(tx)).map((row) => presentBuilding(row, counts.get(row.id) ?? 0));
      }),

    /** @throws AppError NAME_TAKEN */
    createBuilding: (context: UserContext, body: BuildingBody): Promise<Building> =>
      orNameTaken(
        body.name,
        db.tenant(context.caller.tenantId, async (tx) => {
          const row = await insertBuilding(tx, { ...buildingValues(body), createdAt: now() });
          await recordAudit(tx, context, now(), { target: buildingTarget(row), after: auditedBuilding(row) });
          return presentBuilding(row, 0);
        }),
      ),

    /** @throws AppError NOT_FOUND, NAME_TAKEN, CHANGED_MEANWHILE */
    updateBuilding: (
      context: UserContext,
      id: string,
      { version, ...body }: BuildingBody & { version: number },
    ): Promise<Building> =>
      orNameTaken(
        body.name,
        db.tenant(context.caller.tenantId, async (tx) => {
          const before = await findBuilding(tx, id, 'update');
          if (!before) throw new AppError('NOT_FOUND');
          const row = await updateBuilding(tx, id, version, buildingValues(body));
          if (!row) throw new AppError('CHANGED_MEANWHILE');
          await recordAudit(tx, context, now(), {
            target: buildingTarget(row),
            ...changed(before, row, BUILDING_FIELDS),
          });
          return presentBuilding(row, await countRoomsIn(tx, id));
        }),
      ),

    /** @throws AppError NOT_FOUND, BUILDING_NOT_EMPTY */
    removeBuilding: (context: UserContext, id: string): Promise<void> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const row = await findBuilding(tx, id, 'update');
        if (!row) throw new AppError('NOT_FOUND');
        const rooms = await countRoomsIn(tx, id);
        if (rooms > 0) throw new AppError('BUILDING_NOT_EMPTY', { count: rooms });
        await deleteBuilding(tx, id, now());
        await recordAudit(tx, context, now(), { target: buildingTarget(row), before: auditedBuilding(row) });
      }),
  };
}

/** Buildings and their rooms, for those who manage them. */
export function createRoomService(deps: RoomDeps) {
  return { ...createRoomReader(deps), ...createRoomEditing(deps), ...createBuildings(deps) };
}

export type RoomService = ReturnType<typeof createRoomService>;
