import type { PacketReader } from '../wire/packet-reader.ts';
import { SackChunk } from '../wire/sack.ts';
import { isAfter } from '../wire/serial.ts';
import type { Congestion } from './congestion.ts';
import { SentState, type Flight } from './flight.ts';
import type { OutgoingMessage, Outbox } from './outbox.ts';
import type { RoundTrip } from './round-trip.ts';

/** So many packets that left later have arrived: the chunk is lost (RFC 9260 section 7.2.4). */
const MISSES = 3;

interface RecoveryOptions {
  readonly flight: Flight;
  readonly outbox: Outbox;
  readonly roundTrip: RoundTrip;
  readonly congestion: Congestion;
  /** A chunk was lost; it is marked so. */
  readonly lost: (tsn: number, now: number) => void;
}

/**
 * Finds out from SACKs what arrived and what is lost. Chunks are compared by the order in which their packets left,
 * not by TSN, as RACK does (RFC 8985): so the loss of a retransmission is seen within a round trip too, where counting
 * missing reports by TSN would wait for the retransmission timer.
 */
export class Recovery {
  peerWindow = 0;
  /** When chunks that were overtaken, but by few packets, count as lost. */
  overdueAt = Infinity;
  /** Number of the packet that left last. */
  order = 0;
  readonly #options: RecoveryOptions;
  readonly #sack = new SackChunk();
  /** The packet that left last among those that arrived, and when it left. */
  #newestOrder = 0;
  #newestSentAt = 0;
  #hasNewest = false;
  /** By how many milliseconds packets have been overtaken on this path without being lost. */
  #reordering = 0;
  /** A round trip ends when this packet, or a later one, is acknowledged. */
  #roundEnd = 0;
  /** Of the SACK at hand. */
  #ackedBytes = 0;
  #sample = Infinity;
  #overtakenBy = 0;
  #overtakenSentAt = 0;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** True: it acknowledges something new. Malformed and old SACKs change nothing. */
  handleSack(reader: PacketReader, now: number): boolean {
    const { flight, roundTrip, congestion } = this.#options;
    const sack = this.#sack;
    if (!sack.read(reader)) return false;
    const count = (sack.cumulativeTsn - flight.first + 1) | 0;
    if (count < 0 || count > flight.count) return false;
    this.#ackedBytes = 0;
    this.#sample = Infinity;
    this.#overtakenBy = this.#newestOrder;
    this.#overtakenSentAt = this.#newestSentAt;
    for (let left = count; left > 0; left--) this.#acknowledgeFirst(now);
    this.#acknowledgeGaps(sack, now);
    this.peerWindow = sack.window;
    if (this.#sample !== Infinity) {
      roundTrip.add(this.#sample);
      congestion.sample(this.#sample);
    }
    if (this.#ackedBytes > 0) congestion.acked(this.#ackedBytes);
    this.findLost(now);
    if (this.#hasNewest && !isAfter(this.#roundEnd, this.#newestOrder)) {
      congestion.endRound();
      this.#reordering *= 0.99;
      this.#roundEnd = (this.order + 1) | 0;
    }
    return count > 0 || this.#ackedBytes > 0;
  }

  /** Marks chunks as lost that newer packets have overtaken by too much. */
  findLost(now: number): void {
    const { flight, roundTrip } = this.#options;
    this.overdueAt = Infinity;
    if (!this.#hasNewest) return;
    const patience = roundTrip.smoothed + Math.max(this.#reordering, roundTrip.shortest / 4);
    for (let tsn = flight.first; tsn !== flight.next; tsn = (tsn + 1) | 0) {
      const slot = flight.slot(tsn);
      if (flight.state[slot] !== SentState.inFlight) continue;
      const behind = (this.#newestOrder - flight.order[slot]!) | 0;
      if (behind <= 0) {
        // Chunks that were sent once left in the order of their TSNs: all further ones are newer, too.
        if (flight.sends[slot] === 1) break;
        continue;
      }
      const sentAt = flight.sentAt[slot]!;
      const isOvertaken = behind >= MISSES && this.#newestSentAt - sentAt >= this.#reordering;
      if (isOvertaken || now >= sentAt + patience) this.#lose(tsn, slot, now);
      else this.overdueAt = Math.min(this.overdueAt, sentAt + patience);
    }
  }

  /**
   * The retransmission timer expired: all that is in flight is lost. `isRepeated`: what gap blocks reported counts as
   * lost, too, because a receiver may drop it (RFC 9260 section 6.2.1).
   */
  loseAll(isRepeated: boolean, now: number): void {
    const { flight } = this.#options;
    this.#hasNewest = false;
    this.overdueAt = Infinity;
    for (let tsn = flight.first; tsn !== flight.next; tsn = (tsn + 1) | 0) {
      const slot = flight.slot(tsn);
      const state = flight.state[slot];
      if (state === SentState.acked && isRepeated) flight.message[slot]!.arrived--;
      else if (state !== SentState.inFlight) continue;
      flight.set(slot, SentState.lost);
      this.#options.lost(tsn, now);
    }
  }

  /** Takes bytes of an abandoned message out of the flight, and marks its chunks. */
  abandon(message: OutgoingMessage): void {
    const { flight, outbox } = this.#options;
    if (message.isAbandoned) return;
    let bytes = 0;
    let left = message.fragments - message.acknowledged;
    // The chunks that are acknowledged cumulatively are gone: the first of the flight may be a later one.
    let tsn = isAfter(flight.first, message.firstTsn) ? flight.first : message.firstTsn;
    for (; left > 0 && tsn !== flight.next; tsn = (tsn + 1) | 0) {
      const slot = flight.slot(tsn);
      if (flight.message[slot] !== message) continue;
      left--;
      bytes += flight.length[slot]!;
      flight.set(slot, SentState.abandoned);
      flight.length[slot] = 0;
    }
    const isPartlySent = message.sent > 0 && message.sent < message.bytes.length;
    outbox.abandon(message, bytes);
    // A TSN that is never sent, so that FORWARD-TSN can tell the peer to drop the fragments that it has.
    if (isPartlySent) flight.set(flight.push(message, 0), SentState.abandoned);
  }

  #lose(tsn: number, slot: number, now: number): void {
    const { flight, congestion } = this.#options;
    congestion.lost(flight.length[slot]!);
    flight.set(slot, SentState.lost);
    this.#options.lost(tsn, now);
  }

  #acknowledgeFirst(now: number): void {
    const { flight, outbox } = this.#options;
    const slot = flight.slot(flight.first);
    this.#acknowledge(slot, now);
    const message = flight.message[slot];
    if (message !== undefined && !message.isAbandoned) {
      message.acknowledged++;
      outbox.release(message, flight.length[slot]!);
    }
    flight.set(slot, SentState.acked);
    flight.shift();
  }

  #acknowledgeGaps(sack: SackChunk, now: number): void {
    const { flight } = this.#options;
    const base = (sack.cumulativeTsn - flight.first) | 0;
    let last = 0;
    for (let index = 0; index < sack.gaps; index++) {
      const start = sack.gapStart(index);
      const end = sack.gapEnd(index);
      // Blocks rise; what does not is not looked at, so that a SACK costs no more than the flight is long.
      if (start <= last || end < start || base + end >= flight.count) return;
      for (let offset = start; offset <= end; offset++) {
        this.#acknowledge(flight.slot((sack.cumulativeTsn + offset) | 0), now);
      }
      last = end;
    }
  }

  #acknowledge(slot: number, now: number): void {
    const { flight, roundTrip, congestion } = this.#options;
    const state = flight.state[slot];
    if (state === SentState.acked || state === SentState.abandoned) return;
    const order = flight.order[slot]!;
    const sentAt = flight.sentAt[slot]!;
    const isFirstSending = flight.sends[slot] === 1;
    const age = now - sentAt;
    this.#ackedBytes += flight.length[slot]!;
    flight.message[slot]!.arrived++;
    flight.set(slot, SentState.acked);
    if (isFirstSending && state === SentState.inFlight) this.#sample = Math.min(this.#sample, age);
    else if (age < roundTrip.shortest) {
      // Too early for a retransmission: the first sending arrived, and was late only.
      congestion.notLost(flight.length[slot]!);
      this.#reordering = Math.min(Math.max(this.#reordering * 1.5, roundTrip.shortest / 8), roundTrip.smoothed);
      return;
    }
    if (!this.#hasNewest || isAfter(order, this.#newestOrder)) {
      this.#newestOrder = order;
      this.#newestSentAt = sentAt;
      this.#hasNewest = true;
    }
    if (isFirstSending && this.#hasNewest && isAfter(this.#overtakenBy, order)) {
      const overtaken = Math.min(this.#overtakenSentAt - sentAt, roundTrip.smoothed);
      this.#reordering = Math.max(this.#reordering, overtaken);
    }
  }
}
