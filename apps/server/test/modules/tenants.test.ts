import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOf, type Route } from '@rmeet/contract';
import { terminalSession } from '../../src/modules/conferences/tables.ts';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { clientOf, codeOf, send, signIn, type Person } from './support/client.ts';
import { book } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { makeWorld, routes, signInAll, type World } from './support/world.ts';

let server: TestServer;
let world: World;
/** Signed in in the other tenant, with the most rights there are; and inside a conference there as its host. */
let dave: Person;
let daveInside: string;
beforeAll(async () => {
  server = await startTestServer();
  dave = await signIn(server, 'dave');
  world = await makeWorld(server, await signInAll(server));
  const own = await book(server, dave, { startTime: server.clock.in(0) });
  daveInside = (await dave.conferences.join({ body: { numericId: own.numericId } })).sessionToken;
});
afterAll(() => server.close());

/** Ids of the first tenant and ids that exist nowhere, by the name of the path parameter. */
const ids: Record<string, (route: Route) => [foreign: string, unknown: string]> = {
  id: (route) => (route.path.includes('/numeric/') ? [world.meeting.numericId, '999999999'] : [world.meeting.meetId, newId()]),
  meetId: () => [world.meeting.meetId, newId()],
};
/** Parameters that name nothing of a tenant. */
const names = new Set(['account']);

const parametersOf = (route: Route): string[] => [...route.path.matchAll(/:(\w+)/g)].flatMap(([, name]) => (name && !names.has(name) ? [name] : []));

async function rows(): Promise<string> {
  const { tenantId } = server.people.get('alice') ?? {};
  if (!tenantId) throw new Error('There is no alice.');
  return server.db.tenant(tenantId, async (tx) => JSON.stringify([await tx.find(meeting), await tx.find(terminalSession)]));
}

describe('every route with an id answers ids of another tenant like unknown ones', () => {
  test.each(routes.filter(([, route]) => parametersOf(route).length > 0))('%s', async (_, route) => {
    const before = await rows();
    for (const token of [...(route.callers.includes('user') ? [dave.token] : []), ...(route.callers.includes('terminal') ? [daveInside] : [])]) {
      const [foreign, unknown] = await Promise.all([0, 1].map((which) => {
        const params = Object.fromEntries(parametersOf(route).map((name) => {
          const pair = ids[name];
          if (!pair) throw new Error(`What is :${name} of ${route.path}? Say so in this test.`);
          return [name, pair(route)[which]];
        }));
        return send(server, route.method, pathOf(route, { ...route.example, params } as never), { token, body: route.example.body });
      }));
      expect(foreign).toEqual(unknown);
      expect(foreign).toMatchObject({ status: false, httpStatus: 404, statusCode: 'NOT_FOUND' });
    }
    expect(await rows()).toBe(before);
  });
});

describe('ids inside a body', () => {
  test('of people are unknown', async () => {
    const participants = [server.people.get('bob')?.id ?? '', newId()].map((userId) => [{ kind: 'user' as const, userId }]);
    expect(await Promise.all(participants.map((who) => codeOf(book(server, dave, { participants: who }))))).toEqual(['PARTICIPANT_UNKNOWN', 'PARTICIPANT_UNKNOWN']);
  });

  test('of waiting terminals change nothing', async () => {
    const before = await rows();
    const own = await book(server, dave, { startTime: server.clock.in(0) });
    await dave.conferences.join({ body: { numericId: own.numericId } });
    for (const termId of [world.waitingTermId, 'Tunknown']) {
      expect(await codeOf(dave.conferences.admit({ params: { meetId: own.meetId }, body: { termIds: [termId], admit: true } }))).toBe('OK');
    }
    expect(await rows()).toBe(before);
  });
});

test('lists and look-ups show nothing of another tenant', async () => {
  const [list, everything] = [await dave.meetings.list({ query: {} }), await dave.meetings.list({ query: { tenantWide: 'true', size: '200' } })];
  expect(JSON.stringify([list, everything])).not.toContain(world.meeting.meetId);
  expect((await dave.meetings.invitees({ query: {} })).map(({ account }) => account)).toEqual(['dave', 'erin']);
});

test('push topics of another tenant are refused', async () => {
  const topic = `meeting:${world.meeting.meetId}`;
  for (const credentials of [{ token: dave.token }, { sessionToken: daveInside }]) {
    const socket = await connect(server, credentials);
    socket.send({ subscribe: [topic] });
    expect(await socket.message((message) => 'error' in message)).toEqual({ error: 'FORBIDDEN', topic });
    await socket.close();
  }
});

test('a token of a conference opens nothing else', async () => {
  const guest = clientOf(server, world.tokens.hostTerminal);
  expect(await codeOf(guest.meetings.list({ query: {} }))).toBe('UNAUTHORIZED');
  expect(await codeOf(guest.auth.logout())).toBe('UNAUTHORIZED');
});
