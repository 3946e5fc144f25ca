import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { PeerConnection } from 'node-datachannel';

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
