import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERROR_CODES, LIMITS, pathOf, type Envelope, type Route } from '@rmeet/contract';
import { makeSetting, type CallArgs, type Setting } from './support/case-setting.ts';
import { cases } from './support/cases.ts';
import { randomOf } from '../platform/support/odd-targets.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { CALLERS, declaredFor, routes } from './support/world.ts';

const REQUESTS = 5_000;
const SEED = 20_261_120;

let server: TestServer;
let setting: Setting;
/** Valid input of every route, to be mutated: from its case, about existing rows. */
const good = new Map<string, CallArgs>();
beforeAll(async () => {
  server = await startTestServer();
  setting = await makeSetting(server);
  for (const [name] of routes) good.set(name, (await cases[name]?.args(setting, 'superAdmin')) ?? {});
}, 180_000);
afterAll(() => server.close());

const random = randomOf(SEED);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

const oddities: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  '\0',
  '\ud800',
  '￿',
  '🙂'.repeat(40),
  'x'.repeat(5_000),
  "' or 1=1 --",
  '${7*7}',
  '../../etc/passwd',
  '%',
  '999999999',
  '2026-13-45T00:00:00Z',
  '+292278994-08-17T07:12:55.807Z',
  '0001-01-01T00:00:00Z',
  'NaN',
  [],
  {},
  [[]],
  [null],
  { length: -1 },
  { toString: 1 },
  '00000000-0000-0000-0000-000000000000',
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}'),
  Array.from({ length: 600 }, () => ({ kind: 'mail', email: 'a@example.org' })),
  JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const oddText = (): string => textOf(pick(oddities));

/** The value with a part of it changed, left out or added. */
function mutate(value: unknown): unknown {
  if (random() < 0.15 || typeof value !== 'object' || value === null) return pick(oddities);
  if (Array.isArray(value)) return random() < 0.5 ? [...value.map(mutate), pick(oddities)] : value.map(mutate);
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const chance = random();
    if (chance < 0.15) return [];
    if (chance < 0.6) return [[key, mutate(inner)]];
    return [[key, inner]];
  });
  return Object.fromEntries([
    ...entries,
    ...(random() < 0.3
      ? [[pick(['extra', '__proto__', 'tenantId', 'role', 'constructor', '']), pick(oddities)] as const]
      : []),
  ]);
}

/** Half of the time the example of the contract, whose ids do not exist. */
const inputOf = (name: string, route: Route): CallArgs =>
  random() < 0.5 ? (route.example as CallArgs) : (good.get(name) ?? {});

/** Usually a token that the route accepts. */
function tokenFor(name: string, route: Route): string | undefined {
  // Sign-out and leaving need no input, so only their token can be invalid.
  if (name === 'auth.logout' || name === 'conferences.leave' || random() < 0.1)
    return oddText().replace(/[^\x20-\x7e]/g, '');
  const welcome = random() < 0.7 ? CALLERS.filter((caller) => 'as' in declaredFor(server, route, caller)) : CALLERS;
  return setting.world.tokens[pick(welcome)];
}

function brokenPath(route: Route, given: CallArgs): string {
  const real: Record<string, unknown> = { id: setting.world.meeting.meetId, ...given.params };
  const params = Object.fromEntries(
    Object.entries(real).map(([name, value]) => [
      name,
      random() < 0.6 ? String(value) : oddText().slice(0, 600).toWellFormed(),
    ]),
  );
  const path = pathOf({ ...route, path: random() < 0.05 ? `${route.path}/` : route.path }, { params });
  if (random() < 0.03) return `${path}%zz`;
  const query =
    route.input.query || random() < 0.1
      ? { ...given.query, current: '1', sort: 'startTime', dayStart: '2026-11-20T00:00:00Z', keyword: 'a' }
      : {};
  const pairs = Object.entries(mutate(query) ?? {}).map(
    ([key, value]) =>
      `${encodeURIComponent(key.toWellFormed())}=${encodeURIComponent(textOf(value).slice(0, 2_000).toWellFormed())}`,
  );
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
}

function brokenBody(given: CallArgs): string | Buffer | undefined {
  const chance = random();
  if (chance < 0.04) return undefined;
  if (chance < 0.08)
    return pick([
      '{',
      '{"a":',
      'null',
      '[',
      '"',
      '{"a":1}}',
      '\0',
      '{"a":"\\ud800"}',
      'undefined',
      '<xml/>',
      '{"__proto__":{"a":1}}',
    ]);
  if (chance < 0.1) return JSON.stringify({ padding: 'x'.repeat(LIMITS.bodyBytes) });
  if (chance < 0.12) return Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
  return JSON.stringify(mutate(given.body ?? {}));
}

function contentType(): string {
  return random() < 0.03
    ? pick([
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/json; charset=utf-7',
        '',
      ])
    : 'application/json';
}

/** A file, or another address to go to. */
const isFile = (route: Route, { statusCode, headers }: LightMyRequestResponse): boolean =>
  route.download === true &&
  (statusCode === 200
    ? !String(headers['content-type']).startsWith('application/json')
    : [302, 303].includes(statusCode) && headers.location !== undefined);

function isEnvelope(response: LightMyRequestResponse): boolean {
  if (!String(response.headers['content-type']).startsWith('application/json')) return false;
  const envelope = response.json<Envelope>();
  const isWhole = typeof envelope.status === 'boolean' && 'data' in envelope && typeof envelope.message === 'string';
  const isKnown = envelope.status
    ? envelope.statusCode === 'OK'
    : (ERROR_CODES as string[]).includes(envelope.statusCode) && envelope.message !== '';
  return isWhole && isKnown;
}

/** Sends the i-th request, each from its own address so that no rate limit is reached. */
async function sendBroken(name: string, route: Route, i: number) {
  const token = tokenFor(name, route);
  const given = inputOf(name, route);
  const method = random() < 0.04 ? pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) : route.method;
  const payload = method === 'GET' || method === 'HEAD' ? undefined : brokenBody(given);
  const url = brokenPath(route, given);
  const response = await server.app.inject({
    method: method as 'GET',
    url,
    remoteAddress: `172.20.${(i >> 8) & 255}.${i & 255}`,
    headers: {
      ...(token ? { authorization: token } : {}),
      ...(payload === undefined ? {} : { 'content-type': contentType() }),
    },
    ...(payload === undefined ? {} : { payload }),
  });
  return { method, url, payload, response };
}

test(
  `${REQUESTS} broken requests over every route are all answered in the envelope, none with 5xx`,
  { timeout: 300_000 },
  async () => {
    const statuses = new Map<number, number>();
    const problems: string[] = [];
    for (let i = 0; i < REQUESTS; i++) {
      const [name, route] = routes[i % routes.length] ?? [];
      if (!name || !route) throw new Error('The contract is empty.');
      const { method, url, payload, response } = await sendBroken(name, route, i);
      const what =
        `${method} ${url} ${String(payload).slice(0, 500)} -> ` +
        `${response.statusCode} ${response.body.slice(0, 300)}`;
      statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1);
      if (response.statusCode >= 500) problems.push(what);
      if (method !== 'HEAD' && !isFile(route, response) && !isEnvelope(response)) problems.push(what);
    }
    expect(problems).toEqual([]);
    // The mixture produces every kind of response, so it reaches more than the first checks.
    for (const status of [200, 400, 401, 403, 404, 405, 406, 413, 415])
      expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  },
);
