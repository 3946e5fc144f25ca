/**
 * Transport-wide congestion control: the feedback message of draft-holmer-rmcat-transport-wide-cc-extensions-01,
 * written for publishers and read from subscribers.
 */
import { sequenceDistance } from '../packet.ts';

const TRANSPORT_FEEDBACK = 205;
const FORMAT = 15;
const HEADER = 20;
/** Arrivals stored until they are reported. A power of two. */
const SIZE = 2048;
/** Packets in one message at most. */
const MAX_STATUSES = 600;
/** Receive deltas count quarters of a millisecond, the reference time 64 ms. */
const TICKS_PER_MS = 4;
const REFERENCE_MS = 64;
const REFERENCE_WRAP = 2 ** 24;

const scratch = Buffer.alloc(HEADER + MAX_STATUSES * 4 + 4);
const symbols = new Uint8Array(MAX_STATUSES);
const deltas = new Int16Array(MAX_STATUSES);

/** Arrival times of the packets of one sender, by transport-wide sequence number, until they are reported. */
export class ArrivalLog {
  /** Arrival in ms by sequence number; 0: not arrived. Made when the first packet comes. */
  #arrivals = new Float64Array(0);
  /** The first number to report, and the highest one; counted without wrapping, -1 before the first. */
  #next = -1;
  #highest = -1;
  #feedbacks = 0;
  #reportedAt = 0;
  #ssrc = 0;

  /** The hot path: a packet with this number arrived. */
  received(sequence: number, ssrc: number, nowMs: number): void {
    this.#ssrc = ssrc;
    if (this.#highest < 0) {
      this.#arrivals = new Float64Array(SIZE);
      // one circle up, so that packets overtaken by the first one do not get negative numbers
      this.#next = sequence + 0x10000;
      this.#highest = this.#next;
    } else {
      const ahead = sequenceDistance(this.#highest & 0xffff, sequence);
      const number = this.#highest + ahead;
      if (ahead > 0) this.#advance(number);
      else if (this.#highest - number >= SIZE) return;
      // reported as lost already: reported again, as the draft allows
      else if (number < this.#next) this.#next = number;
    }
    this.#arrivals[sequence & (SIZE - 1)] = nowMs;
  }

  /** Whether a message is due: soon after many packets, later after few. */
  isDue(nowMs: number): boolean {
    const waiting = this.#highest - this.#next + 1;
    if (this.#highest < 0 || waiting <= 0) return false;
    return waiting >= 20 || nowMs - this.#reportedAt >= 90;
  }

  /** The next message; valid until the next call for any log. Undefined if nothing arrived since the last. */
  feedback(nowMs: number): Buffer | undefined {
    const arrivals = this.#arrivals;
    let first = this.#next;
    while (first <= this.#highest && arrivals[first & (SIZE - 1)] === 0) first += 1;
    if (this.#highest < 0 || first > this.#highest) return undefined;
    const reference = Math.floor(arrivals[first & (SIZE - 1)]! / REFERENCE_MS);
    let at = reference * REFERENCE_MS * TICKS_PER_MS;
    let count = 0;
    const base = this.#next;
    for (let number = base; number <= this.#highest && count < MAX_STATUSES; number += 1, count += 1) {
      const arrival = arrivals[number & (SIZE - 1)]!;
      if (arrival === 0) {
        symbols[count] = 0;
        continue;
      }
      const delta = Math.round(arrival * TICKS_PER_MS) - at;
      if (delta < -32_768 || delta > 32_767) break;
      symbols[count] = delta >= 0 && delta <= 255 ? 1 : 2;
      deltas[count] = delta;
      at += delta;
    }
    this.#next = base + count;
    this.#reportedAt = nowMs;
    const size = writeFeedback(this.#ssrc, base & 0xffff, count, reference, this.#feedbacks & 0xff);
    this.#feedbacks += 1;
    return scratch.subarray(0, size);
  }

  #advance(number: number): void {
    if (number - this.#highest >= SIZE || number - this.#next >= SIZE) {
      // more than is stored: unreported packets are never reported
      this.#arrivals.fill(0);
      this.#next = number;
    } else for (let lost = this.#highest + 1; lost < number; lost += 1) this.#arrivals[lost & (SIZE - 1)] = 0;
    this.#highest = number;
  }
}

/** Writes what `symbols` and `deltas` hold. The message's bytes. */
function writeFeedback(ssrc: number, base: number, count: number, reference: number, feedback: number): number {
  scratch[0] = 0x80 | FORMAT;
  scratch[1] = TRANSPORT_FEEDBACK;
  scratch.writeUInt32BE(1, 4);
  scratch.writeUInt32BE(ssrc, 8);
  scratch.writeUInt16BE(base, 12);
  scratch.writeUInt16BE(count, 14);
  scratch.writeUIntBE(reference % REFERENCE_WRAP, 16, 3);
  scratch[19] = feedback;
  let offset = HEADER;
  for (let at = 0; at < count; offset += 2) {
    const [chunk, covered] = nextChunk(at, count);
    scratch.writeUInt16BE(chunk, offset);
    at += covered;
  }
  for (let i = 0; i < count; i += 1) {
    if (symbols[i] === 1) {
      scratch[offset] = deltas[i]!;
      offset += 1;
    } else if (symbols[i] === 2) {
      scratch.writeInt16BE(deltas[i]!, offset);
      offset += 2;
    }
  }
  while (offset % 4 !== 0) {
    scratch[offset] = 0;
    offset += 1;
  }
  scratch.writeUInt16BE(offset / 4 - 1, 2);
  return offset;
}

/** One packet status chunk for the symbols from `at`: run length, or a vector of one- or two-bit symbols. */
function nextChunk(at: number, count: number): [chunk: number, covered: number] {
  const symbol = symbols[at]!;
  let run = 1;
  while (at + run < count && run < 0x1fff && symbols[at + run] === symbol) run += 1;
  if (run >= 14 || at + run === count) return [(symbol << 13) | run, run];
  const end = Math.min(count, at + 14);
  let small = true;
  for (let i = at; i < end; i += 1) if (symbols[i] === 2) small = false;
  if (small) {
    let chunk = 0x8000;
    for (let i = at; i < end; i += 1) chunk |= symbols[i]! << (13 - (i - at));
    return [chunk, end - at];
  }
  if (run >= 7) return [(symbol << 13) | run, run];
  let chunk = 0xc000;
  const last = Math.min(count, at + 7);
  for (let i = at; i < last; i += 1) chunk |= symbols[i]! << (12 - (i - at) * 2);
  return [chunk, last - at];
}

/** Receives the contents of feedback, packet by packet. */
export interface FeedbackHandler {
  /** `arrivalMs` is on the receiver's clock; NaN if the packet has not arrived. */
  handlePacketStatus(sequence: number, arrivalMs: number): void;
}

/** Reads the feedback of one receiver. */
export class FeedbackReader {
  readonly #handler: FeedbackHandler;
  /** The last reference time, counted on over its 24 bits. */
  #reference = Number.NaN;

  constructor(handler: FeedbackHandler) {
    this.#handler = handler;
  }

  /**
   * Reads the message from `start` to `end` of the buffer. Returns false if it is inconsistent; the statuses before
   * that are valid.
   */
  read(buffer: Buffer, start: number, end: number): boolean {
    if (start + HEADER > end) return false;
    const count = (buffer[start + 14]! << 8) | buffer[start + 15]!;
    let sequence = (buffer[start + 12]! << 8) | buffer[start + 13]!;
    let arrival =
      this.#unwrap((buffer[start + 16]! << 16) | (buffer[start + 17]! << 8) | buffer[start + 18]!) * REFERENCE_MS;
    let delta = findDeltas(buffer, start + HEADER, end, count);
    if (delta < 0) return false;
    let left = count;
    for (let chunk = start + HEADER; left > 0; chunk += 2) {
      const value = (buffer[chunk]! << 8) | buffer[chunk + 1]!;
      const statuses = Math.min(left, chunkLength(value));
      for (let i = 0; i < statuses; i += 1) {
        const symbol = symbolOf(value, i);
        if (symbol === 1 || symbol === 2) {
          if (delta + symbol > end) return false;
          const ticks = symbol === 1 ? buffer[delta]! : (((buffer[delta]! << 8) | buffer[delta + 1]!) << 16) >> 16;
          delta += symbol;
          arrival += ticks / TICKS_PER_MS;
          this.#handler.handlePacketStatus(sequence, arrival);
        } else this.#handler.handlePacketStatus(sequence, Number.NaN);
        sequence = (sequence + 1) & 0xffff;
      }
      left -= statuses;
    }
    return true;
  }

  #unwrap(reference: number): number {
    if (Number.isNaN(this.#reference)) this.#reference = reference;
    else {
      let ahead = (reference - this.#reference) % REFERENCE_WRAP;
      if (ahead > REFERENCE_WRAP / 2) ahead -= REFERENCE_WRAP;
      else if (ahead < -REFERENCE_WRAP / 2) ahead += REFERENCE_WRAP;
      this.#reference += ahead;
    }
    return this.#reference;
  }
}

/** Where the deltas start, after the chunks for `count` statuses; -1 when the message is too short. */
function findDeltas(buffer: Buffer, chunks: number, end: number, count: number): number {
  let offset = chunks;
  for (let covered = 0; covered < count; offset += 2) {
    if (offset + 2 > end) return -1;
    const length = chunkLength((buffer[offset]! << 8) | buffer[offset + 1]!);
    if (length === 0) return -1;
    covered += length;
  }
  return offset;
}

function chunkLength(chunk: number): number {
  if (chunk < 0x8000) return chunk & 0x1fff;
  return (chunk & 0x4000) === 0 ? 14 : 7;
}

function symbolOf(chunk: number, index: number): number {
  if (chunk < 0x8000) return chunk >> 13;
  return (chunk & 0x4000) === 0 ? (chunk >> (13 - index)) & 1 : (chunk >> (12 - index * 2)) & 3;
}
