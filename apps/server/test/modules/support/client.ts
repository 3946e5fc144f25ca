import { constants, publicEncrypt } from 'node:crypto';
import {
  COMMON_ERRORS,
  contract,
  createClient,
  pathOf,
  type Args,
  type Client,
  type Data,
  type Envelope,
  type Route,
  type RouteInput,
} from '@rmeet/contract';
import type { z } from 'zod';
import { DEMO_PASSWORD } from '../../../src/seed/index.ts';
import type { TestServer } from './server.ts';

export interface Answer<D = unknown> extends Envelope<D> {
  httpStatus: number;
  /** The response of a download instead of the envelope; the status code is then OK. */
  file?: Buffer;
}

let calls = 0;
/** An unused address, so that limits per address do not add up over a test. */
function newAddress(): string {
  calls += 1;
  return `172.16.${(calls >> 8) & 255}.${calls & 255}`;
}

/** A body in its encoded form: forms with their boundary, everything else as JSON. */
async function encoded(body: unknown): Promise<{ type: string; payload: Buffer | string }> {
  if (!(body instanceof FormData)) return { type: 'application/json', payload: JSON.stringify(body) };
  const form = new Response(body);
  return { type: form.headers.get('content-type') ?? '', payload: Buffer.from(await form.arrayBuffer()) };
}

interface SendOptions {
  token?: string | undefined;
  body?: unknown;
  address?: string;
  host?: string;
  userAgent?: string | undefined;
}

/** Sends any request to any path and parses the envelope. */
export async function send(
  server: TestServer,
  method: string,
  path: string,
  { token, body, address, host, userAgent }: SendOptions = {},
): Promise<Answer> {
  const sent = body === undefined ? undefined : await encoded(body);
  const response = await server.app.inject({
    method: method as 'GET',
    url: path,
    headers: {
      'accept-language': 'en',
      ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
      host: host ?? new URL(server.publicUrl).host,
      ...(token === undefined ? {} : { authorization: token }),
      ...(sent ? { 'content-type': sent.type } : {}),
    },
    remoteAddress: address ?? newAddress(),
    ...(sent ? { payload: sent.payload } : {}),
  });
  const httpStatus = response.statusCode;
  if (!String(response.headers['content-type']).startsWith('application/json'))
    return { status: true, data: null, statusCode: 'OK', message: '', httpStatus, file: response.rawPayload };
  return { ...response.json<Envelope>(), httpStatus };
}

/** Calls a route as a given caller, and checks that the contract declares the response. */
export async function call<I extends RouteInput, D extends z.ZodType>(
  server: TestServer,
  route: Route<I, D>,
  args: Args<Route<I, D>> | undefined,
  token?: string,
  address?: string,
): Promise<Answer<Data<Route<I, D>>>> {
  const { body } = (args ?? {}) as { body?: unknown };
  const answer = await send(server, route.method, pathOf(route, (args ?? {}) as never), {
    token,
    body,
    ...(address ? { address } : {}),
  });
  if (answer.status) route.data.parse(answer.data);
  else if (![...COMMON_ERRORS, ...route.errors].includes(answer.statusCode as never))
    throw new Error(`${route.method} ${route.path} answered the undeclared ${answer.statusCode}.`);
  return answer as Answer<Data<Route<I, D>>>;
}

/** A failed call, thrown by the typed clients. */
export class CallFailed extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super(`${answer.httpStatus} ${answer.statusCode}: ${answer.message}`);
    this.answer = answer;
  }
}

type Clients = { [Domain in keyof typeof contract]: Client<(typeof contract)[Domain]> };
export type Person = Clients & { token: string };

/** Typed calls with a token, or anonymous without one; failures throw CallFailed. */
export function clientOf(server: TestServer, token?: string, address?: string, userAgent?: string): Person {
  const sendOrThrow = async (method: string, path: string, body: unknown): Promise<unknown> => {
    const answer = await send(server, method, path, { token, body, userAgent, ...(address ? { address } : {}) });
    if (!answer.status) throw new CallFailed(answer);
    return answer.data;
  };
  const clients = Object.fromEntries(
    Object.entries(contract).map(([domain, routes]) => [domain, createClient(routes, sendOrThrow)]),
  ) as Clients;
  return { token: token ?? '', ...clients };
}

/** A password encrypted as browsers send it. */
export async function encrypt(server: TestServer, password: string): Promise<string> {
  const { publicKey } = await clientOf(server).auth.loginMode({ query: {} });
  return publicEncrypt(
    { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    Buffer.from(password),
  ).toString('base64');
}

/** Signs an account in on its own device, so that several sign-ins of a test do not end each other. */
export async function signIn(server: TestServer, account: string, deviceId = `device of ${account}`): Promise<Person> {
  const { token } = await clientOf(server).auth.login({
    body: { account, password: await encrypt(server, DEMO_PASSWORD), deviceId },
  });
  return clientOf(server, token);
}

/** Proves again who a session belongs to, for sensitive actions after the clock was advanced. */
export async function prove(server: TestServer, person: Person): Promise<void> {
  await person.multiauth.prove({ body: { password: await encrypt(server, DEMO_PASSWORD) } });
}

/** The error code of a failed call; `OK` on success. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'OK';
  } catch (error) {
    if (error instanceof CallFailed) return error.answer.statusCode;
    throw error;
  }
}
