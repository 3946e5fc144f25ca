import { sortKeyOf } from '../modules/rooms/index.ts';
import { building, room, type RoomRow } from '../modules/rooms/tables.ts';
import { newId, type PlatformTx } from '../platform/db/index.ts';

const BUILDING = { name: '门诊楼', address: '海港路 1 号', timeZone: 'Asia/Shanghai' };

type DemoRoom = Pick<RoomRow, 'name' | 'floor' | 'capacity' | 'equipment'> &
  Partial<Pick<RoomRow, 'opening' | 'releaseMinutes' | 'note'>>;

/** The rooms that demo meetings take are open at any time, for the demo begins at any. */
const demoRooms: readonly DemoRoom[] = [
  { name: '201 会议室', floor: '2', capacity: 8, equipment: ['display', 'whiteboard'] },
  { name: '202 会议室', floor: '2', capacity: 12, equipment: ['display', 'camera', 'microphone'], releaseMinutes: 15 },
  {
    name: '报告厅',
    floor: '10',
    capacity: 180,
    equipment: ['projector', 'microphone', 'interpretation', 'wheelchair'],
    opening: { days: [1, 2, 3, 4, 5], from: '08:00', until: '20:00' },
  },
];

/** One building and its rooms; answers the rooms' ids by their names. */
export async function addRooms(tx: PlatformTx, tenantId: string, createdAt: Date): Promise<Map<string, string>> {
  const buildingId = newId();
  await tx.insert(building, { id: buildingId, tenantId, ...BUILDING, sortName: sortKeyOf(BUILDING.name), createdAt });
  const rows = await tx.insert(
    room,
    demoRooms.map((demo) =>
      Object.assign(
        {
          id: newId(),
          tenantId,
          buildingId,
          sortName: sortKeyOf(demo.name),
          sortFloor: sortKeyOf(demo.floor),
          createdAt,
        },
        demo,
      ),
    ),
  );
  return new Map(rows.map(({ name, id }) => [name, id]));
}
