import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { COMMON_ERRORS, contract, errorEntry } from '@rmeet/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError, createHttp, FileAnswer, mount, type Context } from '../../src/platform/http/index.ts';
import { openTestDb, quiet, type TestDb } from './support/db.ts';
import { alice, ask, authenticate, tiny } from './support/http.ts';

let opened: TestDb;
let app: FastifyInstance;
let lastContext: Context | undefined;
const id = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const never = Promise.withResolvers<null>();

const failures: Record<string, () => never> = {
  known: () => {
    throw new AppError('MEETING_FULL', { limit: 9 });
  },
  bug: () => {
    throw new Error('secret detail');
  },
  busy: () => {
    throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
  },
  tooLargeForColumn: () => {
    throw Object.assign(new Error('value out of range'), { code: '22003' });
  },
};

beforeAll(async () => {
  opened = await openTestDb();
  app = await createHttp({ log: quiet, db: opened.db, authenticate, timeout: 200 });
  const who = (context: Context) => {
    lastContext = context;
    return { who: context.caller.kind };
  };
  mount(app, tiny, {
    open: who,
    maybe: who,
    own: who,
    both: who,
    all: who,
    desks: who,
    byAddress: who,
    byCaller: who,
    file: (context) =>
      new FileAnswer({
        name: 'who.json',
        type: 'application/json',
        body: Buffer.from(JSON.stringify({ data: who(context) })),
      }),
    save: (context, input) => ({ ...who(context), body: input }),
    fail: (_context, { body }) => failures[body.how]?.() ?? null,
    wide: (_context, { body }) => body.text.length,
    slow: ({ signal }) => {
      signal.addEventListener('abort', () => never.resolve(null));
      return never.promise;
    },
    large: () => 'x'.repeat(5_000),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  await opened.drop();
});

test('a success is in the envelope, with a request id and no caching', async () => {
  const answer = await ask(app, 'GET', '/api/tiny/open');
  expect(answer).toMatchObject({
    httpStatus: 200,
    status: true,
    data: { who: 'anyone' },
    statusCode: 'OK',
    message: '',
  });
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-request-id': lastContext?.requestId });
});

describe('a caller', () => {
  test.each<[string, string | undefined, number, string]>([
    ['/api/tiny/open', 'alice', 200, 'anyone'],
    ['/api/tiny/maybe', undefined, 200, 'anyone'],
    ['/api/tiny/maybe', 'alice', 200, 'user'],
    ['/api/tiny/maybe', 'nobody', 200, 'anyone'],
    ['/api/tiny/own', 'alice', 200, 'user'],
    ['/api/tiny/mine', 'alice', 200, 'user'],
    ['/api/tiny/own', 'Bearer alice', 200, 'user'],
    ['/api/tiny/own', 'bearer  alice', 200, 'user'],
    ['/api/tiny/both', 'alice', 200, 'user'],
    ['/api/tiny/both', 'carol', 200, 'terminal'],
    ['/api/tiny/all', 'desk', 200, 'desk'],
    ['/api/tiny/all', 'carol', 200, 'terminal'],
    ['/api/tiny/desks', 'desk', 200, 'desk'],
    ['/api/tiny/desks', 'alice', 200, 'user'],
  ])('%s with token %s: %i %s', async (path, token, httpStatus, who) => {
    expect(await ask(app, 'GET', path, token ? { token } : {})).toMatchObject({ httpStatus, data: { who } });
  });

  test.each<[string, string | undefined, string]>([
    ['/api/tiny/own', undefined, 'UNAUTHORIZED'],
    ['/api/tiny/own', 'nobody', 'UNAUTHORIZED'],
    ['/api/tiny/own', 'carol', 'UNAUTHORIZED'],
    ['/api/tiny/own', 'ended', 'USER_LOGIN_ANOTHER_DEVICE'],
    ['/api/tiny/both', 'nobody', 'TERMINAL_GONE'],
    ['/api/tiny/own', 'Bearer', 'UNAUTHORIZED'],
    ['/api/tiny/all', 'closed', 'DESK_GONE'],
    ['/api/tiny/all', 'nobody', 'TERMINAL_GONE'],
    ['/api/tiny/desks', 'nobody', 'UNAUTHORIZED'],
    ['/api/tiny/own', 'desk', 'UNAUTHORIZED'],
    ['/api/tiny/both', 'desk', 'TERMINAL_GONE'],
  ])('%s with token %s is refused: %s', async (path, token, statusCode) => {
    expect(await ask(app, 'GET', path, token ? { token } : {})).toMatchObject({
      httpStatus: 401,
      status: false,
      data: null,
      statusCode,
    });
  });

  test.each(['token', 'authorization', 'access_token', 'sessionToken'])(
    'a token in the query as %s is ignored',
    async (name) => {
      expect(await ask(app, 'GET', `/api/tiny/own?${name}=alice`)).toMatchObject({
        httpStatus: 401,
        statusCode: 'UNAUTHORIZED',
      });
    },
  );
});

describe('input', () => {
  test('is parsed, completed with defaults, and stripped of undeclared fields', async () => {
    const answer = await ask(app, 'POST', `/api/tiny/${id}?size=7&x=1`, {
      token: 'alice',
      body: { name: ' Ward ', role: 'admin' },
    });
    expect(answer.data).toEqual({
      who: 'user',
      body: { params: { id }, query: { size: 7 }, body: { name: 'Ward', tags: [] } },
    });
  });

  test('that is wrong is reported field by field', async () => {
    const answer = await ask(app, 'POST', `/api/tiny/${id}?size=70`, { token: 'alice', body: { name: '', tags: [1] } });
    expect(answer).toMatchObject({ httpStatus: 400, statusCode: 'INVALID_INPUT' });
    expect(Object.keys(answer.fields ?? {}).toSorted()).toEqual(['name', 'size', 'tags.0']);
  });

  test.each<[string, unknown]>([
    ['a NUL character', { name: 'a\0b' }],
    ['half a surrogate pair', { name: 'a\ud800' }],
    ['a missing body', undefined],
    ['an array', []],
    ['null', null],
    ['a text', '"x"'],
  ])('%s is refused', async (_what, body) => {
    expect(await ask(app, 'POST', `/api/tiny/${id}`, { token: 'alice', body })).toMatchObject({
      httpStatus: 400,
      statusCode: 'INVALID_INPUT',
    });
  });

  test('an invalid id is NOT_FOUND', async () => {
    expect(await ask(app, 'POST', '/api/tiny/17', { token: 'alice', body: { name: 'x' } })).toMatchObject({
      httpStatus: 404,
      statusCode: 'NOT_FOUND',
    });
  });

  test.each(['{"name":', '{name: 1}', '{"__proto__": {"x": 1}}', '{"constructor": {"prototype": {"x": 1}}}'])(
    'the body %s cannot be read',
    async (body) => {
      expect(await ask(app, 'POST', `/api/tiny/${id}`, { token: 'alice', body })).toMatchObject({
        httpStatus: 400,
        statusCode: 'MALFORMED_BODY',
      });
    },
  );

  test('nesting deeper than the stack does no harm', async () => {
    const body = `{"name":"x","tags":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await ask(app, 'POST', `/api/tiny/${id}`, { token: 'alice', body })).toMatchObject({ httpStatus: 400 });
  });

  test('more than 256 KiB is too large', async () => {
    expect(
      await ask(app, 'POST', `/api/tiny/${id}`, { token: 'alice', body: { name: 'x'.repeat(256 * 1024) } }),
    ).toMatchObject({ httpStatus: 413, statusCode: 'BODY_TOO_LARGE' });
  });

  test('a route may accept more, if it declares so', async () => {
    const wide = (length: number) => ask(app, 'POST', '/api/tiny/wide', { body: { text: 'x'.repeat(length) } });
    expect(await wide(1024 * 1024 - 100)).toMatchObject({ httpStatus: 200, data: 1024 * 1024 - 100 });
    expect(await wide(1024 * 1024)).toMatchObject({ httpStatus: 413, statusCode: 'BODY_TOO_LARGE' });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])(
    'a body of type %s is refused',
    async (type) => {
      expect(
        await ask(app, 'POST', `/api/tiny/${id}`, {
          token: 'alice',
          body: 'name=x',
          headers: { 'content-type': type },
        }),
      ).toMatchObject({ httpStatus: 415, statusCode: 'UNSUPPORTED_MEDIA_TYPE' });
    },
  );

  test('an empty body with a content type counts as none', async () => {
    expect(await ask(app, 'POST', '/api/tiny/fail', { headers: { 'content-type': 'application/json' } })).toMatchObject(
      { statusCode: 'INVALID_INPUT' },
    );
  });
});

describe('failures', () => {
  const failWith = (how: string, headers: Record<string, string> = {}) =>
    ask(app, 'POST', '/api/tiny/fail', { body: { how }, headers });

  test('of the contract have their status and sentence, in the requested language', async () => {
    expect(await failWith('known')).toMatchObject({
      httpStatus: 406,
      statusCode: 'MEETING_FULL',
      message: 'The meeting is full (9 people). Please ask its host.',
    });
    expect((await failWith('known', { 'accept-language': 'fr, zh-CN;q=0.8' })).message).toBe(
      '会议人数已满（9 人），请联系主持人',
    );
    expect((await failWith('known', { 'accept-language': 'fr' })).message).toBe('会议人数已满（9 人），请联系主持人');
  });

  test('that are unexpected show the request id and nothing else', async () => {
    const answer = await failWith('bug');
    expect(answer).toMatchObject({ httpStatus: 500, statusCode: 'SERVER_ERROR' });
    expect(answer.message).toContain(String(answer.headers['x-request-id']));
    expect(JSON.stringify(answer)).not.toContain('secret detail');
  });

  test('of the database that are temporary are answered as such', async () => {
    expect(await failWith('busy')).toMatchObject({ httpStatus: 503, statusCode: 'SERVICE_BUSY' });
    expect(await failWith('tooLargeForColumn')).toMatchObject({ httpStatus: 400, statusCode: 'INVALID_INPUT' });
  });

  test('by time are 408, and the handler is notified', async () => {
    expect(await ask(app, 'GET', '/api/tiny/slow')).toMatchObject({ httpStatus: 408, statusCode: 'REQUEST_TIMEOUT' });
    expect(await never.promise).toBeNull();
  });

  test.each<[string, string, number, string]>([
    ['GET', '/api/nothing', 404, 'NOT_FOUND'],
    ['GET', '/api', 404, 'NOT_FOUND'],
    ['DELETE', '/api/tiny/open', 405, 'METHOD_NOT_ALLOWED'],
    ['PUT', `/api/tiny/${id}`, 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/api/%zz', 404, 'NOT_FOUND'],
    ['POST', `/api/tiny/${'x'.repeat(600)}`, 404, 'NOT_FOUND'],
    ['OPTIONS', '/api/tiny/open', 405, 'METHOD_NOT_ALLOWED'],
    ['QUERY', '/api/tiny/open', 405, 'METHOD_NOT_ALLOWED'],
    ['QUERY', '/api/nothing', 404, 'NOT_FOUND'],
  ])('%s %s: %i %s', async (method, path, httpStatus, statusCode) => {
    const answer = await ask(app, method, path);
    expect(answer).toMatchObject({ httpStatus, status: false, data: null, statusCode });
    if (httpStatus === 405) expect(answer.headers['allow']).toBe(path === '/api/tiny/open' ? 'GET' : 'POST');
  });

  test('of every common code have a status of section 8 of the product document', () => {
    for (const code of COMMON_ERRORS)
      expect([400, 401, 403, 404, 405, 406, 408, 413, 415, 429, 500, 503]).toContain(errorEntry(code).httpStatus);
  });

  test('of HTTP itself are in the envelope, too', async () => {
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('NONSENSE\r\n\r\n');
    const said = await text(socket);
    expect(said).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(said.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status: false, statusCode: 'MALFORMED_BODY' });
  });

  test('of a WebSocket that no route serves are answered', async () => {
    const { port } = app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /nothing HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('limits', () => {
  test('by address', async () => {
    const from = (address: string) => ask(app, 'GET', '/api/tiny/by-address', { address });
    for (let i = 0; i < 3; i += 1) expect((await from('192.0.2.1')).httpStatus).toBe(200);
    const refused = await from('192.0.2.1');
    expect(refused).toMatchObject({ httpStatus: 429, statusCode: 'TOO_MANY_REQUESTS' });
    expect(refused.message).toMatch(/wait \d+ seconds/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await from('192.0.2.2')).httpStatus).toBe(200);
  });

  test('by caller, whatever their address', async () => {
    const by = (token: string, address: string) => ask(app, 'GET', '/api/tiny/by-caller', { token, address });
    await by('alice', '192.0.2.3');
    await by('alice', '192.0.2.4');
    expect((await by('alice', '192.0.2.5')).httpStatus).toBe(429);
    expect((await by('bob', '192.0.2.5')).httpStatus).toBe(200);
  });
});

describe('headers', () => {
  test('allow the page only its own origin', async () => {
    const { headers } = await ask(app, 'GET', '/api/tiny/open', { headers: { host: 'meet.example.org:8443' } });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self' ws://meet.example.org:8443 wss://meet.example.org:8443;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers['permissions-policy']).toContain('camera=(self)');
  });

  test('allow only pages with meetings to compile WebAssembly', async () => {
    const scriptsOf = async (path: string) =>
      String((await ask(app, 'GET', path)).headers['content-security-policy']).match(/script-src ([^;]*)/)?.[1];
    for (const path of ['/join?number=123456789', '/', '/assets/rnnoiseWorklet.js'])
      expect(await scriptsOf(path)).toBe("'self' 'wasm-unsafe-eval'");
    for (const path of ['/admin/', '/manage?tab=1', '/setup', '/help/index.html', '/assistant/', '/api/tiny/open'])
      expect(await scriptsOf(path)).toBe("'self'");
  });

  test('allow frames of the page of the assistant, by this server alone, and of hosts that are named', async () => {
    const ofFrames = await createHttp({
      log: quiet,
      db: opened.db,
      authenticate,
      frameHosts: ['bot.example.org:8443'],
    });
    const headersOf = async (path: string) => (await ask(ofFrames, 'GET', path)).headers;
    const ordinary = await headersOf('/');
    expect(ordinary['content-security-policy']).toContain(
      "frame-src 'self' https://bot.example.org:8443 http://bot.example.org:8443;",
    );
    expect(ordinary['x-frame-options']).toBe('DENY');
    for (const path of ['/assistant/', '/assistant?x=1', '/assistant/index.html']) {
      const framed = await headersOf(path);
      expect(framed['content-security-policy']).toContain("frame-ancestors 'self'");
      expect(framed['x-frame-options']).toBe('SAMEORIGIN');
    }
    for (const path of ['/assistants', '/api/assistant', '/x/assistant/'])
      expect((await headersOf(path))['x-frame-options']).toBe('DENY');
    await ofFrames.close();
  });

  test('allow pages to read media engines and stored files elsewhere', async () => {
    const elsewhere = await createHttp({
      log: quiet,
      db: opened.db,
      authenticate,
      mediaUrls: ['wss://media.example.org'],
      fileUrls: ['https://files.example.org/bucket'],
    });
    const policy = String((await ask(elsewhere, 'GET', '/api/nothing')).headers['content-security-policy']);
    expect(policy).toMatch(/connect-src [^;]*wss:\/\/media\.example\.org https:\/\/media\.example\.org/);
    expect(policy).toMatch(/connect-src [^;]* https:\/\/files\.example\.org;/);
    expect(policy).toContain("media-src 'self' blob: mediastream: https://files.example.org;");
    await elsewhere.close();
  });

  test('send HSTS for a host that is reached by https', async () => {
    const urls = ['https://meet.example.org', 'http://inside.example.org'];
    const secure = await createHttp({ log: quiet, db: opened.db, authenticate, publicUrls: () => urls });
    const hstsOf = async (host: string) =>
      (await ask(secure, 'GET', '/api/nothing', { headers: { host } })).headers['strict-transport-security'];
    expect(await hstsOf('meet.example.org')).toBe('max-age=31536000');
    expect(await hstsOf('inside.example.org')).toBeUndefined();
    await secure.close();
  });

  test('do not contain an invalid host', async () => {
    const { headers } = await ask(app, 'GET', '/api/tiny/open', { headers: { host: "x; script-src 'unsafe-inline'" } });
    expect(headers['content-security-policy']).toContain("connect-src 'self' ws://localhost");
  });

  test('large answers are compressed', async () => {
    const { headers } = await app.inject({ url: '/api/tiny/large', headers: { 'accept-encoding': 'gzip' } });
    expect(headers['content-encoding']).toBe('gzip');
    expect(
      (await app.inject({ url: '/api/tiny/open', headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding'],
    ).toBeUndefined();
  });
});

describe('a download ticket', () => {
  const path = '/api/api/v1/tiny/file';
  const ticketFor = async (wanted: string): Promise<string> =>
    (
      (await ask(app, 'POST', contract.downloads.ticket.path, { token: 'alice', body: { path: wanted } })).data as {
        ticket: string;
      }
    ).ticket;

  test('opens its path once, as its holder', async () => {
    const ticket = await ticketFor(`${path}?kind=csv`);
    expect(await ask(app, 'GET', `${path}?ticket=${ticket}`)).toMatchObject({
      httpStatus: 403,
      statusCode: 'TICKET_INVALID',
    });
    expect(await ask(app, 'GET', `${path}?kind=csv&ticket=${ticket}`)).toMatchObject({
      httpStatus: 200,
      data: { who: 'user' },
    });
    expect(lastContext?.caller).toEqual(alice);
    expect(await ask(app, 'GET', `${path}?kind=csv&ticket=${ticket}`)).toMatchObject({
      httpStatus: 403,
      statusCode: 'TICKET_INVALID',
    });
  });

  test('used twice at once counts once', async () => {
    const ticket = await ticketFor(path);
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(app, 'GET', `${path}?ticket=${ticket}`)));
    expect(answers.map(({ httpStatus }) => httpStatus).toSorted((a, b) => a - b)).toEqual([200, 403, 403, 403]);
  });

  test('is invalid for a route that is no download, and needs a sign-in', async () => {
    const ticket = await ticketFor('/api/api/v1/tiny/own');
    expect(await ask(app, 'GET', `/api/tiny/own?ticket=${ticket}`)).toMatchObject({ httpStatus: 401 });
    expect(await ask(app, 'POST', contract.downloads.ticket.path, { body: { path } })).toMatchObject({
      httpStatus: 401,
    });
  });
});

test('a closing server answers late requests in the envelope', async () => {
  const closing = await createHttp({ log: quiet, db: opened.db, authenticate });
  const answered = Promise.withResolvers<string>();
  closing.addHook('preClose', async () => {
    const response = await fetch(`http://127.0.0.1:${(closing.server.address() as AddressInfo).port}/api/open`);
    answered.resolve(`${response.status} ${await response.text()}`);
  });
  await closing.listen({ host: '127.0.0.1', port: 0 });
  await closing.close();
  expect(await answered.promise).toMatch(/^503 {"status":false,.*"statusCode":"SERVICE_BUSY"/);
});
