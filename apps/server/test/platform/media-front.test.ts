import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccessToken, RoomServiceClient, type VideoGrant } from 'livekit-server-sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { start, type Engine } from '@rmeet/sfu';
import { until } from '@rmeet/testkit';
import { WebSocket } from 'ws';
import { mergeMetrics } from '../../src/platform/media/metrics.ts';
import { startFront, type MediaFront } from '../../src/platform/media/index.ts';
import { quiet } from './support/db.ts';

const keys = { apiKey: 'front', apiSecret: 'a-secret-that-is-32-characters-long' };
let engines: Engine[];
let front: MediaFront;
let rooms: RoomServiceClient;

const startEngine = (port = 0): Promise<Engine> => start({ host: '127.0.0.1', port, udpPort: 0, ...keys });
const startFrontOf = (all: readonly { port: number }[]): Promise<MediaFront> =>
  startFront({ ports: all.map(({ port }) => port), apiSecret: keys.apiSecret, log: quiet });
const service = (url: string): RoomServiceClient =>
  new RoomServiceClient(url, keys.apiKey, keys.apiSecret, { failover: false });
/** The rooms of each engine, queried without the front. */
const placesOf = (): Promise<string[][]> =>
  Promise.all(
    engines.map(async ({ port }) =>
      (await service(`http://127.0.0.1:${port}`).listRooms()).map(({ name }) => name).toSorted(),
    ),
  );

beforeEach(async () => {
  engines = await Promise.all([startEngine(), startEngine(), startEngine()]);
  front = await startFrontOf(engines);
  rooms = service(front.url);
});
afterEach(async () => {
  front.close?.();
  await Promise.all(engines.map((engine) => engine.close()));
});

async function tokenFor(
  identity: string,
  room: string,
  grant: Partial<VideoGrant> = {},
  secret = keys.apiSecret,
): Promise<string> {
  const token = new AccessToken(keys.apiKey, secret, { identity, ttl: 600 });
  token.addGrant({ roomJoin: true, room, ...grant });
  return token.toJwt();
}

/** Signalling through a server that only has the front. */
async function signal(
  through: MediaFront,
  token: string,
  more = '',
): Promise<{ socket: WebSocket; server: Server; status: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', (request, socket, head) =>
    through.upgrade?.(request, socket, head, { signedIn: () => undefined, takes: () => undefined }),
  );
  await once(server, 'listening');
  const socket = new WebSocket(
    `ws://127.0.0.1:${(server.address() as AddressInfo).port}/rtc?access_token=${token}&protocol=16&sdk=js${more}`,
  );
  const { promise, resolve } = Promise.withResolvers<number>();
  socket.on('open', () => resolve(101));
  socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
  socket.on('error', () => resolve(0));
  return { socket, server, status: await promise };
}

test('new rooms go to the least loaded process, and all are one list', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await rooms.createRoom({ name });
  expect((await rooms.listRooms()).map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect((await placesOf()).map(({ length }) => length)).toEqual([2, 2, 2]);
  await Promise.all(['g', 'h', 'i'].map((name) => rooms.createRoom({ name })));
  expect((await placesOf()).map(({ length }) => length)).toEqual([3, 3, 3]);
});

test('a room is in one process, whichever process is asked first and however many at once', async () => {
  const token = await tokenFor('alice', 'hall');
  const [alice, bob] = await Promise.all([
    signal(front, token),
    signal(front, await tokenFor('bob', 'hall')),
    rooms.createRoom({ name: 'hall', metadata: 'x' }),
  ]);
  expect([alice.status, bob.status]).toEqual([101, 101]);
  expect((await placesOf()).flat()).toEqual(['hall']);
  await until('both are inside', async () => (await rooms.listParticipants('hall')).length === 2);
  await rooms.updateRoomMetadata('hall', 'y');
  expect((await rooms.listRooms(['hall']))[0]).toMatchObject({ metadata: 'y' });
  await rooms.deleteRoom('hall');
  expect(await rooms.listRooms()).toEqual([]);
  for (const { server } of [alice, bob]) server.close();
});

test('a new front, as after a restart of the server, finds every room in its process', async () => {
  for (const name of ['a', 'b', 'c', 'd']) await rooms.createRoom({ name });
  const before = await placesOf();
  const second = await startFrontOf(engines);
  for (const name of ['d', 'c', 'b', 'a']) {
    await service(second.url).createRoom({ name });
    const { socket, server } = await signal(second, await tokenFor('alice', name));
    await until('alice is inside', async () => (await service(second.url).listParticipants(name)).length === 1);
    socket.close();
    server.close();
  }
  expect(await placesOf()).toEqual(before);
  second.close?.();
});

test('the rooms of a process that died are created again on another one; the others stay', async () => {
  for (const name of ['a', 'b', 'c']) await rooms.createRoom({ name });
  const [[lost = ''] = [], ...others] = await placesOf();
  await engines[0]!.close();
  expect((await rooms.listRooms()).map(({ name }) => name).toSorted()).toEqual(others.flat().toSorted());
  // resumed by a client that does not know yet, created again by the server: both reach the same process
  const [client] = await Promise.all([
    signal(front, await tokenFor('alice', lost), '&reconnect=1'),
    rooms.createRoom({ name: lost }),
  ]);
  expect(client.status).toBe(101);
  engines.shift();
  const after = await placesOf();
  expect(after.flat().toSorted()).toEqual(['a', 'b', 'c']);
  client.server.close();
});

test('a process that has returned gets rooms again', async () => {
  const { port } = engines[0]!;
  await engines[0]!.close();
  await rooms.createRoom({ name: 'a' });
  engines[0] = await startEngine(port);
  for (const name of ['b', 'c', 'd', 'e', 'f']) await rooms.createRoom({ name });
  expect((await placesOf()).map(({ length }) => length)).toEqual([2, 2, 2]);
});

test('a process that is being replaced keeps its rooms and gets no new ones, not even its old ones again', async () => {
  for (const name of ['a', 'b', 'c']) await rooms.createRoom({ name });
  const [[own = ''] = []] = await placesOf();
  const { socket, server } = await signal(front, await tokenFor('alice', own));
  await until('alice is inside', async () => (await rooms.listParticipants(own)).length === 1);
  const drained = engines[0]!.drain(60_000);
  for (const name of ['d', 'e', 'f', 'g']) await rooms.createRoom({ name });
  const bob = await signal(front, await tokenFor('bob', own));
  await until('bob is with her', async () => (await rooms.listParticipants(own)).length === 2);
  expect((await placesOf()).map(({ length }) => length)).toEqual([1, 3, 3]);
  for (const one of [socket, bob.socket]) one.terminate();
  await rooms.deleteRoom(own);
  await drained;
  await rooms.createRoom({ name: own });
  expect((await placesOf())[0]).toEqual([]);
  for (const one of [server, bob.server]) one.close();
});

test('if no process accepts a room, the refusal gives the reason', async () => {
  const drained = engines.map((engine) => engine.drain(60_000));
  await expect(rooms.createRoom({ name: 'a' })).rejects.toMatchObject({
    code: 'resource_exhausted',
    message: 'this process is being replaced and takes no new rooms',
  });
  expect((await signal(front, await tokenFor('alice', 'a'))).status).toBe(503);
  await Promise.all(drained);
});

test('a token that the engine did not sign creates no room, and is refused by the engine', async () => {
  const { status, server } = await signal(
    front,
    await tokenFor('eve', 'hall', {}, 'another-secret-of-32-characters---'),
  );
  expect(status).toBe(401);
  await expect(
    new RoomServiceClient(front.url, keys.apiKey, 'another-secret-of-32-characters---', { failover: false }).createRoom(
      { name: 'x' },
    ),
  ).rejects.toMatchObject({ status: 401 });
  await expect(
    new RoomServiceClient(front.url, keys.apiKey, 'another-secret-of-32-characters---', {
      failover: false,
    }).listRooms(),
  ).rejects.toMatchObject({ status: 401 });
  await expect(rooms.getParticipant('nowhere', 'bob')).rejects.toMatchObject({ code: 'not_found' });
  expect((await placesOf()).flat()).toEqual([]);
  server.close();
});

test('an identity that the guard does not know enters no room, new or resumed, and creates none', async () => {
  const asked: string[] = [];
  front.setGuard(async (room, identity) => {
    asked.push(`${identity} in ${room}`);
    return identity === 'alice';
  });
  const [alice, eve, again] = await Promise.all([
    signal(front, await tokenFor('alice', 'hall')),
    signal(front, await tokenFor('eve', 'attic')),
    signal(front, await tokenFor('eve', 'attic'), '&reconnect=1'),
  ]);
  expect([alice.status, eve.status, again.status]).toEqual([101, 401, 401]);
  const validated = async (identity: string) => {
    const answer = await fetch(`${front.url}/rtc/validate?access_token=${await tokenFor(identity, 'hall')}`);
    return [answer.status, await answer.text(), answer.headers.get('access-control-allow-origin')];
  };
  expect(await validated('alice')).toEqual([200, 'success', '*']);
  expect(await validated('eve')).toEqual([401, 'this token opens the room no more', '*']);
  const forged = await signal(front, await tokenFor('mallory', 'hall', {}, 'another-secret-of-32-characters---'));
  expect(forged.status).toBe(401);
  expect(asked.toSorted()).toEqual(['alice in hall', 'alice in hall', 'eve in attic', 'eve in attic', 'eve in hall']);
  expect((await placesOf()).flat()).toEqual(['hall']);
  for (const { server } of [alice, eve, again, forged]) server.close();
});

test('the guard is not asked about calls of the server', async () => {
  front.setGuard(() => Promise.resolve(false));
  await rooms.createRoom({ name: 'hall' });
  expect(await rooms.listParticipants('hall')).toEqual([]);
  const token = new AccessToken(keys.apiKey, keys.apiSecret, { ttl: 60 });
  token.addGrant({ room: 'hall', roomAdmin: true });
  const headers = { authorization: `Bearer ${await token.toJwt()}`, 'content-type': 'application/json' };
  const answer = await fetch(`${front.url}/twirp/rmeet.RoomService/UpdateParticipants`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ room: 'hall', participants: [] }),
  });
  expect([answer.status, await answer.json()]).toEqual([200, { failed: [] }]);
});

test.each([
  ['fails', () => Promise.reject(new Error('no database'))],
  ['does not answer', () => new Promise<boolean>(() => undefined)],
])('a guard that %s blocks no one', async (_, guard) => {
  front.setGuard(guard);
  const { status, server } = await signal(front, await tokenFor('alice', 'hall'));
  expect(status).toBe(101);
  server.close();
});

test('calls in protobuf reach the same process as those in JSON', async () => {
  const token = new AccessToken(keys.apiKey, keys.apiSecret, { ttl: 60 });
  token.addGrant({ roomCreate: true, roomList: true });
  const authorization = `Bearer ${await token.toJwt()}`;
  const ask = async (method: string, body: Buffer): Promise<Buffer> => {
    const answer = await fetch(`${front.url}/twirp/livekit.RoomService/${method}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/protobuf' },
      body,
    });
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  };
  await rooms.createRoom({ name: 'there' });
  // CreateRoomRequest {empty_timeout = 2: 60, name = 1: "there"}, in an unusual order
  await ask('CreateRoom', Buffer.from([0x10, 60, 0x0a, 5, ...Buffer.from('there')]));
  await ask('CreateRoom', Buffer.from([0x0a, 4, ...Buffer.from('here')]));
  expect((await placesOf()).flat().toSorted()).toEqual(['here', 'there']);
  const list = (await ask('ListRooms', Buffer.alloc(0))).toString('latin1');
  for (const name of ['here', 'there']) expect(list).toContain(name);
  await ask('DeleteRoom', Buffer.from([0x0a, 5, ...Buffer.from('there')]));
  expect((await placesOf()).flat()).toEqual(['here']);
});

test('metrics of all processes are in one list, labelled by process', async () => {
  await rooms.createRoom({ name: '0198f6a2-0000-7000-8000-0000000000c2.1' });
  const text = await front.metrics();
  // Metrics do not contain who meets.
  expect(text).not.toContain('0198f6a2');
  expect(text.match(/# TYPE rmeet_sfu_rooms gauge/g)).toHaveLength(1);
  expect([...text.matchAll(/^rmeet_sfu_rooms\{process="(\d)"\} (\d)$/gm)].map((match) => [match[1], match[2]])).toEqual(
    [
      ['0', '1'],
      ['1', '0'],
      ['2', '0'],
    ],
  );
  expect(
    mergeMetrics(
      new Map([
        ['0', '# TYPE x gauge\nx{room="r"} 1\n'],
        ['1', '# TYPE x gauge\nx 2\n'],
      ]),
    ),
  ).toBe('# TYPE x gauge\nx{process="0",room="r"} 1\nx{process="1"} 2\n');
});
