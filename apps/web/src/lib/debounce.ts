/**
 * Of many calls in a row the last one: it is made once nothing more has come for a while (ms). What slides, or is moved
 * by keys, becomes one command so.
 */
export class DebouncedCall {
  readonly #rest: number;
  #waiting: { timer: ReturnType<typeof setTimeout>; call: () => void } | null = null;

  constructor(rest: number) {
    this.#rest = rest;
  }

  /** Puts a call in the place of the one that waits. */
  next(call: () => void): void {
    this.forget();
    this.#waiting = { call, timer: setTimeout(() => this.flush(), this.#rest) };
  }

  /** Makes the call that waits at once, if there is one. */
  flush(): void {
    const waiting = this.#waiting;
    this.forget();
    waiting?.call();
  }

  /** The call that waits is not made. */
  forget(): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting.timer);
    this.#waiting = null;
  }
}
