import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, signIn, type Person } from './support/client.ts';
import { openConference, replayed, rz, stepOf, type Inside, type TestConference } from './support/conference.ts';
import { FakeMedia } from './support/fake-media.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let second: FakeMedia;
let alice: Person;
let bob: Person;
let room: TestConference;
let host: Inside;
let member: Inside;
let meetId: string;
const WITHIN = { timeout: 5_000, interval: 10 };

beforeAll(async () => {
  second = new FakeMedia('second');
  server = await startTestServer({ media: new FakeMedia().with(second) });
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
});
afterAll(() => server.close());
beforeEach(async () => {
  room = await openConference(server, alice, { participants: invite(server, 'bob') });
  ({ meetId } = room);
  host = await room.join(alice);
  member = await room.join(bob);
  for (const { termId } of [host, member]) server.media.connect(termId);
  await server.tick();
});
afterEach(async () => {
  Object.assign(second, { isUp: true, isFailing: false });
  await room.close();
  await host.calls.end(room).catch(() => undefined);
  await server.tick();
  server.media.restart();
  second.restart();
});

const move = (who: Inside | Person['conferences'], oldMcuZoneId = 'local', mcuZoneId = 'second') =>
  ('calls' in who ? who.calls : who).moveZone({ params: rz, query: { meetId, oldMcuZoneId, mcuZoneId } });
const roomName = async (generation: number): Promise<string> => `${(await room.row()).id}.${generation}`;
const goneOver = async (from: FakeMedia, to: FakeMedia, generation: number): Promise<void> => {
  const [old, next] = [from.rooms.get(await roomName(generation - 1)), to.rooms.get(await roomName(generation))];
  for (const [identity, participant] of old ?? []) next?.set(identity, participant);
  old?.clear();
};

describe('zones and servers', () => {
  test('are listed with load and state, including a zone that is away', async () => {
    second.isUp = false;
    expect(await alice.conferences.zonesMcus()).toEqual([
      {
        mcuZoneId: 'local',
        name: '',
        available: true,
        mcus: [
          { mcuId: 'local-1', state: 'up', load: 3 },
          { mcuId: 'local-2', state: 'up', load: 1 },
        ],
      },
      {
        mcuZoneId: 'second',
        name: 'The second zone',
        available: false,
        mcus: [
          { mcuId: 'second-1', state: 'up', load: 3 },
          { mcuId: 'second-2', state: 'up', load: 1 },
        ],
      },
    ]);
  });

  test('show where a meeting runs or will run', async () => {
    expect(await member.calls.meetingPlace({ query: { meetId } })).toEqual({
      meetId,
      running: true,
      mcuZoneId: 'local',
      mcuId: 'local-1',
    });
    const later = await openConference(server, alice);
    expect(await alice.conferences.meetingPlace({ query: { meetId: later.meetId } })).toEqual({
      meetId: later.meetId,
      running: false,
      mcuZoneId: 'local',
      mcuId: null,
    });
    expect(await alice.conferences.manualCascade()).toEqual([]);
  });

  test('and terminals form the graph of a conference', async () => {
    const graph = await host.calls.readConfTopo({ query: { meetId } });
    expect(graph).toMatchObject({ generation: 1, mcuZoneId: 'local', mcuId: 'local-1', cascades: [] });
    expect(
      graph.terminals
        .map(({ termId, mcuId }) => ({ termId, mcuId }))
        .toSorted((a, b) => a.termId.localeCompare(b.termId)),
    ).toEqual(
      [host, member]
        .map(({ termId }) => ({ termId, mcuId: 'local-1' }))
        .toSorted((a, b) => a.termId.localeCompare(b.termId)),
    );
    expect(await alice.conferences.confTopo({ query: { meetId } })).toEqual(graph);
    expect(await codeOf(member.calls.confTopo({ query: { meetId } }))).toBe('FORBIDDEN');
  });
});

describe('a move', () => {
  test('makes the next room first, notifies all terminals, and keeps the state', async () => {
    await host.calls.termMute({ params: rz, body: { meetId, termId: member.termId, mute: true } });
    const before = await room.control();
    const { socket } = await room.watch(member);
    const { affected } = await move(host);
    expect(affected.toSorted()).toEqual([host.termId, member.termId].toSorted());
    expect((await stepOf(socket, 'moveZone')).changes).toEqual([
      { termId: null, field: 'generation', before: 1, after: 2 },
    ]);
    const { version, generation, ...after } = await room.control();
    expect({ ...after, version: before.version, generation: 1 }).toEqual(before);
    expect([version, generation]).toEqual([before.version + 1, 2]);
    expect(await room.row()).toMatchObject({ zoneId: 'second', mcuId: null, generation: 2, previousZoneId: 'local' });
    expect(second.rooms.has(await roomName(2))).toBe(true);
    expect(replayed(await room.log())).toEqual(await room.control());
    await expect(room.log()).resolves.toContainEqual(
      expect.objectContaining({
        verb: 'moveZone',
        command: { verb: 'moveZone', fromZoneId: 'local', zoneId: 'second', mcuId: null },
      }),
    );
  });

  test('gives a moving terminal a token for the new room with the same restrictions', async () => {
    await host.calls.termMute({ params: rz, body: { meetId, termId: member.termId, mute: true } });
    await move(host);
    expect(await member.calls.migrate(room)).toMatchObject({ state: 'admitted', generation: 2 });
    expect(second.tokens.at(-1)).toMatchObject({
      room: await roomName(2),
      identity: member.termId,
      canPublishSources: ['camera', 'screenShare'],
    });
  });

  test('keeps the old room while a terminal is in it, counts none as vanished, and then removes it', async () => {
    await move(host);
    await server.tick();
    server.clock.advance({ seconds: 15 });
    await server.tick();
    expect(server.media.rooms.has(await roomName(1))).toBe(true);
    expect(Object.values((await room.control()).terminals).every(({ present }) => present)).toBe(true);
    await goneOver(server.media, second, 2);
    await server.tick();
    expect(server.media.rooms.has(await roomName(1))).toBe(false);
    expect([...(second.rooms.get(await roomName(2))?.keys() ?? [])].toSorted()).toEqual(
      [host.termId, member.termId].toSorted(),
    );
  });

  test('waits 20 seconds for terminals that stay behind', async () => {
    await move(host);
    server.clock.advance({ seconds: 21 });
    await server.tick();
    expect(server.media.rooms.has(await roomName(1))).toBe(false);
  });

  test('opens both rooms to its terminals meanwhile, and then only the new one', async () => {
    const rooms = await Promise.all([1, 2].map(roomName));
    const open = () => Promise.all(rooms.map((name) => server.mayBeInRoom(name, member.termId)));
    expect(await open()).toEqual([true, false]);
    await move(host);
    expect(await open()).toEqual([true, true]);
    server.clock.advance({ seconds: 21 });
    expect(await open()).toEqual([false, true]);
    await host.calls.end(room);
    expect(await open()).toEqual([false, false]);
  });

  test('mutes terminals that are still in the old room', async () => {
    await move(host);
    await host.calls.termMute({ params: rz, body: { meetId, termId: member.termId, mute: true } });
    await expect
      .poll(
        async () => server.media.rooms.get(await roomName(1))?.get(member.termId)?.permission.canPublishSources,
        WITHIN,
      )
      .toEqual(['camera', 'screenShare']);
  });

  test('back again leaves one room', async () => {
    await move(host);
    await goneOver(server.media, second, 2);
    await server.tick();
    await move(host, 'second', 'local');
    await goneOver(second, server.media, 3);
    await server.tick();
    expect([...server.media.rooms.keys(), ...second.rooms.keys()]).toEqual([await roomName(3)]);
  });

  test('to a zone that cannot accept it changes nothing, and the answer says so', async () => {
    second.isFailing = true;
    const before = await room.row();
    expect(await codeOf(move(host))).toBe('ZONE_UNAVAILABLE');
    expect(await room.row()).toMatchObject({ generation: 1, zoneId: 'local', control: before.control });
  });

  test('is refused to members and to other organisations', async () => {
    expect(await codeOf(move(member))).toBe('FORBIDDEN');
    const dave = await signIn(server, 'dave');
    expect(await codeOf(move(dave.conferences))).toBe('NOT_FOUND');
    expect(await codeOf(dave.conferences.meetingPlace({ query: { meetId } }))).toBe('NOT_FOUND');
    expect(await codeOf(dave.conferences.readConfTopo({ query: { meetId } }))).toBe('NOT_FOUND');
    expect(await codeOf(member.calls.reset({ query: { meetId } }))).toBe('FORBIDDEN');
    expect([...second.rooms.keys()]).toEqual([]);
  });

  test.each([
    ['local', 'nowhere', 'ZONE_UNKNOWN'],
    ['nowhere', 'local', 'ZONE_UNKNOWN'],
    ['second', 'local', 'ZONE_NOT_CURRENT'],
    ['local', 'local', 'INVALID_INPUT'],
    ['local', '', 'INVALID_INPUT'],
  ])('from %s to %s is refused with %s', async (from, to, code) => {
    expect(await codeOf(move(host, from, to))).toBe(code);
    expect((await room.row()).generation).toBe(1);
  });

  test('requested twice at once is carried out once', async () => {
    const codes = await Promise.all([codeOf(move(host)), codeOf(move(alice.conferences))]);
    expect(codes.filter((code) => code === 'SERVICE_BUSY' || code === 'ZONE_NOT_CURRENT')).toHaveLength(1);
    expect((await room.row()).generation).toBe(2);
    expect(second.rooms.has(await roomName(2))).toBe(true);
  });
});

describe('a reset', () => {
  test('moves the conference to the least loaded of the named media servers', async () => {
    await host.calls.reset({ query: { meetId, mcuIds: 'local-1,local-2' } });
    expect(await room.row()).toMatchObject({ zoneId: 'local', mcuId: 'local-2', generation: 2 });
    expect(server.media.chosen.get(await roomName(2))).toBe('local-2');
    expect((await room.log()).at(-1)?.command).toEqual({ verb: 'reset', mcuId: 'local-2' });
  });

  test('without names leaves the choice to the engine', async () => {
    await host.calls.reset({ query: { meetId } });
    expect(await room.row()).toMatchObject({ mcuId: null, generation: 2 });
  });

  test('to a server of another zone or to a full one is refused', async () => {
    expect(await codeOf(host.calls.reset({ query: { meetId, mcuIds: 'second-1' } }))).toBe('MCU_UNKNOWN');
    const before = server.media.mcus;
    server.media.mcus = [{ id: 'local-1', state: 'full', load: 90 }];
    expect(await codeOf(host.calls.reset({ query: { meetId, mcuIds: 'local-1' } }))).toBe('ZONE_UNAVAILABLE');
    server.media.mcus = before;
    expect((await room.row()).generation).toBe(1);
  });
});

test('the log records how long each terminal was without media', async () => {
  const { socket } = await room.watch(member);
  const { commandId } = await move(host);
  const event = await socket.message(
    (one) => 'event' in one && 'step' in one.event && one.event.step.commandId === commandId,
  );
  const version = (event as { version: number }).version;
  socket.send({ ack: { topic: `meeting:${meetId}`, version, gap: 340 } });
  await expect
    .poll(
      async () =>
        (
          await host.calls
            .events({ params: { meetId }, query: {} })
            .catch(() => alice.conferences.events({ params: { meetId }, query: {} }))
        ).find((row) => row.commandId === commandId)?.acknowledgements,
      WITHIN,
    )
    .toContainEqual(expect.objectContaining({ termId: member.termId, gap: 340, failed: null }));
});
