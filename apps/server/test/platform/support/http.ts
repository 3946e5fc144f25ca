import { route, type Envelope, type Routes } from '@rmeet/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Authenticate, DeskCaller, TerminalCaller, UserCaller } from '../../../src/platform/http/index.ts';

export const alice: UserCaller = {
  kind: 'user',
  userId: '0198f6a2-0000-7000-8000-00000000000a',
  tenantId: '0198f6a2-0000-7000-8000-000000000001',
  sessionId: '0198f6a2-0000-7000-8000-0000000000a1',
  account: 'alice',
  name: 'Alice',
  isTenantAdmin: false,
  permissions: [],
};
export const bob: UserCaller = {
  ...alice,
  userId: '0198f6a2-0000-7000-8000-00000000000b',
  sessionId: '0198f6a2-0000-7000-8000-0000000000b1',
  account: 'bob',
  name: 'Bob',
};
export const carol: TerminalCaller = {
  kind: 'terminal',
  tenantId: alice.tenantId,
  meetId: '0198f6a2-0000-7000-8000-0000000000c1',
  conferenceId: '0198f6a2-0000-7000-8000-0000000000c2',
  termId: 'Tcarol',
  name: 'Carol',
  role: 'guest',
  state: 'admitted',
  sessionToken: 'carol',
  admittedAt: null,
  parts: ['guest'],
};

export const desk: DeskCaller = {
  kind: 'desk',
  tenantId: alice.tenantId,
  meetId: carol.meetId,
  part: 'deskViewer',
  scope: 'control',
  linkId: '0198f6a2-0000-7000-8000-0000000000d1',
  name: 'Desk',
  expiresAt: new Date('2099-01-01T00:00:00.000Z'),
};

/**
 * Tokens of the tests are the names of their holders; `ended` was signed out from another device, `closed` is a desk
 * whose link was revoked.
 */
export const authenticate: Authenticate = async (token, as) => {
  if (as === 'terminal') return token === 'carol' ? carol : 'TERMINAL_GONE';
  if (as === 'desk' || as === 'deskSocket') {
    if (token === 'closed') return 'DESK_GONE';
    return token === 'desk' ? desk : 'UNAUTHORIZED';
  }
  if (as === 'session') return [alice, bob].find(({ sessionId }) => sessionId === token) ?? 'UNAUTHORIZED';
  if (token === 'ended') return 'USER_LOGIN_ANOTHER_DEVICE';
  return [alice, bob].find(({ account }) => account === token) ?? 'UNAUTHORIZED';
};

const echo = z.object({ who: z.string(), body: z.unknown().optional() });
const example = { data: { who: 'user' } };

/** A contract of one domain, with every kind of route. */
export const tiny = {
  open: route({
    method: 'GET',
    path: '/api/tiny/open',
    summary: '',
    callers: ['anyone'],
    input: {},
    data: echo,
    errors: [],
    example,
  }),
  maybe: route({
    method: 'GET',
    path: '/api/tiny/maybe',
    summary: '',
    callers: ['anyone', 'user'],
    input: {},
    data: echo,
    errors: [],
    example,
  }),
  own: route({
    method: 'GET',
    path: '/api/tiny/own',
    aliases: ['/api/tiny/mine'],
    summary: '',
    callers: ['user'],
    input: {},
    data: echo,
    errors: [],
    example,
  }),
  both: route({
    method: 'GET',
    path: '/api/tiny/both',
    summary: '',
    callers: ['user', 'terminal'],
    input: {},
    data: echo,
    errors: [],
    example,
  }),
  all: route({
    method: 'GET',
    path: '/api/tiny/all',
    summary: '',
    callers: ['user', 'terminal', 'desk'],
    input: {},
    data: echo,
    errors: [],
    example,
  }),
  desks: route({
    method: 'GET',
    path: '/api/tiny/desks',
    summary: '',
    callers: ['user', 'desk'],
    input: {},
    data: echo,
    errors: [],
    example,
  }),
  save: route({
    method: 'POST',
    path: '/api/tiny/:id',
    summary: '',
    callers: ['user'],
    data: echo,
    errors: [],
    example,
    input: {
      params: z.object({ id: z.uuid() }),
      query: z.object({ size: z.coerce.number().int().max(10).default(5) }),
      body: z.object({ name: z.string().trim().min(1).max(20), tags: z.array(z.string()).default([]) }),
    },
  }),
  fail: route({
    method: 'POST',
    path: '/api/tiny/fail',
    summary: '',
    callers: ['anyone'],
    data: z.null(),
    errors: [],
    example: { data: null },
    input: { body: z.object({ how: z.string() }) },
  }),
  wide: route({
    method: 'POST',
    path: '/api/tiny/wide',
    summary: '',
    callers: ['anyone'],
    bodyBytes: 1024 * 1024,
    data: z.number(),
    errors: [],
    example: { data: 0 },
    input: { body: z.object({ text: z.string() }) },
  }),
  slow: route({
    method: 'GET',
    path: '/api/tiny/slow',
    summary: '',
    callers: ['anyone'],
    input: {},
    data: z.null(),
    errors: [],
    example: { data: null },
  }),
  large: route({
    method: 'GET',
    path: '/api/tiny/large',
    summary: '',
    callers: ['anyone'],
    input: {},
    data: z.string(),
    errors: [],
    example: { data: '' },
  }),
  byAddress: route({
    method: 'GET',
    path: '/api/tiny/by-address',
    summary: '',
    callers: ['anyone'],
    limit: { by: 'address', max: 3, seconds: 60 },
    input: {},
    data: echo,
    errors: [],
    example,
  }),
  byCaller: route({
    method: 'GET',
    path: '/api/tiny/by-caller',
    summary: '',
    callers: ['user'],
    limit: { by: 'caller', max: 2, seconds: 60 },
    input: {},
    data: echo,
    errors: [],
    example,
  }),
  file: route({
    method: 'GET',
    path: '/api/api/v1/tiny/file',
    summary: '',
    callers: ['user'],
    download: true,
    input: {},
    data: echo,
    errors: [],
    example,
  }),
} satisfies Routes;

export interface Answer extends Envelope {
  httpStatus: number;
  headers: Record<string, unknown>;
}

/** Sends a request and parses the envelope. */
export async function ask(
  app: FastifyInstance,
  method: string,
  url: string,
  {
    token,
    body,
    headers = {},
    address,
  }: { token?: string; body?: unknown; headers?: Record<string, string>; address?: string } = {},
): Promise<Answer> {
  const isText = typeof body === 'string';
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: {
      'accept-language': 'en',
      ...(token ? { authorization: token } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: isText ? body : JSON.stringify(body) }),
    ...(address ? { remoteAddress: address } : {}),
  });
  return { ...response.json<Envelope>(), httpStatus: response.statusCode, headers: response.headers };
}
