/** A network in virtual time: packets are lost, late, doubled and overtaken as a seed says, and nothing waits. */

interface Event {
  at: number;
  order: number;
  fn: (() => void) | undefined;
}

/** A clock that jumps to the next event. */
export class VirtualClock {
  #now = 0;
  #order = 0;
  readonly #heap: Event[] = [];

  readonly now = (): number => Math.trunc(this.#now);

  readonly setTimer = (fn: () => void, ms: number): { cancel(): void } => {
    const event: Event = { at: this.#now + ms, order: this.#order++, fn };
    this.#push(event);
    return {
      cancel: () => {
        event.fn = undefined;
      },
    };
  };

  /** Milliseconds with fractions. */
  get exact(): number {
    return this.#now;
  }

  /** Runs events until the condition holds (true), or until `limitMs` have passed or nothing is left (false). */
  runUntil(condition: () => boolean, limitMs: number): boolean {
    const end = this.#now + limitMs;
    while (!condition()) {
      const next = this.#heap[0];
      if (next === undefined || next.at > end) {
        this.#now = end;
        return false;
      }
      this.#pop();
      this.#now = Math.max(this.#now, next.at);
      next.fn?.();
    }
    return true;
  }

  run(ms: number): void {
    this.runUntil(() => false, ms);
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, heap[parent]!)) {
        break;
      }
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) {
      return;
    }
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) {
        break;
      }
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) {
        child++;
      }
      if (!isBefore(heap[child]!, last)) {
        break;
      }
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** Numbers from 0 to below 1 that a seed repeats (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Bytes, with all headers. */
const FULL_PACKET = 1250;

export interface LinkOptions {
  /** One way. */
  delayMs?: number;
  /** Added to the delay at random; packets overtake each other. */
  jitterMs?: number;
  /** 0 to 1. */
  loss?: number;
  duplicates?: number;
  bitsPerSecond?: number;
  /** Packets that come while this many of 1,250 bytes wait are dropped. */
  queuePackets?: number;
  seed?: number;
}

/** One direction. Delivers copies of the packets. */
export class SimulatedLink {
  readonly options: LinkOptions;
  sent = 0;
  lost = 0;
  bytes = 0;
  /** Dropped instead of carried when true. */
  isCut = false;
  readonly #clock: VirtualClock;
  readonly #random: () => number;
  readonly #deliver: (packet: Buffer) => void;
  #freeAt = 0;

  constructor(clock: VirtualClock, options: LinkOptions, deliver: (packet: Buffer) => void) {
    this.#clock = clock;
    this.options = options;
    this.#random = seededRandom(options.seed ?? 1);
    this.#deliver = deliver;
  }

  send(packet: Uint8Array): void {
    const { delayMs = 20, jitterMs = 0, loss = 0, duplicates = 0, bitsPerSecond, queuePackets = 1000 } = this.options;
    this.sent++;
    this.bytes += packet.length;
    const now = this.#clock.exact;
    let leavesAt = now;
    if (bitsPerSecond !== undefined) {
      const packetMs = ((packet.length + 60) * 8000) / bitsPerSecond;
      if (this.#freeAt > now + (queuePackets * FULL_PACKET * 8000) / bitsPerSecond) {
        this.lost++;
        return;
      }
      leavesAt = Math.max(now, this.#freeAt) + packetMs;
      this.#freeAt = leavesAt;
    }
    if (this.isCut || this.#random() < loss) {
      this.lost++;
      return;
    }
    const copies = this.#random() < duplicates ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const bytes = Buffer.from(packet);
      const wait = leavesAt - now + delayMs + this.#random() * jitterMs;
      this.#clock.setTimer(() => this.#deliver(bytes), wait);
    }
  }
}
