import { contract, createClient, ERROR_CODES, errorEntry } from '@rmeet/contract';
import { describe, expect, test, vi } from 'vitest';
import { reactionTo } from '../src/lib/api/reactions.ts';
import { ApiError } from '../src/lib/api/error.ts';
import { language } from '../src/lib/i18n/index.ts';
import { createSend, type SendOptions } from '../src/lib/api/send.ts';
import { loginPath, ownPath } from '../src/lib/paths.ts';
import zh from '../src/lib/i18n/locales/zh.json' with { type: 'json' };

vi.mock('../src/lib/i18n/index.ts', () => ({ language: vi.fn(() => 'zh') }));

const words = (key: keyof typeof zh.errors): string => zh.errors[key];
/** The reaction as currently shown: messages are functions of the language. */
const react = (status: number, code = 'X', message = '') => {
  const reaction = reactionTo(new ApiError(status, code, message), words);
  return reaction.kind === 'silent' ? reaction : { ...reaction, text: reaction.text() };
};
const shown = (level: 'error' | 'warning', text: string) => ({ kind: 'toast', level, text });

describe('the error catalogue', () => {
  test.each([
    [403, 'FORBIDDEN', 'of the server', shown('warning', '您没操作权限，请联系管理员')],
    [404, 'NOT_FOUND', 'of the server', { kind: 'silent' }],
    [406, 'BAD_CREDENTIALS', 'of the server', shown('error', 'of the server')],
    [408, 'REQUEST_TIMEOUT', '', shown('error', '请求连接超时，请联系管理员')],
    [500, 'SERVER_ERROR', 'of the server', shown('error', '服务器错误，请联系管理员')],
    [500, 'OPERATION_ERROR', 'of the server', shown('error', 'of the server')],
    [501, 'OPERATION_ERROR', 'of the server', shown('error', 'of the server')],
    [501, 'X', '', shown('error', '服务器错误，请联系管理员')],
    [503, 'X', '', shown('warning', '服务繁忙, 请稍后重试')],
    [503, 'DISK_FULL', 'of the server', shown('warning', 'of the server')],
    [409, 'ROOM_TAKEN', 'of the server', shown('error', 'of the server')],
    [413, 'BODY_TOO_LARGE', 'of the server', shown('error', 'of the server')],
    [413, 'X', '', shown('error', '请求异常，请联系管理员')],
    [429, 'TOO_MANY_REQUESTS', 'of the server', shown('error', 'of the server')],
    [418, 'X', 'of the server', shown('error', '请求异常，请联系管理员')],
    [0, 'UNREACHABLE', '', shown('error', '请求异常，请联系管理员')],
  ])('%i %s', (status, code, message, reaction) => {
    expect(react(status, code, message)).toEqual(reaction);
  });

  test('401 leads to the login page, with a dialog before it for the two unexpected cases', () => {
    expect(react(401, 'UNAUTHORIZED', 'over')).toEqual({ kind: 'signIn', blocking: false, text: 'over' });
    expect(react(401, 'USER_LOGIN_ANOTHER_DEVICE')).toEqual({
      kind: 'signIn',
      blocking: true,
      text: '您的账号已在其他设备登录',
    });
    expect(react(401, 'CHANGE_PWD_LDAP', 'changed')).toEqual({ kind: 'signIn', blocking: true, text: 'changed' });
  });

  test('is shown in the present language if the server sent both', () => {
    const reaction = reactionTo(
      ApiError.of(406, {
        statusCode: 'BAD_CREDENTIALS',
        message: '密码错误',
        messages: { zh: '密码错误', en: 'Wrong.' },
      }),
      words,
    );
    vi.mocked(language).mockReturnValueOnce('en').mockReturnValueOnce('zh');
    expect(reaction.kind === 'toast' && [reaction.text(), reaction.text()]).toEqual(['Wrong.', '密码错误']);
  });

  test('has an answer for every code of the contract', () => {
    for (const code of ERROR_CODES) {
      const { httpStatus, zh: message } = errorEntry(code);
      const reaction = react(httpStatus, code, message);
      if (httpStatus === 404) expect(reaction.kind).toBe('silent');
      else expect(reaction).toHaveProperty('text', expect.stringMatching(/./));
    }
  });
});

const answer = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json; charset=utf-8' } });
const client = (fetched: typeof fetch, options: Partial<SendOptions> = {}) =>
  createClient(
    contract.meetings,
    createSend({ token: () => 'a-token', language: () => 'en', fetch: fetched, ...options }),
  );
const failureOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const reason = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(reason).toBeInstanceOf(ApiError);
  return reason as ApiError;
};

describe('a call', () => {
  test('carries token, language and body, and resolves with the data', async () => {
    const fetched = vi.fn<typeof fetch>(async () =>
      answer(200, { status: true, data: { meetId: 'm' }, statusCode: 'OK', message: '' }),
    );
    const body = { subject: 'Ward round', startTime: '2026-11-20T09:00:00Z', duration: 60 };
    await expect(client(fetched).createNetwork({ body })).resolves.toEqual({ meetId: 'm' });
    const [path, init] = fetched.mock.calls[0] ?? [];
    expect(path).toBe('/api/api/v1/meetings/network');
    expect(init).toMatchObject({
      method: 'POST',
      credentials: 'include',
      body: JSON.stringify(body),
      headers: { authorization: 'a-token', 'accept-language': 'en', 'content-type': 'application/json' },
    });
  });

  test('with files is a form with the body beside them, whose boundary the browser sets', async () => {
    const fetched = vi.fn<typeof fetch>(async () =>
      answer(200, { status: true, data: { meetId: 'm' }, statusCode: 'OK', message: '' }),
    );
    const body = { subject: 'Ward round', startTime: '2026-11-20T09:00:00Z', duration: 60, roomIds: [] };
    const files = [new File(['One'], '议程.txt'), new File(['Two'], 'b.txt')];
    await client(fetched).createLocal({ body, files });
    const init = fetched.mock.calls[0]?.[1];
    expect(init?.headers).not.toHaveProperty('content-type');
    const form = init?.body as FormData;
    expect([...form.keys()]).toEqual(['meeting', 'file', 'file']);
    expect(JSON.parse(form.get('meeting') as string)).toEqual(body);
    expect(form.getAll('file').map((file) => (file as File).name)).toEqual(['议程.txt', 'b.txt']);
    await client(fetched).createLocal({ body });
    expect(fetched.mock.calls[1]?.[1]).toMatchObject({
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  });

  test('without a token sends none', async () => {
    const fetched = vi.fn<typeof fetch>(async () => answer(200, { data: null, statusCode: 'OK' }));
    await client(fetched, { token: () => null }).list({ query: {} });
    expect(fetched.mock.calls[0]?.[1]?.headers).not.toHaveProperty('authorization');
  });

  test('fails with code, sentence and fields of the envelope', async () => {
    const envelope = {
      status: false,
      data: null,
      statusCode: 'INVALID_INPUT',
      message: 'Some of the input is wrong.',
      fields: { subject: 'too long' },
    };
    const error = await failureOf(client(async () => answer(400, envelope)).detail({ params: { id: 'm' } }));
    expect(error).toMatchObject({
      httpStatus: 400,
      code: 'INVALID_INPUT',
      message: 'Some of the input is wrong.',
      fields: { subject: 'too long' },
    });
  });

  test('fails on status 200 without OK, on a page that is no envelope, and without an answer', async () => {
    const call = (fetched: typeof fetch) => failureOf(client(fetched).detail({ params: { id: 'm' } }));
    expect(await call(async () => answer(200, { statusCode: 'OPERATION_ERROR', message: 'no' }))).toMatchObject({
      code: 'OPERATION_ERROR',
    });
    expect(await call(async () => new Response('<h1>Bad gateway</h1>', { status: 502 }))).toMatchObject({
      httpStatus: 502,
      code: 'NOT_AN_ENVELOPE',
    });
    expect(await call(async () => Promise.reject(new TypeError('fetch failed')))).toMatchObject({
      httpStatus: 0,
      code: 'UNREACHABLE',
    });
  });

  test('that takes too long counts as 408', async () => {
    const never: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error));
      });
    expect(await failureOf(client(never, { timeout: 5 }).detail({ params: { id: 'm' } }))).toMatchObject({
      httpStatus: 408,
    });
  });

  test('refused for its token reports this token', async () => {
    const onUnauthorized = vi.fn<NonNullable<SendOptions['onUnauthorized']>>();
    await failureOf(
      client(async () => answer(401, { statusCode: 'UNAUTHORIZED' }), { onUnauthorized }).detail({
        params: { id: 'm' },
      }),
    );
    expect(onUnauthorized).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: 'UNAUTHORIZED' }),
      'a-token',
    );
  });
});

test('only paths of the app are followed after signing in', () => {
  expect(ownPath('/myMeeting?scope=past')).toBe('/myMeeting?scope=past');
  for (const foreign of [
    null,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/login?redirect=/x',
  ]) {
    expect(ownPath(foreign)).toBe('/');
  }
  expect(loginPath('/myMeeting?scope=past')).toBe('/login?redirect=%2FmyMeeting%3Fscope%3Dpast');
  expect(loginPath('/')).toBe('/login');
});
