import {
  API_TOKEN_PREFIX,
  contract,
  LIMITS,
  REQUEST_TIMEOUT,
  UPLOAD_TIMEOUT,
  type Envelope,
  type Route,
  type Routes,
} from '@rmeet/contract';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Storage } from '../../storage/index.ts';
import { AppError } from './app-error.ts';
import type { ClientCalls } from './client-calls.ts';
import type { Connections } from '../server/connections.ts';
import {
  idOfCaller,
  type Authenticate,
  type Caller,
  type Context,
  type Handlers,
  type UploadGates,
} from './context.ts';
import { localeOf } from './errors.ts';
import { FileAnswer } from './file-answer.ts';
import { receiveForm, type FileRules, type Form } from './forms.ts';
import { parseInput } from './input.ts';
import type { Addresses } from '../server/addresses.ts';
import type { ClientCertificates } from '../server/client-certificate.ts';
import { awaitFiles } from '../server/body-timeout.ts';
import { rateLimit } from './rate-limits.ts';
import { pathOfDownload, type Tickets } from './tickets.ts';

/** What mount() needs from the server; a decorator of the Fastify instance. */
export interface HttpServices {
  authenticate: Authenticate;
  tickets: Tickets;
  addresses: Addresses;
  clientCertificates: ClientCertificates;
  connections: Connections;
  clientCalls: ClientCalls;
  storage?: Storage;
  /** Time limit for a handler in milliseconds. */
  timeout?: number;
}

declare module 'fastify' {
  interface FastifyInstance {
    rmeet: HttpServices;
  }
}

/** Plain forms; only routes that declare it take them. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

type AnyHandler = (context: Context, input: unknown) => unknown;
type AnyGate = (context: Context, input: unknown) => FileRules | Promise<FileRules>;
const nobody: Caller = { kind: 'anyone' };

/** The token of the header authorization, alone or after `Bearer `. Never one in the URL. */
function tokenOf(request: FastifyRequest): string | undefined {
  const token = (request.headers.authorization ?? '').replace(/^Bearer\s+/i, '').trim();
  return token === '' ? undefined : token;
}

/** Whether a download shows a ticket instead of a token. */
function isByTicket(request: FastifyRequest, { download, method }: Pick<Route, 'download' | 'method'>): boolean {
  const { ticket } = request.query as { ticket?: unknown };
  return download === true && method === 'GET' && typeof ticket === 'string';
}

const takesAccounts = (callers: Route['callers']): boolean => callers.includes('user') || callers.includes('operator');

/** The kinds of token that a route accepts. */
function kindsOf(callers: Route['callers']): ('account' | 'desk' | 'terminal')[] {
  return [
    ...(takesAccounts(callers) ? ['account' as const] : []),
    ...(callers.includes('desk') ? ['desk' as const] : []),
    ...(callers.includes('terminal') ? ['terminal' as const] : []),
  ];
}

/** The API client behind an access token. @throws AppError with the code of the failed authentication */
async function clientBehind(token: string, authenticate: Authenticate): Promise<Caller> {
  const client = await authenticate(token, 'client');
  if (typeof client === 'string') throw new AppError(client);
  return client;
}

/** The account, desk or terminal behind a token of a route with these callers; else why there is none. */
async function holderOf(
  token: string | undefined,
  callers: Route['callers'],
  authenticate: Authenticate,
): Promise<Caller | AppError> {
  let refusal = new AppError(takesAccounts(callers) ? 'UNAUTHORIZED' : 'TERMINAL_GONE');
  if (token === undefined) return refusal;
  for (const kind of kindsOf(callers)) {
    const found = await authenticate(token, kind);
    if (typeof found !== 'string') return found;
    // A reason about an account or a desk, such as a sign-in elsewhere, is more useful than the message that no such
    // terminal exists.
    if (refusal.code === 'UNAUTHORIZED') refusal = new AppError(found);
  }
  return refusal;
}

/**
 * The caller, as far as the route needs it. An open route treats an unknown token as anonymous.
 *
 * @throws AppError with the code of the failed authentication
 */
async function callerOf(
  request: FastifyRequest,
  route: Route,
  { authenticate, tickets }: HttpServices,
): Promise<Caller> {
  const { callers } = route;
  if (kindsOf(callers).length === 0) return nobody;
  const { ticket } = request.query as { ticket?: unknown };
  if (isByTicket(request, route) && typeof ticket === 'string') return tickets.use(ticket, pathOfDownload(request.url));
  const token = tokenOf(request);
  if (takesAccounts(callers) && token?.startsWith(API_TOKEN_PREFIX)) return clientBehind(token, authenticate);
  const holder = await holderOf(token, callers, authenticate);
  if (!(holder instanceof AppError)) return holder;
  if (callers.includes('anyone')) return nobody;
  throw holder;
}

/**
 * Rejects an account that the route is not for, or without the required permission. A route open to anyone treats such
 * an account as anonymous.
 *
 * @throws AppError FORBIDDEN
 */
function permitted({ callers, permission }: Route, caller: Caller): Caller {
  if (caller.kind === 'anyone') return caller;
  if (!callers.includes(caller.kind)) {
    if (callers.includes('anyone')) return nobody;
    throw new AppError('FORBIDDEN');
  }
  if (permission !== undefined && 'permissions' in caller && !caller.permissions.includes(permission))
    throw new AppError('FORBIDDEN');
  return caller;
}

/** The rules of a booking's files. @throws AppError FORBIDDEN without the route's permission */
function rulesByPermission({ multipart }: Route, caller: Caller): FileRules {
  const permission = multipart?.permission;
  if (permission === undefined || !('permissions' in caller) || !caller.permissions.includes(permission))
    throw new AppError('FORBIDDEN');
  return { files: LIMITS.files, bytes: LIMITS.fileBytes };
}

/** How long a call may take, ms: with files longer than without. */
function timeoutOf(request: FastifyRequest, { multipart, timeout }: Route, services: HttpServices): number {
  if (multipart && request.isMultipart()) return timeout ?? UPLOAD_TIMEOUT;
  return (multipart ? undefined : timeout) ?? services.timeout ?? REQUEST_TIMEOUT;
}

/** The form of a call; undefined if it was sent as JSON. */
async function formOf(
  request: FastifyRequest,
  { route, gate, services }: MountedRoute,
  context: Context,
): Promise<Form | undefined> {
  if (!route.multipart || !request.isMultipart()) return undefined;
  const { storage } = services;
  if (!storage) throw new Error('A route takes files, but there is nowhere to store them.');
  awaitFiles(request.raw, timeoutOf(request, route, services));
  return receiveForm(request, storage, (body) => {
    if (!gate) return rulesByPermission(route, context.caller);
    return gate(context, parseInput(route, { params: request.params, query: request.query, body }, context.locale));
  });
}

/** Runs `work` for at most `milliseconds`; its signal is aborted then, or when the client disconnects. */
async function withinTime<T>(
  request: FastifyRequest,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    stop.abort();
    reject(new AppError('REQUEST_TIMEOUT'));
  }, milliseconds);
  const onClose = (): void => stop.abort();
  request.raw.socket.once('close', onClose);
  try {
    return await Promise.race([work(stop.signal), timeUp]);
  } finally {
    clearTimeout(timer);
    request.raw.socket.off('close', onClose);
  }
}

interface MountedRoute {
  route: Route;
  /** Domain and name, for the audit log. */
  action: string;
  handle: AnyHandler;
  /** Decides on files before they are read, for routes that name no permission for them. */
  gate: AnyGate | undefined;
  limit: ReturnType<typeof rateLimit>;
  services: HttpServices;
}

/**
 * Refuses a dangerous act of a session that has not proved lately who holds it. A download was checked when its ticket
 * was issued.
 *
 * @throws AppError STEP_UP_REQUIRED
 */
async function mustBeProven({ route, services }: MountedRoute, caller: Caller, request: FastifyRequest): Promise<void> {
  if (!route.stepUp || isByTicket(request, route) || !('sessionId' in caller)) return;
  const found = await services.authenticate(caller.sessionId, 'proven');
  if (typeof found === 'string') throw new AppError(found);
}

/** Authenticates, authorizes and counts a call. Returns its caller. */
async function admit(request: FastifyRequest, mounted: MountedRoute): Promise<Caller> {
  const { route, action, limit, services } = mounted;
  const isForm = request.headers['content-type']?.toLowerCase().startsWith(FORM_TYPE) === true;
  if ((!route.multipart && request.isMultipart()) || (isForm && !route.form))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  // Limits by address are counted before the token is checked, so that guessing tokens is limited, too.
  if (route.limit?.by === 'address') await limit.check(request, nobody);
  const found = await callerOf(request, route, services);
  if (found.kind === 'user' && found.client !== undefined)
    await services.clientCalls.admit(request, { ...found, client: found.client }, { action, scope: route.scope });
  const caller = permitted(route, found);
  if (caller.kind !== 'anyone') services.connections.signedIn(request.raw.socket, idOfCaller(caller));
  if (route.limit?.by === 'caller') await limit.check(request, caller);
  await mustBeProven(mounted, caller, request);
  return caller;
}

/** Parses the input and runs the handler. */
async function runHandler(
  request: FastifyRequest,
  { route, handle, limit }: MountedRoute,
  context: Context,
  form: Form | undefined,
): Promise<unknown> {
  try {
    const given = { params: request.params, query: request.query, body: form ? form.body : request.body };
    const input = parseInput(route, given, context.locale);
    return await handle(context, route.multipart ? { ...input, files: form?.files ?? [] } : input);
  } catch (error) {
    await limit.failed(request, error);
    await form?.discard();
    throw error;
  }
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  mounted: MountedRoute,
  signal: AbortSignal,
): Promise<Envelope | Buffer | Readable> {
  const { services, action } = mounted;
  const caller = await admit(request, mounted);
  const locale = localeOf(request);
  const context: Context = {
    caller,
    action,
    requestId: request.id,
    locale,
    address: request.ip,
    origin: services.addresses.originOf(request.raw),
    query: request.url.includes('?') ? request.url.slice(request.url.indexOf('?') + 1) : '',
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    clientCertificate: services.clientCertificates.of(request.raw),
    signal,
  };
  const form = await formOf(request, mounted, context);
  const data = await runHandler(request, mounted, context, form);
  if (data instanceof FileAnswer) {
    const { status, headers, body } = await data.part(request.headers.range);
    // A body of known size is sent as it is: compressing would hide the size, and a stored gzip file would be taken for
    // the compression of the answer, which the browser undoes.
    if (headers['content-length'] !== undefined) request.raw.headers['x-no-compression'] = '1';
    void reply.status(status).headers(headers);
    return body;
  }
  return { status: true, data: data ?? null, statusCode: 'OK', message: '' };
}

/**
 * Mounts the routes of one domain. Each call is authenticated and authorized, counted against the route's limit,
 * parsed, handled within 30 s, and answered in the envelope, in this order. The error handler turns errors into
 * envelopes. `gates` decide on files before they are read.
 */
export function mount<C extends Routes>(
  app: FastifyInstance,
  routes: C,
  handlers: Handlers<C>,
  gates: UploadGates<C> = {},
): void {
  const services = app.rmeet;
  const domain = Object.entries(contract).find(([, known]) => known === (routes as unknown))?.[0] ?? 'other';
  for (const [name, route] of Object.entries(routes)) {
    const handle = handlers[name] as AnyHandler;
    const gate = gates[name] as AnyGate | undefined;
    const mounted = { route, action: `${domain}.${name}`, handle, gate, limit: rateLimit(app, route), services };
    for (const url of [route.path, ...(route.aliases ?? [])]) {
      app.route({
        method: route.method,
        url,
        exposeHeadRoute: false,
        ...(route.bodyBytes === undefined ? {} : { bodyLimit: route.bodyBytes }),
        handler: (request, reply) =>
          withinTime(request, timeoutOf(request, route, services), (signal) => answer(request, reply, mounted, signal)),
      });
    }
  }
}
