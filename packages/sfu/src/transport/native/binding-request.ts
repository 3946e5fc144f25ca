import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** STUN as ICE uses it (RFC 8489, RFC 8445 section 7): what a binding request consists of. */
export const MAGIC_COOKIE = 0x2112_a442;
export const STUN_HEADER_BYTES = 20;
export const BINDING_REQUEST = 0x0001;
const FINGERPRINT_XOR = 0x5354_554e;

const USERNAME = 0x0006;
export const MESSAGE_INTEGRITY = 0x0008;
const PRIORITY = 0x0024;
const USE_CANDIDATE = 0x0025;
export const FINGERPRINT = 0x8028;
const ICE_CONTROLLED = 0x8029;
const ICE_CONTROLLING = 0x802a;
/** Types below must be understood (RFC 8489 section 14). */
const OPTIONAL = 0x8000;
const USERNAME_BYTES = 513;

const integrity = Buffer.alloc(20);

/** HMAC-SHA1 of [at, end) (RFC 8489 section 9.1.1: the password is the key). */
export function signStun(bytes: Buffer, at: number, end: number, password: string): Buffer {
  return createHmac('sha1', password).update(bytes.subarray(at, end)).digest();
}

/** The fingerprint of [at, end) (RFC 8489 section 14.7). */
export function stunFingerprint(bytes: Buffer, at: number, end: number): number {
  return (crc32(bytes.subarray(at, end)) ^ FINGERPRINT_XOR) >>> 0;
}

/**
 * A binding request, read in place: one instance is reused, and its fields are valid until the next `read`. Of several
 * attributes of a type the first counts, and nothing after MESSAGE-INTEGRITY except FINGERPRINT.
 */
export class BindingRequest {
  readonly #bytes: Buffer;
  at = 0;
  /** Of the pair's candidate, as the peer would signal it; 0 without the attribute. */
  priority = 0;
  nominates = false;
  /** The peer claims the role that an ICE-lite agent has. */
  isControlled = false;
  /** The first attribute that must be understood and is not; 0 for none. */
  unknownType = 0;
  #nameAt = 0;
  #nameLength = 0;
  #colon = 0;
  #integrityAt = 0;

  /** @param bytes where messages are */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Reads a datagram. Returns false if it is not a binding request with credentials, or damaged. */
  read(at: number, length: number): boolean {
    if (length < STUN_HEADER_BYTES || (length & 3) !== 0) return false;
    if (
      this.#bytes.readUInt16BE(at) !== BINDING_REQUEST ||
      this.#bytes.readUInt16BE(at + 2) !== length - STUN_HEADER_BYTES
    )
      return false;
    if (this.#bytes.readUInt32BE(at + 4) !== MAGIC_COOKIE) return false;
    this.at = at;
    this.priority = 0;
    this.nominates = false;
    this.isControlled = false;
    this.unknownType = 0;
    this.#nameAt = 0;
    this.#colon = 0;
    this.#integrityAt = 0;
    const end = at + length;
    let place = at + STUN_HEADER_BYTES;
    while (place + 4 <= end) {
      const size = this.#bytes.readUInt16BE(place + 2);
      const next = place + 4 + ((size + 3) & ~3);
      if (next > end || !this.#attribute(this.#bytes.readUInt16BE(place), place, size, end)) return false;
      place = next;
    }
    return this.#integrityAt !== 0 && this.#colon !== 0;
  }

  /** The part of the user name that names this side (RFC 8445 section 7.2.2). */
  get localUfrag(): string {
    return this.#bytes.toString('latin1', this.#nameAt, this.#colon);
  }

  get remoteUfrag(): string {
    return this.#bytes.toString('latin1', this.#colon + 1, this.#nameAt + this.#nameLength);
  }

  /** Whether the request was signed with this password. */
  verify(password: string): boolean {
    const { at } = this;
    const length = this.#bytes.readUInt16BE(at + 2);
    this.#bytes.writeUInt16BE(this.#integrityAt + 24 - STUN_HEADER_BYTES - at, at + 2);
    const expected = signStun(this.#bytes, at, this.#integrityAt, password);
    this.#bytes.writeUInt16BE(length, at + 2);
    this.#bytes.copy(integrity, 0, this.#integrityAt + 4, this.#integrityAt + 24);
    return timingSafeEqual(expected, integrity);
  }

  /** Returns false if the attribute makes the message invalid. */
  #attribute(type: number, place: number, size: number, end: number): boolean {
    if (type === FINGERPRINT) return this.#checkFingerprint(place, size, end);
    if (this.#integrityAt !== 0) return true;
    if (type === MESSAGE_INTEGRITY) {
      this.#integrityAt = place;
      return size === 20;
    }
    if (type === USERNAME) return this.#readName(place + 4, size);
    if (type === PRIORITY) {
      if (size !== 4) return false;
      this.priority = this.#bytes.readUInt32BE(place + 4) >>> 2;
    } else if (type === USE_CANDIDATE) this.nominates = true;
    else if (type === ICE_CONTROLLED) this.isControlled = true;
    else if (type !== ICE_CONTROLLING && type < OPTIONAL && this.unknownType === 0) this.unknownType = type;
    return true;
  }

  #readName(at: number, size: number): boolean {
    if (size > USERNAME_BYTES || this.#nameAt !== 0) return false;
    let colon = at;
    while (colon < at + size && this.#bytes[colon] !== 0x3a) colon += 1;
    if (colon === at + size) return false;
    this.#nameAt = at;
    this.#nameLength = size;
    this.#colon = colon;
    return true;
  }

  /** RFC 8489 section 14.7: the last attribute. */
  #checkFingerprint(place: number, size: number, end: number): boolean {
    if (size !== 4 || place + 8 !== end) return false;
    return this.#bytes.readUInt32BE(place + 4) === stunFingerprint(this.#bytes, this.at, place);
  }
}
