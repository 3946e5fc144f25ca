import { bindings, callback } from './bindings.ts';
import { UvHandle } from './uv-handle.ts';

export const READABLE = 1;
export const WRITABLE = 2;

/** Called on the event loop with READABLE and WRITABLE as bits. */
type PollHandler = (events: number) => void;

const handlers = new Map<number, PollHandler>();
let ready: number | undefined;

/** The callback of all polls: native callbacks exist as long as the process. */
function readyCallback(): number {
  // an error of the descriptor (status) is found again by the read
  ready ??= callback((handle, status, events) => handlers.get(handle)?.(status < 0 ? READABLE : events), 'void', [
    'uintptr_t',
    'int',
    'int',
  ]);
  return ready;
}

/** Watches a descriptor by the event loop of the main thread. */
export class Poll {
  readonly #handle: UvHandle;

  /** @throws Error if libuv refuses */
  constructor(descriptor: number, handler: PollHandler) {
    const { uv } = bindings();
    this.#handle = new UvHandle((handle) => uv.uv_poll_init(uv.uv_default_loop(), handle, descriptor));
    handlers.set(this.#handle.address, handler);
    this.watch(READABLE);
  }

  /** Selects the events: READABLE, WRITABLE or both. */
  watch(events: number): void {
    bindings().uv.uv_poll_start(this.#handle.address, events, readyCallback());
  }

  /** Must be called before the descriptor is closed, and once. */
  close(): void {
    bindings().uv.uv_poll_stop(this.#handle.address);
    handlers.delete(this.#handle.address);
    this.#handle.close();
  }
}
