import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttp, selfSignedPair, serveWebApp } from '../../src/platform/http/index.ts';
import { startFront } from '../../src/platform/media/index.ts';
import { freeTcpPort } from '../../src/platform/process/index.ts';
import { openTestDb, quiet, tempFolder, type TestDb } from './support/db.ts';
import { authenticate } from './support/http.ts';

let opened: TestDb;
let folder: Awaited<ReturnType<typeof tempFolder>>;
let app: FastifyInstance;
let engine: Server;
const seen: { url: string; authorization: string | undefined; body: string }[] = [];

/** Replaces the media process: returns the request it received, and echoes a WebSocket's bytes. */
function createEngine(): Server {
  const server = createServer(async (request, response) => {
    seen.push({ url: request.url ?? '', authorization: request.headers.authorization, body: await text(request) });
    response.writeHead(201, { 'x-engine': 'yes' }).end('from the engine');
  });
  server.on('upgrade', (request, socket, head) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\nx-path: ${request.url}\r\n\r\n`,
    );
    socket.write(head);
    socket.pipe(socket);
  });
  return server;
}

const frontOf = (port: number) => startFront({ ports: [port], apiSecret: 'secret', log: quiet });

beforeAll(async () => {
  opened = await openTestDb();
  folder = await tempFolder();
  const files = {
    'index.html': '<p>user</p>',
    'manage/index.html': '<p>manage</p>',
    'admin/index.html': '<p>admin</p>',
    'assets/app-abc123.js': 'plain()',
    'assets/app-abc123.js.br': 'squeezed',
    'favicon.svg': '<svg/>',
    '.vite/manifest.json': '{}',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder.path, name, '..'), { recursive: true });
    await writeFile(join(folder.path, name), content);
  }
  engine = createEngine().listen(0, '127.0.0.1');
  await once(engine, 'listening');
  app = await createHttp({
    log: quiet,
    db: opened.db,
    authenticate,
    bypasses: [await frontOf((engine.address() as AddressInfo).port)],
  });
  await serveWebApp(app, folder.path);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  engine.close();
  await opened.drop();
  await folder.remove();
});

const url = (): string => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

describe('the web app', () => {
  test.each([
    ['/', 'user'],
    ['/manage/', 'manage'],
    ['/admin/', 'admin'],
    ['/?x=1', 'user'],
  ])('%s is the page %s, and the browser revalidates it each time', async (path, page) => {
    const answer = await app.inject(path);
    expect(answer.body).toBe(`<p>${page}</p>`);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': expect.stringContaining('text/html'),
      'x-frame-options': 'DENY',
    });
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
  });

  test('a file with a hash in its name is cached for ever, and sent compressed', async () => {
    const answer = await app.inject({ url: '/assets/app-abc123.js', headers: { 'accept-encoding': 'br' } });
    expect(answer.body).toBe('squeezed');
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript'),
    });
    expect((await app.inject('/assets/app-abc123.js')).body).toBe('plain()');
    expect((await app.inject('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  test.each([
    '/nothing',
    '/.vite/manifest.json',
    '/assets/nothing.js',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/package.json',
  ])('%s is not found', async (path) => {
    expect((await app.inject(path)).statusCode).toBeGreaterThanOrEqual(403);
  });

  test('a folder without its slash redirects to the page', async () => {
    expect((await app.inject('/manage')).headers['location']).toMatch(/\/manage\/$/);
  });
});

describe('the media engine', () => {
  test.each(['/rtc/validate?access_token=x', '/rtc/v1/validate', '/rtc'])('answers %s itself', async (path) => {
    const answer = await fetch(`${url()}${path}`, { headers: { authorization: 'Bearer t' } });
    expect([answer.status, answer.headers.get('x-engine'), await answer.text()]).toEqual([
      201,
      'yes',
      'from the engine',
    ]);
    expect(seen.at(-1)).toMatchObject({ url: path, authorization: 'Bearer t' });
  });

  test('receives the bodies of its server calls', async () => {
    await fetch(`${url()}/twirp/livekit.RoomService/ListRooms`, { method: 'POST', body: '{"names":[]}' });
    expect(seen.at(-1)).toMatchObject({ url: '/twirp/livekit.RoomService/ListRooms', body: '{"names":[]}' });
  });

  test('receives the body of a GET with one, not of another call', async () => {
    const before = seen.length;
    const smuggled = 'GET /metrics HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      `GET /rtc/validate HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ntransfer-encoding: ` +
        `chunked\r\n\r\n${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 /);
    expect(seen.slice(before).map((one) => [one.url, one.body])).toEqual([['/rtc/validate', smuggled]]);
  });

  test('does not receive requests of others', async () => {
    const before = seen.length;
    expect((await fetch(`${url()}/rtcx`)).status).toBe(404);
    expect((await fetch(`${url()}/twirp`)).status).toBe(404);
    expect(seen).toHaveLength(before);
  });

  test('is connected to a WebSocket byte for byte', async () => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      'GET /rtc/v1?join_request=abc HTTP/1.1\r\nhost: ' +
        '127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nfirst',
    );
    let said = '';
    socket.on('data', (data: Buffer) => {
      said += data.toString();
    });
    await expect.poll(() => said).toContain('first');
    expect(said).toContain('x-path: /rtc/v1?join_request=abc');
    socket.write(' second');
    await expect.poll(() => said).toContain('first second');
    socket.end();
    await once(socket, 'close');
  });

  test('is awaited while it starts', async () => {
    const port = await freeTcpPort();
    const early = await createHttp({ log: quiet, db: opened.db, authenticate, bypasses: [await frontOf(port)] });
    await early.listen({ host: '127.0.0.1', port: 0 });
    const late = createEngine();
    early.server.once('upgrade', () => late.listen(port, '127.0.0.1'));
    const socket = connect((early.server.address() as AddressInfo).port, '127.0.0.1');
    let said = '';
    socket.on('data', (data: Buffer) => {
      said += data.toString();
    });
    socket.write('GET /rtc/v1 HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nhere');
    await expect.poll(() => said).toMatch(/^HTTP\/1\.1 101 [^]*here$/);
    socket.destroy();
    await early.close();
    late.close();
  });

  test('is replaced by a 503 answer while it is away', async () => {
    const lonely = await createHttp({
      log: quiet,
      db: opened.db,
      authenticate,
      bypasses: [await frontOf(await freeTcpPort())],
    });
    await lonely.listen({ host: '127.0.0.1', port: 0 });
    const { port } = lonely.server.address() as AddressInfo;
    expect((await fetch(`http://127.0.0.1:${port}/rtc/validate`)).status).toBe(503);
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /rtc HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 503 /);
    await lonely.close();
  });
});

test('the self-signed pair serves https, is kept, and names this machine', async () => {
  const pair = await selfSignedPair(folder.path, 'meet.local');
  expect(await selfSignedPair(folder.path, 'meet.local')).toEqual(pair);
  const secure = await createHttp({ log: quiet, db: opened.db, authenticate, tls: pair });
  await secure.listen({ host: '127.0.0.1', port: 0 });
  const { connect: connectTls } = await import('node:tls');
  const socket = connectTls({
    port: (secure.server.address() as AddressInfo).port,
    host: '127.0.0.1',
    ca: pair.cert,
    servername: 'meet.local',
  });
  await once(socket, 'secureConnect');
  expect(socket.authorized).toBe(true);
  expect(socket.getPeerCertificate().subjectaltname).toContain('DNS:meet.local');
  socket.destroy();
  await secure.close();
});
