import type { OutgoingMessage } from './outbox.ts';

/** States of a chunk that has a TSN. */
export const SentState = { inFlight: 0, lost: 1, acked: 2, abandoned: 3 } as const;

const FEWEST = 16;
const MOST = 8192;
/** Larger arrays are given back when nothing is in flight. */
const MOST_IDLE = 512;

/**
 * The chunks from the first that is not acknowledged cumulatively to the last that has a TSN, as arrays of numbers by
 * `slot(tsn)`. They grow with the flight, up to a bound, and nothing is allocated for a chunk.
 */
export class Flight {
  /** The first TSN that is not acknowledged cumulatively, and the next new one: signed 32 bits. */
  first: number;
  next: number;
  /** Payload bytes in flight, and chunks that are lost and wait to be sent again. */
  bytes = 0;
  lost = 0;
  message: (OutgoingMessage | undefined)[] = Array.from({ length: FEWEST });
  state = new Uint8Array(FEWEST);
  /** How often the chunk was sent. */
  sends = new Uint16Array(FEWEST);
  /** In the message. */
  offset = new Int32Array(FEWEST);
  length = new Int32Array(FEWEST);
  /** Index in the message. */
  fragment = new Int32Array(FEWEST);
  /** Number of the packet that carried the chunk last, and when it left. */
  order = new Int32Array(FEWEST);
  sentAt = new Float64Array(FEWEST);
  #mask = FEWEST - 1;

  constructor(initialTsn: number) {
    this.first = initialTsn | 0;
    this.next = initialTsn | 0;
  }

  slot(tsn: number): number {
    return tsn & this.#mask;
  }

  get count(): number {
    return (this.next - this.first) | 0;
  }

  get isFull(): boolean {
    return this.count >= MOST;
  }

  /** Gives the next TSN to bytes of a message; its slot. */
  push(message: OutgoingMessage, length: number): number {
    if (this.count > this.#mask) this.#resize(2 * (this.#mask + 1));
    const slot = this.slot(this.next);
    this.next = (this.next + 1) | 0;
    this.message[slot] = message;
    this.state[slot] = SentState.inFlight;
    this.sends[slot] = 0;
    this.offset[slot] = message.sent;
    this.length[slot] = length;
    this.fragment[slot] = message.fragments;
    this.bytes += length;
    message.sent += length;
    message.fragments++;
    return slot;
  }

  /** Removes the first chunk, which is acknowledged or abandoned. */
  shift(): void {
    this.message[this.slot(this.first)] = undefined;
    this.first = (this.first + 1) | 0;
    if (this.first === this.next && this.#mask >= MOST_IDLE) this.#resize(FEWEST);
  }

  /** Changes the state, and the sums with it. */
  set(slot: number, state: number): void {
    const before = this.state[slot];
    if (before === state) return;
    if (before === SentState.inFlight) this.bytes -= this.length[slot]!;
    else if (before === SentState.lost) this.lost--;
    if (state === SentState.inFlight) this.bytes += this.length[slot]!;
    else if (state === SentState.lost) this.lost++;
    this.state[slot] = state;
  }

  clear(): void {
    this.message.fill(undefined);
    this.first = this.next;
    this.bytes = 0;
    this.lost = 0;
  }

  /** New arrays; each chunk moves to its slot under the new mask. */
  #resize(size: number): void {
    const { message, state, sends, offset, length, fragment, order, sentAt } = this;
    const mask = this.#mask;
    this.#mask = size - 1;
    this.message = Array.from({ length: size });
    this.state = new Uint8Array(size);
    this.sends = new Uint16Array(size);
    this.offset = new Int32Array(size);
    this.length = new Int32Array(size);
    this.fragment = new Int32Array(size);
    this.order = new Int32Array(size);
    this.sentAt = new Float64Array(size);
    for (let tsn = this.first; tsn !== this.next; tsn = (tsn + 1) | 0) {
      const from = tsn & mask;
      const to = this.slot(tsn);
      this.message[to] = message[from];
      this.state[to] = state[from]!;
      this.sends[to] = sends[from]!;
      this.offset[to] = offset[from]!;
      this.length[to] = length[from]!;
      this.fragment[to] = fragment[from]!;
      this.order[to] = order[from]!;
      this.sentAt[to] = sentAt[from]!;
    }
  }
}
