import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { ACCESS_HEADER, signAccess } from '@rmeet/live';
import type { Db } from '../../../platform/db/index.ts';
import { networkOf, type Bypass, type ClientAddresses } from '../../../platform/http/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import { ingestHosts } from './hosts.ts';
import type { IngestHostRow } from './tables.ts';

/** Where encoders send streams by WHIP (RFC 9725); a session is below it, at `/<process>/<session>`. */
export const WHIP_PATH = '/api/api/v1/live/whip';
/** What processes that take streams call it. */
export const WHIP = 'whip';
/** The network of the encoder's address. */
export const CLIENT_HEADER = 'x-rmeet-client';

const TARGET = new RegExp(`^${WHIP_PATH}(?:/([0-9a-f-]{36})/([0-9a-f-]{36}))?(?:\\?|$)`);
const METHODS = new Set(['POST', 'PATCH', 'DELETE']);
const MOST_BYTES = 65_536;
/** A process answers an offer when its candidates are gathered, ms. */
const TIMEOUT = 10_000;
const FORWARDED = ['authorization', 'content-type', 'if-match'];
const ANSWERED = ['allow', 'content-type', 'www-authenticate'];
/** Pages of other origins may send streams: a key is needed, and cookies are not used. */
const CORS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'location' };
const PREFLIGHT = {
  'access-control-allow-methods': [...METHODS].join(', '),
  'access-control-allow-headers': FORWARDED.join(', '),
  'access-control-max-age': '7200',
};

export interface WhipOptions {
  db: Db;
  now: () => Date;
  log: Log;
  /** What processes that take streams know this server by. */
  secret: string;
  clients: ClientAddresses;
}

interface Asked {
  method: string;
  /** The process of a session, and the session; undefined: a new one. */
  host: string | undefined;
  session: string | undefined;
}

/** What a request asks for; undefined if it is another one. */
function askedBy({ method = '', url = '' }: IncomingMessage): Asked | undefined {
  const [all, host, session] = TARGET.exec(url) ?? [];
  return all === undefined ? undefined : { method, host, session };
}

/** The body as text; undefined if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    FORWARDED.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

/** Answers in plain text, as encoders show it. */
function answer(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'content-type': 'text/plain', 'cache-control': 'no-store', ...CORS, ...headers })
    .end(text);
}

async function forward(
  { now, secret }: WhipOptions,
  { method, session }: Asked,
  { id, origin }: IngestHostRow,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  const response = await fetch(`${origin}/${WHIP}${session === undefined ? '' : `/${session}`}`, {
    method,
    redirect: 'error',
    headers: { ...headers, [ACCESS_HEADER]: signAccess(secret, WHIP, now()) },
    ...(method === 'DELETE' ? {} : { body }),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const kept = ANSWERED.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const made = response.headers.get('location')?.split('/').at(-1);
  const location = made === undefined ? {} : { location: `${WHIP_PATH}/${id}/${made}` };
  return {
    status: response.status,
    headers: { ...Object.fromEntries(kept), ...location },
    text: await response.text(),
  };
}

async function serve(options: WhipOptions, asked: Asked, request: IncomingMessage, response: ServerResponse) {
  const { clients, log } = options;
  if (asked.method === 'OPTIONS') return void response.writeHead(204, { ...CORS, ...PREFLIGHT }).end();
  if (!METHODS.has(asked.method))
    return answer(response, 405, 'Only POST is accepted here.', { allow: 'POST, OPTIONS' });
  const body = await bodyOf(request);
  if (body === undefined) return answer(response, 413, 'The session description is too long.', { connection: 'close' });
  const hosts = (await ingestHosts(options)).filter(({ id }) => asked.host === undefined || id === asked.host);
  if (asked.host !== undefined && hosts.length === 0) return answer(response, 404, 'There is no such stream.');
  const headers = { ...forwardedHeaders(request.headers), [CLIENT_HEADER]: networkOf(clients.of(request)) };
  for (const host of hosts) {
    try {
      const { status, headers: given, text } = await forward(options, asked, host, { headers, body });
      return void response.writeHead(status, { 'cache-control': 'no-store', ...CORS, ...given }).end(text);
    } catch (error) {
      // It has just ended; another one may take the stream.
      log.info({ error, host: host.id }, 'A stream by WHIP did not reach a process');
    }
  }
  answer(response, 503, 'No stream can be taken now. Try again in a few seconds.', { 'retry-after': '5' });
}

/** Forwards requests of encoders that send by WHIP to a process that takes streams. */
export const whipRequests = (options: WhipOptions): Bypass => ({
  request(request, response) {
    const asked = askedBy(request);
    if (!asked) return false;
    serve(options, asked, request, response).catch((error: unknown) => {
      options.log.warn({ error }, 'A request of an encoder failed');
      if (!response.headersSent) answer(response, 500, 'The stream cannot be taken.');
    });
    return true;
  },
});
