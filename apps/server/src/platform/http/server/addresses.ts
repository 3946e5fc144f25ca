import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { TLSSocket } from 'node:tls';

/** A host with an optional port as in the header Host: names, IPv4, IPv6 in brackets. */
const HOST = /^(?:[0-9A-Za-z._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** The parts of a request that show its target and its sender. */
type Addressed = Pick<IncomingMessage, 'headers' | 'socket'>;

/** The addresses of this server, and how a request was addressed. */
export interface Addresses {
  /** Whether the request was sent to an address of this server. */
  serves(request: Addressed): boolean;
  /**
   * The address the browser used, through trusted proxies: `https://meet.example.org:8443`. Good for the answer to this
   * request alone.
   */
  originOf(request: Addressed): string;
  /** The first of the configured addresses; undefined if there is none. */
  main(): string | undefined;
}

export interface AddressOptions {
  /** Origins, such as `https://meet.example.org`; if empty, any host is accepted. */
  publicUrls?: () => readonly string[];
  /** Reverse proxies whose X-Forwarded headers are trusted: addresses or networks. */
  trustedProxies?: readonly string[];
}

/** Addresses and networks (CIDR, either family) as a list to look addresses up in. */
export function networksOf(texts: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const one of texts) {
    const [base = '', bits] = one.split('/');
    const family = isIP(base) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) networks.addAddress(base, family);
    else networks.addSubnet(base, Number(bits), family);
  }
  return networks;
}

/** The last of several values, which the nearest proxy has written. */
const lastOf = (header: string | string[] | undefined): string =>
  String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim() ?? '';

/** A host name as URLs spell it: lower case, IPv6 shortened, no dot at its end. */
const nameOf = (host: string): string =>
  URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/\.$/, '') : '';

function isOwnAddress(name: string): boolean {
  if (name === 'localhost' || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)) return true;
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some(
    ({ address, family }) => name === (family === 'IPv6' ? nameOf(`[${address.split('%', 1)[0]}]`) : address),
  );
}

/** An address instead of a name: no foreign name can lead there (DNS rebinding). */
const isLiteral = (name: string): boolean => isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;

/**
 * Reads the target of requests (RFC 9110, section 7.2). If addresses are configured, only those are accepted, as well
 * as loopback and the addresses of this machine's network interfaces, to which a foreign name cannot lead. While none
 * is configured, every literal IP address is accepted, too.
 */
export function createAddresses({ publicUrls = () => [], trustedProxies = [] }: AddressOptions = {}): Addresses {
  const proxies = networksOf(trustedProxies);
  let read: readonly string[] = [];
  let parsed: { origin: string; url: URL }[] = [];

  /** They change during setup of the installation. */
  function known(): typeof parsed {
    const urls = publicUrls();
    if (urls !== read) [read, parsed] = [urls, urls.map((origin) => ({ origin, url: new URL(origin) }))];
    return parsed;
  }

  function isFromProxy({ socket: { remoteAddress = '' } }: Addressed): boolean {
    const version = isIP(remoteAddress);
    return version !== 0 && proxies.check(remoteAddress, version === 6 ? 'ipv6' : 'ipv4');
  }

  function hostOf(request: Addressed): string {
    const { headers } = request;
    const forwarded = isFromProxy(request) ? lastOf(headers['x-forwarded-host']) : '';
    return forwarded === '' ? (headers.host ?? '') : forwarded;
  }

  function schemeOf(request: Addressed): 'http' | 'https' {
    const forwarded = isFromProxy(request) ? lastOf(request.headers['x-forwarded-proto']) : '';
    const isSecure =
      forwarded === '' ? (request.socket as Partial<TLSSocket>).encrypted === true : forwarded === 'https';
    return isSecure ? 'https' : 'http';
  }

  /** The configured address that a host belongs to; proxies often omit its port. */
  function configured(host: string): string | undefined {
    if (!HOST.test(host)) return undefined;
    const name = nameOf(host);
    const port = /:(\d+)$/.exec(host.replace(/^\[.*\]/, ''))?.[1];
    const matches = known().filter(({ url }) => url.hostname === name);
    const found =
      port === undefined
        ? (matches.find(({ url }) => url.port === '') ?? matches[0])
        : matches.find(({ url }) => (url.port || (url.protocol === 'https:' ? '443' : '80')) === String(Number(port)));
    return found?.origin;
  }

  return {
    main: () => publicUrls()[0],
    serves(request) {
      const host = hostOf(request);
      if (configured(host) !== undefined) return true;
      if (!HOST.test(host)) return false;
      const name = nameOf(host);
      return isOwnAddress(name) || (known().length === 0 && isLiteral(name));
    },
    originOf(request) {
      const host = hostOf(request);
      return configured(host) ?? `${schemeOf(request)}://${HOST.test(host) ? host : 'localhost'}`;
    },
  };
}
