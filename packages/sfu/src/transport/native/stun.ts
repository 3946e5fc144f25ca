import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { memory, view } from './arena.ts';
import { ipv4Offset } from './socket-address.ts';

/** STUN as ICE uses it (RFC 8489, RFC 8445 section 7), in the arena. */
const MAGIC_COOKIE = 0x2112_a442;
const HEADER = 20;
const BINDING_REQUEST = 0x0001;
const BINDING_SUCCESS = 0x0101;
const BINDING_ERROR = 0x0111;
const FINGERPRINT_XOR = 0x5354_554e;

const USERNAME = 0x0006;
const MESSAGE_INTEGRITY = 0x0008;
const ERROR_CODE = 0x0009;
const UNKNOWN_ATTRIBUTES = 0x000a;
const XOR_MAPPED_ADDRESS = 0x0020;
const PRIORITY = 0x0024;
const USE_CANDIDATE = 0x0025;
const FINGERPRINT = 0x8028;
const ICE_CONTROLLED = 0x8029;
const ICE_CONTROLLING = 0x802a;
/** Types below must be understood (RFC 8489 section 14). */
const OPTIONAL = 0x8000;
const USERNAME_BYTES = 513;

const integrity = Buffer.alloc(20);

/** HMAC-SHA1 of the arena's bytes (RFC 8489 section 9.1.1: the password is the key). */
function sign(at: number, end: number, password: string): Buffer {
  return createHmac('sha1', password).update(memory.subarray(at, end)).digest();
}

/**
 * A binding request, read in place: one instance is reused, and its fields are valid until the next `read`. Of several
 * attributes of a type the first counts, and nothing after MESSAGE-INTEGRITY except FINGERPRINT.
 */
export class BindingRequest {
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

  /** Reads a datagram. Returns false if it is not a binding request with credentials, or damaged. */
  read(at: number, length: number): boolean {
    if (length < HEADER || (length & 3) !== 0) return false;
    if (view.getUint16(at) !== BINDING_REQUEST || view.getUint16(at + 2) !== length - HEADER) return false;
    if (view.getUint32(at + 4) !== MAGIC_COOKIE) return false;
    this.at = at;
    this.priority = 0;
    this.nominates = false;
    this.isControlled = false;
    this.unknownType = 0;
    this.#nameAt = 0;
    this.#colon = 0;
    this.#integrityAt = 0;
    const end = at + length;
    let place = at + HEADER;
    while (place + 4 <= end) {
      const size = view.getUint16(place + 2);
      const next = place + 4 + ((size + 3) & ~3);
      if (next > end || !this.#attribute(view.getUint16(place), place, size, end)) return false;
      place = next;
    }
    return this.#integrityAt !== 0 && this.#colon !== 0;
  }

  /** The part of the user name that names this side (RFC 8445 section 7.2.2). */
  get localUfrag(): string {
    return memory.toString('latin1', this.#nameAt, this.#colon);
  }

  get remoteUfrag(): string {
    return memory.toString('latin1', this.#colon + 1, this.#nameAt + this.#nameLength);
  }

  /** Whether the request was signed with this password. */
  verify(password: string): boolean {
    const { at } = this;
    const length = view.getUint16(at + 2);
    view.setUint16(at + 2, this.#integrityAt + 24 - HEADER - at);
    const expected = sign(at, this.#integrityAt, password);
    view.setUint16(at + 2, length);
    memory.copy(integrity, 0, this.#integrityAt + 4, this.#integrityAt + 24);
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
      this.priority = view.getUint32(place + 4) >>> 2;
    } else if (type === USE_CANDIDATE) this.nominates = true;
    else if (type === ICE_CONTROLLED) this.isControlled = true;
    else if (type !== ICE_CONTROLLING && type < OPTIONAL && this.unknownType === 0) this.unknownType = type;
    return true;
  }

  #readName(at: number, size: number): boolean {
    if (size > USERNAME_BYTES || this.#nameAt !== 0) return false;
    let colon = at;
    while (colon < at + size && memory[colon] !== 0x3a) colon += 1;
    if (colon === at + size) return false;
    this.#nameAt = at;
    this.#nameLength = size;
    this.#colon = colon;
    return true;
  }

  /** RFC 8489 section 14.7: the last attribute. */
  #checkFingerprint(place: number, size: number, end: number): boolean {
    if (size !== 4 || place + 8 !== end) return false;
    return view.getUint32(place + 4) === (crc32(memory.subarray(this.at, place)) ^ FINGERPRINT_XOR) >>> 0;
  }
}

/** Starts a response to a request. Returns where its attributes begin. */
function begin(out: number, request: BindingRequest, type: number): number {
  view.setUint16(out, type);
  memory.copyWithin(out + 4, request.at + 4, request.at + HEADER);
  return out + HEADER;
}

function attribute(place: number, type: number, size: number): number {
  view.setUint16(place, type);
  view.setUint16(place + 2, size);
  return place + 4;
}

/** Signs the response and adds the fingerprint. Returns its length. */
function finish(out: number, end: number, password: string): number {
  view.setUint16(out + 2, end + 24 - HEADER - out);
  memory.set(sign(out, end, password), attribute(end, MESSAGE_INTEGRITY, 20));
  const place = end + 24;
  view.setUint16(out + 2, place + 8 - HEADER - out);
  const crc = (crc32(memory.subarray(out, place)) ^ FINGERPRINT_XOR) >>> 0;
  view.setUint32(attribute(place, FINGERPRINT, 4), crc);
  return place + 8 - out;
}

/**
 * Writes the success response to a request, with the address it came from.
 *
 * @param out where in the arena: 128 bytes
 * @param nameAt the peer's socket address in the arena
 * @returns its length
 */
export function writeSuccess(out: number, request: BindingRequest, nameAt: number, password: string): number {
  const start = begin(out, request, BINDING_SUCCESS);
  const v4 = ipv4Offset(nameAt);
  const bytes = v4 === 0 ? 16 : 4;
  const from = v4 === 0 ? nameAt + 8 : v4;
  const place = attribute(start, XOR_MAPPED_ADDRESS, 4 + bytes);
  view.setUint16(place, v4 === 0 ? 2 : 1);
  view.setUint16(place + 2, view.getUint16(nameAt + 2) ^ (MAGIC_COOKIE >>> 16));
  // the key is the cookie and, for IPv6, the transaction after it
  for (let index = 0; index < bytes; index += 1)
    memory[place + 4 + index] = memory[from + index]! ^ memory[out + 4 + index]!;
  return finish(out, place + 4 + bytes, password);
}

/**
 * Writes an error response: 487 (role conflict), or 420 with the unknown attribute of the request.
 *
 * @returns its length, at most 128 bytes
 */
export function writeError(out: number, request: BindingRequest, code: 420 | 487, password: string): number {
  const start = begin(out, request, BINDING_ERROR);
  const reason = code === 487 ? 'Role Conflict' : 'Unknown Attribute';
  const place = attribute(start, ERROR_CODE, 4 + reason.length);
  view.setUint32(place, (Math.floor(code / 100) << 8) | (code % 100));
  const end = place + 4 + ((reason.length + 3) & ~3);
  memory.fill(0, place + 4, end);
  memory.write(reason, place + 4, 'latin1');
  if (code === 487) return finish(out, end, password);
  const unknown = attribute(end, UNKNOWN_ATTRIBUTES, 2);
  view.setUint32(unknown, request.unknownType << 16);
  return finish(out, unknown + 4, password);
}
