import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { PUSH_PATH } from '@rmeet/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectionLimits, createHttp, mount, selfSignedPair } from '../../src/platform/http/index.ts';
import type { HttpOptions } from '../../src/platform/http/server/server.ts';
import { startFront } from '../../src/platform/media/index.ts';
import { createPush, type PushServer } from '../../src/platform/push/index.ts';
import { openTestDb, quiet, tempFolder, type TestDb } from './support/db.ts';
import { authenticate, tiny } from './support/http.ts';
import { PushClient } from './support/socket.ts';

const LIMITS = { anonymous: 40, perAddress: 20, signedIn: 20, perCaller: 5 };
const BIG = 64 * 1024 * 1024;

let opened: TestDb;
let pushServer: PushServer;
let app: FastifyInstance;
/** Replaces a media process: accepts the token `good`. */
let engine: Server;
const sockets = new Set<Socket>();
let finishSlow: () => void;

beforeAll(async () => {
  opened = await openTestDb();
  pushServer = await createPush(opened.db, quiet);
  engine = createServer()
    .on('upgrade', (request, socket) => {
      socket.on('error', () => socket.destroy());
      if (request.url?.includes('access_token=good'))
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
      // With the token `none`, there is never a response.
      else if (!request.url?.includes('access_token=none'))
        socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
    })
    .listen(0, '127.0.0.1');
  await once(engine, 'listening');
});
afterAll(async () => {
  engine.closeAllConnections();
  engine.close();
  await opened.drop();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await app.close();
});

async function serve(options: Partial<HttpOptions> = {}): Promise<void> {
  const front = await startFront({ ports: [(engine.address() as AddressInfo).port], apiSecret: 'secret', log: quiet });
  app = await createHttp({
    log: quiet,
    db: opened.db,
    authenticate,
    connections: LIMITS,
    bypasses: [pushServer.bypass(authenticate), front],
    ...options,
  });
  const nothing = () => ({ who: 'anyone' });
  mount(app, { open: tiny.open, own: tiny.own }, { open: nothing, own: nothing });
  app.get('/big', async () => Buffer.alloc(BIG));
  app.get(
    '/slow',
    async () =>
      new Promise((resolve) => {
        finishSlow = () => resolve('slow');
      }),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
}

const port = (): number => (app.server.address() as AddressInfo).port;
const openNow = (): Promise<number> =>
  new Promise((resolve) => {
    app.server.getConnections((_error, count) => resolve(count));
  });
/** Soon, exactly this many are open. */
const openSoon = (count: number) => expect.poll(openNow, { timeout: 10_000 }).toBe(count);

interface Peer {
  socket: Socket;
  said: () => string;
  isOpen: () => boolean;
}

/** A client that never closes its half. */
async function stubborn(address = '127.0.0.2', words = ''): Promise<Peer> {
  const socket = connect({ host: '127.0.0.1', port: port(), localAddress: address, allowHalfOpen: true });
  sockets.add(socket);
  let said = '';
  let isOpen = true;
  socket.on('data', (data: Buffer) => {
    said += data.toString('latin1');
  });
  for (const event of ['end', 'error', 'close'])
    socket.on(event, () => {
      isOpen = false;
    });
  await once(socket, 'connect');
  if (words !== '') socket.write(words);
  return { socket, said: () => said, isOpen: () => isOpen };
}

const several = (count: number, of: (index: number) => Promise<Peer>): Promise<Peer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => of(index)));
const addressOf = (index: number): string => `127.0.1.${index + 1}`;
const upgradeTo = (path: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: ` +
  `13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${more}\r\n`;
const ask = (path = '/api/tiny/open', headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}\r\n`;
const answered = (peer: Peer, times = 1) =>
  expect.poll(() => peer.said().match(/HTTP\/1\.1 200 /g)?.length ?? 0, { timeout: 10_000 }).toBe(times);

/** Of some clients, this many stay open; the others notice a moment after the server has closed theirs. */
const staysOpen = (peers: readonly Peer[], count: number) =>
  expect.poll(() => peers.filter(({ isOpen }) => isOpen()).length, { timeout: 10_000 }).toBe(count);

describe('anonymous connections', () => {
  test('from one address displace each other, and none from other addresses', async () => {
    await serve();
    const others = await several(15, (index) => stubborn(addressOf(index)));
    const many = await several(60, () => stubborn());
    await openSoon(LIMITS.perAddress + 15);
    await answered(await stubborn('127.0.0.1', ask()));
    expect(others.every(({ isOpen }) => isOpen())).toBe(true);
    // Even the last ones from the same address stay.
    await staysOpen(many, LIMITS.perAddress);
    const late = await stubborn('127.0.0.2', ask());
    await answered(late);
  });

  test('from all addresses give way to new ones, first those of the address with the most', async () => {
    await serve();
    const greedy = await several(18, () => stubborn());
    const others = await several(22, (index) => stubborn(addressOf(index)));
    const more = await several(10, (index) => stubborn(addressOf(30 + index)));
    await openSoon(LIMITS.anonymous);
    await staysOpen(greedy, 8);
    expect([...others, ...more].every(({ isOpen }) => isOpen())).toBe(true);
  });

  test('with a request outlive those without one', async () => {
    await serve();
    const [asking] = await several(LIMITS.perAddress, () => stubborn());
    await openSoon(LIMITS.perAddress);
    asking!.socket.write(ask());
    await answered(asking!);
    await several(LIMITS.perAddress - 1, () => stubborn());
    await openSoon(LIMITS.perAddress);
    asking!.socket.write(ask());
    await answered(asking!, 2);
  });

  test.each<[string, string]>([
    ['have asked for pushes', upgradeTo(PUSH_PATH)],
    ['have asked for media', upgradeTo('/rtc?access_token=none')],
  ])('that %s are displaced, too', async (_what, words) => {
    await serve();
    await several(50, (index) => stubborn(addressOf(index), words));
    // A connection joined to a media process takes two file handles.
    await expect.poll(openNow).toBeLessThanOrEqual(words.includes('/rtc') ? LIMITS.anonymous / 2 : LIMITS.anonymous);
    await answered(await stubborn('127.0.0.1', ask()));
  });

  test('through a trusted proxy count for its clients', async () => {
    await serve({ trustedProxies: ['127.0.0.9'] });
    const through = (client: string) => () =>
      stubborn('127.0.0.9', upgradeTo(PUSH_PATH, `x-forwarded-for: ${client}\r\n`));
    const others = await several(15, (index) => through(`192.0.2.${index + 1}`)());
    await several(30, through('203.0.113.7'));
    await openSoon(LIMITS.perAddress + 15);
    expect(others.every(({ isOpen }) => isOpen())).toBe(true);
  });

  test('do not keep the server from closing', async () => {
    await serve();
    await several(10, () => stubborn());
    await openSoon(10);
    await app.close();
    expect(await openNow()).toBe(0);
  });
});

describe('connections of a signed-in caller', () => {
  test('stay open, whatever else connects', async () => {
    await serve();
    const calls = await stubborn('127.0.0.2', ask('/api/tiny/own', 'authorization: alice\r\n'));
    await answered(calls);
    const push = await PushClient.open(`ws://127.0.0.1:${port()}${PUSH_PATH}`, { token: 'alice' });
    const media = await stubborn('127.0.0.2', upgradeTo('/rtc?access_token=good'));
    await expect.poll(media.said).toContain('101 Switching');
    await several(60, () => stubborn());
    await several(60, (index) => stubborn(addressOf(index)));
    await openSoon(LIMITS.anonymous + 3);
    calls.socket.write(ask('/api/tiny/own', 'authorization: alice\r\n'));
    await answered(calls, 2);
    push.send({ ping: 1 });
    expect(await push.next()).toEqual({ pong: 1 });
    expect(media.isOpen()).toBe(true);
    push.socket.terminate();
  });

  test('above the limit count as anonymous', async () => {
    await serve();
    const own = await several(8, () => stubborn('127.0.0.2', ask('/api/tiny/own', 'authorization: alice\r\n')));
    await Promise.all(own.map((peer) => answered(peer)));
    await several(60, () => stubborn());
    await openSoon(LIMITS.perAddress + LIMITS.perCaller);
    expect(own.filter(({ isOpen }) => isOpen())).toHaveLength(LIMITS.perCaller);
    // Those of another caller are counted separately.
    const bob = await stubborn('127.0.0.2', ask('/api/tiny/own', 'authorization: bob\r\n'));
    await answered(bob);
    await several(60, () => stubborn());
    expect(bob.isOpen()).toBe(true);
  });

  test('are counted while they last', async () => {
    await serve();
    for (let round = 0; round < 3; round += 1) {
      const own = await several(LIMITS.perCaller, () =>
        stubborn('127.0.0.2', ask('/api/tiny/own', 'authorization: alice\r\n')),
      );
      await Promise.all(own.map((peer) => answered(peer)));
      await several(60, () => stubborn());
      expect(own.every(({ isOpen }) => isOpen())).toBe(true);
      for (const socket of sockets) socket.destroy();
      await openSoon(0);
    }
  });
});

describe('the server disconnects a client', () => {
  test('that sends nothing, and gets no answer', async () => {
    await serve({ headTimeout: 300 });
    const peers = await several(10, () => stubborn());
    await openSoon(0);
    expect(peers.map(({ said }) => said())).toEqual(Array(10).fill(''));
  });

  test('that never ends the head of its request, even if it sends more of it', async () => {
    await serve({ headTimeout: 500 });
    const peer = await stubborn('127.0.0.2', 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n');
    const drip = setInterval(() => peer.socket.writable && peer.socket.write('x-a: b\r\n'), 50);
    await openSoon(0);
    clearInterval(drip);
    expect(peer.said()).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('that never ends the body of its request', async () => {
    await serve({ timeout: 300 });
    const peer = await stubborn(
      '127.0.0.2',
      'POST /api/tiny/open HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: ' +
        'application/json\r\ncontent-length: 1000\r\n\r\n{',
    );
    const drip = setInterval(() => peer.socket.writable && peer.socket.write(' '), 50);
    await openSoon(0);
    clearInterval(drip);
  });

  test('that does not read its answer, but not one whose answer takes long', async () => {
    await serve({ stallTimeout: 300 });
    const unread = await stubborn('127.0.0.2', ask('/big'));
    unread.socket.pause();
    const patient = await stubborn('127.0.0.2', ask('/slow'));
    await openSoon(1);
    finishSlow();
    await answered(patient);
  });

  test('that does not close its push socket after the server has closed it', async () => {
    await serve();
    const peer = await stubborn('127.0.0.2', upgradeTo(PUSH_PATH));
    await expect.poll(peer.said).toContain('101 Switching');
    // A masked text frame of one letter (RFC 6455, section 5.2) is not a valid message of ours.
    peer.socket.write(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x78]));
    await openSoon(0);
  });

  test('that does not close its connection after a refusal', async () => {
    await serve();
    for (const words of [
      upgradeTo('/nothing'),
      'NONSENSE\r\n\r\n',
      upgradeTo('/rtc?access_token=bad'),
      'CONNECT x:1 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n',
    ])
      await stubborn('127.0.0.2', words);
    await openSoon(0);
  });

  test('that does not begin TLS, or sends nothing in it', async () => {
    const folder = await tempFolder();
    await serve({ tls: await selfSignedPair(folder.path, 'localhost'), headTimeout: 2_000 });
    await several(5, () => stubborn());
    const quietOnes = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const socket = connectTls({ host: '127.0.0.1', port: port(), rejectUnauthorized: false });
        sockets.add(socket);
        let said = '';
        socket.on('data', (data: Buffer) => {
          said += data.toString();
        });
        await once(socket, 'secureConnect');
        return () => said;
      }),
    );
    expect(await openNow()).toBe(10);
    await openSoon(0);
    expect(quietOnes.map((said) => said())).toEqual(Array(5).fill(''));
    await folder.remove();
  });
});

test('with TLS, connections of signed-in callers stay, and others are displaced', async () => {
  const folder = await tempFolder();
  await serve({ tls: await selfSignedPair(folder.path, 'localhost') });
  const socket = connectTls({ host: '127.0.0.1', port: port(), rejectUnauthorized: false });
  sockets.add(socket);
  let said = '';
  socket.on('data', (data: Buffer) => {
    said += data.toString();
  });
  socket.write(ask('/api/tiny/own', 'authorization: alice\r\n'));
  await expect.poll(() => said).toContain('200 OK');
  const many = await several(60, () => stubborn());
  await openSoon(LIMITS.perAddress + 1);
  await staysOpen(many, LIMITS.perAddress);
  said = '';
  socket.write(ask('/api/tiny/own', 'authorization: alice\r\n'));
  await expect.poll(() => said).toContain('200 OK');
  expect(app.rmeet.connections.counts).toMatchObject({ anonymous: LIMITS.perAddress, signedIn: 1 });
  for (const one of sockets) one.destroy();
  await expect.poll(() => app.rmeet.connections.counts).toMatchObject({ anonymous: 0, signedIn: 0 });
  await folder.remove();
});

test.each([200, 1_024, 4_096, 20_000, 65_536, 1_048_576])(
  'of %i file handles, connections leave some for other use, and most are for signed-in callers',
  (handles) => {
    const { anonymous, perAddress, signedIn } = connectionLimits(handles);
    expect(anonymous + signedIn).toBeLessThanOrEqual(Math.max(handles / 2, Math.min(handles, 65_536) - 1_500));
    expect(signedIn).toBeGreaterThanOrEqual(3 * anonymous);
    expect(perAddress).toBeLessThan(anonymous);
    // An office of a thousand opens the page at once from one address.
    if (handles >= 20_000) expect(perAddress).toBeGreaterThan(2_000);
  },
);
