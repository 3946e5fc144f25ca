import { memory } from './arena.ts';
import type { PacketQueue } from './packet-queue.ts';
import { PACKET_BYTES } from './slots.ts';

/** The most bytes of padding that a packet gets. */
const MOST = 32;
const PADDED = 0x20;

/**
 * Pads packets of video that wait together to equal sizes, where that takes at most 32 bytes each (RFC 3550 section
 * 5.1): the kernel segments one message only into datagrams of one size, of which the last may be shorter. Packets of
 * one frame differ by few bytes.
 *
 * For packets that are not encrypted yet, and only towards browsers and SDKs: another SFU might forward the padding.
 */
export function padEqually(queue: PacketQueue): void {
  let start = queue.sealed;
  while (start < queue.count) {
    let most = queue.lengthOf(start);
    let least = most;
    let end = start + 1;
    while (end < queue.count && queue.isVideo(start) && queue.isVideo(end)) {
      const length = queue.lengthOf(end);
      if (Math.max(most, length) - Math.min(least, length) > MOST) break;
      most = Math.max(most, length);
      least = Math.min(least, length);
      end += 1;
    }
    // the last of a run may be shorter
    for (let index = start; index < end - 1; index += 1) pad(queue, index, most);
    start = end;
  }
}

function pad(queue: PacketQueue, index: number, size: number): void {
  const at = queue.slots[index]!;
  const length = queue.lengthOf(index);
  if (length >= size || size > PACKET_BYTES || (memory[at]! & PADDED) !== 0) return;
  memory.fill(0, at + length, at + size);
  memory[at + size - 1] = size - length;
  memory[at] = memory[at]! | PADDED;
  queue.setLength(index, size);
}
