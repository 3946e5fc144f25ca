/** A clock that advances only on request. */
export class Clock {
  #time: number;

  constructor(start = Date.now()) {
    this.#time = start;
  }

  readonly now = (): Date => new Date(this.#time);

  advance({ seconds = 0, minutes = 0, hours = 0 }: { seconds?: number; minutes?: number; hours?: number }): void {
    this.#time += ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  }

  /** A time in the future, ISO 8601. */
  in(minutes: number): string {
    return new Date(this.#time + minutes * 60_000).toISOString();
  }
}
