import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

export interface MetricsAccessOptions {
  /** What Prometheus sends as `Authorization: Bearer <token>`; without it, only this machine can read metrics. */
  token: string | undefined;
  /** Whether requests come through proxies, so that a loopback address does not identify the caller. */
  isProxied: boolean;
}

/** `hidden`: metrics are not served this way. `refused`: they require the token. */
type Access = 'granted' | 'refused' | 'hidden';

export type MetricsAccess = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Access;

/** Headers that proxies add, or may add (RFC 7239; RFC 9110, section 7.6.3). */
const ADDED_BY_PROXIES = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/;
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/**
 * Who may read the metrics and the failed checks: callers with the token, compared in constant time, from anywhere.
 * Without a token, programs on this machine that call it directly; this excludes web pages whose host name resolves to
 * this machine.
 */
export function metricsAccess({ token, isProxied }: MetricsAccessOptions): MetricsAccess {
  if (token !== undefined) {
    const right = digest(token);
    return ({ headers }) => {
      const shown = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
      return shown !== undefined && timingSafeEqual(digest(shown), right) ? 'granted' : 'refused';
    };
  }
  return ({ headers, socket }) => {
    const isDirect =
      !isProxied &&
      LOCAL_HOST.test(headers.host ?? '') &&
      !Object.keys(headers).some((name) => ADDED_BY_PROXIES.test(name));
    return isDirect && isLoopback(socket.remoteAddress) ? 'granted' : 'hidden';
  };
}
