import { reserve } from './arena.ts';

/** Bytes of a slot: one packet, protected. */
export const SLOT_BYTES = 1536;
/** The largest packet before protection. */
export const PACKET_BYTES = 1500;
const CHUNK = 256;
const MOST = 16_384;

/**
 * Equal blocks of the arena, made in chunks when they are needed and kept for reuse. One pool serves all sockets of the
 * process.
 */
export class BlockPool {
  readonly #blockBytes: number;
  readonly #chunk: number;
  readonly #most: number;
  #free: Int32Array;
  #count = 0;
  #made = 0;

  /**
   * @param blockBytes a multiple of 16
   * @param chunk blocks made together
   */
  constructor(blockBytes: number, chunk: number, most: number) {
    this.#blockBytes = blockBytes;
    this.#chunk = chunk;
    this.#most = most;
    this.#free = new Int32Array(chunk);
  }

  /** Blocks that are in use. */
  get used(): number {
    return this.#made - this.#count;
  }

  /** Takes a block; returns its offset in the arena, 0 if there is none left. Its bytes are undefined. */
  take(): number {
    if (this.#count === 0 && !this.#make()) return 0;
    this.#count -= 1;
    return this.#free[this.#count]!;
  }

  /** Returns a block that nothing uses any more. */
  give(at: number): void {
    this.#free[this.#count] = at;
    this.#count += 1;
  }

  #make(): boolean {
    const count = Math.min(this.#chunk, this.#most - this.#made);
    if (count === 0) return false;
    const first = reserve(count * this.#blockBytes);
    this.#made += count;
    if (this.#made > this.#free.length) this.#free = new Int32Array(Math.max(this.#made, 2 * this.#free.length));
    for (let index = 0; index < count; index += 1) this.#free[index] = first + index * this.#blockBytes;
    this.#count = count;
    return true;
  }
}

/** Outgoing packets. */
export const slots = new BlockPool(SLOT_BYTES, CHUNK, MOST);
