import { createServer, STATUS_CODES, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { randomBytes } from 'node:crypto';
import compress from '@fastify/compress';
import rateLimits from '@fastify/rate-limit';
import { contract, LIMITS, PACKAGE_UPLOAD_TIMEOUT, REQUEST_TIMEOUT } from '@rmeet/contract';
import Fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { constants as zlib } from 'node:zlib';
import type { Db } from '../../db/index.ts';
import type { Log } from '../../log/log.ts';
import type { Storage } from '../../storage/index.ts';
import { AppError } from '../calls/app-error.ts';
import { createClientCalls, type RecordClientCall } from '../calls/client-calls.ts';
import { connectionLimits, fileHandles, type ConnectionLimits } from './connection-limits.ts';
import { Connections, endSoon, type ClientConnection } from './connections.ts';
import type { Authenticate } from '../calls/context.ts';
import { failure, localeOf, sendFailure } from '../calls/errors.ts';
import { acceptForms } from '../calls/forms.ts';
import { methodsOfPaths } from './methods.ts';
import { FORM_TYPE, mount, type HttpServices } from '../calls/mount.ts';
import { createAddresses, type Addresses } from './addresses.ts';
import { createClientCertificates, type PassedCertificates } from './client-certificate.ts';
import { watchFirstBytes, type ConnectionTaker } from './first-bytes.ts';
import { awaitBody } from './body-timeout.ts';
import { isForPage, sendRefusedPage } from './refused-page.ts';
import { securityHeaders } from './security-headers.ts';
import { routableTarget } from './target.ts';
import { createTickets } from '../calls/tickets.ts';

/** Handles a WebSocket or media request before Fastify sees it; false if the path is not its own. */
export interface Bypass {
  /** `rest`: gives a request to Fastify after all, unless something was answered. */
  request?(...args: [...Parameters<RequestListener>, rest: () => void]): boolean;
  upgrade?(
    request: Parameters<RequestListener>[0],
    socket: Duplex,
    head: Buffer,
    connection: ClientConnection,
  ): boolean;
  /** Closes its open connections because the server is closing. */
  close?(): void;
}

export interface HttpOptions {
  log: Log;
  db: Db;
  authenticate: Authenticate;
  /** Storage for files sent with calls; without it, no route accepts files. */
  storage?: Storage;
  /** PEM texts; without them, plain http. */
  tls?: { cert: string; key: string } | undefined;
  trustedProxies?: string[];
  /** How these pass certificates of clients on; if undefined, such headers are ignored. */
  passedCertificates?: PassedCertificates | undefined;
  /** Where local agents with certificates answer on the computers of people. */
  agentUrl?: string | undefined;
  /** Hosts whose pages the product may show in a frame (RMEET_ASSISTANT_HOSTS). */
  frameHosts?: readonly string[];
  /** Stores a call of an API client; without it, they are not stored. */
  recordClientCall?: RecordClientCall;
  /** The addresses it answers to, as origins; if there is none, every address. */
  publicUrls?: () => readonly string[];
  mediaUrls?: readonly string[];
  /** Where browsers read stored files from, besides this server. */
  fileUrls?: readonly string[];
  bypasses?: Bypass[];
  /** Takes over connections that are not HTTP. */
  taker?: ConnectionTaker | undefined;
  /** Milliseconds for a body to arrive, and then for the handler; 30 s. Calls with files have longer. */
  timeout?: number;
  /** How many connections may be open; default: as many as the process' file handles allow. */
  connections?: ConnectionLimits;
  /**
   * Milliseconds for TLS, then for the head of a connection's first request, and for a later one from its first byte
   * on; 10 s.
   */
  headTimeout?: number;
  /** Milliseconds after which a connection without traffic is closed; a minute. */
  stallTimeout?: number;
}

/** Longer than the idle time of usual reverse proxies, so that the proxy closes first. */
const KEEP_ALIVE = 72_000;
const COMPRESS_FROM = 1_024;
const HEAD_TIMEOUT = 10_000;
const STALL_TIMEOUT = 60_000;
/** How often Node checks for connections that have timed out. */
const CHECK_EVERY = 1_000;

/** What mount() needs for the routes. */
const servicesOf = (
  app: FastifyInstance,
  options: HttpOptions,
  { connections, addresses }: { connections: Connections; addresses: Addresses },
): HttpServices => ({
  authenticate: options.authenticate,
  connections,
  clientCalls: createClientCalls(app, options.recordClientCall ?? (() => undefined)),
  ...(options.storage === undefined ? {} : { storage: options.storage }),
  tickets: createTickets(options.db, options.authenticate),
  addresses,
  clientCertificates: createClientCertificates(options.passedCertificates, options.trustedProxies ?? []),
  ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
});

/** The HTTP server with everything every route shares; mount() adds the domains, listen() opens it. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { log, bypasses = [] } = options;
  const addresses = createAddresses(options);
  const connections = new Connections(
    options.connections ?? connectionLimits(fileHandles()),
    options.trustedProxies ?? [],
    log,
  );
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomBytes(9).toString('base64url'),
    trustProxy: options.trustedProxies && options.trustedProxies.length > 0 ? options.trustedProxies : false,
    bodyLimit: LIMITS.bodyBytes,
    forceCloseConnections: 'idle',
    // Fastify's own response is not an envelope.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500 },
    frameworkErrors: (error, request, reply) => {
      sendFailure(request, reply, error);
    },
    clientErrorHandler: refuseBrokenRequest,
    serverFactory: (handler) => serverFor(options, { connections, addresses }, handler),
  });

  let isClosing = false;
  app.addHook('onRequest', async () => {
    if (isClosing) throw new AppError('SERVICE_BUSY');
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    bypasses.forEach((bypass) => bypass.close?.());
    connections.close();
  });

  await app.register(rateLimits, { global: false, cache: 50_000 });
  const services = servicesOf(app, options, { connections, addresses });
  app.decorate('rmeet', services);
  acceptJsonOnly(app);
  await acceptForms(app);
  securityHeaders(app, addresses, options);
  logRequests(app);
  refuseOtherHosts(app, addresses);
  await app.register(compress, {
    threshold: COMPRESS_FROM,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } },
  });
  answerUnrouted(app);
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control'))
      void reply.header('cache-control', 'no-store');
  });
  mount(app, contract.downloads, services.tickets.handlers);
  return app;
}

/** The HTTP or HTTPS server. Requests go to the bypasses first, then to Fastify's handler. */
function serverFor(
  { bypasses = [], tls, headTimeout = HEAD_TIMEOUT, ...options }: HttpOptions,
  { connections, addresses }: { connections: Connections; addresses: Addresses },
  handler: RequestListener,
): Server {
  const listener: RequestListener = (request, response) => {
    request.url = routableTarget(request.url ?? '');
    connections.asked(request, response);
    awaitBody(request, response, options.timeout ?? REQUEST_TIMEOUT, (socket) =>
      writeFailure(socket, 408, new AppError('REQUEST_TIMEOUT')),
    );
    const rest = (): void => handler(request, response);
    if (!addresses.serves(request) || !bypasses.some((bypass) => bypass.request?.(request, response, rest))) rest();
  };
  const timeouts = {
    connectionsCheckingInterval: Math.min(CHECK_EVERY, headTimeout),
    headersTimeout: headTimeout,
    // The longest of all; each request has its own limit (body-timeout.ts).
    requestTimeout: PACKAGE_UPLOAD_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE,
  };
  const server: Server = tls
    ? createTlsServer({ ...tls, ...timeouts, handshakeTimeout: headTimeout }, listener)
    : createServer(timeouts, listener);
  if (options.taker) watchFirstBytes(server, { isTls: tls !== undefined, silence: headTimeout }, options.taker);
  connections.watch(server, options.stallTimeout ?? STALL_TIMEOUT);
  server.on('connect', (_request, socket: Duplex) => writeFailure(socket, 405, new AppError('METHOD_NOT_ALLOWED')));
  server.on('upgrade', (request, socket: Duplex, head) => {
    request.url = routableTarget(request.url ?? '');
    // The bypass that takes over handles idle connections itself.
    request.socket.setTimeout(0);
    const connection = connections.asked(request);
    if (!addresses.serves(request)) writeFailure(socket, 400, hostNotServed(addresses, request));
    else if (!bypasses.some((bypass) => bypass.upgrade?.(request, socket, head, connection))) refuseUpgrade(socket);
  });
  return server;
}

/** Answers requests that no route handles, and errors. */
function answerUnrouted(app: FastifyInstance): void {
  const methods = methodsOfPaths(app);
  const unrouted = (request: FastifyRequest, reply: FastifyReply): unknown => {
    const path = request.url.split('?', 1)[0] ?? '';
    if (!path.startsWith('/api/') && path !== '/api')
      return reply.code(404).type('text/plain; charset=utf-8').send('404');
    const allowed = methods(path);
    if (allowed.length === 0) return sendFailure(request, reply, new AppError('NOT_FOUND'));
    return sendFailure(request, reply.header('allow', allowed.join(', ')), new AppError('METHOD_NOT_ALLOWED'));
  };
  app.setNotFoundHandler(unrouted);
  // Fastify requires a content type for QUERY before it looks for a route; there is none.
  app.setErrorHandler((error, request, reply) =>
    (error as Partial<FastifyError>).code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'
      ? unrouted(request, reply)
      : sendFailure(request, reply, error),
  );
}

/** Health checks are answered for any host name. */
const ALWAYS_ANSWERED = new Set(['/healthz', '/readyz']);
/**
 * While no address is configured: the setup page with its assets, where the address is entered, and metrics, which
 * check the caller themselves.
 */
const WITHOUT_ADDRESS = /^\/(metrics|setup|setup\/|assets\/[^/]+|compat\.js|favicon\.svg|api\/api\/v1\/setup\/[a-z]+)$/;

function hostNotServed(addresses: Addresses, request: IncomingMessage): AppError {
  const main = addresses.main();
  return main === undefined
    ? new AppError('HOST_UNKNOWN', { url: addresses.originOf(request) })
    : new AppError('HOST_NOT_SERVED', { url: main });
}

/** Rejects requests for a host that does not belong to this server. */
function refuseOtherHosts(app: FastifyInstance, addresses: Addresses): void {
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    if (addresses.serves(request.raw) || ALWAYS_ANSWERED.has(path)) return;
    if (addresses.main() === undefined && WITHOUT_ADDRESS.test(path)) return;
    const error = hostNotServed(addresses, request.raw);
    return isForPage(request)
      ? sendRefusedPage(request, reply, error, addresses.main())
      : sendFailure(request, reply, error);
  });
}

/**
 * Apart from forms with files (forms.ts), only JSON bodies are accepted; an empty one counts as none. Routes that
 * declare it also take plain forms (mount.ts).
 */
function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body as string, done);
  });
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)));
  });
}

/** One line per API call, without its query, which may contain secrets. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const [path] = request.url.split('?', 1);
    const fields = { method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    if (path?.startsWith('/api/')) request.log.info(fields, 'Request');
    else request.log.debug(fields, 'Request');
  });
}

/** Requests that Node could not parse as HTTP, or that timed out, are answered in the envelope, too. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  // A connection that has sent nothing may be one that a browser keeps in reserve: it does not expect a response
  // without a request.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  writeFailure(
    socket,
    isSlow ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400,
    new AppError(isSlow ? 'REQUEST_TIMEOUT' : 'MALFORMED_BODY'),
  );
}

function refuseUpgrade(socket: Duplex): void {
  writeFailure(socket, 404, new AppError('NOT_FOUND'));
}

function writeFailure(socket: Duplex, status: number, error: AppError): void {
  const body = JSON.stringify(failure(error, localeOf({ headers: {} })));
  endSoon(
    socket,
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
