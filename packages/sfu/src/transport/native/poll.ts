import { address } from './arena.ts';
import { bindings, callback } from './bindings.ts';
import { BlockPool } from './slots.ts';

const UV_POLL = 8;
export const READABLE = 1;
export const WRITABLE = 2;

/** Called on the event loop with READABLE and WRITABLE as bits. */
type PollHandler = (events: number) => void;

interface Shared {
  loop: number;
  /** Memory of handles; libuv uses it until the handle's close callback. */
  blocks: BlockPool;
  handlers: Map<number, PollHandler>;
  closing: Map<number, number>;
  ready: number;
  closed: number;
}

let shared: Shared | undefined;

/** One callback serves all handles: native callbacks exist as long as the process. */
function share(): Shared {
  const { uv } = bindings();
  const handlers = new Map<number, PollHandler>();
  const closing = new Map<number, number>();
  const blocks = new BlockPool(Math.ceil(uv.uv_handle_size(UV_POLL) / 64) * 64, 8, 4096);
  return {
    loop: uv.uv_default_loop(),
    blocks,
    handlers,
    closing,
    // an error of the descriptor (status) is found again by the read
    ready: callback((handle, status, events) => handlers.get(handle)?.(status < 0 ? READABLE : events), 'void', [
      'uintptr_t',
      'int',
      'int',
    ]),
    closed: callback(
      (handle) => {
        const block = closing.get(handle);
        closing.delete(handle);
        if (block !== undefined) blocks.give(block);
      },
      'void',
      ['uintptr_t'],
    ),
  };
}

/** Watches a descriptor by the event loop of the main thread. */
export class Poll {
  readonly #block: number;
  readonly #handle: number;

  /** @throws Error if libuv refuses */
  constructor(descriptor: number, handler: PollHandler) {
    shared ??= share();
    const { uv } = bindings();
    this.#block = shared.blocks.take();
    if (this.#block === 0) throw new Error('too many sockets');
    this.#handle = address(this.#block, 64);
    if (uv.uv_poll_init(shared.loop, this.#handle, descriptor) !== 0) {
      shared.blocks.give(this.#block);
      throw new Error('uv_poll_init failed');
    }
    shared.handlers.set(this.#handle, handler);
    this.watch(READABLE);
  }

  /** Selects the events: READABLE, WRITABLE or both. */
  watch(events: number): void {
    bindings().uv.uv_poll_start(this.#handle, events, shared!.ready);
  }

  /** Must be called before the descriptor is closed, and once. */
  close(): void {
    const { uv } = bindings();
    uv.uv_poll_stop(this.#handle);
    shared!.handlers.delete(this.#handle);
    shared!.closing.set(this.#handle, this.#block);
    uv.uv_close(this.#handle, shared!.closed);
  }
}
