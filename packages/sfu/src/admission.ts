import { limits } from './limits.ts';
import type { LoadMeter } from './load.ts';
import type { Capacity } from './options.ts';

/** What the rooms of a process amount to. */
interface Present {
  rooms: number;
  participants: number;
}

/** As LiveKit says it (ErrLimitExceeded, rtc/errors.go), and then what it is. */
const FULL = 'node has exceeded its configured limit';

/** What the process still takes on; asked before anything is allocated for it. */
export class Admission {
  /** Takes no new rooms any more: the process ends when the last one is empty. */
  draining = false;
  readonly capacity: Readonly<Required<Capacity>>;
  readonly #meter: LoadMeter;

  constructor(capacity: Capacity, meter: LoadMeter) {
    this.capacity = {
      rooms: limits.rooms,
      participants: limits.participants,
      participantsPerRoom: limits.participantsPerRoom,
      tracksPerParticipant: limits.tracksPerParticipant,
      bitrate: Number.POSITIVE_INFINITY,
      ...capacity,
    };
    this.#meter = meter;
  }

  /** Why no room may be made now; undefined when one may. */
  refusesRoom({ rooms, participants }: Present): string | undefined {
    if (this.draining) return 'this process is being replaced and takes no new rooms';
    if (rooms >= this.capacity.rooms) return `${FULL}: ${this.capacity.rooms} rooms`;
    return this.refusesParticipant({ rooms, participants });
  }

  /** Why nobody more may come into a room that is there; undefined when somebody may. */
  refusesParticipant({ participants }: Present): string | undefined {
    if (participants >= this.capacity.participants) return `${FULL}: ${this.capacity.participants} participants`;
    if (this.#meter.bitrate >= this.capacity.bitrate) return `${FULL}: ${this.capacity.bitrate / 1_000_000} Mbit/s`;
    return undefined;
  }
}
