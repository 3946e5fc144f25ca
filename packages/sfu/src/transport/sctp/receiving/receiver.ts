import type { Receiving, ReceivingHandler, ReceivingOptions } from '../parts.ts';
import { ChunkType } from '../wire/constants.ts';
import { DataChunk } from '../wire/data.ts';
import { readForwardTsn } from '../wire/forward-tsn.ts';
import type { PacketReader } from '../wire/packet-reader.ts';
import type { PacketWriter } from '../wire/packet-writer.ts';
import { isAfter } from '../wire/serial.ts';
import type { Assembly, WholeMessage } from './assembly.ts';
import { BufferAccount } from './buffer-account.ts';
import { IncomingStreams } from './incoming-streams.ts';
import { MessageAssembly } from './message-assembly.ts';
import { TsnAssembly } from './tsn-assembly.ts';
import { TsnTracker } from './tsn-tracker.ts';

/** A SACK for a single packet waits so long for a second one; at most 200 ms are allowed (RFC 9260 section 6.2). */
const SACK_DELAY_MS = 20;
/** Of one SACK. */
const MOST_DUPLICATES = 16;
/**
 * The next TSN is accepted although the buffer is full, because only it can empty the buffer. One unfinished message
 * can exceed the buffer so, or with I-DATA this many.
 */
const EXTRA_MESSAGES = 16;
/** As offered in INIT: data of other streams is acknowledged and dropped. */
const MOST_STREAMS = 1024;

interface Started {
  readonly isInterleaved: boolean;
  readonly tsns: TsnTracker;
  readonly assembly: Assembly;
  readonly streams: IncomingStreams;
}

/** The receiving half of an association. */
export class Receiver implements Receiving {
  sackAt = Infinity;
  readonly #options: ReceivingOptions;
  readonly #handler: ReceivingHandler;
  readonly #chunk = new DataChunk();
  readonly #account = new BufferAccount();
  readonly #duplicates = new Int32Array(MOST_DUPLICATES);
  #duplicateCount = 0;
  #state: Started | undefined;
  /** Packets with data since the last SACK. */
  #packets = 0;
  #hasData = false;
  #isUrgent = false;

  constructor(options: ReceivingOptions, handler: ReceivingHandler) {
    this.#options = options;
    this.#handler = handler;
  }

  start(peerInitialTsn: number, interleaving: boolean): void {
    const most = this.#options.maxMessageBytes;
    this.#state = {
      isInterleaved: interleaving,
      tsns: new TsnTracker((peerInitialTsn - 1) | 0),
      assembly: interleaving ? new MessageAssembly(this.#account, most) : new TsnAssembly(this.#account, most),
      streams: new IncomingStreams(interleaving, this.#account, (streamId, protocol, message) => {
        this.#handler.message(streamId, protocol, message);
      }),
    };
    // The first data is acknowledged at once.
    this.#packets = 1;
  }

  handleData(reader: PacketReader): void {
    const state = this.#state;
    const chunk = this.#chunk;
    if (state === undefined || !chunk.read(reader) || chunk.isInterleaved !== state.isInterleaved) return;
    this.#hasData = true;
    const { tsns } = state;
    if (tsns.has(chunk.tsn)) {
      if (this.#duplicateCount < MOST_DUPLICATES) this.#duplicates[this.#duplicateCount++] = chunk.tsn;
      this.#isUrgent = true;
      return;
    }
    const isNext = ((chunk.tsn - tsns.cumulative) | 0) === 1;
    const bytes = this.#account.bytes + chunk.length;
    // Not acknowledged, so it comes once more.
    if (tsns.isTooFar(chunk.tsn) || (bytes > this.#options.receiveWindowBytes && !isNext)) {
      this.#isUrgent = true;
      return;
    }
    const extra = (state.isInterleaved ? EXTRA_MESSAGES : 1) * this.#options.maxMessageBytes;
    if (bytes > this.#options.receiveWindowBytes + extra) {
      this.#handler.failed('unfinished messages exceed the receive buffer');
      return;
    }
    tsns.add(chunk.tsn);
    if (chunk.isImmediate) this.#isUrgent = true;
    if (chunk.streamId < MOST_STREAMS) this.#accept(state, reader.packet, chunk);
  }

  handleForwardTsn(reader: PacketReader): void {
    const state = this.#state;
    const isInterleaved = reader.type === ChunkType.iForwardTsn;
    const forward = readForwardTsn(reader);
    if (state === undefined || forward === undefined || isInterleaved !== state.isInterleaved) return;
    const { tsns, assembly, streams } = state;
    this.#isUrgent = true;
    if (!isAfter(forward.cumulativeTsn, tsns.cumulative) || tsns.isTooFar(forward.cumulativeTsn)) return;
    tsns.skipTo(forward.cumulativeTsn);
    assembly.skip(forward.cumulativeTsn, forward.streams);
    for (const skipped of forward.streams) {
      if (!skipped.isUnordered && skipped.streamId < MOST_STREAMS) streams.skip(skipped.streamId, skipped.sequence);
    }
  }

  endPacket(): void {
    const state = this.#state;
    if (state === undefined) return;
    if (this.#hasData) this.#packets++;
    if (this.#isUrgent || this.#packets >= 2 || (this.#hasData && state.tsns.hasGap)) this.sackAt = -Infinity;
    else if (this.#hasData && this.sackAt === Infinity) this.sackAt = this.#options.now() + SACK_DELAY_MS;
    this.#hasData = false;
    this.#isUrgent = false;
  }

  writeSack(writer: PacketWriter): boolean {
    const state = this.#state;
    if (state === undefined || writer.room < 12) return false;
    const most = Math.floor((writer.room - 12) / 4);
    const { tsns } = state;
    const gaps = tsns.hasGap ? tsns.countGaps(most) : 0;
    const duplicates = Math.min(this.#duplicateCount, most - gaps);
    let at = writer.chunk(ChunkType.sack, 0, 12 + 4 * (gaps + duplicates));
    const { buffer } = writer;
    buffer.writeInt32BE(tsns.cumulative, at);
    buffer.writeUInt32BE(this.windowBytes, at + 4);
    buffer.writeUInt16BE(gaps, at + 8);
    buffer.writeUInt16BE(duplicates, at + 10);
    at += 12;
    if (gaps > 0) tsns.writeGaps(buffer, at, gaps);
    at += 4 * gaps;
    for (let index = 0; index < duplicates; index++) buffer.writeInt32BE(this.#duplicates[index]!, at + 4 * index);
    this.#duplicateCount = 0;
    this.#packets = 0;
    this.sackAt = Infinity;
    return true;
  }

  get cumulativeTsn(): number {
    return this.#state?.tsns.cumulative ?? 0;
  }

  get windowBytes(): number {
    return Math.max(0, this.#options.receiveWindowBytes - this.#account.bytes);
  }

  resetStreams(streamIds: readonly number[]): void {
    const state = this.#state;
    if (state === undefined) return;
    const ids = streamIds.length === 0 ? undefined : new Set(streamIds);
    state.assembly.reset(ids);
    state.streams.reset(ids);
  }

  close(): void {
    this.resetStreams([]);
    this.#state = undefined;
    this.sackAt = Infinity;
  }

  #accept(state: Started, packet: Buffer, chunk: DataChunk): void {
    if (chunk.isFirst && chunk.isLast) {
      const bytes = Buffer.from(packet.subarray(chunk.offset, chunk.offset + chunk.length));
      this.#deliver(state, chunk, bytes);
      return;
    }
    const message = state.assembly.add(packet, chunk);
    if (message === 'too long') this.#handler.failed('a message exceeds the bound');
    else if (message !== undefined) this.#deliver(state, message, message.bytes);
  }

  #deliver(state: Started, message: Omit<WholeMessage, 'bytes'>, bytes: Buffer): void {
    const { streamId, sequence, protocol } = message;
    if (bytes.length > this.#options.maxMessageBytes) this.#handler.failed('a message exceeds the bound');
    else if (message.isUnordered) this.#handler.message(streamId, protocol, bytes);
    else state.streams.add(streamId, sequence, protocol, bytes);
  }
}
