import type { SctpOptions, Timer } from './options.ts';

function defaultTimer(fn: () => void, ms: number): Timer {
  const timer = setTimeout(fn, ms).unref();
  return { cancel: () => clearTimeout(timer) };
}

/** Whole milliseconds, so that the engine stores it without a heap object. */
export function defaultNow(): number {
  return Math.trunc(performance.now());
}

/**
 * The one timer of an association. A due time that moves back (every SACK moves T3) costs nothing: the timer fires once
 * at the old time and starts again.
 */
export class Alarm {
  readonly #now: () => number;
  readonly #setTimer: (fn: () => void, ms: number) => Timer;
  readonly #ring: () => void;
  #timer: Timer | undefined;
  #firesAt = Infinity;
  #dueAt = Infinity;

  constructor(now: () => number, setTimer: SctpOptions['setTimer'], ring: () => void) {
    this.#now = now;
    this.#setTimer = setTimer ?? defaultTimer;
    this.#ring = ring;
  }

  /** Rings at this time of `now`; Infinity: never. */
  set(at: number): void {
    this.#dueAt = at;
    if (at < this.#firesAt) {
      this.#timer?.cancel();
      this.#start();
    }
  }

  cancel(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#firesAt = Infinity;
    this.#dueAt = Infinity;
  }

  #start(): void {
    this.#firesAt = this.#dueAt;
    this.#timer = this.#setTimer(() => this.#fire(), Math.max(0, Math.ceil(this.#dueAt - this.#now())));
  }

  #fire(): void {
    this.#timer = undefined;
    this.#firesAt = Infinity;
    if (this.#dueAt <= this.#now()) {
      this.#dueAt = Infinity;
      this.#ring();
    } else if (this.#dueAt !== Infinity) {
      this.#start();
    }
  }
}
