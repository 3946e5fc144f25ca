import type { LoadMeter } from './load.ts';
import type { Rooms } from './rooms/rooms.ts';

/** The state of a process at `/status?room=`, for placing rooms on several processes. */
export interface Status {
  /** Its weight: one per participant, four per room for later participants, one per hundredth of a core. */
  load: number;
  /** False while it is replaced, and at its limits. */
  takesRooms: boolean;
  /** Whether the requested room is here. */
  room: boolean;
}

const ROOM_WEIGHT = 4;

export function statusOf(rooms: Rooms, meter: LoadMeter, name: string): Status {
  const { all } = rooms;
  const participants = all.reduce((sum, room) => sum + room.participants.size, 0);
  return {
    load: Math.round(participants + ROOM_WEIGHT * all.length + 100 * meter.cores),
    takesRooms: rooms.roomRefusal === undefined,
    room: name !== '' && rooms.find(name) !== undefined,
  };
}
