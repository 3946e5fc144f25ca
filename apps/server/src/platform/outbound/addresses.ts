import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address inside a private network, where none is permitted. */
export class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';
  constructor() {
    super('The address is inside a private network.');
  }
}

/**
 * The IPv6 range assigned to the public internet; outside it, most programs treat `::127.0.0.1` as an ordinary address
 * (RFC 4291, sections 2.4 and 2.5.5.1).
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the public internet: not a loopback, private, link-local or other special address, in
 * either notation.
 */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.process(text);
  return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST));
}

/** The name in a URL, without the brackets of IPv6. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

/** Whether a host is internal by its notation: an internal address, or a name that is always internal. */
export function isInside(host: string): boolean {
  return isIP(host) === 0 ? /(^|\.)localhost\.?$/i.test(host) : !isPublicAddress(host);
}

type Answered = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/**
 * dns.lookup that returns only public addresses. It checks at connection time, so that a name cannot resolve to one
 * address when it is checked and to another when it is called.
 */
export function publicLookup(host: string, options: LookupOptions, answer: Answered): void {
  resolve(host, { ...options, all: true }, (error, found) => {
    const [first] = found ?? [];
    if (error ?? !first)
      answer(error ?? Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' }), []);
    else if (!found.every(({ address }) => isPublicAddress(address))) answer(new AddressForbidden(), []);
    else if (options.all) answer(null, found);
    else answer(null, first.address, first.family);
  });
}
