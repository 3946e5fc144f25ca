import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { watcher } from '../../src/modules/conferences/tables.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { openConference, type TestConference } from './support/conference.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let conference: TestConference;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.media.restart();
  alice = await signIn(server, 'alice');
  conference = await openConference(server, alice);
  const host = await conference.join(alice);
  server.media.connect(host.termId);
});
afterEach(async () => {
  server.media.isUp = true;
  // The rooms of running conferences would be created again.
  const mine = await signIn(server, 'alice');
  for (const { meetId } of (await mine.meetings.list({ query: { scope: 'running' } })).records)
    await mine.conferences.end({ params: { meetId } });
});

const link = (part: 'chair' | 'viewer' = 'viewer') =>
  alice.conferences.manageUrl({ params: { a: conference.meetId, b: part }, query: {} });
const openDesk = async ({ url }: { url: string }): Promise<Person> => {
  const sign = new URLSearchParams(url.split('?')[1]).get('token') ?? '';
  return clientOf(server, (await clientOf(server).conferences.openDesk({ body: { sign } })).token);
};

/** Requests a place and takes it on the media engine; returns the identity. */
async function watch(who: Person): Promise<string> {
  const { url, token } = await who.conferences.watch({ params: conference.params });
  expect(url).toMatch(/^ws:/);
  const { identity } = server.media.tokens.at(-1) ?? { identity: '' };
  expect(token).toBe(`media token of ${identity}`);
  theRoom().set(identity, server.media.connect(identity));
  return identity;
}
const theRoom = () => server.media.theRoom();
/** Which of these are still on the engine after a round of the reconciler. */
async function left(...identities: string[]): Promise<boolean[]> {
  await server.tick();
  return identities.map((identity) => theRoom().has(identity));
}

test('a desk watches as a hidden participant, and may send nothing', async () => {
  const identity = await watch(await openDesk(await link()));
  expect(identity).toMatch(/^W[0-9a-f]{16}$/);
  expect(server.media.tokens.at(-1)).toMatchObject({
    identity,
    hidden: true,
    canPublish: false,
    canSubscribe: true,
    room: [...server.media.rooms.keys()][0],
  });
  expect(await left(identity)).toEqual([true]);
});

test('a watcher that connects without a token of this server is removed', async () => {
  server.media.connect('W0123456789abcdef');
  expect(await left('W0123456789abcdef')).toEqual([false]);
});

test('a revoked or expired link stops watching within a round; others continue', async () => {
  const [revoked, expiring] = [
    await link(),
    await alice.conferences.manageUrl({
      params: { a: conference.meetId, b: 'chair' },
      query: { timestamp: server.clock.now().getTime() + 60_000 },
    }),
  ];
  const [one, two, host] = [
    await watch(await openDesk(revoked)),
    await watch(await openDesk(expiring)),
    await watch(alice),
  ];
  expect(await left(one, two, host)).toEqual([true, true, true]);
  await alice.conferences.revokeLink({ params: { ...conference.params, id: revoked.id } });
  expect(await left(one, two, host)).toEqual([false, true, true]);
  server.clock.advance({ seconds: 61 });
  expect(await left(two, host)).toEqual([false, true]);
});

test('an account stops watching when it loses its right, is disabled, or signs out', async () => {
  const [admin, chair] = [await signIn(server, 'admin'), await signIn(server, 'chair')];
  const grant = (rights: 'control' | 'none') =>
    alice.conferences.grantAuth({
      query: { meetId: conference.meetId },
      body: { userIds: [server.people.get('chair')?.id ?? ''], rights },
    });
  await grant('control');
  const identities = [await watch(chair), await watch(alice), await watch(admin)];
  expect(await left(...identities)).toEqual([true, true, true]);
  await grant('none');
  expect(await left(...identities)).toEqual([false, true, true]);
  const { tenantId = '', id = '' } = server.people.get('alice') ?? {};
  await admin.users.status({ body: { tenantId, id, enabled: false } });
  expect(await left(...identities)).toEqual([false, false, true]);
  await admin.users.status({ body: { tenantId, id, enabled: true } });
  await admin.auth.logout();
  expect(await left(...identities)).toEqual([false, false, false]);
});

test('one period of watching is one row of the audit log, however often the desk reconnects', async () => {
  const admin = await signIn(server, 'admin');
  const { id } = await conference.row();
  const rows = async () =>
    (await admin.audit.list({ query: { action: 'conferences.watch', size: '50' } })).records
      .filter(({ target }) => target.id === id)
      .map(({ actor }) => actor.name);
  const desk = await openDesk(await link());
  await watch(alice);
  for (let minute = 0; minute < 100; minute += 20) {
    await watch(desk);
    server.clock.advance({ seconds: 20 * 60 });
  }
  await watch(desk);
  expect(await rows()).toHaveLength(2);
  // Another desk, and a desk that returns later, have their own audit rows.
  await watch(await openDesk(await link()));
  expect(await rows()).toHaveLength(3);
  server.clock.advance({ seconds: 61 * 60 });
  await watch(desk);
  expect(await rows()).toHaveLength(4);
});

test('a status wall and a participant may not watch', async () => {
  const { url } = await alice.conferences.monitorUrl({ query: { numericId: conference.meeting.numericId } });
  const wall = await openDesk({ url });
  expect(await codeOf(wall.conferences.watch({ params: conference.params }))).toBe('FORBIDDEN');
  expect(await codeOf(wall.conferences.events({ params: conference.params, query: {} }))).toBe('FORBIDDEN');
  expect(await codeOf((await signIn(server, 'dave')).conferences.watch({ params: conference.params }))).toBe(
    'NOT_FOUND',
  );
});

test('a desk has four watchers at most, a conference twenty; the oldest one is displaced', async () => {
  const desk = await openDesk(await link());
  const mine: string[] = [];
  for (let i = 0; i < 5; i += 1) {
    server.clock.advance({ seconds: 1 });
    mine.push(await watch(desk));
  }
  expect(await left(...mine)).toEqual([false, true, true, true, true]);
  for (let i = 0; i < 16; i += 1) await watch(await openDesk(await link()));
  expect(await codeOf(alice.conferences.watch({ params: conference.params }))).toBe('WATCHERS_FULL');
  const { id } = await conference.row();
  expect(await server.db.platform((tx) => tx.count(watcher, eq(watcher.conferenceId, id)))).toBe(20);

  // Closed desks do not permanently take places from others.
  theRoom().clear();
  server.clock.advance({ seconds: 61 });
  await watch(alice);
  expect(await server.db.platform((tx) => tx.count(watcher, eq(watcher.conferenceId, id)))).toBe(1);
});

test('a conference that is over cannot be watched', async () => {
  const desk = await openDesk(await link('chair'));
  await desk.conferences.end({ params: conference.params });
  expect(await codeOf(desk.conferences.watch({ params: conference.params }))).toBe('CONFERENCE_OVER');
  server.media.isUp = false;
  const other = await openConference(server, alice);
  expect(await codeOf(alice.conferences.watch({ params: other.params }))).toBe('CONFERENCE_OVER');
});
