import { connect as connectTcp, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RtmpAddress } from './address.ts';
import type { AmfObject } from './amf0.ts';

export interface ClientOptions {
  /** Certificates to trust instead of the system's, in PEM. */
  ca?: string;
  /** Resolves the host's name; default: the system's resolver. */
  lookup?: TcpNetConnectOpts['lookup'];
}

/** Time from opening the connection until the server takes or sends the stream, ms. */
export const CONNECT_TIME = 15_000;

export function openSocket({ host, port, isSecure }: RtmpAddress, { ca, lookup }: ClientOptions): Socket {
  const options = { host, port, ...(lookup && { lookup }) };
  if (!isSecure) return connectTcp(options);
  return connectTls({
    ...options,
    ...(host.includes(':') ? {} : { servername: host }),
    ...(ca !== undefined && { ca }),
  });
}

/** The command object of `connect`. */
export const describeClient = ({ app, tcUrl }: RtmpAddress): AmfObject => ({
  app,
  type: 'nonprivate',
  flashVer: 'FMLE/3.0 (compatible; Rmeet)',
  tcUrl,
});

/** What a status says. */
export const textOf = (status: unknown): string => {
  const { code, description } = (status ?? {}) as AmfObject;
  return [code, description].filter((part) => typeof part === 'string').join(': ');
};
