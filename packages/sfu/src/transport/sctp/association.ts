/**
 * SCTP over DTLS for data channels (RFC 9260, RFC 8261, RFC 8831): one association between two peers, one path, no
 * addresses. This class has the states and the packets; sending/, receiving/ and channels/ have the data.
 */
import { DataChannels } from './channels/data-channels.ts';
import type { PeerInit } from './cookie.ts';
import { Handshake, randomNumber, writeChunk } from './handshake.ts';
import { Heartbeat } from './heartbeat.ts';
import type { ChannelOptions, SctpChannel, SctpHandler, SctpOptions } from './options.ts';
import type { Delivery } from './parts.ts';
import { Receiver } from './receiving/receiver.ts';
import { StreamResets } from './resets.ts';
import { Sender } from './sending/sender.ts';
import { Shutdown } from './shutdown.ts';
import { Alarm, defaultNow } from './timers.ts';
import { ChunkType, ErrorCause } from './wire/constants.ts';
import { PacketReader } from './wire/packet-reader.ts';
import { PacketWriter } from './wire/packet-writer.ts';
import { parameter, readParameters, unknownChunk } from './wire/parameters.ts';

/** The port of both sides: the `sctp-port` that browsers and LiveKit's clients have in their SDP. */
const PORT = 5000;
const DEFAULT_MTU = 1191;
const DEFAULT_RECEIVE_WINDOW = 1024 * 1024;
const DEFAULT_SEND_BUFFER = 4 * 1024 * 1024;
/**
 * A peer that has answered nothing for this long is dead. RFC 9260 counts ten timeouts, which are few seconds where
 * several timers of 200 ms run; ICE consent, which ends a transport after 30 s, should be first.
 */
const MAX_SILENCE_MS = 40_000;
const MAX_REPORTED_BYTES = 256;
const STREAMS = 1024;
/** Chunks without data that are handled in one packet: some are answered, or cost a search of what is held. */
const MAX_CONTROLS = 16;
/** The T bit of ABORT and SHUTDOWN COMPLETE: the tag is that of the sender (RFC 9260, section 8.5.1). */
const REFLECTED_TAG = 1;

export class SctpAssociation {
  /** Packets with a wrong checksum, wrong lengths, wrong ports or a wrong verification tag. */
  packetsRefused = 0;
  readonly #handler: SctpHandler;
  readonly #now: () => number;
  readonly #reader = new PacketReader();
  readonly #writer: PacketWriter;
  readonly #alarm: Alarm;
  readonly #ownTag = randomNumber();
  readonly #sending: Sender;
  readonly #receiving: Receiver;
  readonly #channels: DataChannels;
  readonly #handshake: Handshake;
  readonly #heartbeat: Heartbeat;
  readonly #resets: StreamResets;
  readonly #shutdown: Shutdown;
  #peerTag = 0;
  /** Time of the first timeout since the peer last answered; Infinity for none. */
  #silentSince = Infinity;
  #isClosed = false;
  #isEnding = false;
  /** A packet or timer is being handled: what is to be sent goes at its end. */
  #isHandling = false;

  constructor(options: SctpOptions, handler: SctpHandler) {
    const { maxMessageBytes, mtu = DEFAULT_MTU, now = defaultNow } = options;
    const initialTsn = randomNumber() | 0;
    this.#handler = handler;
    this.#now = now;
    this.#writer = new PacketWriter(mtu);
    this.#alarm = new Alarm(now, options.setTimer, () => this.#onTimer());
    const sendBufferBytes = options.sendBufferBytes ?? DEFAULT_SEND_BUFFER;
    this.#sending = new Sender({ mtu, initialTsn, sendBufferBytes, now });
    const receiveWindowBytes = options.receiveWindowBytes ?? DEFAULT_RECEIVE_WINDOW;
    this.#receiving = new Receiver(
      { receiveWindowBytes, maxMessageBytes, now },
      {
        message: (streamId, ppid, message) => {
          if (!this.#isClosed) {
            this.#channels.message(streamId, ppid, message);
          }
        },
        failed: (reason) => this.#abort(ErrorCause.protocolViolation, reason),
      },
    );
    this.#channels = this.#newChannels(options);
    this.#shutdown = this.#newShutdown();
    this.#resets = this.#newResets(initialTsn);
    this.#heartbeat = new Heartbeat({
      now,
      sendHeartbeat: (value) => this.#sendAlone(ChunkType.heartbeat, value),
      unanswered: () => this.#countUnanswered(),
    });
    this.#handshake = new Handshake(
      {
        now,
        begin: (tag) => this.#begin(tag),
        transmit: () => this.#transmit(),
        established: (peer) => this.#established(peer),
        failed: (reason) => this.#end(reason),
      },
      { tag: this.#ownTag, initialTsn, windowBytes: this.#receiving.windowBytes },
    );
  }

  /** Sends INIT. Both sides may call this; a side that does not is connected by the INIT of its peer. */
  start(): void {
    if (!this.#isClosed) {
      this.#handshake.start();
      this.#arm();
    }
  }

  /** One SCTP packet: a view that is valid during the call only. Bad packets are counted and dropped. */
  receive(packet: Buffer): void {
    if (this.#isClosed) {
      return;
    }
    if (!this.#opens(packet)) {
      this.packetsRefused++;
      return;
    }
    this.#isHandling = true;
    const hasData = this.#handleChunks();
    this.#reader.close();
    if (hasData && !this.#isClosed) {
      this.#receiving.endPacket();
      this.#shutdown.handleData();
    }
    this.#isHandling = false;
    this.#flush();
  }

  /**
   * A channel of ours, usable at once: messages wait until the association is connected.
   *
   * @throws RangeError for a label or protocol that is too long, or if no stream id is left
   */
  openChannel(label: string, options: ChannelOptions): SctpChannel {
    const channel = this.#channels.open(label, options);
    this.#flush();
    return channel;
  }

  /** Sends what is queued, then resets the stream (RFC 6525); the peer's half follows. */
  closeChannel(channel: SctpChannel): void {
    this.#channels.close(channel);
    this.#flush();
  }

  /** Copies the message. False: the send buffer is full, or the channel or association closed. */
  send(channel: SctpChannel, message: Uint8Array, isBinary = true): boolean {
    return this.#channels.send(channel, message, isBinary);
  }

  /** Ends the association when everything queued has been delivered; `closed` follows. */
  shutdown(): void {
    this.#shutdown.start();
    this.#flush();
  }

  /** Ends the association at once with an ABORT. The handler is not called any more. */
  close(): void {
    if (!this.#isClosed) {
      this.#sendAbort(ErrorCause.userAbort, '');
      this.#free();
    }
  }

  #newChannels(options: SctpOptions): DataChannels {
    const handler = this.#handler;
    return new DataChannels({
      isDtlsClient: options.isDtlsClient,
      maxMessageBytes: options.maxMessageBytes,
      host: {
        send: (streamId, ppid, message, delivery) => this.#enqueue(streamId, ppid, message, delivery),
        bufferedAmount: (streamId) => this.#sending.bufferedAmount(streamId),
        resetStream: (streamId) => {
          this.#resets.request(streamId);
          this.#flush();
        },
      },
      handler: {
        channelOpen: (channel) => this.#isClosed || handler.channelOpen(channel),
        channelClosed: (channel) => this.#isClosed || handler.channelClosed(channel),
        message: (channel, message, isBinary) => this.#isClosed || handler.message(channel, message, isBinary),
      },
    });
  }

  #newShutdown(): Shutdown {
    return new Shutdown({
      now: this.#now,
      rtoMs: () => this.#sending.rtoMs,
      isSending: () => this.#sending.isBusy,
      cumulativeTsn: () => this.#receiving.cumulativeTsn,
      sendAlone: (type) => this.#sendAlone(type, Buffer.alloc(0)),
      unanswered: () => this.#countUnanswered(),
      shutDown: () => this.#end('shut down'),
    });
  }

  #newResets(initialTsn: number): StreamResets {
    return new StreamResets(
      {
        now: this.#now,
        rtoMs: () => this.#sending.rtoMs,
        nextTsn: () => this.#sending.nextTsn,
        cumulativeTsn: () => this.#receiving.cumulativeTsn,
        hasQueued: (streamId) => this.#sending.hasQueued(streamId),
        outgoingReset: (streamId, isReset) => {
          if (isReset) {
            this.#sending.resetStream(streamId);
          }
          this.#channels.outgoingReset(streamId);
        },
        incomingReset: (streamIds) => {
          this.#receiving.resetStreams(streamIds);
          this.#channels.incomingReset(streamIds);
        },
        unanswered: () => this.#countUnanswered(),
      },
      initialTsn,
    );
  }

  /** False: the packet is not intact or not for this association. The reader stands on its first chunk otherwise. */
  #opens(packet: Buffer): boolean {
    const reader = this.#reader;
    if (!reader.open(packet) || reader.sourcePort !== PORT || reader.destinationPort !== PORT) {
      return false;
    }
    return reader.next() && this.#isForUs();
  }

  /** True: a chunk concerned received data, so that a SACK may be due. */
  #handleChunks(): boolean {
    const reader = this.#reader;
    let hasData = false;
    let controls = 0;
    do {
      const { type } = reader;
      if (type === ChunkType.data || type === ChunkType.iData) {
        // Data before COOKIE ACK is dropped; the peer sends it again (RFC 9260, section 6).
        if (this.#handshake.isDone) {
          hasData = true;
          this.#receiving.handleData(reader);
        }
      } else {
        controls++;
        if (controls > MAX_CONTROLS || !this.#handleControl()) {
          break;
        }
        hasData ||= this.#handshake.isDone && (type === ChunkType.forwardTsn || type === ChunkType.iForwardTsn);
      }
    } while (!this.#isClosed && reader.next());
    return hasData;
  }

  /** Verification tags (RFC 9260, section 8.5); INIT stands alone with tag 0. */
  #isForUs(): boolean {
    const { type, flags, verificationTag, packet, offset, length } = this.#reader;
    if (type === ChunkType.init) {
      return verificationTag === 0 && offset + ((length + 3) & ~3) >= packet.length;
    }
    if (verificationTag === this.#ownTag) {
      return true;
    }
    const mayReflect = type === ChunkType.abort || type === ChunkType.shutdownComplete;
    return mayReflect && (flags & REFLECTED_TAG) !== 0 && this.#peerTag !== 0 && verificationTag === this.#peerTag;
  }

  /** A chunk without data. False: the rest of the packet is not looked at. */
  #handleControl(): boolean {
    const reader = this.#reader;
    switch (reader.type) {
      case ChunkType.init:
        this.#handshake.handleInit(reader);
        return false;
      case ChunkType.initAck:
        this.#handshake.handleInitAck(reader);
        return true;
      case ChunkType.cookieEcho:
        this.#handshake.handleCookieEcho(reader, this.#peerTag);
        return true;
      case ChunkType.cookieAck:
        this.#handshake.handleCookieAck();
        return true;
      case ChunkType.abort:
        this.#end('aborted by the peer');
        return false;
      case ChunkType.error:
        this.#handleError();
        return true;
      default:
        return this.#handshake.isDone && this.#handleEstablished();
    }
  }

  #handleEstablished(): boolean {
    const reader = this.#reader;
    switch (reader.type) {
      case ChunkType.sack:
        this.#sending.handleSack(reader);
        this.#heard();
        return true;
      case ChunkType.forwardTsn:
      case ChunkType.iForwardTsn:
        this.#receiving.handleForwardTsn(reader);
        return true;
      case ChunkType.heartbeat:
        this.#sendAlone(ChunkType.heartbeatAck, reader.value());
        return true;
      case ChunkType.heartbeatAck:
        this.#handleHeartbeatAck();
        return true;
      case ChunkType.reConfig:
        if (this.#resets.handle(reader)) {
          this.#heard();
        }
        return true;
      case ChunkType.shutdown:
        this.#shutdown.handleShutdown();
        return true;
      case ChunkType.shutdownAck:
        this.#shutdown.handleShutdownAck();
        return true;
      case ChunkType.shutdownComplete:
        this.#shutdown.handleShutdownComplete();
        return true;
      default:
        return this.#handleUnknown();
    }
  }

  #handleUnknown(): boolean {
    const reader = this.#reader;
    const { stop, report } = unknownChunk(reader.type);
    if (report) {
      const { packet, offset, length } = reader;
      const chunk = packet.subarray(offset - 4, offset + Math.min(length, MAX_REPORTED_BYTES));
      this.#sendAlone(ChunkType.error, parameter(ErrorCause.unrecognisedChunk, chunk));
    }
    // One report a packet is enough: a hostile packet has room for hundreds of unknown chunks.
    return !stop && !report;
  }

  #handleError(): void {
    const value = this.#reader.value();
    readParameters(value, 0, value.length, (cause) => {
      if (cause === ErrorCause.staleCookie) {
        this.#handshake.handleStaleCookie();
      }
    });
  }

  #handleHeartbeatAck(): void {
    const roundTripMs = this.#heartbeat.handleAck(this.#reader);
    if (roundTripMs !== undefined) {
      this.#silentSince = Infinity;
      this.#sending.roundTrip(roundTripMs);
    }
  }

  #heard(): void {
    this.#silentSince = Infinity;
    this.#heartbeat.heard();
  }

  #countUnanswered(): void {
    const now = this.#now();
    this.#silentSince = Math.min(this.#silentSince, now);
    if (now - this.#silentSince > MAX_SILENCE_MS) {
      this.#abort(ErrorCause.userAbort, 'the peer does not answer');
    }
  }

  #established(peer: PeerInit): void {
    const { windowBytes, interleaving, partialReliability } = peer;
    this.#peerTag = peer.tag;
    this.#sending.start({ windowBytes, interleaving, partialReliability });
    this.#receiving.start(peer.initialTsn, interleaving);
    this.#resets.start(peer.initialTsn, peer.reconfiguration);
    this.#heartbeat.start();
    this.#channels.connected(Math.min(STREAMS, peer.incomingStreams), Math.min(STREAMS, peer.outgoingStreams));
    this.#handler.connected();
  }

  #enqueue(streamId: number, ppid: number, message: Uint8Array, delivery: Delivery): boolean {
    if (this.#isClosed || !this.#shutdown.isOpen || !this.#sending.enqueue(streamId, ppid, message, delivery)) {
      return false;
    }
    this.#flush();
    return true;
  }

  #onTimer(): void {
    const now = this.#now();
    this.#isHandling = true;
    if (this.#handshake.timerAt <= now) {
      this.#handshake.onTimer();
    }
    if (this.#sending.timerAt <= now && this.#sending.onTimer()) {
      this.#countUnanswered();
    }
    if (this.#resets.timerAt <= now) {
      this.#resets.onTimer();
    }
    if (this.#heartbeat.timerAt <= now) {
      this.#heartbeat.onTimer();
    }
    if (this.#shutdown.timerAt <= now) {
      this.#shutdown.onTimer();
    }
    this.#isHandling = false;
    this.#flush();
  }

  /** Sends what is due, as many packets as the windows allow. */
  #flush(): void {
    if (this.#isHandling || this.#isClosed) {
      return;
    }
    if (this.#handshake.isDone) {
      this.#isHandling = true;
      this.#fillPackets();
      this.#isHandling = false;
    }
    this.#arm();
  }

  #fillPackets(): void {
    const writer = this.#writer;
    const isSackDue = this.#receiving.sackAt <= this.#now();
    this.#begin(this.#peerTag);
    if (isSackDue) {
      this.#receiving.writeSack(writer);
    }
    for (;;) {
      while (this.#sending.fill(writer)) {
        // As many chunks as fit.
      }
      if (writer.isEmpty) {
        break;
      }
      this.#transmit();
      this.#begin(this.#peerTag);
    }
    while (this.#resets.fill(writer) || this.#shutdown.fill(writer)) {
      this.#transmit();
      this.#begin(this.#peerTag);
    }
  }

  #begin(tag: number): PacketWriter {
    this.#writer.begin(PORT, PORT, tag);
    return this.#writer;
  }

  /** A packet that is dropped below is as good as lost: the timers repeat what matters. */
  #transmit(): void {
    this.#handler.send(this.#writer.finish());
  }

  #sendAlone(type: number, value: Uint8Array): void {
    if (writeChunk(this.#begin(this.#peerTag), type, 0, value)) {
      this.#transmit();
    }
  }

  #sendAbort(cause: number, reason: string): void {
    if (this.#peerTag !== 0) {
      this.#sendAlone(ChunkType.abort, parameter(cause, Buffer.from(reason)));
    }
  }

  #abort(cause: number, reason: string): void {
    if (!this.#isClosed) {
      this.#sendAbort(cause, reason);
      this.#end(reason);
    }
  }

  #end(reason: string): void {
    if (this.#isClosed || this.#isEnding) {
      return;
    }
    this.#isEnding = true;
    this.#channels.closeAll();
    // The application may have called close meanwhile.
    if (!this.#isClosed) {
      this.#free();
      this.#handler.closed(reason);
    }
  }

  #free(): void {
    this.#isClosed = true;
    this.#alarm.cancel();
    this.#channels.closeAll();
    this.#sending.close();
    this.#receiving.close();
  }

  #arm(): void {
    if (!this.#isClosed) {
      this.#alarm.set(
        Math.min(
          this.#handshake.timerAt,
          this.#sending.timerAt,
          this.#receiving.sackAt,
          this.#resets.timerAt,
          this.#heartbeat.timerAt,
          this.#shutdown.timerAt,
        ),
      );
    }
  }
}
