/**
 * Setting up an association (RFC 9260, section 5): INIT, INIT ACK, COOKIE ECHO, COOKIE ACK. Both sides of a data
 * channel connection send INIT at once (RFC 8831, section 6.2), so the collision of section 5.2.1 is the normal case:
 * our tag and initial TSN are the same in every INIT and INIT ACK.
 */
import { randomBytes } from 'node:crypto';
import { makeCookie, readCookie, type PeerInit } from './cookie.ts';
import { ChunkType, ErrorCause, ParameterType } from './wire/constants.ts';
import { readInit, writeInit, type InitChunk } from './wire/init.ts';
import type { PacketReader } from './wire/packet-reader.ts';
import type { PacketWriter } from './wire/packet-writer.ts';
import { parameter } from './wire/parameters.ts';

/** What the handshake needs of the association. */
export interface HandshakeHost {
  /** Starts a packet; `transmit` sends it. */
  begin(tag: number): PacketWriter;
  transmit(): void;
  established(peer: PeerInit): void;
  failed(reason: string): void;
  now(): number;
}

/** Our half of INIT and INIT ACK. */
export interface OwnInit {
  readonly tag: number;
  readonly initialTsn: number;
  readonly windowBytes: number;
}

/** Stream ids in each direction. Every stream that is used costs memory; clients use less than ten. */
const STREAMS = 1024;
const MIN_WINDOW_BYTES = 1500;
const T1_FIRST_MS = 500;
const T1_MAX_MS = 3000;
/** Max.Init.Retransmits of RFC 9260, section 16. */
const MAX_TRIES = 8;

const abilities = Buffer.concat([
  parameter(ParameterType.forwardTsnSupported, Buffer.alloc(0)),
  parameter(
    ParameterType.supportedExtensions,
    Buffer.from([ChunkType.reConfig, ChunkType.forwardTsn, ChunkType.iData, ChunkType.iForwardTsn]),
  ),
]);

/** A random tag (RFC 9260, section 5.3.1) or TSN; never 0. */
export function randomNumber(): number {
  return randomBytes(4).readUInt32BE(0) || 1;
}

/** Undefined: a window that RFC 9260, section 3.3.2 forbids. */
function peerOf(init: InitChunk | undefined): PeerInit | undefined {
  if (init === undefined || init.receiveWindow < MIN_WINDOW_BYTES) {
    return undefined;
  }
  return {
    tag: init.initiateTag,
    windowBytes: init.receiveWindow,
    outgoingStreams: init.outgoingStreams,
    incomingStreams: init.incomingStreams,
    initialTsn: init.initialTsn,
    // Peers that know only RFC 3758 send its parameter alone.
    partialReliability: init.forwardTsn || init.extensions.includes(ChunkType.forwardTsn),
    reconfiguration: init.extensions.includes(ChunkType.reConfig),
    interleaving: init.extensions.includes(ChunkType.iData),
  };
}

/** A chunk of one value. False: no room. */
export function writeChunk(writer: PacketWriter, type: number, flags: number, value: Uint8Array): boolean {
  if (value.length > writer.room) {
    return false;
  }
  writer.buffer.set(value, writer.chunk(type, flags, value.length));
  return true;
}

type State = 'new' | 'cookie-wait' | 'cookie-echoed' | 'done';

export class Handshake {
  /** When `onTimer` is due (T1-init, T1-cookie). */
  timerAt = Infinity;
  readonly #host: HandshakeHost;
  readonly #own: OwnInit;
  #state: State = 'new';
  #tries = 0;
  #peer: PeerInit | undefined;
  /** Copied from the INIT ACK, to be repeated. */
  #cookie: Buffer | undefined;

  constructor(host: HandshakeHost, own: OwnInit) {
    this.#host = host;
    this.#own = own;
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** Sends INIT. Without effect after the first call, or once the peer's INIT led to an association. */
  start(): void {
    if (this.#state === 'new') {
      this.#sendInit();
    }
  }

  /** An INIT, alone in its packet with tag 0. It changes no state; a peer that restarts is not answered. */
  handleInit(reader: PacketReader): void {
    const init = this.isDone ? undefined : readInit(reader.value());
    const peer = peerOf(init);
    if (init === undefined || peer === undefined) {
      return;
    }
    const cookie = makeCookie(this.#own.tag, peer, this.#host.now());
    const value = [this.#init(), parameter(ParameterType.stateCookie, cookie)];
    let bytes = value[0]!.length + value[1]!.length;
    const writer = this.#host.begin(peer.tag);
    for (const { type, value: content } of init.unrecognised) {
      const report = parameter(ParameterType.unrecognised, parameter(type, content));
      if (bytes + report.length <= writer.room) {
        value.push(report);
        bytes += report.length;
      }
    }
    if (writeChunk(writer, ChunkType.initAck, 0, Buffer.concat(value))) {
      this.#host.transmit();
    }
  }

  /** An INIT ACK with our tag. */
  handleInitAck(reader: PacketReader): void {
    const init = this.#state === 'cookie-wait' ? readInit(reader.value()) : undefined;
    const peer = peerOf(init);
    const cookie = init?.cookie;
    if (peer === undefined || cookie === undefined || cookie.length === 0) {
      return;
    }
    this.#peer = peer;
    this.#cookie = cookie;
    this.#state = 'cookie-echoed';
    this.#tries = 0;
    this.#sendCookie();
  }

  /** A COOKIE ECHO (RFC 9260, sections 5.1.5 and 5.2.4). `peerTag`: that of the association, if there is one. */
  handleCookieEcho(reader: PacketReader, peerTag: number): void {
    const peer = readCookie(reader.value(), this.#own.tag, this.#host.now());
    if (peer === undefined) {
      return;
    }
    if (this.isDone) {
      // Our COOKIE ACK was lost (action D). Another tag is a restart (action A), which DTLS gives no reason for.
      if (peer.init.tag === peerTag) {
        this.#send(peerTag, ChunkType.cookieAck, Buffer.alloc(0));
      }
      return;
    }
    if (peer.isStale) {
      // How many microseconds too late (section 3.3.10.3) is of no use to the peer.
      this.#send(peer.init.tag, ChunkType.error, parameter(ErrorCause.staleCookie, Buffer.alloc(4)));
      return;
    }
    this.#finish(peer.init);
    this.#send(peer.init.tag, ChunkType.cookieAck, Buffer.alloc(0));
  }

  /** A COOKIE ACK with our tag. */
  handleCookieAck(): void {
    if (this.#state === 'cookie-echoed' && this.#peer !== undefined) {
      this.#finish(this.#peer);
    }
  }

  /** The peer calls our cookie stale: a new INIT gets a new one (RFC 9260, section 5.2.6). */
  handleStaleCookie(): void {
    if (this.#state === 'cookie-echoed') {
      this.#sendInit();
    }
  }

  onTimer(): void {
    this.timerAt = Infinity;
    if (this.#tries > MAX_TRIES) {
      this.#host.failed('no answer to INIT');
    } else if (this.#state === 'cookie-wait') {
      this.#sendInit();
    } else if (this.#state === 'cookie-echoed') {
      this.#sendCookie();
    }
  }

  #finish(peer: PeerInit): void {
    this.#state = 'done';
    this.#cookie = undefined;
    this.timerAt = Infinity;
    this.#host.established(peer);
  }

  #startTimer(): void {
    this.timerAt = this.#host.now() + Math.min(T1_MAX_MS, T1_FIRST_MS * 2 ** this.#tries);
    this.#tries++;
  }

  #sendInit(): void {
    this.#state = 'cookie-wait';
    this.#startTimer();
    this.#send(0, ChunkType.init, this.#init());
  }

  #sendCookie(): void {
    this.#startTimer();
    this.#send(this.#peer!.tag, ChunkType.cookieEcho, this.#cookie!);
  }

  #send(tag: number, type: number, value: Uint8Array): void {
    if (writeChunk(this.#host.begin(tag), type, 0, value)) {
      this.#host.transmit();
    }
  }

  #init(): Buffer {
    const fixed = writeInit({
      initiateTag: this.#own.tag,
      receiveWindow: this.#own.windowBytes,
      outgoingStreams: STREAMS,
      incomingStreams: STREAMS,
      initialTsn: this.#own.initialTsn,
    });
    return Buffer.concat([fixed, abilities]);
  }
}
