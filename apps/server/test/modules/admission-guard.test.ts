import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf, signIn, type Person } from './support/client.ts';
import { openConference, rz, type Inside, type TestConference } from './support/conference.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
beforeAll(async () => {
  server = await startTestServer();
  alice = await signIn(server, 'alice');
});
afterAll(() => server.close());

const roomOf = async (conference: TestConference): Promise<string> => {
  const { id, generation } = await conference.row();
  return `${id}.${generation}`;
};

test('a room is open to its admitted terminals, and to none of another conference', async () => {
  const [here, there] = await Promise.all([
    openConference(server, alice, { waitingRoom: true, password: '4821' }),
    openConference(server, alice),
  ]);
  const [host, other] = await Promise.all([here.join(alice), there.join(alice)]);
  const carol: Inside = await here.guest('Carol');
  const room = await roomOf(here);
  const may = (identity: string) => server.mayBeInRoom(room, identity);
  expect([
    await may(host.termId),
    await may(other.termId),
    await may(carol.termId),
    await may('nobody'),
    await may(''),
  ]).toEqual([true, false, false, false, false]);

  const admit = () =>
    alice.conferences.admit({ params: here.params, body: { termIds: [carol.termId], admit: true, reason: '' } });
  await admit();
  expect(await may(carol.termId)).toBe(true);
  await alice.conferences.sendBack({ params: here.params, body: { termIds: [carol.termId] } });
  expect(await may(carol.termId)).toBe(false);
  await admit();
  expect(await may(carol.termId)).toBe(true);
  await alice.conferences.delTerm({
    params: { ...rz, id: here.meetId },
    query: { termId: carol.termId, canReturn: 'true' },
  });
  expect(await may(carol.termId)).toBe(false);

  await alice.conferences.end({ params: here.params });
  expect([await may(host.termId), await server.mayBeInRoom(await roomOf(there), other.termId)]).toEqual([false, true]);
  await alice.conferences.end({ params: there.params });
});

test('a terminal that vanished has to enter again before it connects', async () => {
  const conference = await openConference(server, alice);
  const host = await conference.join(alice);
  const room = await roomOf(conference);
  server.media.connect(host.termId);
  await server.tick();
  server.media.rooms.get(room)?.clear();
  for (let seconds = 0; seconds < 30; seconds += 5) {
    server.clock.advance({ seconds: 5 });
    await server.tick();
  }
  expect(await server.mayBeInRoom(room, host.termId)).toBe(false);
  await clientOf(server, host.token).conferences.enter({ params: conference.params });
  expect(await server.mayBeInRoom(room, host.termId)).toBe(true);
  await alice.conferences.end({ params: conference.params });
});

test('a desk may watch as long as its link works', async () => {
  const conference = await openConference(server, alice);
  await conference.join(alice);
  const desk = await conference.desk('viewer', alice);
  await desk.conferences.watch({ params: conference.params });
  const { room, identity } = server.media.tokens.at(-1)!;
  expect(await server.mayBeInRoom(room, identity)).toBe(true);
  const [link] = await alice.conferences.links({ params: conference.params });
  await alice.conferences.revokeLink({ params: { ...conference.params, id: link!.id } });
  expect(await server.mayBeInRoom(room, identity)).toBe(false);
  await alice.conferences.end({ params: conference.params });
});

test.each(['', 'hall', '00000000-0000-4000-8000-000000000000.1', `${'0'.repeat(36)}.1`, `x.${'9'.repeat(40)}`])(
  'there is no room "%s"',
  async (room) => {
    expect(await server.mayBeInRoom(room, 'alice')).toBe(false);
  },
);
