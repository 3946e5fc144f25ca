import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { networksOf } from './addresses.ts';

/** Groups of an IPv6 address that name the network; its holder chooses the rest freely (RFC 4291, section 2.5.4). */
const NETWORK_GROUPS = 4;

/**
 * The key by which calls and guesses of an address are counted: for IPv4 the address itself, for IPv6 the /64 network,
 * since one household or machine has 2^64 addresses of it.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [left = [], right = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const network = [...left, ...zeros, ...right]
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/** Addresses of clients, of which trusted proxies are no part. */
export interface ClientAddresses {
  of(request: IncomingMessage): string;
  /** Whether a connection from this address is a proxy's, which names its clients. */
  isProxy(address: string): boolean;
}

export function clientAddresses(trustedProxies: readonly string[]): ClientAddresses {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return { of: (request) => proxyAddr(request, isTrusted), isProxy: (address) => isTrusted(address, 0) };
}

/** Whether an address is in one of these networks (CIDR) or one of these addresses; IPv4 also as `::ffff:1.2.3.4`. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  const version = isIP(address);
  return version !== 0 && networksOf(networks).check(address, version === 6 ? 'ipv6' : 'ipv4');
}
