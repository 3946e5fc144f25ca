import type { Counters } from '../counters.ts';
import type { Log, TransportChoice } from '../options.ts';
import { DatachannelTransport } from './datachannel-transport.ts';
import { freeUdpPort, holdUdpPort } from './held-port.ts';
import { nativeRefusal } from './native/choose.ts';
import { Hub } from './native/hub.ts';
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
 * Opens the UDP port of an engine: the native transport, or that of libdatachannel where the native one is missing.
 *
 * @throws Error with the code EADDRINUSE, EACCES or EADDRNOTAVAIL, like binding; or with the reason if `native` was
 *   demanded and is missing
 */
export async function openMediaPort(options: MediaPortOptions): Promise<MediaPort> {
  const { kind, udpPort, bindAddress, counters, log } = options;
  const address = bindAddress === undefined ? {} : { bindAddress };
  const refusal = kind === 'datachannel' ? '' : nativeRefusal();
  if (kind !== 'datachannel' && refusal === '') {
    const hub = new Hub({ udpPort, counters, log, ...address });
    log('info', 'media transport', { transport: 'native' });
    return hub;
  }
  if (kind === 'native') throw new Error(`The native media transport is not available: ${refusal}`);
  const port = await openDatachannelPort({ udpPort: udpPort === 0 ? await freeUdpPort() : udpPort, log, ...address });
  log('info', 'media transport', { transport: 'datachannel', ...(refusal === '' ? {} : { reason: refusal }) });
  return port;
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
