import { createHash } from 'node:crypto';

/** Where a stream is published: the parts that RTMP sends of an address. */
export interface RtmpAddress {
  isSecure: boolean;
  host: string;
  port: number;
  app: string;
  /** The name of the stream, with its parameters; usually a secret. */
  stream: string;
  /** The address without the stream, as `connect` names it. */
  tcUrl: string;
}

const PORTS = { 'rtmp:': 1935, 'rtmps:': 443 } as const;

/**
 * Splits an address `rtmp(s)://host[:port]/app/stream?parameters`, or one without its stream and `key`, as streaming
 * services show them. Null if a part is missing.
 */
export function parseRtmpAddress(address: string, key = ''): RtmpAddress | null {
  const whole = key === '' ? address : `${address.replace(/\/+$/, '')}/${key}`;
  if (!URL.canParse(whole)) return null;
  const { protocol, hostname, port, host, pathname, search } = new URL(whole);
  if (protocol !== 'rtmp:' && protocol !== 'rtmps:') return null;
  const parts = pathname.split('/').filter((part) => part !== '');
  const stream = parts.at(-1);
  if (hostname === '' || stream === undefined || parts.length < 2) return null;
  const app = parts.slice(0, -1).join('/');
  return {
    isSecure: protocol === 'rtmps:',
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? PORTS[protocol] : Number(port),
    app,
    stream: stream + search,
    tcUrl: `${protocol}//${host}/${app}`,
  };
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** A provider's secret, and until when a signed address may be used to begin pushing. */
export interface Signature {
  key: string;
  expires: Date;
}

/**
 * Signs an address for Aliyun's ApsaraVideo Live (signing type A): `auth_key=<time>-<rand>-<uid>-<md5>`, with the hash
 * of `<path>-<time>-<rand>-<uid>-<key>`. Also for addresses to play.
 */
export function signForAliyun(address: string, { key, expires }: Signature): string {
  const time = Math.floor(expires.getTime() / 1_000);
  const hash = md5(`${new URL(address).pathname}-${time}-0-0-${key}`);
  return withParameters(address, { auth_key: `${time}-0-0-${hash}` });
}

/**
 * Signs an address for Tencent's Cloud Streaming Services: `txSecret` is the hash of `<key><stream><txTime>`, and
 * `txTime` the time in seconds, in hexadecimal digits.
 */
export function signForTencent(address: string, { key, expires }: Signature): string {
  const txTime = Math.floor(expires.getTime() / 1_000)
    .toString(16)
    .toUpperCase();
  const last = new URL(address).pathname.split('/').at(-1) ?? '';
  // Addresses to play end in the name of a format.
  const stream = last.replace(/\.(flv|m3u8)$/, '');
  return withParameters(address, { txSecret: md5(`${key}${stream}${txTime}`), txTime });
}

function withParameters(address: string, parameters: Record<string, string>): string {
  const text = new URLSearchParams(parameters).toString();
  return `${address}${address.includes('?') ? '&' : '?'}${text}`;
}
