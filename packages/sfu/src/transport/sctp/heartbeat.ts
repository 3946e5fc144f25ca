/**
 * Finds out whether a silent peer still lives (RFC 9260, section 8.3), and the round-trip time while nothing is sent.
 */
import { randomBytes } from 'node:crypto';
import { ParameterType } from './wire/constants.ts';
import type { PacketReader } from './wire/packet-reader.ts';
import { parameter } from './wire/parameters.ts';

/** ICE consent and DTLS find a lost path earlier; this finds a peer whose SCTP is dead. */
const INTERVAL_MS = 15_000;
const WAIT_MS = 1000;
const MAX_WAIT_MS = 5000;
const NONCE_BYTES = 16;

export interface HeartbeatHost {
  now(): number;
  sendHeartbeat(value: Buffer): void;
  /** The peer has not answered in time: counts against it. */
  unanswered(): void;
}

export class Heartbeat {
  timerAt = Infinity;
  readonly #host: HeartbeatHost;
  #nonce: Buffer | undefined;
  #sentAt = 0;
  #heardAt = 0;
  #missed = 0;

  constructor(host: HeartbeatHost) {
    this.#host = host;
  }

  start(): void {
    this.#heardAt = this.#host.now();
    this.timerAt = this.#heardAt + INTERVAL_MS;
  }

  stop(): void {
    this.timerAt = Infinity;
  }

  /** The peer acknowledged something of ours. */
  heard(): void {
    this.#heardAt = this.#host.now();
    this.#nonce = undefined;
    this.#missed = 0;
  }

  onTimer(): void {
    const now = this.#host.now();
    if (this.#nonce !== undefined) {
      this.#missed++;
      this.#host.unanswered();
    } else if (this.#heardAt + INTERVAL_MS > now) {
      this.timerAt = this.#heardAt + INTERVAL_MS;
      return;
    }
    this.#nonce = randomBytes(NONCE_BYTES);
    this.#sentAt = now;
    this.timerAt = now + Math.min(MAX_WAIT_MS, WAIT_MS * 2 ** this.#missed);
    this.#host.sendHeartbeat(parameter(ParameterType.heartbeatInfo, this.#nonce));
  }

  /** The round-trip time in milliseconds; undefined if the chunk does not answer our last heartbeat. */
  handleAck(reader: PacketReader): number | undefined {
    const value = reader.value();
    if (this.#nonce === undefined || value.length !== 4 + NONCE_BYTES || !value.subarray(4).equals(this.#nonce)) {
      return undefined;
    }
    this.heard();
    this.timerAt = this.#heardAt + INTERVAL_MS;
    return this.#heardAt - this.#sentAt;
  }
}
