import { isIPv4 } from 'node:net';
import { memory, words } from './arena.ts';

/** Socket addresses as the kernel has them: struct sockaddr_in and sockaddr_in6, in the arena. */
export const AF_INET = 2;
export const AF_INET6 = 10;
/** Room for either. */
export const NAME_BYTES = 32;
/** The mapping prefix of IPv4 addresses, ::ffff:0:0/96, as bytes 8 to 11 of an IPv6 address. */
const MAPPED = [0, 0, 0xff, 0xff];

export type AddressFamily = typeof AF_INET | typeof AF_INET6;

/** Bytes of a socket address: sizeof(struct sockaddr_in) or sizeof(struct sockaddr_in6). */
export function nameBytes(family: AddressFamily): number {
  return family === AF_INET ? 16 : 28;
}

/** The 16 bytes of an IPv6 address; IPv4 addresses are mapped. @throws Error if it is not an address */
function ipv6Bytes(text: string): number[] {
  if (isIPv4(text)) return [0, 0, 0, 0, 0, 0, 0, 0, ...MAPPED, ...text.split('.').map(Number)];
  // the URL parser writes an embedded IPv4 address in hexadecimal and validates the rest
  const host = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = '', tail] = host.split('::');
  const groups = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const first = groups(head);
  const last = tail === undefined ? [] : groups(tail);
  const all = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return all.flatMap((group) => [group >> 8, group & 0xff]);
}

/**
 * Writes a socket address. For a socket of both families, IPv4 addresses are written as mapped ones.
 *
 * @param host an address as text; undefined for the unspecified one
 */
export function writeSocketAddress(at: number, family: AddressFamily, host: string | undefined, port: number): void {
  memory.fill(0, at, at + NAME_BYTES);
  memory.writeUInt16LE(family, at);
  memory.writeUInt16BE(port, at + 2);
  if (host === undefined) return;
  if (family === AF_INET) memory.set(host.split('.').map(Number), at + 4);
  else memory.set(ipv6Bytes(host), at + 8);
}

export function readPort(at: number): number {
  return memory.readUInt16BE(at + 2);
}

/** Where the four bytes of an IPv4 address are, mapped or not; 0 for other IPv6 addresses. */
export function ipv4Offset(at: number): number {
  const word = at >>> 2;
  if (memory[at] === AF_INET) return at + 4;
  const isMapped = words[word + 2] === 0 && words[word + 3] === 0 && memory.readUInt32BE(at + 16) === 0xffff;
  return isMapped ? at + 20 : 0;
}

/** The address as text, for logs and tests. */
export function addressText(at: number): string {
  const v4 = ipv4Offset(at);
  if (v4 !== 0) return memory.subarray(v4, v4 + 4).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => memory.readUInt16BE(at + 8 + 2 * index).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
