import { and, asc, desc, eq, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { NO_ROOM, TOTAL_COUNT_LIMIT, type contract, type Input } from '@rmeet/contract';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, searchPage, type TenantTx } from '../../platform/db/index.ts';
import { building, room } from '../rooms/tables.ts';
import { registeredTerminal, type TerminalRow } from './tables.ts';

export type TerminalQuery = Input<typeof contract.terminals.list>['query'];
export type TerminalFilter = Input<typeof contract.terminals.export>['query'];
/** The fields of a terminal that people set. */
export type TerminalValues = Pick<
  TerminalRow,
  'name' | 'address' | 'kind' | 'roomId' | 'zone' | 'department' | 'note' | 'enabled'
>;
/** A room as shown in a terminal. */
export interface RoomName {
  id: string;
  name: string;
  building: string;
}

/** Rows per statement; each takes a dozen parameters, of which there may be 65,535. */
const BATCH = 1_000;
const FOUND_BY = [registeredTerminal.name, registeredTerminal.address] as const;

/** The key for comparing addresses: case-insensitive. */
export const addressKeyOf = (address: string): string => address.toLowerCase();

function* batchesOf<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += BATCH) yield items.slice(at, at + BATCH);
}

export function findTerminals(tx: TenantTx, ids: readonly string[]): Promise<TerminalRow[]> {
  return tx.find(registeredTerminal, inArray(registeredTerminal.id, [...ids]));
}

/** The terminal that has the address, case-insensitive. */
export function findByAddress(tx: TenantTx, address: string): Promise<TerminalRow | undefined> {
  return tx.findOne(registeredTerminal, eq(registeredTerminal.addressKey, addressKeyOf(address)));
}

/** The registered ones among the addresses, by their keys. */
export async function findByAddresses(tx: TenantTx, keys: readonly string[]): Promise<Map<string, TerminalRow>> {
  const found = new Map<string, TerminalRow>();
  for (const batch of batchesOf(keys)) {
    for (const row of await tx.find(registeredTerminal, inArray(registeredTerminal.addressKey, batch)))
      found.set(row.addressKey, row);
  }
  return found;
}

/** The existing rooms with these ids, including disabled ones; without ids, all rooms of the tenant. */
export async function findRoomNames(tx: TenantTx, ids?: readonly string[]): Promise<RoomName[]> {
  if (ids?.length === 0) return [];
  const [rooms, buildings] = [tx.scoped(room), tx.scoped(building)];
  return tx
    .select({ id: rooms.id, name: rooms.name, building: sql<string>`${buildings.name}`.as('building_name') })
    .from(rooms)
    .innerJoin(buildings, eq(buildings.id, rooms.buildingId))
    .where(and(isNull(rooms.deletedAt), ids && inArray(rooms.id, [...ids])));
}

/** Whether its room still exists. */
const inRoom = sql`exists (select 1 from ${room} where ${room.id} = ${registeredTerminal.roomId} and
  ${room.deletedAt} is null)`;

function placed(roomId: string): SQL {
  return roomId === NO_ROOM ? sql`not ${inRoom}` : allOf(eq(registeredTerminal.roomId, roomId), inRoom);
}

/** The filter without its keyword. */
function filtered(
  { kind, roomId, status }: Pick<TerminalFilter, 'kind' | 'roomId' | 'status'>,
  isManager: boolean,
): SQL {
  const conditions = [
    kind && eq(registeredTerminal.kind, kind),
    roomId && placed(roomId),
    status && eq(registeredTerminal.enabled, status === 'enabled'),
    isManager ? undefined : eq(registeredTerminal.enabled, true),
  ];
  return and(...conditions.filter((condition) => condition !== undefined && condition !== '')) ?? sql`true`;
}

function orderOf({ sort, order }: Pick<TerminalFilter, 'sort' | 'order'>): SQL[] {
  const direction = order === 'ASC' ? asc : desc;
  // Terminals that were never seen count as absent for the longest time.
  if (sort === 'lastSeenAt') {
    return [
      order === 'ASC'
        ? sql`${registeredTerminal.lastSeenAt} asc nulls first`
        : sql`${registeredTerminal.lastSeenAt} desc nulls last`,
      direction(registeredTerminal.id),
    ];
  }
  return [direction(registeredTerminal[sort]), direction(registeredTerminal.id)];
}

async function inOrder(tx: TenantTx, ids: readonly string[]): Promise<TerminalRow[]> {
  if (ids.length === 0) return [];
  const rows = new Map((await findTerminals(tx, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/**
 * One page of terminals, and their number, counted to one past the limit. Callers who are not managers see only enabled
 * ones.
 */
export async function listTerminals(
  tx: TenantTx,
  query: TerminalQuery,
  isManager: boolean,
): Promise<{ rows: TerminalRow[]; total: number }> {
  const where = filtered(query, isManager);
  const page = { orderBy: orderOf(query), limit: query.size, offset: (query.current - 1) * query.size };
  if (!query.keyword)
    return {
      rows: await tx.find(registeredTerminal, where, page),
      total: await tx.count(registeredTerminal, where, TOTAL_COUNT_LIMIT + 1),
    };
  const { ids, total } = await searchPage(tx, FOUND_BY, query.keyword, { where, ...page });
  return { rows: await inOrder(tx, ids), total };
}

/** Terminals that meet the filter, ordered by address, after the one with this key; at most `size`. */
export async function terminalsAfter(
  tx: TenantTx,
  filter: TerminalFilter,
  after: string,
  size: number,
): Promise<TerminalRow[]> {
  const where = allOf(filtered(filter, true), gt(registeredTerminal.addressKey, after));
  const orderBy = [asc(registeredTerminal.addressKey)];
  if (!filter.keyword) return tx.find(registeredTerminal, where, { orderBy, limit: size });
  return inOrder(tx, (await searchPage(tx, FOUND_BY, filter.keyword, { where, orderBy, limit: size })).ids);
}

export async function insertTerminal(tx: TenantTx, values: TerminalValues, createdAt: Date): Promise<TerminalRow> {
  const [row] = await tx.insert(registeredTerminal, {
    id: newId(),
    ...values,
    addressKey: addressKeyOf(values.address),
    createdAt,
  });
  if (!row) throw new Error('A terminal was not inserted.');
  return row;
}

/** Changes a terminal and counts the edit; undefined if `version` is no longer the newest. */
export async function updateTerminal(
  tx: TenantTx,
  id: string,
  version: number,
  values: TerminalValues,
): Promise<TerminalRow | undefined> {
  const set = { ...values, addressKey: addressKeyOf(values.address), version: version + 1 };
  const [row] = await tx.update(
    registeredTerminal,
    set,
    allOf(eq(registeredTerminal.id, id), eq(registeredTerminal.version, version)),
  );
  return row;
}

export async function deleteTerminals(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await tx.delete(registeredTerminal, inArray(registeredTerminal.id, [...ids]));
}

/** Adds the terminals whose addresses are new and changes the others, counting the edit. */
export async function putTerminals(tx: TenantTx, terminals: readonly TerminalValues[], createdAt: Date): Promise<void> {
  const given = (column: string): SQL => sql.raw(`excluded."${column}"`);
  const set = {
    name: given('name'),
    address: given('address'),
    kind: given('kind'),
    roomId: given('room_id'),
    zone: given('zone'),
    department: given('department'),
    note: given('note'),
    enabled: given('enabled'),
    version: sql`${registeredTerminal.version} + 1`,
  };
  for (const batch of batchesOf(terminals)) {
    const rows = batch.map((values) =>
      Object.assign({ id: newId(), addressKey: addressKeyOf(values.address), createdAt }, values),
    );
    await tx.insert(registeredTerminal, rows, {
      target: [registeredTerminal.tenantId, registeredTerminal.addressKey],
      set,
    });
  }
}
