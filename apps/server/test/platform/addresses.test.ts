import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { mount, createHttp, metricsAccess, serveHealth, type Context } from '../../src/platform/http/index.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDb, quiet, type TestDb } from './support/db.ts';
import { authenticate, tiny } from './support/http.ts';

const { open: route } = tiny;
const { path } = route;
const seen: string[] = [];
let opened: TestDb;
let asked: Context | undefined;
const servers: FastifyInstance[] = [];

/** A server with these addresses; returns its port. */
async function start(publicUrls: string[], trustedProxies: string[] = []): Promise<number> {
  const bypass = {
    request: ({ url = '' }: IncomingMessage) => {
      if (url.startsWith('/rtc')) seen.push(url);
      return false;
    },
    upgrade: ({ url = '' }: IncomingMessage) => {
      seen.push(url);
      return false;
    },
  };
  const app = await createHttp({
    log: quiet,
    db: opened.db,
    authenticate,
    publicUrls: () => publicUrls,
    trustedProxies,
    bypasses: [bypass],
  });
  mount(
    app,
    { route },
    {
      route: (context) => {
        asked = context;
        return { who: context.caller.kind };
      },
    },
  );
  serveHealth(app, metricsAccess({ token: undefined, isProxied: false }), {
    database: async () => true,
    media: async () => true,
    disk: async () => true,
    storage: async () => true,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  servers.push(app);
  return (app.server.address() as AddressInfo).port;
}

let port: number;
let open: number;
let behindProxy: number;
beforeAll(async () => {
  opened = await openTestDb();
  port = await start(['https://meet.example.org', 'http://xn--fiqz9s.example:8080', 'http://[2001:db8::1]']);
  open = await start([]);
  behindProxy = await start(['https://meet.example.org'], ['127.0.0.0/8']);
});
afterAll(async () => {
  await Promise.all(servers.map((app) => app.close()));
  await opened.drop();
});

async function ask(
  at: number,
  host: string,
  { url = path, headers = {} }: { url?: string; headers?: Record<string, string> } = {},
) {
  const [response] = (await once(
    get({ port: at, host: '127.0.0.1', path: url, headers: { 'accept-language': 'en', ...headers, host } }),
    'response',
  )) as [IncomingMessage];
  return {
    status: response.statusCode,
    body: JSON.parse(await text(response)) as { statusCode: string; message: string },
  };
}

const ownAddress =
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';

test.each([
  'meet.example.org',
  'MEET.example.org',
  'meet.example.org.',
  'meet.example.org:443',
  'xn--fiqz9s.example:8080',
  'xn--fiqz9s.example',
  '[2001:DB8:0::1]',
  'localhost',
  'localhost:3000',
  '127.0.0.1:1',
  '[::1]:3000',
  ownAddress,
  `${ownAddress}:8443`,
])("the configured address, loopback and the machine's own addresses are answered: %s", async (host) => {
  expect((await ask(port, host)).status).toBe(200);
});

test.each([
  'evil.example.net',
  'meet.example.org.evil.example.net',
  'evil-meet.example.org',
  'meet.example.org:8443',
  'xn--fiqz9s.example:80',
  '192.0.2.1',
  'meet.example.org@evil.example.net',
  'meet.example.org, evil.example.net',
])('another host is answered 400 with a sentence that names the right address: "%s"', async (host) => {
  expect(await ask(port, host)).toMatchObject({
    status: 400,
    body: {
      statusCode: 'HOST_NOT_SERVED',
      message: 'This is not an address of this server. Please use https://meet.example.org.',
    },
  });
});

test('a page opened at another host explains this in both languages and links to the right address', async () => {
  const page = async (at: number, host: string, language: string): Promise<string> => {
    const [response] = (await once(
      get({
        port: at,
        host: '127.0.0.1',
        path: '/?a=1',
        headers: { accept: 'text/html,*/*;q=0.8', 'accept-language': language, host },
      }),
      'response',
    )) as [IncomingMessage];
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    return text(response);
  };
  const told = await page(port, 'evil.example.net', 'en');
  expect(told).toContain('<a href="https://meet.example.org/">');
  expect(told.indexOf('This is not an address')).toBeLessThan(told.indexOf('此地址不是'));
  const unknown = await page(open, 'myhost.local', 'zh-CN');
  expect(unknown).toContain('npm run setup -- address http://myhost.local');
  expect(unknown).not.toContain('<a ');
});

test('the health checks answer at any host name', async () => {
  expect((await ask(port, 'evil.example.net', { url: '/healthz' })).status).toBe(200);
  expect((await ask(port, 'evil.example.net', { url: '/readyz?x=1' })).status).toBe(200);
});

test('media and WebSockets are refused at another host', async () => {
  seen.length = 0;
  expect((await ask(port, 'evil.example.net', { url: '/rtc/validate' })).status).toBe(400);
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /api/push HTTP/1.1\r\nhost: evil.example.net\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*HOST_NOT_SERVED/);
  expect(seen).toEqual([]);
});

test('without a known address, a host name is rejected with instructions; IP addresses are served', async () => {
  const refused = await ask(open, 'myhost.local:3000');
  expect(refused).toMatchObject({
    status: 400,
    body: {
      statusCode: 'HOST_UNKNOWN',
      message: expect.stringContaining('npm run setup -- address http://myhost.local:3000 '),
    },
  });
  expect((await ask(open, '198.51.100.7:3000')).status).toBe(200);
  expect(asked?.origin).toBe('http://198.51.100.7:3000');
  expect((await ask(open, '[2001:db8::7]')).status).toBe(200);
});

test('at a host name only the setup page is served, with its files', async () => {
  const statusOf = async (url: string) =>
    (
      (await once(
        get({ port: open, host: '127.0.0.1', path: url, headers: { host: 'myhost.local' } }),
        'response',
      )) as [IncomingMessage]
    )[0].resume().statusCode;
  for (const url of ['/healthz', '/readyz']) expect([url, await statusOf(url)]).toEqual([url, 200]);
  // Allowed, but not found: this server has no pages.
  for (const url of ['/setup/', '/assets/setup-1.js', '/api/api/v1/setup/begin'])
    expect([url, await statusOf(url)]).toEqual([url, 404]);
  for (const url of [
    '/',
    '/manage/',
    '/admin/',
    '/api/login',
    '/api/api/v1/setup/begin/x',
    '/setup/../api/login',
    '/rtc/validate',
  ])
    expect([url, await statusOf(url)]).toEqual([url, 400]);
});

test('links in answers use the configured address, however the proxy spells it', async () => {
  await ask(port, 'meet.example.org');
  expect(asked?.origin).toBe('https://meet.example.org');
  await ask(port, 'xn--fiqz9s.example');
  expect(asked?.origin).toBe('http://xn--fiqz9s.example:8080');
  await ask(port, '127.0.0.1:3000');
  expect(asked?.origin).toBe('http://127.0.0.1:3000');
});

test('forwarded headers count only from trusted proxies', async () => {
  const forwarded = { 'x-forwarded-host': 'evil.example.net, meet.example.org', 'x-forwarded-proto': 'https' };
  expect((await ask(behindProxy, 'backend', { headers: forwarded })).status).toBe(200);
  expect(asked?.origin).toBe('https://meet.example.org');
  expect((await ask(behindProxy, 'backend', { headers: { 'x-forwarded-host': 'evil.example.net' } })).status).toBe(400);
  expect((await ask(port, 'evil.example.net', { headers: forwarded })).status).toBe(400);
  await ask(open, '127.0.0.1', { headers: forwarded });
  expect(asked?.origin).toBe('http://127.0.0.1');
});
