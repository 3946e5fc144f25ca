import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { AddressForbidden, isInside, publicLookup } from './addresses.ts';

export interface OutsideAddress {
  host: string;
  port: number;
  /** The server's administrator named this address, so it may be inside a private network. */
  isTrusted: boolean;
}

/**
 * Opens a TCP connection to a host that a user of a tenant has chosen. It cannot lead into a private network: the
 * address is checked when the connection is made. `within` in ms.
 *
 * @throws AddressForbidden, AbortError after `within`, or the error of the connection
 */
export async function connectOutside({ host, port, isTrusted }: OutsideAddress, within: number): Promise<Socket> {
  if (!isTrusted && isInside(host)) throw new AddressForbidden();
  const socket = connectTcp({ host, port, ...(isTrusted ? {} : { lookup: publicLookup }) });
  return untilOpen(socket, 'connect', within);
}

/**
 * Begins TLS on an open connection, 1.2 or newer. The certificate must be for `host`. `certificates`: PEM that is
 * trusted in place of the usual authorities; undefined: those.
 *
 * @throws AbortError after `within` (ms), or the error of the handshake
 */
export async function beginTls(
  socket: Socket,
  { host, certificates }: { host: string; certificates: string | undefined },
  within: number,
): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    host,
    // A name in the handshake cannot be an address (RFC 6066, section 3); the certificate is checked against `host`.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(certificates === undefined ? {} : { ca: certificates }),
    minVersion: 'TLSv1.2',
  });
  return untilOpen(secured, 'secureConnect', within);
}

async function untilOpen<T extends Socket>(socket: T, event: string, within: number): Promise<T> {
  try {
    await once(socket, event, { signal: AbortSignal.timeout(within) });
    return socket;
  } catch (error) {
    // A later error of the connection that is given up must not end the process.
    socket.on('error', () => undefined).destroy();
    throw error;
  }
}
