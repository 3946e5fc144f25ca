import { schedule } from './wheel.ts';

/** How often arrivals are told, in ms; browsers do it each 50 to 250 ms. */
const INTERVAL = 100;
/** Arrivals remembered, a power of two: more than come in one interval. */
const REMEMBERED = 16_384;
const MAX_STATUSES = 8_000;

/** A packet of transport-wide feedback being written: statuses two bits each, then the times between arrivals. */
interface Told {
  statuses: Uint8Array;
  deltas: number[];
}

function writeChunks({ statuses }: Told, into: number[]): void {
  for (let at = 0; at < statuses.length;) {
    let run = 1;
    while (run < 0x1fff && at + run < statuses.length && statuses[at + run] === statuses[at]) run++;
    if (run >= 7) {
      into.push((statuses[at]! << 5) | (run >> 8), run & 0xff);
      at += run;
    } else {
      let chunk = 0xc000;
      for (let i = 0; i < 7; i++) chunk |= (statuses[at + i] ?? 0) << (12 - 2 * i);
      into.push(chunk >> 8, chunk & 0xff);
      at += 7;
    }
  }
}

/**
 * Tells a sender when its packets arrived, as browsers do (draft-holmer-rmcat-transport-wide-cc-extensions-01): numbers
 * come in a header extension and run over all streams of a connection.
 */
export class TransportFeedback {
  #arrivals = new Float64Array(REMEMBERED);
  /** The next number to tell of and the highest that came, counted on past 65,535; negative before the first. */
  #next = -1;
  #highest = -1;
  #count = 0;
  #stop: () => void;

  constructor(send: (packet: Buffer) => void) {
    this.#stop = schedule(performance.now() + INTERVAL * (1 + Math.random()), (now) => {
      for (let packet = this.report(); packet; packet = this.report()) send(packet);
      return now + INTERVAL;
    });
  }

  /** A packet with this number came, `now` in ms. */
  received(number: number, now: number): void {
    if (this.#highest < 0) this.#next = this.#highest = number + 0x10000;
    const distance = ((number - this.#highest) << 16) >> 16;
    const full = this.#highest + distance;
    // What was told to be missing stays so.
    if (full < this.#next) return;
    if (full - this.#next >= REMEMBERED) this.#forget(full);
    if (full > this.#highest) this.#highest = full;
    this.#arrivals[full & (REMEMBERED - 1)] = now;
  }

  #forget(from: number): void {
    this.#arrivals.fill(0);
    this.#next = from;
  }

  /** The next packet of feedback; undefined when nothing came since the last. */
  report(): Buffer | undefined {
    if (this.#highest < this.#next || this.#next < 0) return undefined;
    const count = Math.min(MAX_STATUSES, this.#highest - this.#next + 1);
    const base = this.#next;
    const reference = Math.floor((this.#firstArrival(base, count) ?? 0) / 64);
    const told: Told = { statuses: new Uint8Array(count), deltas: [] };
    let clock = reference * 256;
    for (let i = 0; i < count; i++) {
      const slot = (base + i) & (REMEMBERED - 1);
      const arrival = this.#arrivals[slot]!;
      if (arrival === 0) continue;
      this.#arrivals[slot] = 0;
      const delta = Math.max(-0x8000, Math.min(0x7fff, Math.round(arrival * 4) - clock));
      clock += delta;
      const small = delta >= 0 && delta <= 0xff;
      told.statuses[i] = small ? 1 : 2;
      if (small) told.deltas.push(delta);
      else told.deltas.push((delta >> 8) & 0xff, delta & 0xff);
    }
    this.#next = base + count;
    const chunks: number[] = [];
    writeChunks(told, chunks);
    const packet = Buffer.alloc(20 + Math.ceil((chunks.length + told.deltas.length) / 4) * 4);
    packet[0] = 0x80 | 15;
    packet[1] = 205;
    packet.writeUInt16BE(packet.length / 4 - 1, 2);
    packet.writeUInt32BE(1, 4);
    packet.writeUInt16BE(base & 0xffff, 12);
    packet.writeUInt16BE(count, 14);
    packet.writeUIntBE(reference & 0xffffff, 16, 3);
    packet[19] = this.#count++ & 0xff;
    packet.set(chunks, 20);
    packet.set(told.deltas, 20 + chunks.length);
    return packet;
  }

  #firstArrival(base: number, count: number): number | undefined {
    for (let i = 0; i < count; i++) {
      const arrival = this.#arrivals[(base + i) & (REMEMBERED - 1)]!;
      if (arrival !== 0) return arrival;
    }
    return undefined;
  }

  close(): void {
    this.#stop();
  }
}
