import { randomInt } from 'node:crypto';
import { words } from './arena.ts';

/** What is found by its socket address. */
export interface Addressed {
  /** The socket address in the arena. */
  readonly nameAt: number;
  /** See AddressTable.hash. */
  readonly hash: number;
}

/**
 * A hash table by socket address. A Map would need a string or a heap number for each packet received.
 *
 * Linear probing; entries after a removed one are moved up, so that there are no tombstones.
 */
export class AddressTable<T extends Addressed> {
  readonly #nameWords: number;
  /** Senders cannot choose addresses that collide. */
  readonly #seed = randomInt(2 ** 30);
  #cells: (T | undefined)[] = Array.from({ length: 64 });
  #size = 0;

  /** @param nameBytes bytes of a socket address, see `nameBytes` */
  constructor(nameBytes: number) {
    this.#nameWords = nameBytes >>> 2;
  }

  get size(): number {
    return this.#size;
  }

  /** The hash of the socket address at `nameAt`, below 2^30. */
  hash(nameAt: number): number {
    const start = nameAt >>> 2;
    let hash = this.#seed;
    for (let index = start; index < start + this.#nameWords; index += 1) {
      hash = Math.imul(hash ^ words[index]!, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return hash >>> 2;
  }

  find(nameAt: number): T | undefined {
    const mask = this.#cells.length - 1;
    for (let cell = this.hash(nameAt) & mask; ; cell = (cell + 1) & mask) {
      const entry = this.#cells[cell];
      if (entry === undefined || this.#equal(entry.nameAt, nameAt)) return entry;
    }
  }

  /** Adds an entry whose address is not in the table. */
  add(entry: T): void {
    if (this.#size * 2 >= this.#cells.length) {
      const old = this.#cells;
      this.#cells = Array.from({ length: old.length * 2 });
      for (const moved of old) if (moved) this.#place(moved);
    }
    this.#place(entry);
    this.#size += 1;
  }

  /** Removes an entry if it is in the table. */
  remove(entry: T): void {
    const mask = this.#cells.length - 1;
    let hole = entry.hash & mask;
    while (this.#cells[hole] !== entry) {
      if (this.#cells[hole] === undefined) return;
      hole = (hole + 1) & mask;
    }
    this.#size -= 1;
    for (let cell = (hole + 1) & mask; ; cell = (cell + 1) & mask) {
      const next = this.#cells[cell];
      if (next === undefined) break;
      // an entry may move up to the hole unless its own cell lies behind the hole
      if (((cell - (next.hash & mask)) & mask) < ((cell - hole) & mask)) continue;
      this.#cells[hole] = next;
      hole = cell;
    }
    this.#cells[hole] = undefined;
  }

  #place(entry: T): void {
    const mask = this.#cells.length - 1;
    let cell = entry.hash & mask;
    while (this.#cells[cell] !== undefined) cell = (cell + 1) & mask;
    this.#cells[cell] = entry;
  }

  #equal(one: number, other: number): boolean {
    const start = one >>> 2;
    const shift = (other >>> 2) - start;
    for (let index = start; index < start + this.#nameWords; index += 1)
      if (words[index] !== words[index + shift]) return false;
    return true;
  }
}
