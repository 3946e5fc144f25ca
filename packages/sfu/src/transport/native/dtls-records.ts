/**
 * Checks DTLS records before OpenSSL sees them (RFC 6347 section 4.1). OpenSSL ends a session at some records that
 * were not authenticated, which an attacker can send; they are dropped here.
 */
import { memory, view } from './arena.ts';

const HEADER_BYTES = 13;
const HANDSHAKE_HEADER_BYTES = 12;
const CHANGE_CIPHER_SPEC = 20;
const ALERT = 21;
const HANDSHAKE = 22;
const APPLICATION_DATA = 23;
const DTLS_1_0 = 0xfeff;
const DTLS_1_2 = 0xfefd;
/** Explicit nonce and tag of AES-GCM (RFC 5288). */
const GCM_BYTES = 24;
/** Bound for a handshake message, as OpenSSL has it for certificates. */
const MAX_MESSAGE_BYTES = 65_536;
/** Records that came before the keys: OpenSSL keeps them. */
const MAX_EARLY_RECORDS = 16;

const set = (...types: number[]): number => types.reduce((bits, type) => bits | (1 << type), 0);
/** ClientHello, Certificate, CertificateVerify, ClientKeyExchange. */
const FROM_CLIENT = set(1, 11, 15, 16);
/** ServerHello, HelloVerifyRequest, NewSessionTicket, Certificate to ServerHelloDone, CertificateStatus. */
const FROM_SERVER = set(2, 3, 4, 11, 12, 13, 14, 22);

export class DtlsRecordFilter {
  /** Records that were dropped. */
  dropped = 0;
  /** Set after the handshake: from then on, clear records are dropped. */
  connected = false;
  readonly #handshakeTypes: number;
  #early = 0;

  /** @param isServer the peer is the client */
  constructor(isServer: boolean) {
    this.#handshakeTypes = isServer ? FROM_CLIENT : FROM_SERVER;
  }

  /** Moves the acceptable records of a datagram in the arena to its start. Returns their length in bytes. */
  filter(at: number, length: number): number {
    let kept = 0;
    for (let from = 0; from < length;) {
      const size = from + HEADER_BYTES <= length ? HEADER_BYTES + view.getUint16(at + from + 11) : 0;
      if (size === 0 || from + size > length) {
        this.dropped++;
        break;
      }
      if (this.#accepts(at + from, size - HEADER_BYTES)) {
        if (kept !== from) memory.copyWithin(at + kept, at + from, at + from + size);
        kept += size;
      } else this.dropped++;
      from += size;
    }
    return kept;
  }

  #accepts(record: number, bytes: number): boolean {
    const type = view.getUint8(record);
    const version = view.getUint16(record + 1);
    const epoch = view.getUint16(record + 3);
    if (type < CHANGE_CIPHER_SPEC || type > APPLICATION_DATA) return false;
    if (epoch === 1) return version === DTLS_1_2 && bytes >= GCM_BYTES && type !== CHANGE_CIPHER_SPEC && this.#isDue();
    if (epoch !== 0 || this.connected) return false;
    if (version !== DTLS_1_2 && version !== DTLS_1_0) return false;
    return this.#acceptsClear(type, record + HEADER_BYTES, bytes);
  }

  #isDue(): boolean {
    if (this.connected) return true;
    if (this.#early >= MAX_EARLY_RECORDS) return false;
    this.#early++;
    return true;
  }

  #acceptsClear(type: number, at: number, bytes: number): boolean {
    if (type === HANDSHAKE) return this.#acceptsHandshake(at, bytes);
    if (type === ALERT) return bytes === 2 && isAlert(view.getUint8(at), view.getUint8(at + 1));
    if (type !== CHANGE_CIPHER_SPEC || bytes !== 1 || view.getUint8(at) !== 1) return false;
    // The records that were kept are read now; a retransmitted flight has its own.
    this.#early = 0;
    return true;
  }

  #acceptsHandshake(at: number, bytes: number): boolean {
    if (bytes === 0) return false;
    for (let from = 0; from < bytes;) {
      if (from + HANDSHAKE_HEADER_BYTES > bytes) return false;
      const type = view.getUint8(at + from);
      const length = uint24(at + from + 1);
      const offset = uint24(at + from + 6);
      const fragment = uint24(at + from + 9);
      if (type > 31 || ((this.#handshakeTypes >>> type) & 1) === 0) return false;
      if (length > MAX_MESSAGE_BYTES || offset + fragment > length) return false;
      if (fragment === 0 && length > 0) return false;
      from += HANDSHAKE_HEADER_BYTES + fragment;
      if (from > bytes) return false;
    }
    return true;
  }
}

const uint24 = (at: number): number => (view.getUint8(at) << 16) | view.getUint16(at + 1);

/** Level warning or fatal, and a description that exists (RFC 5246 section 7.2). */
const isAlert = (level: number, description: number): boolean => (level === 1 || level === 2) && description <= 120;
