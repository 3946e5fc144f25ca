import { CHUNK_HEADER, ChunkType } from '../wire/constants.ts';
import type { PacketWriter } from '../wire/packet-writer.ts';
import { isAfter } from '../wire/serial.ts';
import { SentState, type Flight } from './flight.ts';
import type { OutgoingMessage } from './outbox.ts';

/** Tells the peer which TSNs will not come (RFC 3758 section 3.5; RFC 8260 section 2.3), until it acknowledges them. */
export class Forward {
  isDue = false;
  isInterleaved = false;
  readonly #flight: Flight;
  /**
   * Up to here, all is abandoned, or belongs to a message that arrived as a whole. Going past those takes one packet
   * where RFC 3758 takes a round trip for each; past fragments of others the peer would drop them.
   */
  #point: number;
  #sentAt = 0;

  constructor(flight: Flight) {
    this.#flight = flight;
    this.#point = (flight.first - 1) | 0;
  }

  /** After a SACK, and after messages were abandoned. `patience`: time until the same is told once more. */
  update(now: number, patience: number): void {
    const flight = this.#flight;
    const acknowledged = (flight.first - 1) | 0;
    let point = isAfter(this.#point, acknowledged) ? this.#point : acknowledged;
    let next = (point + 1) | 0;
    for (; next !== flight.next && this.#isOver(flight.slot(next)); next = (next + 1) | 0) {
      // The last one is abandoned: a peer need not be told of what it has.
      if (flight.state[flight.slot(next)] === SentState.abandoned) point = next;
    }
    const isBehind = isAfter(point, acknowledged);
    this.isDue = isBehind && (this.isDue || point !== this.#point || now - this.#sentAt >= patience);
    this.#point = point;
  }

  /** Writes the chunk if it is due and fits. */
  write(writer: PacketWriter, now: number): boolean {
    const flight = this.#flight;
    const entry = this.isInterleaved ? 8 : 4;
    if (!this.isDue || writer.room < 4 + entry) return false;
    const most = Math.floor((writer.room - 4) / entry);
    const skipped = new Map<number, OutgoingMessage>();
    let point = (flight.first - 1) | 0;
    while (point !== this.#point) {
      const message = flight.message[flight.slot(point + 1)]!;
      if (message.isAbandoned && (this.isInterleaved || !message.isUnordered)) {
        const key = 2 * message.stream.id + (message.isUnordered ? 1 : 0);
        if (skipped.size === most && !skipped.has(key)) break;
        skipped.set(key, message);
      }
      point = (point + 1) | 0;
    }
    const type = this.isInterleaved ? ChunkType.iForwardTsn : ChunkType.forwardTsn;
    let at = writer.chunk(type, 0, 4 + entry * skipped.size);
    writer.buffer.writeInt32BE(point, at);
    at += CHUNK_HEADER;
    for (const message of skipped.values()) {
      writer.buffer.writeUInt16BE(message.stream.id, at);
      if (this.isInterleaved) {
        writer.buffer.writeUInt16BE(message.isUnordered ? 1 : 0, at + 2);
        writer.buffer.writeInt32BE(message.sequence, at + 4);
      } else writer.buffer.writeUInt16BE(message.sequence, at + 2);
      at += entry;
    }
    this.isDue = false;
    this.#sentAt = now;
    return true;
  }

  /** The chunk is abandoned, or all of its message arrived. */
  #isOver(slot: number): boolean {
    const flight = this.#flight;
    if (flight.state[slot] === SentState.abandoned) return true;
    const message = flight.message[slot]!;
    return message.arrived === message.fragments && message.sent === message.bytes.length;
  }
}
