import { randomInt } from 'node:crypto';
import { memory } from './arena.ts';
import { AF_INET, ipv4Offset } from './socket-address.ts';

const CELLS = 1024;
/** Per second and at once, from one address (or /64 of IPv6): an office of hundreds joins within a second. */
const ADDRESS_RATE = 1000;
const ADDRESS_BURST = 3000;
/** From all unknown addresses together. */
const TOTAL_RATE = 20_000;
const TOTAL_BURST = 40_000;

/**
 * Limits on datagrams from addresses that no peer has verified yet, by buckets in fixed memory: neither a lookup by
 * name nor a signature is computed for what is above. Addresses may share a bucket by chance.
 */
export class StrangerLimits {
  readonly #tokens = new Float64Array(CELLS + 1).fill(ADDRESS_BURST);
  readonly #at = new Float64Array(CELLS + 1);
  readonly #seed = randomInt(2 ** 30);

  constructor() {
    this.#tokens[CELLS] = TOTAL_BURST;
  }

  /** Counts one datagram from the socket address at `nameAt`. Returns false if it is to be ignored. */
  allows(nameAt: number, nowMs: number): boolean {
    const isAllowed = this.#take(this.#cell(nameAt), ADDRESS_RATE, ADDRESS_BURST, nowMs);
    return isAllowed && this.#take(CELLS, TOTAL_RATE, TOTAL_BURST, nowMs);
  }

  #cell(nameAt: number): number {
    const v4 = ipv4Offset(nameAt);
    const from = v4 === 0 ? nameAt + 8 : v4;
    const bytes = v4 !== 0 || memory[nameAt] === AF_INET ? 4 : 8;
    let hash = this.#seed;
    for (let index = from; index < from + bytes; index += 1) {
      hash = Math.imul(hash ^ memory[index]!, 0x0100_0193);
      hash ^= hash >>> 15;
    }
    return (hash >>> 5) % CELLS;
  }

  #take(cell: number, rate: number, burst: number, nowMs: number): boolean {
    const passed = Math.max(0, nowMs - this.#at[cell]!) / 1000;
    const tokens = Math.min(burst, this.#tokens[cell]! + passed * rate);
    this.#at[cell] = nowMs;
    const isAllowed = tokens >= 1;
    this.#tokens[cell] = isAllowed ? tokens - 1 : tokens;
    return isAllowed;
  }
}
