import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createHttp, metricsAccess, serveHealth, serveMetrics } from '../../src/platform/http/index.ts';
import { openTestDb, quiet, type TestDb } from './support/db.ts';
import { authenticate } from './support/http.ts';

const TOKEN = 'a-token-of-the-operators';

let opened: TestDb;
let app: FastifyInstance;
let checks: number;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.drop());
afterEach(() => app.close());

async function serve({
  token,
  trustedProxies = [],
}: { token?: string; trustedProxies?: string[] } = {}): Promise<void> {
  checks = 0;
  app = await createHttp({ log: quiet, db: opened.db, authenticate, trustedProxies });
  const access = metricsAccess({ token, isProxied: trustedProxies.length > 0 });
  const database = async () => {
    checks += 1;
    return true;
  };
  serveHealth(app, access, {
    database,
    media: async () => false,
    disk: async () => true,
    storage: async () => false,
  });
  serveMetrics(app, access, {
    connections: () => ({ anonymous: 2, signedIn: 5, closed: 7 }),
    pushConnections: () => 3,
    logLinesLost: () => 4,
    database,
    media: () => true,
    mediaText: async () => 'rmeet_sfu_rooms 1\n',
  });
}

const ask = (
  url: string,
  { address = '127.0.0.1', headers = {} }: { address?: string; headers?: Record<string, string> } = {},
) => app.inject({ url, remoteAddress: address, headers: { host: '127.0.0.1:3000', ...headers } });

describe('without a token, metrics', () => {
  test.each<[string, Parameters<typeof ask>[1]]>([
    ['of this machine', {}],
    ['of this machine by IPv6', { address: '::1', headers: { host: '[::1]:3000' } }],
    ['of this machine by a mapped address', { address: '::ffff:127.0.0.1', headers: { host: 'localhost' } }],
    ['whatever token is shown', { headers: { authorization: 'Bearer nonsense' } }],
  ])('are for programs %s', async (_who, from) => {
    await serve();
    const answer = await ask('/metrics', from);
    expect(answer.statusCode).toBe(200);
    for (const line of [
      'rmeet_push_connections 3',
      'rmeet_sfu_rooms 1',
      'rmeet_database_up 1',
      'rmeet_connections{kind="signed_in"} 5',
      'rmeet_connections_closed_total 7',
      'rmeet_log_lines_lost_total 4',
    ])
      expect(answer.body).toContain(line);
    expect((await ask('/readyz', from)).json()).toEqual({ database: true, media: false, disk: true, storage: false });
  });

  test.each<[string, Parameters<typeof ask>[1]]>([
    ['another machine', { address: '192.0.2.7' }],
    ['a private network', { address: '10.0.0.7' }],
    ...['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'].map(
      (name): [string, Parameters<typeof ask>[1]] => [
        `a proxy that adds ${name}`,
        { headers: { [name]: '127.0.0.1' } },
      ],
    ),
    ['a page that its name leads here', { headers: { host: 'attacker.example:3000' } }],
    ['a host that is none', { headers: { host: 'localhost.example' } }],
  ])('are hidden from %s, as are the failing parts of readiness', async (_who, from) => {
    await serve();
    const answer = await ask('/metrics', from);
    expect([answer.statusCode, answer.body]).toEqual([404, '404']);
    const ready = await ask('/readyz', from);
    expect([ready.statusCode, ready.json()]).toEqual([503, { ready: false }]);
    expect((await ask('/healthz', from)).json()).toEqual({ status: 'ok' });
  });

  test('are hidden if requests come through proxies', async () => {
    await serve({ trustedProxies: ['127.0.0.1'] });
    expect((await ask('/metrics')).statusCode).toBe(404);
    expect((await ask('/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })).statusCode).toBe(404);
  });
});

describe('with a token, metrics', () => {
  test('are readable with it from any address', async () => {
    await serve({ token: TOKEN, trustedProxies: ['192.0.2.7'] });
    for (const address of ['127.0.0.1', '192.0.2.7', '203.0.113.9']) {
      const from = { address, headers: { host: 'meet.example.org', authorization: `Bearer ${TOKEN}` } };
      expect((await ask('/metrics', from)).statusCode).toBe(200);
      expect((await ask('/readyz', from)).json()).toEqual({ database: true, media: false, disk: true, storage: false });
    }
  });

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer nonsense',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    TOKEN,
    `Basic ${TOKEN}`,
  ])('are refused with %s, on this machine too', async (authorization) => {
    await serve({ token: TOKEN });
    const answer = await ask(`/metrics?token=${TOKEN}`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect([answer.statusCode, answer.headers['www-authenticate'], answer.body]).toEqual([401, 'Bearer', '401']);
  });
});

test('readiness checks query the database only now and then', async () => {
  await serve();
  await Promise.all(Array.from({ length: 50 }, () => ask('/readyz', { address: '192.0.2.7' })));
  expect(checks).toBeLessThan(10);
});
