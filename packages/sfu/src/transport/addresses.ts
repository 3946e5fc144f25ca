import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** One ICE host candidate to advertise, best first. */
export interface Candidate {
  address: string;
  port: number;
  /** RFC 8445 section 5.1.2. */
  priority: number;
}

function localAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  // link-local IPv6 needs a zone, which a candidate cannot contain
  const usable = all.filter((entry) => !entry.internal && !(entry.family === 'IPv6' && entry.scopeid !== 0));
  const addresses = usable.map((entry) => entry.address);
  // A browser binds to an interface's address. Answers to it from a socket bound to every address come from that
  // address, so loopback only helps if there is no other.
  return addresses.length > 0 ? addresses : ['127.0.0.1'];
}

/**
 * The candidates of a join: the public address first, then the local ones, IPv4 before IPv6. `addresses` replaces the
 * addresses of the interfaces.
 */
export function candidates(port: number, addresses?: readonly string[], publicIp?: string): Candidate[] {
  const local = addresses && addresses.length > 0 ? [...addresses] : localAddresses();
  const ordered = local.toSorted((a, b) => Number(isIPv6(a)) - Number(isIPv6(b)));
  const all = publicIp === undefined ? ordered : [publicIp, ...ordered];
  return [...new Set(all)].map((address, index) => ({
    address,
    port,
    priority: (126 * 2 ** 24 + (65_535 - index) * 2 ** 8 + 255) >>> 0,
  }));
}

/** A candidate in the format of SDP and trickle (RFC 8839 section 5.1). */
export function candidateText({ address, port, priority }: Candidate, index: number): string {
  return `candidate:${index + 1} 1 udp ${priority} ${address} ${port} typ host`;
}
