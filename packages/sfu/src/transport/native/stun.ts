import { memory, view } from './arena.ts';
import {
  FINGERPRINT,
  MAGIC_COOKIE,
  MESSAGE_INTEGRITY,
  signStun,
  STUN_HEADER_BYTES,
  stunFingerprint,
  type BindingRequest,
} from './binding-request.ts';
import { ipv4Offset } from './socket-address.ts';

/** Responses of STUN as ICE uses it (RFC 8489, RFC 8445 section 7), in the arena. */
const BINDING_SUCCESS = 0x0101;
const BINDING_ERROR = 0x0111;
const ERROR_CODE = 0x0009;
const UNKNOWN_ATTRIBUTES = 0x000a;
const XOR_MAPPED_ADDRESS = 0x0020;

/** Starts a response to a request. Returns where its attributes begin. */
function begin(out: number, request: BindingRequest, type: number): number {
  view.setUint16(out, type);
  memory.copyWithin(out + 4, request.at + 4, request.at + STUN_HEADER_BYTES);
  return out + STUN_HEADER_BYTES;
}

function attribute(place: number, type: number, size: number): number {
  view.setUint16(place, type);
  view.setUint16(place + 2, size);
  return place + 4;
}

/** Signs the response and adds the fingerprint. Returns its length. */
function finish(out: number, end: number, password: string): number {
  view.setUint16(out + 2, end + 24 - STUN_HEADER_BYTES - out);
  memory.set(signStun(memory, out, end, password), attribute(end, MESSAGE_INTEGRITY, 20));
  const place = end + 24;
  view.setUint16(out + 2, place + 8 - STUN_HEADER_BYTES - out);
  const fingerprint = stunFingerprint(memory, out, place);
  view.setUint32(attribute(place, FINGERPRINT, 4), fingerprint);
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
