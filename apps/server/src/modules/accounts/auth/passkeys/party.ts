import { isIP } from 'node:net';
import type { PasskeyPlace } from '@rmeet/contract';

/**
 * Whom a passkey belongs to (relying party, Web Authentication Level 3 section 4): a host name, and the origins of
 * pages that may use it.
 */
export interface Party {
  rpId: string;
  origins: string[];
}

const isName = (url: URL): boolean => isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) === 0;
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/** The configured addresses at which passkeys work. */
export const urlsForPasskeys = (publicUrls: readonly string[]): string[] =>
  publicUrls.filter((text) => {
    const url = new URL(text);
    return isName(url) && url.protocol === 'https:';
  });

/**
 * Whom passkeys belong to at the address of a call, or why there are none. The caller names the address, so it counts
 * only if it is a configured one, or `localhost` for callers on this machine, which browsers treat as secure.
 *
 * @param origin the scheme and host of the call
 * @param address the network address of the caller
 */
export function partyAt(
  { origin, address }: { origin: string; address: string },
  publicUrls: readonly string[],
): { place: 'ok'; party: Party } | { place: Exclude<PasskeyPlace, 'ok'>; party: null } {
  const url = new URL(origin);
  if (!isName(url)) return { place: 'ip', party: null };
  const { hostname } = url;
  if (hostname === 'localhost' && LOOPBACK.test(address))
    return { place: 'ok', party: { rpId: hostname, origins: [origin] } };
  if (!publicUrls.includes(origin)) return { place: 'foreign', party: null };
  if (url.protocol !== 'https:') return { place: 'insecure', party: null };
  const origins = urlsForPasskeys(publicUrls).filter((one) => new URL(one).hostname === hostname);
  return { place: 'ok', party: { rpId: hostname, origins } };
}
