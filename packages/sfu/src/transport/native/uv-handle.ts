import { address } from './arena.ts';
import { bindings, callback } from './bindings.ts';
import { BlockPool } from './slots.ts';

export const UV_POLL = 8;
export const UV_TIMER = 13;

export const READABLE = 1;
export const WRITABLE = 2;

/** Called on the event loop: of a poll with READABLE and WRITABLE as bits, of a timer with 0. */
type UvHandler = (events: number) => void;

interface Shared {
  blocks: BlockPool;
  blockBytes: number;
  handlers: Map<number, UvHandler>;
  closing: Map<number, number>;
  /** Native callbacks: one of each kind serves all handles, because they exist as long as the process. */
  timer: number;
  poll: number;
  closed: number;
}

let shared: Shared | undefined;

function share(): Shared {
  const { uv } = bindings();
  const handlers = new Map<number, UvHandler>();
  const closing = new Map<number, number>();
  const largest = Math.max(uv.uv_handle_size(UV_POLL), uv.uv_handle_size(UV_TIMER));
  const blockBytes = Math.ceil(largest / 64) * 64;
  const blocks = new BlockPool(blockBytes, 8, 4096);
  const release = (handle: number): void => {
    const block = closing.get(handle);
    closing.delete(handle);
    if (block !== undefined) blocks.give(block);
  };
  const due = (handle: number): void => handlers.get(handle)?.(0);
  // an error of the descriptor (status) is found again by the read
  const ready = (handle: number, status: number, events: number): void =>
    handlers.get(handle)?.(status < 0 ? READABLE : events);
  return {
    blocks,
    blockBytes,
    handlers,
    closing,
    timer: callback(due, 'void', ['uintptr_t']),
    poll: callback(ready, 'void', ['uintptr_t', 'int', 'int']),
    closed: callback(release, 'void', ['uintptr_t']),
  };
}

/** One handle of libuv, a poll or a timer of the main thread's loop, with its memory. */
export class UvHandle {
  readonly address: number;
  /** Calls the handler: the argument of uv_timer_start or uv_poll_start. */
  readonly callbacks: { readonly timer: number; readonly poll: number };
  readonly #block: number;

  /**
   * @param init the function of libuv that initializes it, which gets its address; 0 is success
   * @throws Error if there are too many, or libuv refuses
   */
  constructor(init: (handle: number) => number, handler: UvHandler) {
    shared ??= share();
    this.callbacks = shared;
    this.#block = shared.blocks.take();
    if (this.#block === 0) throw new Error('too many handles');
    this.address = address(this.#block, shared.blockBytes);
    if (init(this.address) === 0) {
      shared.handlers.set(this.address, handler);
      return;
    }
    shared.blocks.give(this.#block);
    throw new Error('libuv refused a handle');
  }

  /** libuv uses the memory until its close callback. Once. */
  close(): void {
    shared!.handlers.delete(this.address);
    shared!.closing.set(this.address, this.#block);
    bindings().uv.uv_close(this.address, shared!.closed);
  }
}
