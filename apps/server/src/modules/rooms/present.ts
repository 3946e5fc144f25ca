import type { Building, Room } from '@rmeet/contract';
import type { BuildingRow, RoomRow } from './tables.ts';

export function presentBuilding({ id, name, address, timeZone, version }: BuildingRow, roomCount: number): Building {
  return { id, name, address, timeZone, roomCount, version };
}

export function presentRoom(row: RoomRow, { id, name, timeZone }: BuildingRow): Room {
  return {
    id: row.id,
    name: row.name,
    building: { id, name, timeZone },
    floor: row.floor,
    capacity: row.capacity,
    equipment: row.equipment,
    opening: row.opening,
    releaseMinutes: row.releaseMinutes,
    note: row.note,
    enabled: row.enabled,
    version: row.version,
  };
}
