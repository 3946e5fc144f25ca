import { slots } from './slots.ts';

const VIDEO = 0x1_0000;
const LENGTH = 0xffff;

/** Encrypts one packet in place. */
export interface Sealer {
  /** Returns its new length; 0 if it cannot be sent. */
  seal(at: number, length: number): number;
}

/**
 * Packets that wait to be sent to one peer, oldest first: slots and lengths in typed arrays whose capacity is kept. (A
 * JavaScript array that is emptied by `length = 0` allocates its store again each time.)
 */
export class PacketQueue {
  /** Offsets of the slots in the arena. */
  slots = new Int32Array(8);
  #sizes = new Int32Array(8);
  count = 0;
  /** How many of the first packets are padded and encrypted. */
  sealed = 0;
  /** How many of the first packets were given to the kernel in the current flush. */
  done = 0;
  /** Whether the queue is in the hub's list of those that wait. */
  isWaiting = false;
  /** Whether a packet waits that must not be held. */
  isUrgent = false;

  push(slot: number, length: number, isVideo: boolean): void {
    if (this.count === this.slots.length) this.#grow();
    this.slots[this.count] = slot;
    this.#sizes[this.count] = isVideo ? length | VIDEO : length;
    this.count += 1;
  }

  /** Bytes of the packet with this index. */
  lengthOf(index: number): number {
    return this.#sizes[index]! & LENGTH;
  }

  setLength(index: number, length: number): void {
    this.#sizes[index] = (this.#sizes[index]! & ~LENGTH) | length;
  }

  isVideo(index: number): boolean {
    return (this.#sizes[index]! & VIDEO) !== 0;
  }

  /** Encrypts the packets that are not yet; those that cannot be are dropped. */
  seal(sealer: Sealer): void {
    let kept = this.sealed;
    for (let index = this.sealed; index < this.count; index += 1) {
      const slot = this.slots[index]!;
      const size = this.#sizes[index]!;
      const length = sealer.seal(slot, size & LENGTH);
      if (length === 0) {
        slots.give(slot);
        continue;
      }
      this.slots[kept] = slot;
      this.#sizes[kept] = (size & ~LENGTH) | length;
      kept += 1;
    }
    this.count = kept;
    this.sealed = kept;
  }

  /** Removes the first `done` packets and releases their slots. */
  removeDone(): void {
    const { done } = this;
    if (done === 0) return;
    for (let index = 0; index < done; index += 1) slots.give(this.slots[index]!);
    if (done < this.count) {
      this.slots.copyWithin(0, done, this.count);
      this.#sizes.copyWithin(0, done, this.count);
    }
    this.count -= done;
    this.sealed = Math.max(0, this.sealed - done);
    this.done = 0;
  }

  /** Drops the oldest packet of video. Returns false if there is none. */
  dropVideo(): boolean {
    for (let index = 0; index < this.count; index += 1) {
      if (!this.isVideo(index)) continue;
      slots.give(this.slots[index]!);
      this.slots.copyWithin(index, index + 1, this.count);
      this.#sizes.copyWithin(index, index + 1, this.count);
      this.count -= 1;
      if (index < this.sealed) this.sealed -= 1;
      return true;
    }
    return false;
  }

  clear(): void {
    this.done = this.count;
    this.removeDone();
    this.isUrgent = false;
  }

  #grow(): void {
    const [before, sizes] = [this.slots, this.#sizes];
    this.slots = new Int32Array(before.length * 2);
    this.slots.set(before);
    this.#sizes = new Int32Array(before.length * 2);
    this.#sizes.set(sizes);
  }
}
