import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, pathOf, type Caller } from '@rmeet/contract';
import { newId } from '../../src/platform/db/index.ts';
import { call, send, signIn, type Person } from './support/client.ts';
import { book } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { CALLERS, makeWorld, routes, signInAll, USERS, type CallerName, type World } from './support/world.ts';

let server: TestServer;
let people: Record<(typeof USERS)[number], Person>;
beforeAll(async () => {
  server = await startTestServer();
  people = await signInAll(server);
});
afterAll(() => server.close());

const kindOf = (caller: CallerName): Caller => (caller === 'nobody' ? 'anyone' : caller.endsWith('Terminal') ? 'terminal' : 'user');

describe('every route refuses callers it does not declare', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(server, people);
  });

  test.each(routes.filter(([, route]) => !route.callers.includes('anyone')))('%s', async (_, route) => {
    for (const caller of CALLERS) {
      if (route.callers.includes(kindOf(caller))) continue;
      const { example } = route;
      const answer = await send(server, route.method, pathOf(route, example as never), { token: world.tokens[caller], body: example.body });
      expect(answer, caller).toMatchObject({ httpStatus: 401, status: false, data: null });
    }
  });
});

type Expected = Partial<Record<CallerName, string>> & { others: string };
interface Case {
  expected: Expected;
  /** Calls the route in a fresh world. */
  run: (world: World, token: string | undefined) => Promise<{ statusCode: string }>;
}

const body = () => ({ subject: 'Changed', startTime: server.clock.in(60), duration: 30, password: '4821' });
const upcoming = () => book(server, people.host, { participants: [{ kind: 'user', userId: server.people.get('bob')?.id ?? '' }] });
const params = ({ meeting }: World) => ({ meetId: meeting.meetId });
const seen: Expected = { member: 'OK', host: 'OK', admin: 'OK', others: 'NOT_FOUND' };
const managed: Expected = { host: 'OK', admin: 'OK', member: 'FORBIDDEN', others: 'NOT_FOUND' };
const controlled: Expected = { ...managed, hostTerminal: 'OK', guestTerminal: 'FORBIDDEN', waitingTerminal: 'FORBIDDEN' };
const spoken: Expected = { hostTerminal: 'OK', guestTerminal: 'OK', others: 'FORBIDDEN' };
const { auth, conferences, downloads, meetings } = contract;

/** What each kind of caller a route declares is answered, with a meeting that is none of the stranger's and the foreigner's business. */
const cases: Record<string, Case> = {
  'auth.login': { expected: { others: 'PASSWORD_UNREADABLE' }, run: (_, token) => call(server, auth.login, { body: { account: 'alice', password: 'x' } }, token) },
  'auth.loginMode': { expected: { others: 'OK' }, run: (_, token) => call(server, auth.loginMode, {}, token) },
  'auth.captcha': { expected: { others: 'OK' }, run: (_, token) => call(server, auth.captcha, {}, token) },
  'auth.captchaRequired': { expected: { others: 'OK' }, run: (_, token) => call(server, auth.captchaRequired, { params: { account: 'alice' } }, token) },
  'meetings.list': { expected: { others: 'OK' }, run: (_, token) => call(server, meetings.list, { query: { tenantWide: 'true' } }, token) },
  'meetings.invitees': { expected: { others: 'OK' }, run: (_, token) => call(server, meetings.invitees, { query: {} }, token) },
  'meetings.detail': { expected: seen, run: ({ meeting }, token) => call(server, meetings.detail, { params: { id: meeting.meetId } }, token) },
  'meetings.numeric': { expected: seen, run: ({ meeting }, token) => call(server, meetings.numeric, { params: { id: meeting.numericId } }, token) },
  'meetings.createNetwork': { expected: { others: 'OK' }, run: (_, token) => call(server, meetings.createNetwork, { body: body() }, token) },
  'meetings.update': { expected: managed, run: async (_, token) => call(server, meetings.update, { params: { id: (await upcoming()).meetId }, body: { ...body(), version: 1 } }, token) },
  'meetings.cancel': { expected: managed, run: async (_, token) => call(server, meetings.cancel, { params: { id: (await upcoming()).meetId } }, token) },
  'meetings.start': { expected: managed, run: async (_, token) => call(server, meetings.start, { params: { id: (await upcoming()).meetId } }, token) },
  'conferences.join': {
    expected: { nobody: 'NAME_REQUIRED', guestTerminal: 'NAME_REQUIRED', waitingTerminal: 'NAME_REQUIRED', hostTerminal: 'NAME_REQUIRED', member: 'OK', host: 'OK', admin: 'OK', others: 'MEETING_PASSWORD_REQUIRED' },
    run: ({ meeting }, token) => call(server, conferences.join, { body: { numericId: meeting.numericId } }, token),
  },
  'conferences.enter': { expected: { others: 'OK' }, run: (world, token) => call(server, conferences.enter, { params: params(world) }, token) },
  'conferences.leave': { expected: { others: 'OK' }, run: (world, token) => call(server, conferences.leave, { params: params(world) }, token) },
  'conferences.end': { expected: controlled, run: (world, token) => call(server, conferences.end, { params: params(world) }, token) },
  'conferences.admit': {
    expected: controlled, run: (world, token) => call(server, conferences.admit, { params: params(world), body: { termIds: [world.waitingTermId], admit: true } }, token),
  },
  'conferences.hand': { expected: spoken, run: (world, token) => call(server, conferences.hand, { params: params(world), body: { raised: true } }, token) },
  'conferences.chat': { expected: spoken, run: (world, token) => call(server, conferences.chat, { params: params(world), body: { id: newId(), text: 'Hello' } }, token) },
  'downloads.ticket': { expected: { others: 'OK' }, run: (_, token) => call(server, downloads.ticket, { body: { path: '/api/api/v1/meetings/export' } }, token) },
};

describe('every route answers callers it declares by what they are to the meeting', () => {
  test('and no route is left out', () => {
    expect([...Object.keys(cases), 'auth.logout'].toSorted()).toEqual(routes.map(([name]) => name).toSorted());
  });

  test.each(Object.entries(cases))('%s', async (name, { expected, run }) => {
    const route = routes.find(([other]) => other === name)?.[1];
    const declared = CALLERS.filter((caller) => route?.callers.includes('anyone') || route?.callers.includes(kindOf(caller)));
    const answers: Record<string, string> = {};
    for (const caller of declared) {
      const world = await makeWorld(server, people);
      answers[caller] = (await run(world, world.tokens[caller])).statusCode;
    }
    expect(answers).toEqual(Object.fromEntries(declared.map((caller) => [caller, expected[caller] ?? expected.others])));
  });

  test('auth.logout', async () => {
    for (const account of ['alice', 'admin', 'erin']) {
      const { token } = await signIn(server, account, 'another window');
      expect((await call(server, auth.logout, {}, token)).statusCode).toBe('OK');
      expect((await call(server, auth.logout, {}, token)).statusCode).toBe('UNAUTHORIZED');
    }
  });
});
