import { limits } from './limits.ts';
import type { LoadMeter } from './load.ts';
import type { Capacity } from './options.ts';

/** Totals over the rooms of a process. */
interface Present {
  rooms: number;
  participants: number;
}

/** LiveKit's wording (ErrLimitExceeded, rtc/errors.go), followed by the limit. */
const FULL = 'node has exceeded its configured limit';

/** Decides whether the process accepts a room or participant, before anything is allocated for it. */
export class Admission {
  /** Rejects new rooms: the process ends when the last one is empty. */
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

  /** Why no room can be created now; undefined if one can. */
  refusesRoom({ rooms, participants }: Present): string | undefined {
    if (this.draining) return 'this process is being replaced and takes no new rooms';
    if (rooms >= this.capacity.rooms) return `${FULL}: ${this.capacity.rooms} rooms`;
    return this.refusesParticipant({ rooms, participants });
  }

  /** Why no participant can join an existing room; undefined if one can. */
  refusesParticipant({ participants }: Present): string | undefined {
    if (participants >= this.capacity.participants) return `${FULL}: ${this.capacity.participants} participants`;
    if (this.#meter.bitrate >= this.capacity.bitrate) return `${FULL}: ${this.capacity.bitrate / 1_000_000} Mbit/s`;
    return undefined;
  }
}
