import { Agent, request as call, type IncomingMessage } from 'node:http';
import type { MediaProcess } from './processes.ts';

/** A larger body is rejected, as the engine does. */
const BODY_BYTES = 256 * 1024;
/**
 * LiveKit's signalling and server API (docs.livekit.io), and the embedded engine's own call, which only this server
 * makes.
 */
export const SIGNALLING = new Set(['/rtc', '/rtc/v1']);
export const VALIDATION = new Set(['/rtc/validate', '/rtc/v1/validate']);
const SERVER_CALL = /^\/twirp\/livekit\.RoomService\/([A-Za-z]+)$/;
const OWN_CALL = /^\/twirp\/rmeet\.RoomService\/([A-Za-z]+)$/;

/** A request to a media process: one of the paths above, unchanged, and the query. */
export interface Target {
  path: string;
  /** With its question mark; empty without one. */
  query: string;
  /** Of the server API's RoomService. */
  method?: string | undefined;
}

/** Undefined if the request is not for the engine: other paths of a media process are only for this server. */
export function targetOf({ url = '' }: IncomingMessage, isOwn: boolean): Target | undefined {
  const end = url.indexOf('?');
  const [path, query] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  if (SIGNALLING.has(path) || VALIDATION.has(path)) return { path, query };
  const method = SERVER_CALL.exec(path)?.[1];
  return method !== undefined || (isOwn && OWN_CALL.test(path)) ? { path, query, method } : undefined;
}

/** Hop-by-hop headers belong to one connection (RFC 9110, section 7.6.1); the body is framed again. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'expect',
]);

export function forwardedHeaders(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

export const isRefused = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';

/** The whole body; undefined if it is too large. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Connections are reused, because muting a hundred terminals takes a hundred calls. Each call is framed again, so that
 * none can hide another.
 */
export const connections = new Agent({ keepAlive: true });

/** Forwards a request to one process. */
export async function forward(
  process: MediaProcess,
  target: Target,
  incoming: IncomingMessage,
  body: Buffer,
  signal?: AbortSignal,
  agent: Agent | false = connections,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { method, headers } = incoming;
  const framed = { ...forwardedHeaders(headers), 'content-length': body.length };
  const sent = call(
    {
      host: '127.0.0.1',
      port: process.port,
      agent,
      method,
      path: `${target.path}${target.query}`,
      headers: framed,
      ...(signal ? { signal } : {}),
    },
    resolve,
  );
  sent.on('error', (error: NodeJS.ErrnoException) => {
    // The other side may have just closed an idle connection (nodejs.org: request.reusedSocket).
    if (sent.reusedSocket && error.code === 'ECONNRESET')
      resolve(forward(process, target, incoming, body, signal, false));
    else reject(error);
  });
  sent.end(body);
  return promise;
}
