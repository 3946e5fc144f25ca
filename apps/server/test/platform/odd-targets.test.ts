import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createHttp, mount, serveWebApp } from '../../src/platform/http/index.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { startFront } from '../../src/platform/media/index.ts';
import { openTestDb, tempFolder, type TestDb } from './support/db.ts';
import { authenticate, tiny } from './support/http.ts';
import { oddRequest, randomOf } from './support/odd-targets.ts';

const REQUESTS = 4_000;
const AT_ONCE = 20;

let opened: TestDb;
let folder: Awaited<ReturnType<typeof tempFolder>>;
let app: FastifyInstance;
/** Replaces a media process: returns the request it received. */
let engine: Server;
let asked: string[];
let logged: string;

beforeAll(async () => {
  opened = await openTestDb();
  folder = await tempFolder();
  await mkdir(join(folder.path, 'manage'));
  for (const name of ['index.html', 'manage/index.html']) await writeFile(join(folder.path, name), '<p>page</p>');
  engine = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('from the engine');
  })
    .on('upgrade', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
    })
    .listen(0, '127.0.0.1');
  await once(engine, 'listening');
  const log = createLog('test', 'info', {
    write: (line) => {
      logged += line;
    },
  });
  const front = await startFront({ ports: [(engine.address() as AddressInfo).port], apiSecret: 'secret', log });
  app = await createHttp({ log, db: opened.db, authenticate, bypasses: [front] });
  const nothing = () => ({ who: 'anyone' });
  mount(app, { open: tiny.open, save: tiny.save }, { open: nothing, save: nothing });
  await serveWebApp(app, folder.path);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => {
  asked = [];
  logged = '';
});
afterAll(async () => {
  await app.close();
  engine.close();
  await opened.drop();
  await folder.remove();
});

/** Sends bytes unchanged; returns the whole response. */
async function say(bytes: string): Promise<string> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  // If the server closes the connection instead of reading more, that is also a response.
  socket.on('error', () => socket.destroy());
  socket.write(Buffer.from(bytes, 'latin1'));
  return text(socket).catch(() => '');
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
const ask = (target: string, more = ''): Promise<string> =>
  say(`GET ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n${more}\r\n`);

test.each([
  '/../../etc/passwd',
  '/index.html%00',
  '//x',
  '//',
  '/\\x',
  '/%5cx',
  '/manage/../index.html',
  '/manage/%2e%2e/index.html',
  '/.',
  '/..',
  '/%2e',
  '/%ff',
  '/%zz',
  '/manage%2findex.html',
  '/index.html#x',
  '/index.html;/../manage/',
  'http://x/../index.html',
  'http://x//',
  '/manage//index.html',
])('%s is not found', async (target) => {
  expect(statusOf(await ask(target))).toBe(404);
  expect(logged).not.toContain('stack');
});

test('a name longer than file systems allow is not found', async () => {
  expect(statusOf(await ask(`/${'a'.repeat(9_000)}`))).toBe(404);
  expect(logged).not.toContain('stack');
});

test.each([
  '/api//api/v1',
  '/api/%2e%2e/x',
  '/api/../api/tiny/open',
  '/api/tiny/..',
  '/api/tiny//open',
  '//api/tiny/open',
  '/api\\tiny\\open',
  '/api/tiny/open#x',
  '/api/%zz',
  '/api/tiny/%2e%2e%2fopen',
])('%s is not found, in the envelope', async (target) => {
  const answer = await ask(target);
  expect(statusOf(answer)).toBe(404);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    status: false,
    data: null,
    statusCode: 'NOT_FOUND',
  });
  expect(logged).not.toContain('stack');
});

test.each([
  ['/', 200],
  ['http://x/', 200],
  ['http://x?a=b', 200],
  ['/manage', 301],
  ['/api/tiny/open', 200],
  ['http://x/api/tiny/open?a=//..', 200],
])('%s is answered as usual: %i', async (target, status) => {
  expect(statusOf(await ask(target))).toBe(status);
});

test('a parameter may contain characters of paths', async () => {
  expect(
    statusOf(
      await say(
        'POST /api/tiny/a%2Fb%5Cc HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: alice\r\ncontent-type: ' +
          'application/json\r\ncontent-length: 12\r\nconnection: close\r\n\r\n{"name":"x"}',
      ),
    ),
  ).toBe(404);
  expect(logged).toContain('/api/tiny/a%2Fb%5Cc');
});

test.each<[string, string]>([
  ['OPTIONS for the whole server', 'OPTIONS * HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close'],
  ['TRACE', 'TRACE / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close'],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close'],
  ['PROPFIND', 'PROPFIND / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close'],
  ['no host', 'GET / HTTP/1.1\r\nconnection: close'],
  ['a target that is no path', 'GET x HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close'],
  ['a huge query', `GET /?${'a'.repeat(20_000)} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close`],
  ['two lengths', 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1\r\ncontent-length: 2\r\nconnection: close'],
  [
    'an expectation',
    'POST / HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: nonsense\r\ncontent-length: 0\r\nconnection: close',
  ],
  [
    'a WebSocket that no route serves',
    'GET /nothing HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: upgrade',
  ],
])('%s is refused', async (_what, head) => {
  const status = statusOf(await say(`${head}\r\n\r\n`));
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
});

test.each([
  '/rtc/../status',
  '/rtc/../metrics',
  '/rtc/%2e%2e/metrics',
  '/rtc/..%2fmetrics',
  '/rtc/v1/../../status?room=x',
  '/rtc/;/../status',
  '/rtc\\..\\status',
  '//rtc',
  '/rtc/',
  '/rtc/validate/',
  '/rtc;x',
  '/rtc/metrics',
  '/twirp/../status',
  '/twirp/livekit.RoomService/../../metrics',
  '/twirp/livekit.RoomService/',
  '/twirp/livekit.RoomService/a/b',
  '/twirp/rmeet.RoomService/UpdateParticipants',
  '/twirp/livekit.Egress/ListEgress',
  'http://x/rtc/../status',
  '/RTC',
])('%s does not reach a media process', async (target) => {
  for (const more of ['', 'upgrade: websocket\r\nconnection: upgrade\r\n'])
    expect(statusOf(await ask(target, more))).toBe(404);
  expect(
    statusOf(await say(`POST ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)),
  ).toBe(404);
  expect(asked).toEqual([]);
});

test.each([
  ['/rtc/validate?access_token=x', '/rtc/validate?access_token=x'],
  ['http://x/rtc/v1/validate?a=/../b', '/rtc/v1/validate?a=/../b'],
  ['/twirp/livekit.RoomService/ListRooms', '/twirp/livekit.RoomService/ListRooms'],
])('%s reaches a media process as %s', async (target, seen) => {
  expect(statusOf(await ask(target))).toBe(200);
  expect(asked).toEqual([seen]);
});

test(
  `${REQUESTS} odd requests are refused or answered, none with 5xx, and leave no stack in the log`,
  { timeout: 240_000 },
  async () => {
    const random = randomOf(20_261_124);
    const statuses = new Map<number, number>();
    const failures: string[] = [];
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const bytes = oddRequest(random);
          const status = statusOf(await say(bytes));
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status >= 500) failures.push(`${status}: ${JSON.stringify(bytes.slice(0, 300))}`);
        }),
      );
    }
    expect(failures).toEqual([]);
    expect(logged).not.toContain('stack');
    const known = /^(?:\/rtc(?:\/v1)?(?:\/validate)?|\/twirp\/livekit\.RoomService\/[A-Za-z]+)(?:\?.*)?$/;
    expect(asked.filter((target) => !known.test(target))).toEqual([]);
    // The mixture reaches every part.
    for (const status of [200, 400, 404, 405])
      expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
    expect(asked.length).toBeGreaterThan(0);
  },
);
