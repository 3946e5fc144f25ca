import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { networksOf } from './addresses.ts';

/** How proxies pass the certificates of clients on, after mutual TLS. */
export interface PassedCertificates {
  /** The header with the certificate: URL-encoded PEM (nginx: `$ssl_client_escaped_cert`), or RFC 9440. */
  header: string;
  /** What the proxy sends in the header `x-client-cert-secret`, so that no one else on its machine can. */
  secret: string;
}

const SECRET_HEADER = 'x-client-cert-secret';
const PEM = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*$/;
/** A byte sequence of structured fields (RFC 8941, section 3.3.5), as RFC 9440, section 2.1, uses it. */
const BYTES = /^:([A-Za-z0-9+/]+={0,2}):$/;

/** Reads the certificates of clients. */
export interface ClientCertificates {
  /** The certificate (DER) that a trusted proxy passes on; undefined in all other cases. */
  of(request: Pick<IncomingMessage, 'headers' | 'socket'>): Buffer | undefined;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** DER of a header; undefined if it is empty, or in another form, such as that of two headers. */
function derOf(header: string): Buffer | undefined {
  const bytes = BYTES.exec(header)?.[1];
  if (bytes !== undefined) return Buffer.from(bytes, 'base64');
  try {
    const inside = PEM.exec(decodeURIComponent(header))?.[1];
    return inside === undefined ? undefined : Buffer.from(inside.replace(/\s+/g, ''), 'base64');
  } catch {
    return undefined;
  }
}

/**
 * A certificate counts only if the connection comes from a trusted proxy and carries the secret. Anyone can send the
 * header; anyone on the network of a proxy may have its address. Without settings, the header is never read.
 */
export function createClientCertificates(
  passed: PassedCertificates | undefined,
  trustedProxies: readonly string[],
): ClientCertificates {
  const proxies = networksOf(trustedProxies);
  return {
    of({ headers, socket: { remoteAddress = '' } }) {
      const version = isIP(remoteAddress);
      const isProxy = version !== 0 && proxies.check(remoteAddress, version === 6 ? 'ipv6' : 'ipv4');
      if (!passed || !isProxy || !isSame(String(headers[SECRET_HEADER] ?? ''), passed.secret)) return undefined;
      const header = headers[passed.header.toLowerCase()];
      return typeof header === 'string' ? derOf(header.trim()) : undefined;
    },
  };
}
