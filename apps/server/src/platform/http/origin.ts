import type { FastifyRequest } from 'fastify';

/** A host with an optional port as the header Host may carry it: names, IPv4, IPv6 in brackets. */
const HOST = /^(?:[0-9A-Za-z._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** The host of a request; `localhost` when the header holds no host. */
export function hostOf(request: Pick<FastifyRequest, 'host'>): string {
  return HOST.test(request.host) ? request.host : 'localhost';
}

/** `https://meet.example.org:8443`: the address the browser used, through trusted proxies. */
export function originOf(request: Pick<FastifyRequest, 'host' | 'protocol'>): string {
  return `${request.protocol === 'https' ? 'https' : 'http'}://${hostOf(request)}`;
}
