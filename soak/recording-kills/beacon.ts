import { createHash } from 'node:crypto';
import type { LocalTrack } from '@rmeet/participant';

/** A stretch of time, Unix ms by the clock of the machine. */
export interface Span {
  from: number;
  to: number;
}

const SLOT = 1_000;
const LOOK_EVERY = 20;
/** A process that stands still for longer sends what it should not have, or nothing. */
const STILL = 150;

/** Whether the beacon sounds at a time: each second has its own answer, as by a coin. */
export function isLit(unixMs: number): boolean {
  return (
    createHash('md5')
      .update(String(Math.floor(unixMs / SLOT)))
      .digest()[0]! %
      2 ===
    1
  );
}

/** Whether the beacon is the same throughout a stretch. */
export function isSteady({ from, to }: Span): boolean {
  return isLit(from) === isLit(to);
}

/** Turns tones on and off by the seconds of the clock, so that what is heard later says when it was sent. */
export class Beacon {
  readonly #tracks: LocalTrack[] = [];
  /** When the process stood still. */
  readonly stalls: Span[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor() {
    let last = Date.now();
    this.#timer = setInterval(() => {
      const now = Date.now();
      if (now - last > STILL) this.stalls.push({ from: last, to: now });
      last = now;
      const lit = isLit(now);
      for (const track of this.#tracks) track.isSilent = !lit;
    }, LOOK_EVERY);
  }

  add(track: LocalTrack): void {
    this.#tracks.push(track);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
