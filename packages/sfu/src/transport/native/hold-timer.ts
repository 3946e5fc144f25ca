import { bindings } from './bindings.ts';
import { UvHandle } from './uv-handle.ts';

/**
 * A timer of libuv itself. Node keeps a list of timers for each duration, and makes and deletes it for a timer that is
 * alone and starts hundreds of times a second: that costs more than the calls here.
 */
export class HoldTimer {
  readonly #handle: UvHandle;

  /** @throws Error if libuv refuses */
  constructor(handler: () => void) {
    const { uv } = bindings();
    this.#handle = new UvHandle((handle) => uv.uv_timer_init(uv.uv_default_loop(), handle), handler);
  }

  /** Calls the handler once, after this time in ms. */
  start(ms: number): void {
    bindings().uv.uv_timer_start(this.#handle.address, this.#handle.callbacks.timer, ms, 0);
  }

  /** Once. */
  close(): void {
    this.#handle.close();
  }
}
