import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PUSH_PATH } from '@rmeet/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId, type Db } from '../../src/platform/db/index.ts';
import { createHttp, type Authenticate } from '../../src/platform/http/index.ts';
import { createPush, type Push, type PushCaller } from '../../src/platform/push/index.ts';
import { openTestDb, quiet, type TestDb } from './support/db.ts';
import { alice, authenticate, carol, desk as deskCaller } from './support/http.ts';
import { PushClient } from './support/socket.ts';

interface Server {
  push: Push & { connectionCount: number };
  url: string;
  app: FastifyInstance;
  presence: string[];
}

let opened: TestDb;
let db: Db;
/** Two servers on one database; on the embedded one, which only one process can use, they share the connection. */
let here: Server;
let there: Server;
let topic: string;
let snapshots: number;
const clients: PushClient[] = [];
/** Tokens that are no longer valid. */
const ended = new Set<string>();

const identify: Authenticate = async (token, as) =>
  ended.has(token) ? 'USER_LOGIN_ANOTHER_DEVICE' : authenticate(token, as);

async function serve(own: Db): Promise<Server> {
  const { push, bypass } = await createPush(own, quiet);
  const presence: string[] = [];
  push.topic('meeting', {
    // bob may not follow meetings; a guest does not see the waiting room.
    authorize: (caller) => caller.kind === 'terminal' || caller.kind === 'desk' || caller.account === 'alice',
    snapshot: async (caller, name) => {
      snapshots += 1;
      return { of: name, for: caller.name };
    },
    view: (caller, event) => (caller.kind === 'terminal' && event.type === 'waitingAdded' ? null : event),
    acknowledged: (caller, name, version, { failed }) =>
      void presence.push(`${caller.name} has ${version} of ${name}${failed === undefined ? '' : `, but ${failed}`}`),
    reported: (caller, name, { quality }) => void presence.push(`${caller.name} reports ${quality} on ${name}`),
  });
  push.topic('user', { authorize: (caller) => caller.kind === 'user' });
  push.onConnection((caller: PushCaller, state) => void presence.push(`${caller.name} ${state}`));
  const app = await createHttp({ log: quiet, db: own, authenticate: identify, bypasses: [bypass(identify)] });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { push, presence, app, url: `ws://127.0.0.1:${(app.server.address() as AddressInfo).port}${PUSH_PATH}` };
}

beforeAll(async () => {
  opened = await openTestDb();
  db = opened.db;
  here = await serve(db);
  there = await serve((await opened.another()).db);
});
afterAll(async () => {
  await here.app.close();
  await there.app.close();
  await opened.drop();
});
beforeEach(() => {
  topic = `meeting:${newId()}`;
  snapshots = 0;
  ended.clear();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.socket.terminate();
});

async function connected(
  server: Server,
  shown: { token: string } | { sessionToken: string } | { deskToken: string } = { token: 'alice' },
): Promise<PushClient> {
  const client = await PushClient.open(server.url, shown);
  clients.push(client);
  return client;
}

const publish = (type: string, name = topic): Promise<number> =>
  db.tenant(alice.tenantId, (tx) => here.push.publish(tx, name, { type }));
const publishMany = async (n: number): Promise<void> =>
  db.tenant(alice.tenantId, async (tx) => {
    for (let i = 0; i < n; i += 1) await here.push.publish(tx, topic, { type: 'chat' });
  });

describe('events', () => {
  test('reach every server process in order, each version once', async () => {
    const both = [await connected(here), await connected(there)];
    for (const client of both) {
      expect(await client.subscribe(topic)).toEqual({ subscribed: topic, version: 0 });
      expect(await client.next()).toEqual({ topic, version: 0, snapshot: { of: topic, for: 'Alice' } });
    }
    for (const type of ['one', 'two', 'three']) await publish(type);
    for (const client of both) {
      for (const [i, type] of ['one', 'two', 'three'].entries())
        expect(await client.next()).toEqual({ topic, version: i + 1, previous: i, event: { type } });
    }
  });

  test('of many transactions at once keep their order', async () => {
    const client = await connected(there);
    await client.subscribe(topic);
    await client.next();
    await Promise.all(Array.from({ length: 30 }, (_, i) => publish(`e${i}`)));
    for (let version = 1; version <= 30; version += 1)
      expect(await client.next()).toMatchObject({ version, previous: version - 1 });
  });

  test('that were rolled back are not sent', async () => {
    const client = await connected(here);
    await client.subscribe(topic);
    await client.next();
    await expect(
      db.tenant(alice.tenantId, async (tx) => {
        await here.push.publish(tx, topic, { type: 'never' });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await publish('first');
    expect(await client.next()).toEqual({ topic, version: 1, previous: 0, event: { type: 'first' } });
  });

  test('of another tenant are not received, even if the topic has the same name', async () => {
    const client = await connected(here);
    await client.subscribe(topic);
    await client.next();
    await db.tenant(newId(), (tx) => here.push.publish(tx, topic, { type: 'foreign' }));
    await publish('ours');
    expect(await client.next()).toMatchObject({ version: 1, event: { type: 'ours' } });
  });

  test('that a receiver may not see are left out, and the gap is visible in the versions', async () => {
    const guest = await connected(there, { sessionToken: 'carol' });
    await guest.subscribe(topic);
    await guest.next();
    await publish('waitingAdded');
    await publish('waitingAdded');
    await publish('chat');
    expect(await guest.next()).toEqual({ topic, version: 3, previous: 0, event: { type: 'chat' } });
  });

  test('for one receiver reach only that one', async () => {
    const [host, guest] = [await connected(here), await connected(here, { sessionToken: 'carol' })];
    for (const client of [host, guest]) {
      await client.subscribe(topic);
      await client.next();
    }
    await db.tenant(alice.tenantId, (tx) =>
      here.push.publishTo(tx, topic, { type: 'admitted' }, { termId: carol.termId }),
    );
    await publish('chat');
    expect(await guest.next()).toMatchObject({ version: 1, event: { type: 'admitted' } });
    expect(await guest.next()).toMatchObject({ version: 2, previous: 1 });
    expect(await host.next()).toMatchObject({ version: 2, previous: 0, event: { type: 'chat' } });
  });

  test('for one person reach no other account that follows the same topic', async () => {
    const [own, other] = [await connected(here), await connected(there, { token: 'bob' })];
    for (const client of [own, other]) await client.subscribe('user');
    await db.tenant(alice.tenantId, (tx) =>
      here.push.publishTo(tx, 'user', { type: 'notice' }, { userId: alice.userId }),
    );
    await publish('access', 'user');
    expect(await own.next()).toMatchObject({ event: { type: 'notice' } });
    for (const client of [own, other]) expect(await client.next()).toMatchObject({ event: { type: 'access' } });
  });
});

describe('reconnecting', () => {
  test('with a version gets the events since, and no snapshot', async () => {
    await publishMany(5);
    const client = await connected(there);
    expect(await client.subscribe(topic, 2)).toEqual({ subscribed: topic, version: 5 });
    for (const version of [3, 4, 5]) expect(await client.next()).toMatchObject({ version, previous: version - 1 });
    await publish('next');
    expect(await client.next()).toMatchObject({ version: 6, previous: 5 });
    expect(snapshots).toBe(0);
  });

  test('with the newest version gets only what follows', async () => {
    await publishMany(3);
    const client = await connected(here);
    await client.subscribe(topic, 3);
    expect(await client.rest()).toEqual([]);
  });

  test('after too long gets a snapshot', async () => {
    await publishMany(250);
    const client = await connected(here);
    expect(await client.subscribe(topic, 1)).toEqual({ subscribed: topic, version: 250 });
    expect(await client.next()).toMatchObject({ version: 250, snapshot: { for: 'Alice' } });
  });

  test('with a version the topic never had, as after a restored backup, gets a snapshot', async () => {
    await publishMany(2);
    const client = await connected(here);
    expect(await client.subscribe(topic, 99)).toEqual({ subscribed: topic, version: 2 });
    expect(await client.next()).toMatchObject({ version: 2, snapshot: {} });
  });

  test('only the last thousand events are kept', async () => {
    await publishMany(1_100);
    const client = await connected(here);
    await client.subscribe(topic, 1_099);
    expect(await client.next()).toMatchObject({ version: 1_100 });
    await client.subscribe(topic, 50);
    expect(await client.next()).toMatchObject({ version: 1_100, snapshot: {} });
  });
});

describe('permission', () => {
  test('is required for each topic', async () => {
    const bob = await connected(here, { token: 'bob' });
    expect(await bob.subscribe(topic)).toEqual({ error: 'FORBIDDEN', topic });
    expect(await bob.subscribe('user')).toMatchObject({ subscribed: 'user' });
    expect(await bob.subscribe('activity')).toEqual({ error: 'FORBIDDEN', topic: 'activity' });
    await publish('secret');
    expect(await bob.rest()).toEqual([]);
  });

  test('is denied without a token', async () => {
    const client = new PushClient(here.url);
    clients.push(client);
    await once(client.socket, 'open');
    client.send({ subscribe: [topic] });
    expect(await client.next()).toEqual({ error: 'UNAUTHORIZED' });
    expect(await client.closed).toBe(4401);
  });

  test.each([{ token: 'nobody' }, { token: 'carol' }, { sessionToken: 'alice' }, { sessionToken: 'gone' }])(
    '%j is refused',
    async (shown) => {
      const client = new PushClient(here.url);
      await once(client.socket, 'open');
      client.send(shown);
      expect(await client.next()).toEqual({ error: 'token' in shown ? 'UNAUTHORIZED' : 'TERMINAL_GONE' });
      expect(await client.closed).toBe(4401);
    },
  );

  test('is awaited for five seconds, then a socket without a token is closed', async () => {
    const client = new PushClient(here.url);
    expect(await client.closed).toBe(4408);
  });

  test('ends with its session on every server process, with the reason', async () => {
    const sockets = [await connected(here), await connected(there)];
    const other = await connected(here, { token: 'bob' });
    await here.push.disconnect({ sessionIds: [alice.sessionId] }, 'USER_LOGIN_ANOTHER_DEVICE');
    for (const client of sockets) {
      expect(await client.next()).toEqual({ error: 'USER_LOGIN_ANOTHER_DEVICE' });
      expect(await client.closed).toBe(4401);
    }
    expect(await other.rest()).toEqual([]);
  });

  test('of a desk ends with its revoked link on every server process, and for no other desk', async () => {
    const [desk, terminal, account] = [
      await connected(there, { deskToken: 'desk' }),
      await connected(there, { sessionToken: 'carol' }),
      await connected(there),
    ];
    await here.push.disconnect({ linkIds: ['another', deskCaller.linkId] }, 'DESK_GONE');
    expect(await desk.next()).toEqual({ error: 'DESK_GONE' });
    expect(await desk.closed).toBe(4401);
    for (const other of [terminal, account]) expect(await other.rest()).toEqual([]);
  });

  test('is checked again when the module asks for it', async () => {
    const client = await connected(there);
    await client.subscribe(topic);
    await client.next();
    await here.push.refresh({ userIds: [alice.userId] });
    expect(await client.next()).toMatchObject({ subscribed: topic });
    expect(await client.next()).toMatchObject({ topic, snapshot: {} });
    ended.add('alice');
    await here.push.refresh({ userIds: [alice.userId] });
    expect(await client.next()).toEqual({ error: 'USER_LOGIN_ANOTHER_DEVICE' });
  });
});

describe('a socket', () => {
  test.each(['nonsense', '{"subscribe":[]}', '{"subscribe":["room:1"]}', '[]', '{"shout":1}'])(
    'that says %s is closed',
    async (said) => {
      const client = await connected(here);
      client.send(said);
      expect(await client.closed).toBe(1008);
    },
  );

  test('that sends too much at once is closed', async () => {
    const client = await connected(here);
    client.send(JSON.stringify({ ping: 1, padding: 'x'.repeat(70_000) }));
    expect(await client.closed).toBe(1009);
  });

  test('that sends too often is closed', async () => {
    const client = await connected(here);
    for (let i = 0; i < 400; i += 1) client.send({ ping: i });
    expect(await client.closed).toBe(1008);
  });

  test('receives nothing more of a topic it unsubscribes', async () => {
    const client = await connected(here);
    await client.subscribe(topic);
    await client.next();
    client.send({ unsubscribe: [topic] });
    await client.rest();
    await publish('unheard');
    expect(await client.rest()).toEqual([]);
  });

  test('that acknowledges is recorded', async () => {
    const client = await connected(here);
    await client.subscribe(topic);
    await client.next();
    client.send({ ack: { topic, version: 3 } });
    await client.rest();
    expect(here.presence).toContain(`Alice has 3 of ${topic}`);
    client.send({ ack: { topic, version: 4, failed: 'noDevice' } });
    await client.rest();
    expect(here.presence).toContain(`Alice has 4 of ${topic}, but noDevice`);
  });

  test('may report on topics it follows, and is closed after an invalid report', async () => {
    const client = await connected(here, { sessionToken: 'carol' });
    const report = {
      quality: 'poor',
      estimateUp: null,
      estimateDown: null,
      roundTrip: null,
      limitedBy: 'none',
      speaking: false,
      streams: [],
    };
    client.send({ report: { topic, report } });
    await client.rest();
    expect(here.presence).not.toContain(`Carol reports poor on ${topic}`);
    await client.subscribe(topic);
    client.send({ report: { topic, report } });
    await client.rest();
    expect(here.presence).toContain(`Carol reports poor on ${topic}`);
    client.send({ report: { topic, report: { ...report, streams: Array.from({ length: 81 }, () => ({})) } } });
    expect(await client.closed).toBe(1008);
    await expect.poll(() => here.presence.at(-1)).toBe('Carol closed');
  });

  test('of a terminal is reported to the module when its first one opens and its last one closes', async () => {
    const told = (): string[] => here.presence.filter((line) => /^Carol (open|closed)$/.test(line));
    const before = told().length;
    const one = await connected(here, { sessionToken: 'carol' });
    const two = await connected(here, { sessionToken: 'carol' });
    expect(here.push.connected(carol.termId)).toBe(true);
    one.socket.close();
    await one.closed;
    await two.rest();
    expect(told().slice(before)).toEqual(['Carol open']);
    two.socket.close();
    await two.closed;
    await expect.poll(() => told().slice(before)).toEqual(['Carol open', 'Carol closed']);
    expect(here.push.connected(carol.termId)).toBe(false);
  });

  test('receives unstored messages on its own process, if it is one of the receivers', async () => {
    const [one, desk, elsewhere] = [
      await connected(here),
      await connected(here, { deskToken: 'desk' }),
      await connected(there, { deskToken: 'desk' }),
    ];
    for (const client of [one, desk, elsewhere]) {
      await client.subscribe(topic);
      await client.next();
    }
    const message = { topic, reports: {} };
    const isDesk = ({ kind }: PushCaller): boolean => kind === 'desk';
    here.push.broadcast(topic, message, isDesk);
    expect(await desk.next()).toEqual(message);
    for (const other of [one, elsewhere]) expect(await other.rest()).toEqual([]);
    expect([
      here.push.isFollowed(topic, isDesk),
      here.push.isFollowed(`meeting:${newId()}`, isDesk),
      here.push.isFollowed(topic, ({ kind }) => kind === 'operator'),
    ]).toEqual([true, false, false]);
  });

  test('that does not read misses unstored messages, without being disconnected for it', async () => {
    const client = await connected(here, { deskToken: 'desk' });
    await client.subscribe(topic);
    await client.next();
    client.socket.pause();
    const before = here.push.connectionCount;
    const report = {
      quality: 'good' as const,
      estimateUp: null,
      estimateDown: null,
      roundTrip: null,
      limitedBy: 'none' as const,
      speaking: false,
      streams: [],
    };
    const reports = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`T${i}`, report]));
    for (let i = 0; i < 200; i += 1) here.push.broadcast(topic, { topic, reports }, () => true);
    expect(here.push.connectionCount).toBe(before);
    client.socket.resume();
    await publish('after');
    let told = 0;
    while (!('event' in (await client.next()))) told += 1;
    expect(told).toBeLessThan(200);
  });

  test('that does not read is disconnected', async () => {
    const client = await connected(here);
    await client.subscribe(topic);
    await client.next();
    client.socket.pause();
    const text = 'x'.repeat(100_000);
    const before = here.push.connectionCount;
    await expect
      .poll(
        async () => {
          await db.tenant(alice.tenantId, (tx) => here.push.publish(tx, topic, { type: 'chat', text }));
          return here.push.connectionCount;
        },
        { timeout: 30_000, interval: 1 },
      )
      .toBe(before - 1);
  });
});
