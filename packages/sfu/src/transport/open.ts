import type { Counters } from '../counters.ts';
import type { Log, TransportChoice } from '../options.ts';
import { DatachannelTransport } from './datachannel-transport.ts';
import { freeUdpPort, holdUdpPort } from './held-port.ts';
import type { MediaPort, TransportOptions } from './transport.ts';

export interface MediaPortOptions {
  kind: TransportChoice;
  /** 0 for any free one. */
  udpPort: number;
  /** Bind to this address only; otherwise to all. */
  bindAddress?: string;
  counters: Counters;
  log: Log;
}

/**
 * Opens the UDP port of an engine.
 *
 * @throws Error with the code EADDRINUSE, EACCES or EADDRNOTAVAIL, like binding
 */
export async function openMediaPort({ udpPort, bindAddress, log }: MediaPortOptions): Promise<MediaPort> {
  const port = udpPort === 0 ? await freeUdpPort() : udpPort;
  return await openDatachannelPort({ udpPort: port, log, ...(bindAddress === undefined ? {} : { bindAddress }) });
}

async function openDatachannelPort(options: TransportOptions): Promise<MediaPort> {
  const held = await holdUdpPort(options.udpPort, options.bindAddress);
  return {
    kind: 'datachannel',
    udpPort: options.udpPort,
    create: (name, handler) => new DatachannelTransport(name, options, handler),
    release: () => held.release(),
  };
}
