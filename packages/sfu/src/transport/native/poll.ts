import { bindings } from './bindings.ts';
import { READABLE, UvHandle } from './uv-handle.ts';

/** Watches a descriptor by the event loop of the main thread. */
export class Poll {
  readonly #handle: UvHandle;

  /**
   * @param handler called with READABLE and WRITABLE as bits
   * @throws Error if libuv refuses
   */
  constructor(descriptor: number, handler: (events: number) => void) {
    const { uv } = bindings();
    this.#handle = new UvHandle((handle) => uv.uv_poll_init(uv.uv_default_loop(), handle, descriptor), handler);
    this.watch(READABLE);
  }

  /** Selects the events: READABLE, WRITABLE or both. */
  watch(events: number): void {
    bindings().uv.uv_poll_start(this.#handle.address, events, this.#handle.callbacks.poll);
  }

  /** Must be called before the descriptor is closed, and once. */
  close(): void {
    bindings().uv.uv_poll_stop(this.#handle.address);
    this.#handle.close();
  }
}
