import type { Delivery, PeerAbilities, Sending, SendingOptions } from '../parts.ts';
import { CHUNK_HEADER, ChunkType, PACKET_HEADER } from '../wire/constants.ts';
import { DATA_FIXED, DataFlag, I_DATA_FIXED } from '../wire/data.ts';
import type { PacketReader } from '../wire/packet-reader.ts';
import type { PacketWriter } from '../wire/packet-writer.ts';
import { isAfter } from '../wire/serial.ts';
import { Congestion } from './congestion.ts';
import { Flight, SentState } from './flight.ts';
import { Forward } from './forward.ts';
import { Outbox, type OutgoingMessage } from './outbox.ts';
import { Recovery } from './recovery.ts';
import { RoundTrip } from './round-trip.ts';

/** After how long a packet is repeated while no round-trip time has been measured. */
const UNKNOWN_PROBE_MS = 250;

/** The sending half of an association. */
export class Sender implements Sending {
  readonly #now: () => number;
  readonly #mtu: number;
  readonly #outbox: Outbox;
  readonly #flight: Flight;
  readonly #roundTrip = new RoundTrip();
  readonly #congestion: Congestion;
  readonly #recovery: Recovery;
  readonly #forward: Forward;
  #isStarted = false;
  #isPartial = false;
  #isInterleaved = false;
  /** Bytes of a DATA or I-DATA chunk before the payload, without the chunk's header. */
  #fixed = DATA_FIXED;
  /** Payload bytes of a packet with one chunk. */
  #most = 0;
  /** No lost chunk has a TSN before this. */
  #resendFrom: number;
  /** From when the retransmission timer counts. */
  #timerBase = 0;
  #lastSentAt = 0;
  /** Timeouts since the last new acknowledgement. */
  #timeouts = 0;
  /** One packet may leave although the window is full. */
  #mayProbe = false;
  #hasProbed = false;
  #wasAnswered = false;
  /** Flags of the last data chunk of the packet, as offset in it; 0: none. */
  #flagsAt = 0;

  constructor(options: SendingOptions) {
    this.#now = options.now;
    this.#mtu = options.mtu & ~3;
    this.#outbox = new Outbox(options.sendBufferBytes);
    this.#flight = new Flight(options.initialTsn);
    this.#resendFrom = this.#flight.first;
    this.#congestion = new Congestion(this.#mtu, this.#roundTrip);
    this.#forward = new Forward(this.#flight);
    this.#recovery = new Recovery({
      flight: this.#flight,
      outbox: this.#outbox,
      roundTrip: this.#roundTrip,
      congestion: this.#congestion,
      lost: (tsn, now) => {
        this.#lost(tsn, now);
      },
    });
  }

  start(peer: PeerAbilities): void {
    this.#isStarted = true;
    this.#isPartial = peer.partialReliability;
    this.#isInterleaved = peer.interleaving;
    this.#outbox.isInterleaved = peer.interleaving;
    this.#outbox.mostBegun = peer.windowBytes / 2;
    this.#forward.isInterleaved = peer.interleaving;
    this.#recovery.peerWindow = peer.windowBytes;
    this.#fixed = peer.interleaving ? I_DATA_FIXED : DATA_FIXED;
    this.#most = (this.#mtu - PACKET_HEADER - CHUNK_HEADER - this.#fixed) & ~3;
  }

  enqueue(streamId: number, ppid: number, message: Uint8Array, delivery: Delivery): boolean {
    return message.length > 0 && this.#outbox.add(streamId, ppid, message, delivery, this.#now());
  }

  fill(writer: PacketWriter): boolean {
    if (!this.#isStarted) return false;
    const now = this.#now();
    this.#flagsAt = 0;
    let hasWritten = this.#forward.write(writer, now);
    while (this.#flight.lost > 0 && this.#resend(writer, now)) hasWritten = true;
    while (this.#sendNew(writer, now)) hasWritten = true;
    if (this.#flagsAt > 0) {
      this.#recovery.order = (this.#recovery.order + 1) | 0;
      this.#lastSentAt = now;
      this.#mayProbe = false;
      this.#wasAnswered = false;
      // Nothing follows: the peer need not wait for a second packet with its SACK (RFC 7053).
      if (this.#outbox.next === undefined) writer.buffer[this.#flagsAt]! |= DataFlag.immediate;
    }
    return hasWritten;
  }

  handleSack(reader: PacketReader): boolean {
    if (!this.#isStarted) return false;
    const now = this.#now();
    const isProgress = this.#recovery.handleSack(reader, now);
    this.#wasAnswered = true;
    if (isProgress) {
      this.#timeouts = 0;
      this.#hasProbed = false;
      this.#timerBase = now;
      this.#roundTrip.progress();
    }
    this.#forward.update(now, this.#roundTrip.smoothed);
    return isProgress;
  }

  get timerAt(): number {
    if (this.#flight.count === 0) return Infinity;
    return Math.min(this.#timeoutAt, this.#recovery.overdueAt, this.#probeAt);
  }

  onTimer(): boolean {
    const now = this.#now();
    if (this.#flight.count === 0 || now < this.timerAt) return false;
    if (now >= this.#timeoutAt) return this.#timeout(now);
    if (now >= this.#recovery.overdueAt) {
      this.#recovery.findLost(now);
      this.#forward.update(now, this.#roundTrip.smoothed);
    } else this.#probe();
    return false;
  }

  roundTrip(ms: number): void {
    this.#roundTrip.add(ms);
  }

  get rtoMs(): number {
    return this.#roundTrip.timeout;
  }

  bufferedAmount(streamId: number): number {
    return this.#outbox.bytesOf(streamId);
  }

  hasQueued(streamId: number): boolean {
    return this.#outbox.hasQueued(streamId);
  }

  get isBusy(): boolean {
    return this.#flight.count > 0 || this.#outbox.next !== undefined;
  }

  get nextTsn(): number {
    return this.#flight.next;
  }

  resetStream(streamId: number): void {
    this.#outbox.reset(streamId);
  }

  close(): void {
    this.#isStarted = false;
    this.#flight.clear();
    this.#outbox.clear();
    this.#forward.isDue = false;
  }

  get #timeoutAt(): number {
    return this.#timerBase + this.#roundTrip.timeout;
  }

  /**
   * If the last packets of a burst are lost, no later one reveals it: before the timeout, one is sent once more, and
   * its SACK shows the gap (as the tail loss probe of RFC 8985).
   */
  get #probeAt(): number {
    if (this.#hasProbed || this.#timeouts > 0 || this.#flight.lost > 0 || this.#flight.bytes === 0) return Infinity;
    const { smoothed } = this.#roundTrip;
    return this.#lastSentAt + (smoothed === 0 ? UNKNOWN_PROBE_MS : 2 * smoothed + 10);
  }

  #probe(): void {
    const flight = this.#flight;
    this.#hasProbed = true;
    if (this.#isWindowOpen(1) && this.#outbox.next !== undefined && !flight.isFull) {
      this.#mayProbe = true;
      return;
    }
    for (let tsn = (flight.next - 1) | 0; !isAfter(flight.first, tsn); tsn = (tsn - 1) | 0) {
      const slot = flight.slot(tsn);
      if (flight.state[slot] !== SentState.inFlight || this.#isSpent(slot)) continue;
      flight.set(slot, SentState.lost);
      this.#resendFrom = tsn;
      this.#mayProbe = true;
      return;
    }
  }

  /** True: counts against the peer, unless it only keeps its window closed (RFC 9260 section 6.1). */
  #timeout(now: number): boolean {
    const isClosedWindow = this.#wasAnswered && this.#recovery.peerWindow === 0;
    const isRepeated = this.#timeouts > 0;
    this.#timeouts++;
    this.#timerBase = now;
    this.#roundTrip.backOff();
    if (this.#flight.bytes > 0) this.#congestion.timeout(isRepeated);
    this.#recovery.loseAll(isRepeated, now);
    this.#forward.update(now, 0);
    return !isClosedWindow;
  }

  /** No further transmission is allowed. */
  #isSpent(slot: number): boolean {
    const message = this.#flight.message[slot];
    return this.#isPartial && message !== undefined && this.#flight.sends[slot]! >= message.mostSends;
  }

  #lost(tsn: number, now: number): void {
    const slot = this.#flight.slot(tsn);
    const message = this.#flight.message[slot]!;
    if (this.#isSpent(slot) || (this.#isPartial && now >= message.expiresAt)) this.#recovery.abandon(message);
    else if (this.#flight.lost === 1 || isAfter(this.#resendFrom, tsn)) this.#resendFrom = tsn;
  }

  #mayCongest(): boolean {
    return this.#flight.bytes < this.#congestion.window || this.#mayProbe;
  }

  /** The peer's window has room; with nothing in flight, one chunk may test whether it opened. */
  #isWindowOpen(bytes: number): boolean {
    const { flight, window } = { flight: this.#flight.bytes, window: this.#recovery.peerWindow };
    return flight + bytes <= window || (flight === 0 && this.#flight.lost === 0);
  }

  /** Sends the first lost chunk once more, unless its message expired. False: nothing fits. */
  #resend(writer: PacketWriter, now: number): boolean {
    const flight = this.#flight;
    let tsn = isAfter(flight.first, this.#resendFrom) ? flight.first : this.#resendFrom;
    for (; tsn !== flight.next; tsn = (tsn + 1) | 0) {
      const slot = flight.slot(tsn);
      if (flight.state[slot] !== SentState.lost) continue;
      const message = flight.message[slot]!;
      if (this.#isPartial && now >= message.expiresAt) {
        this.#recovery.abandon(message);
        this.#forward.update(now, 0);
        continue;
      }
      this.#resendFrom = tsn;
      if (!this.#mayCongest() || this.#fixed + flight.length[slot]! > writer.room) return false;
      flight.set(slot, SentState.inFlight);
      if (tsn === flight.first) this.#timerBase = now;
      this.#write(writer, tsn, slot, now);
      return true;
    }
    return false;
  }

  /** The message whose turn it is; expired ones are dropped on the way. */
  #nextMessage(now: number): OutgoingMessage | undefined {
    for (;;) {
      const message = this.#outbox.next;
      if (message === undefined || !this.#isPartial || now < message.expiresAt) return message;
      this.#recovery.abandon(message);
      this.#forward.update(now, 0);
    }
  }

  #sendNew(writer: PacketWriter, now: number): boolean {
    const flight = this.#flight;
    if (flight.isFull || (flight.lost > 0 && !this.#mayProbe)) return false;
    const message = this.#nextMessage(now);
    if (message === undefined) return false;
    if (!this.#mayCongest()) {
      this.#congestion.limited();
      return false;
    }
    const left = Math.min(message.bytes.length - message.sent, this.#most);
    const room = writer.room - this.#fixed;
    // A fragment is cut to what the packet has left, unless that would make many small ones.
    const length = left <= room ? left : room >= this.#most / 2 ? room & ~3 : 0;
    if (length === 0 || !this.#isWindowOpen(length)) return false;
    const tsn = flight.next;
    if (message.fragments === 0) this.#outbox.begin(message, tsn);
    if (flight.count === 0) this.#timerBase = now;
    const slot = flight.push(message, length);
    this.#outbox.advance(message);
    this.#write(writer, tsn, slot, now);
    return true;
  }

  /** Writes a DATA or I-DATA chunk; the caller has checked the room. */
  #write(writer: PacketWriter, tsn: number, slot: number, now: number): void {
    const flight = this.#flight;
    const message = flight.message[slot]!;
    const offset = flight.offset[slot]!;
    const length = flight.length[slot]!;
    const isFirst = offset === 0;
    const isLast = offset + length === message.bytes.length;
    const flags =
      (isFirst ? DataFlag.beginning : 0) | (isLast ? DataFlag.end : 0) | (message.isUnordered ? DataFlag.unordered : 0);
    const type = this.#isInterleaved ? ChunkType.iData : ChunkType.data;
    const at = writer.chunk(type, flags, this.#fixed + length);
    const { buffer } = writer;
    buffer.writeInt32BE(tsn, at);
    buffer.writeUInt16BE(message.stream.id, at + 4);
    if (this.#isInterleaved) {
      buffer.writeUInt16BE(0, at + 6);
      buffer.writeInt32BE(message.sequence, at + 8);
      buffer.writeInt32BE(isFirst ? message.protocol : flight.fragment[slot]!, at + 12);
    } else {
      buffer.writeUInt16BE(message.isUnordered ? 0 : message.sequence, at + 6);
      buffer.writeInt32BE(message.protocol, at + 8);
    }
    buffer.set(message.bytes.subarray(offset, offset + length), at + this.#fixed);
    flight.order[slot] = (this.#recovery.order + 1) | 0;
    flight.sentAt[slot] = now;
    flight.sends[slot] = Math.min(flight.sends[slot]! + 1, 0xffff);
    this.#flagsAt = at - CHUNK_HEADER + 1;
  }
}
