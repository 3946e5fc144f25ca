import { memory, reserve } from './arena.ts';

const MOST = 2048;
const scratch = reserve(MOST);
const views: (Buffer | undefined)[] = Array.from({ length: MOST + 1 });

/**
 * A received packet as a Buffer, valid until the next call: a copy in a place for which there is one Buffer of each
 * length. A new Buffer for each packet would cost more than the copy.
 */
export function packetView(at: number, length: number): Buffer {
  memory.copyWithin(scratch, at, at + length);
  return (views[length] ??= memory.subarray(scratch, scratch + length));
}
