import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Duplex } from 'node:stream';
import type { Log } from '../log/log.ts';
import type { Bypass } from './server.ts';

const CONNECT_TIMEOUT = 5_000;
/** A media process that was killed listens again in about a second; who is told 503 instead backs off for longer than that. */
const PATIENCE = 2_000;
const RETRY_EVERY = 50;

/** LiveKit's signalling and server API (docs.livekit.io: /rtc, /rtc/v1, their validate, /twirp/livekit.*). */
function isMediaPath(url: string | undefined): boolean {
  const [path = ''] = (url ?? '').split('?', 1);
  return path === '/rtc' || path.startsWith('/rtc/') || path.startsWith('/twirp/');
}

/** Hop-by-hop headers are this connection's own (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

function endToEnd(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

/**
 * Passes the media engine's calls on to its loopback port. WebSockets are joined as raw sockets once the request line
 * and headers are written again; nothing of them is logged, since access tokens travel in their query.
 */
export function mediaProxy(port: number, log: Log): Bypass {
  const open = new Set<Duplex>();

  function onRequest(incoming: IncomingMessage, response: ServerResponse): boolean {
    if (!isMediaPath(incoming.url)) return false;
    const headers = endToEnd(incoming.headers);
    // Node frames no body of a GET by itself: the engine would read it as the connection's next request.
    if (incoming.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
    // A connection of its own for each call, so that no caller's answer can follow another's.
    const outgoing = forward(
      { host: '127.0.0.1', port, agent: false, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
        pipeline(answer, response).catch((error: unknown) => log.debug({ error }, 'A media answer broke off'));
      },
    );
    outgoing.on('error', (error) => {
      log.debug({ error }, 'The media process does not answer');
      if (response.headersSent) response.destroy();
      else response.writeHead(503, { 'content-type': 'text/plain' }).end('media unavailable');
    });
    pipeline(incoming, outgoing).catch((error: unknown) => log.debug({ error }, 'A media request broke off'));
    return true;
  }

  function onUpgrade(request: IncomingMessage, client: Duplex, head: Buffer): boolean {
    if (!isMediaPath(request.url)) return false;
    const patientUntil = performance.now() + PATIENCE;
    let engine: Socket;
    let retry: NodeJS.Timeout | undefined;
    let isJoined = false;
    const end = (error?: Error): void => {
      if (error) log.debug({ error }, 'A media connection broke off');
      if (isJoined || client.destroyed) client.destroy();
      else client.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      engine.destroy();
    };
    const join = (): void => {
      const current = connect({ host: '127.0.0.1', port, noDelay: true });
      engine = current;
      current.setTimeout(CONNECT_TIMEOUT, () => current.destroy(new Error('The media process did not answer in time.')));
      current.once('connect', () => {
        isJoined = true;
        current.setTimeout(0);
        const lines = [`${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1`];
        for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
        current.write(`${lines.join('\r\n')}\r\n\r\n`);
        if (head.length > 0) current.write(head);
        current.pipe(client);
        client.pipe(current);
      });
      let isRetried = false;
      current.on('error', (error: NodeJS.ErrnoException) => {
        isRetried = !isJoined && error.code === 'ECONNREFUSED' && !client.destroyed && performance.now() < patientUntil;
        if (isRetried) retry = setTimeout(join, RETRY_EVERY);
        else end(error);
      });
      current.on('close', () => {
        if (!isRetried) end();
      });
    };
    open.add(client);
    client.on('error', end);
    client.on('close', () => {
      open.delete(client);
      clearTimeout(retry);
      engine.destroy();
    });
    join();
    return true;
  }

  return { request: onRequest, upgrade: onUpgrade, close: () => open.forEach((client) => client.destroy()) };
}
