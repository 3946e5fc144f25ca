import { address } from './arena.ts';
import { bindings, callback } from './bindings.ts';
import { BlockPool } from './slots.ts';

export const UV_POLL = 8;
export const UV_TIMER = 13;

interface Shared {
  blocks: BlockPool;
  blockBytes: number;
  closing: Map<number, number>;
  closed: number;
}

let shared: Shared | undefined;

/** One callback serves all handles: native callbacks exist as long as the process. */
function share(): Shared {
  const { uv } = bindings();
  const closing = new Map<number, number>();
  const largest = Math.max(uv.uv_handle_size(UV_POLL), uv.uv_handle_size(UV_TIMER));
  const blockBytes = Math.ceil(largest / 64) * 64;
  const blocks = new BlockPool(blockBytes, 8, 4096);
  const release = (handle: number): void => {
    const block = closing.get(handle);
    closing.delete(handle);
    if (block !== undefined) blocks.give(block);
  };
  return { blocks, blockBytes, closing, closed: callback(release, 'void', ['uintptr_t']) };
}

/** Memory of one handle of libuv, a poll or a timer of the main thread's loop. */
export class UvHandle {
  readonly address: number;
  readonly #block: number;

  /**
   * @param init the function of libuv that initializes it, which gets its address; 0 is success
   * @throws Error if there are too many, or libuv refuses
   */
  constructor(init: (handle: number) => number) {
    shared ??= share();
    this.#block = shared.blocks.take();
    if (this.#block === 0) throw new Error('too many handles');
    this.address = address(this.#block, shared.blockBytes);
    if (init(this.address) === 0) return;
    shared.blocks.give(this.#block);
    throw new Error('libuv refused a handle');
  }

  /** libuv uses the memory until its close callback. Once. */
  close(): void {
    shared!.closing.set(this.address, this.#block);
    bindings().uv.uv_close(this.address, shared!.closed);
  }
}
