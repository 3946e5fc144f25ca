/**
 * Executes only the last of many calls, once no further one has followed for a while (ms): moving a slider by pointer
 * or keys sends one command.
 */
export class DebouncedCall {
  readonly #rest: number;
  #waiting: { timer: ReturnType<typeof setTimeout>; call: () => void } | null = null;

  constructor(rest: number) {
    this.#rest = rest;
  }

  /** Replaces the pending call. */
  next(call: () => void): void {
    this.forget();
    this.#waiting = { call, timer: setTimeout(() => this.flush(), this.#rest) };
  }

  /** Executes the pending call immediately, if there is one. */
  flush(): void {
    const waiting = this.#waiting;
    this.forget();
    waiting?.call();
  }

  /** Discards the pending call. */
  forget(): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting.timer);
    this.#waiting = null;
  }
}
