/**
 * The parts of an SCTP association and what each expects of the others. A received chunk is given as the `PacketReader`
 * that stands on it: `reader.packet`, `.offset` and `.length` of the value, `.type`, `.flags`. The association has
 * opened the packet (`open`: checksum, chunks within it); every other length is checked by the part that reads it. The
 * packet is valid during the call only. Times are milliseconds of `now`. TSNs are signed 32 bits.
 *
 * DATA, I-DATA, SACK, FORWARD-TSN and I-FORWARD-TSN belong to `Sending` and `Receiving`; all others to the association.
 *
 * Made by `new Sender(SendingOptions)` (sending/sender.ts), `new Receiver(ReceivingOptions, ReceivingHandler)`
 * (receiving/receiver.ts), `new DataChannels(ChannelsOptions)` (channels/data-channels.ts).
 */

import type { ChannelOptions, ChannelsHandler, SctpChannel } from './options.ts';
import type { PacketReader } from './wire/packet-reader.ts';
import type { PacketWriter } from './wire/packet-writer.ts';

/** How a message is sent; undefined limits mean reliable. */
export interface Delivery {
  readonly ordered: boolean;
  readonly maxRetransmits?: number;
  readonly maxLifetimeMs?: number;
}

export interface SendingOptions {
  readonly mtu: number;
  readonly initialTsn: number;
  /** Bytes queued or in flight over all streams, at most. */
  readonly sendBufferBytes: number;
  readonly now: () => number;
}

/** What the handshake found out about the peer. */
export interface PeerAbilities {
  /** a_rwnd of its INIT or INIT ACK. */
  readonly windowBytes: number;
  /** Both sides offered I-DATA (RFC 8260). */
  readonly interleaving: boolean;
  /** The peer understands FORWARD-TSN (RFC 3758); otherwise every message is sent reliably. */
  readonly partialReliability: boolean;
}

/**
 * Queues, chunks, flight, congestion control and retransmission. Created with the association, usable before `start`.
 */
export interface Sending {
  /** The handshake is over: data may go. */
  start(peer: PeerAbilities): void;
  /** Copies the message into the queue of the stream. False: the buffer is full. */
  enqueue(streamId: number, ppid: number, message: Uint8Array, delivery: Delivery): boolean;
  /**
   * Adds DATA or I-DATA and FORWARD-TSN to the packet as the windows allow. Called until it adds nothing: false. The
   * writer may already have chunks.
   */
  fill(writer: PacketWriter): boolean;
  /** True: it acknowledges something new. A malformed or old SACK changes nothing. */
  handleSack(reader: PacketReader): boolean;
  /** When `onTimer` is due; Infinity for never. Covers retransmission, probes and lifetimes. */
  readonly timerAt: number;
  /** True: a retransmission timeout (T3), which the association counts against a dead peer. `fill` follows. */
  onTimer(): boolean;
  /** Round-trip time measured by a heartbeat. */
  roundTrip(ms: number): void;
  /** Current retransmission timeout. */
  readonly rtoMs: number;
  /** Bytes of the stream that the peer has not acknowledged or that wait. */
  bufferedAmount(streamId: number): number;
  /**
   * A message of the stream is queued, or has a TSN that is not acknowledged cumulatively, so that its reset (RFC 6525)
   * has to wait: FORWARD-TSN may still name the message by a number that means another one after the reset.
   */
  isStreamBusy(streamId: number): boolean;
  /** Anything is queued or not acknowledged: SHUTDOWN has to wait. */
  readonly isBusy: boolean;
  /** The TSN of the next new chunk. */
  readonly nextTsn: number;
  /** The outgoing stream was reset: SSN and MID start at 0. */
  resetStream(streamId: number): void;
  /** Frees all messages. */
  close(): void;
}

export interface ReceivingOptions {
  readonly receiveWindowBytes: number;
  readonly maxMessageBytes: number;
  readonly now: () => number;
}

export interface ReceivingHandler {
  /** One whole message; the buffer belongs to the handler. */
  message(streamId: number, ppid: number, message: Buffer): void;
  /**
   * A message above the bound, or a breach of protocol after which the state is unknown: the association is aborted.
   */
  failed(reason: string): void;
}

/** TSNs, SACK and reassembly. Created with the association, receives after `start` only. */
export interface Receiving {
  start(peerInitialTsn: number, interleaving: boolean): void;
  /** DATA (0) or I-DATA (64). */
  handleData(reader: PacketReader): void;
  /** FORWARD-TSN (192) or I-FORWARD-TSN (194). */
  handleForwardTsn(reader: PacketReader): void;
  /** All chunks of a packet were handled: decides on a SACK (at once: `sackAt` <= now). */
  endPacket(): void;
  /** When a SACK is due; Infinity for none. */
  readonly sackAt: number;
  /** Writes a SACK with as many gap blocks as fit and clears `sackAt`. False: no room. */
  writeSack(writer: PacketWriter): boolean;
  /** Cumulative TSN received: a reset of the peer's streams waits for its last TSN; SHUTDOWN carries it. */
  readonly cumulativeTsn: number;
  /** The window that the next SACK advertises; also a_rwnd of INIT before `start`. */
  readonly windowBytes: number;
  /** The peer reset these streams (all when empty): SSN and MID start at 0; what is unfinished is dropped. */
  resetStreams(streamIds: readonly number[]): void;
  close(): void;
}

/** What channels/ needs of the association. */
export interface ChannelsHost {
  /** Queues and sends. False: the buffer is full or the association closed. */
  send(streamId: number, ppid: number, message: Uint8Array, delivery: Delivery): boolean;
  bufferedAmount(streamId: number): number;
  /** Asks for an outgoing stream reset, once all queued messages of the stream have been sent. */
  resetStream(streamId: number): void;
}

export interface ChannelsOptions {
  readonly isDtlsClient: boolean;
  readonly maxMessageBytes: number;
  readonly host: ChannelsHost;
  readonly handler: ChannelsHandler;
}

/** The data channels over the streams. */
export interface Channels {
  open(label: string, options: ChannelOptions): SctpChannel;
  close(channel: SctpChannel): void;
  /** False: buffer full or the channel is not open. */
  send(channel: SctpChannel, message: Uint8Array, isBinary: boolean): boolean;
  /** A whole message of a stream arrived. */
  message(streamId: number, ppid: number, message: Buffer): void;
  /** The handshake is over, with this many streams in each direction. */
  connected(outgoingStreams: number, incomingStreams: number): void;
  /** Our reset of the outgoing stream was answered (or refused, which changes nothing). */
  outgoingReset(streamId: number): void;
  /** The peer reset these of its outgoing streams; all when empty. */
  incomingReset(streamIds: readonly number[]): void;
  /** The association ended: every channel closes. */
  closeAll(): void;
}
