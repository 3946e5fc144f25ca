import type { Rooms } from './rooms/rooms.ts';

/** How busy the process is, for whoever spreads rooms over several (`/status`). */
export interface Status {
  /** Weight of what is here: one per participant, four per room for those to come, one per hundredth of a core. */
  load: number;
  /** Takes no new rooms any more. */
  draining: boolean;
  /** Whether the room asked for is here. */
  room: boolean;
}

const EVERY_MS = 1000;
/** Share of the newest second in the mean. */
const NEWEST = 0.3;
const ROOM_WEIGHT = 4;

/** The process' CPU time, as a mean over the last seconds. */
export class CpuMeter {
  /** Cores in use; more than 1 with the threads of the native side. */
  cores = 0;
  #used = process.cpuUsage();
  #at = performance.now();
  readonly #timer = setInterval(() => this.#measure(), EVERY_MS).unref();

  stop(): void {
    clearInterval(this.#timer);
  }

  #measure(): void {
    const used = process.cpuUsage();
    const at = performance.now();
    const micros = used.user + used.system - this.#used.user - this.#used.system;
    this.cores += NEWEST * (micros / 1000 / (at - this.#at) - this.cores);
    this.#used = used;
    this.#at = at;
  }
}

export function statusOf(rooms: Rooms, cpu: CpuMeter, name: string): Status {
  const participants = rooms.all.reduce((sum, room) => sum + room.participants.size, 0);
  return {
    load: Math.round(participants + ROOM_WEIGHT * rooms.all.length + 100 * cpu.cores),
    draining: false,
    room: name !== '' && rooms.find(name) !== undefined,
  };
}
