import { expect } from 'vitest';
import { errorEntry, errorMessage, type ErrorCode } from '@rmeet/contract';
import { send, type Person } from './client.ts';
import type { TestServer } from './server.ts';

/**
 * One wrong input of a call: the description, the expected response, the input. `INVALID_INPUT` is followed by the
 * fields.
 */
export interface Wrong {
  expected: string;
  path?: string;
  query?: Record<string, string | number>;
  body?: unknown;
  /** Another caller than usual. */
  who?: Person;
}

/** Who calls: the usual caller, none for calls that are open to anyone, and one of the platform without the right. */
export interface Strangers {
  usual?: Person;
  operator?: Person;
}

/** A message as a pattern with wildcards for its placeholders. */
function sentenceOf(code: ErrorCode): RegExp {
  const parts = errorMessage(code, 'en', new Proxy({}, { get: () => '\0' })).split('\0');
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*')}$`, 's');
}

/**
 * Sends every wrong input and checks that each is answered with its own code, HTTP status and sentence. `call` is a row
 * of the table of calls: its method and path below `/api/api/v1`, or a whole path.
 */
export async function expectRefused(
  server: TestServer,
  call: string,
  { usual, operator }: Strangers,
  wrongs: Record<string, Wrong>,
): Promise<void> {
  const [method = '', path = ''] = call.split(' ');
  const whole = (given: string) => (given.startsWith('/') ? given : `/api/api/v1/${given}`);
  const answers: Record<string, string> = {};
  for (const [wrong, { path: other, query, body, who = usual }] of Object.entries(wrongs)) {
    const pairs = Object.entries(query ?? {}).map(([key, value]): [string, string] => [key, String(value)]);
    const search = query ? `?${new URLSearchParams(pairs).toString()}` : '';
    const answer = await send(server, method, `${whole(other ?? path)}${search}`, {
      ...(who ? { token: who.token } : {}),
      body,
    });
    const { statusCode, message, httpStatus, fields } = answer;
    answers[wrong] = statusCode === 'INVALID_INPUT' ? [statusCode, ...Object.keys(fields ?? {})].join(' ') : statusCode;
    if (statusCode === 'OK') continue;
    expect(httpStatus, wrong).toBe(errorEntry(statusCode as ErrorCode).httpStatus);
    expect(message, wrong).toMatch(sentenceOf(statusCode as ErrorCode));
  }
  expect(answers).toEqual(Object.fromEntries(Object.entries(wrongs).map(([wrong, { expected }]) => [wrong, expected])));
  if (usual)
    expect(await send(server, method, whole(path)), 'nobody').toMatchObject({
      httpStatus: 401,
      statusCode: 'UNAUTHORIZED',
    });
  if (!operator) return;
  expect(await send(server, method, whole(path), { token: operator.token }), 'an operator').toMatchObject({
    httpStatus: 403,
    statusCode: 'FORBIDDEN',
  });
}
