import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { PeerConnection } from 'node-datachannel';

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

/** An unused UDP port. */
export async function freeUdpPort(): Promise<number> {
  return await tryUdpPort('udp4', 0);
}

/** A UDP port that stays bound, whether or not there are connections. */
export interface HeldPort {
  release(): void;
}

/**
 * Binds a UDP port for the connections of this process. libjuice alone would open it with the first connection and
 * close it with the last: another engine could bind it meanwhile, and all later connections would fail for no visible
 * reason.
 *
 * @throws Error with the code EADDRINUSE, EACCES or EADDRNOTAVAIL, like binding
 */
export async function holdUdpPort(port: number, address?: string): Promise<HeldPort> {
  await tryUdpPorts(port, address);
  // A connection without a peer: its first channel opens the port, and it waits silently. (The library's
  // IceUdpMuxListener does not release the port.)
  const holder = new PeerConnection('port', {
    iceServers: [],
    enableIceUdpMux: true,
    portRangeBegin: port,
    portRangeEnd: port,
    ...(address === undefined ? {} : { bindAddress: address }),
  });
  try {
    const channel = holder.createDataChannel('port');
    return {
      release() {
        channel.close();
        holder.close();
      },
    };
  } catch (cause) {
    holder.close();
    // The error only says that it failed, and the port was free a moment ago.
    throw Object.assign(new Error(`UDP port ${port} was taken meanwhile.`, { cause }), {
      code: 'EADDRINUSE',
      syscall: 'bind',
    });
  }
}

async function tryUdpPorts(port: number, address?: string): Promise<void> {
  if (address !== undefined) {
    await tryUdpPort(isIPv6(address) ? 'udp6' : 'udp4', port, address);
    return;
  }
  try {
    await tryUdpPort('udp6', port); // of both families, as in libjuice
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error;
    await tryUdpPort('udp4', port);
  }
}

async function tryUdpPort(type: 'udp4' | 'udp6', port: number, address?: string): Promise<number> {
  const socket = createSocket(type);
  try {
    const listening = once(socket, 'listening');
    socket.bind(port, address);
    await listening;
    return socket.address().port;
  } finally {
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  }
}
