import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyCommand, AUTO_LAYOUT, NO_CONTROL } from '@rmeet/conference';
import { codeOf, signIn, type Person } from './support/client.ts';
import { openConference, replayed, rz, stepOf, type Inside, type TestConference } from './support/conference.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let room: TestConference;
/** Alice is the host and in the chair, bob is invited, carol is a guest. */
let host: Inside;
let member: Inside;
let guest: Inside;
let meetId: string;
const WITHIN = { timeout: 5_000, interval: 10 };
const ALL = ['camera', 'microphone', 'screenShare', 'screenShareAudio'];

beforeAll(async () => {
  server = await startTestServer();
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
});
afterAll(() => server.close());
beforeEach(async () => {
  room = await openConference(server, alice, { participants: invite(server, 'bob') });
  ({ meetId } = room);
  host = await room.join(alice);
  member = await room.join(bob);
  guest = await room.guest('Carol');
});
afterEach(async () => {
  await room.close();
  await host.calls.end(room).catch(() => undefined);
});

const everybody = (): string[] => [host, member, guest].map(({ termId }) => termId);
const undo = (commandId: string) => host.calls.undo({ params: { meetId }, body: { commandId } });

describe('a layout', () => {
  test('of all reaches all terminals, which acknowledge it, and undo reverts it with its seats', async () => {
    const { socket } = await room.watch(member);
    const seated = await host.calls.setLayout({ params: rz, body: { meetId, screenModel: '4', polling: 4 } });
    expect(seated.affected.toSorted()).toEqual(everybody().toSorted());
    expect((await stepOf(socket, 'layout')).changes).toEqual([
      {
        termId: null,
        field: 'layout',
        before: AUTO_LAYOUT,
        after: { model: '4', places: [], seats: [{ seat: 4, source: 'POLL' }] },
      },
    ]);
    const seats = await host.calls.setScreen({
      params: rz,
      body: {
        meetId,
        seats: [
          { seat: 1, source: member.termId },
          { seat: 2, source: 'SPEAKER' },
          { seat: 4, source: 'POLL' },
        ],
      },
    });
    expect((await room.control()).layout.seats).toHaveLength(3);
    await undo(seats.commandId);
    expect((await room.control()).layout).toEqual({ model: '4', places: [], seats: [{ seat: 4, source: 'POLL' }] });
    await undo(seated.commandId);
    expect((await room.control()).layout).toEqual(AUTO_LAYOUT);
    const log = await room.log();
    expect(replayed(log)).toEqual(await room.control());
    expect(log.reduce((state, { command }) => applyCommand(state, command), NO_CONTROL)).toEqual(await room.control());
  });

  test('keeps the seated terminals whose seats the next layout has', async () => {
    await host.calls.setLayout({ params: rz, body: { meetId, screenModel: '9' } });
    await host.calls.setScreen({
      params: rz,
      body: {
        meetId,
        seats: [
          { seat: 2, source: member.termId },
          { seat: 9, source: guest.termId },
        ],
      },
    });
    await host.calls.setLayout({ params: rz, body: { meetId, screenModel: '4' } });
    expect((await room.control()).layout.seats).toEqual([{ seat: 2, source: member.termId }]);
  });

  test('of one terminal concerns it alone, and returns to the common one', async () => {
    const own = {
      params: rz,
      body: { meetId, termId: member.termId, screenModel: '2' as const, seats: [{ seat: 1, source: 'CONTENT' }] },
    };
    expect((await host.calls.setTerminalLayoutConfig(own)).affected).toEqual([member.termId]);
    await host.calls.setScreen({
      params: rz,
      body: { meetId, target: member.termId, seats: [{ seat: 2, source: guest.termId }] },
    });
    expect((await room.control()).terminals[member.termId]?.layout).toEqual({
      model: '2',
      places: [],
      seats: [{ seat: 2, source: guest.termId }],
    });
    await host.calls.stopTerminalLayoutConfig({ params: rz, body: { meetId, termId: member.termId } });
    expect((await room.control()).terminals[member.termId]?.layout).toBeNull();
  });

  test('has only its own seats, and none for people who were never here', async () => {
    expect(await codeOf(host.calls.setLayout({ params: rz, body: { meetId, screenModel: '4', polling: 5 } }))).toBe(
      'SEAT_UNKNOWN',
    );
    expect(
      await codeOf(host.calls.setScreen({ params: rz, body: { meetId, seats: [{ seat: 1, source: 'POLL' }] } })),
    ).toBe('SEAT_UNKNOWN');
    await host.calls.setLayout({ params: rz, body: { meetId, screenModel: '1+N' } });
    expect(
      await codeOf(host.calls.setScreen({ params: rz, body: { meetId, seats: [{ seat: 2, source: 'POLL' }] } })),
    ).toBe('SEAT_UNKNOWN');
    expect(
      await codeOf(host.calls.setScreen({ params: rz, body: { meetId, seats: [{ seat: 1, source: 'Tnobody' }] } })),
    ).toBe('TERMINAL_ABSENT');
    expect(await codeOf(host.calls.setLayout({ params: rz, body: { meetId, screenModel: 'CUSTOM' } }))).toBe(
      'INVALID_INPUT',
    );
    const beyond = [{ x: 0.5, y: 0, width: 0.6, height: 1 }];
    expect(
      await codeOf(host.calls.setLayout({ params: rz, body: { meetId, screenModel: 'CUSTOM', places: beyond } })),
    ).toBe('INVALID_INPUT');
    expect(
      await codeOf(
        host.calls.setTerminalLayoutConfig({ params: rz, body: { meetId, termId: 'Tnobody', screenModel: '2' } }),
      ),
    ).toBe('TERMINAL_ABSENT');
    expect(await codeOf(member.calls.setLayout({ params: rz, body: { meetId, screenModel: '4' } }))).toBe('FORBIDDEN');
  });

  test('has its seats, its window and the right to change it in the state', async () => {
    const places = [
      { x: 0, y: 0, width: 0.5, height: 1 },
      { x: 0.5, y: 0, width: 0.5, height: 0.5 },
    ];
    await host.calls.setLayout({
      params: rz,
      body: { meetId, screenModel: 'CUSTOM', places, allowOwnLayout: false },
    });
    await host.calls.setChatLayout({ params: rz, body: { meetId, position: 'BOTTOM' } });
    expect(await room.control()).toMatchObject({
      layout: { model: 'CUSTOM', places },
      allowOwnLayout: false,
      window: 'BOTTOM',
    });
  });
});

describe('content', () => {
  const permissions = () =>
    Object.fromEntries(
      [...(server.media.theRooms().at(-1) ?? [])].map(([termId, { permission }]) => [
        termId,
        permission.canPublishSources,
      ]),
    );

  test('locked to one terminal is taken from all others, and from those who join later, until unlocked', async () => {
    const rooms = server.media.theRooms();
    const mine = rooms.at(-1)!;
    for (const { termId } of [host, member])
      mine.set(termId, { ...sending(termId), permission: { canPublish: true, canPublishSources: [...ALL] as never } });
    await host.calls.lockConfContent({ params: rz, query: { meetId, termId: member.termId, action: 'LOCK' } });
    await expect.poll(permissions, WITHIN).toEqual({ [host.termId]: ['camera', 'microphone'], [member.termId]: ALL });
    await guest.calls.enter({ params: { meetId } });
    expect(server.media.tokens.at(-1)).toMatchObject({
      identity: guest.termId,
      canPublishSources: ['camera', 'microphone'],
    });
    await host.calls.lockConfContent({ params: rz, query: { meetId, action: 'UNLOCK' } });
    await expect.poll(permissions, WITHIN).toEqual({ [host.termId]: ALL, [member.termId]: ALL });
    expect(await codeOf(host.calls.lockConfContent({ params: rz, query: { meetId, action: 'LOCK' } }))).toBe(
      'INVALID_INPUT',
    );
  });

  test('of one terminal is switched off, and requested again; by GET too', async () => {
    const mine = server.media.theRooms().at(-1)!;
    mine.set(member.termId, {
      ...sending(member.termId),
      permission: { canPublish: true, canPublishSources: [...ALL] as never },
    });
    const off = await host.calls.setDualStream({ query: { meetId, termId: member.termId, open: 'false' } });
    expect(off.affected).toEqual([member.termId]);
    await expect.poll(permissions, WITHIN).toEqual({ [member.termId]: ['camera', 'microphone'] });
    await host.calls.readDualStream({ query: { meetId, termId: member.termId, open: 'true' } });
    expect((await room.control()).terminals[member.termId]).toMatchObject({ contentOff: false, contentAsked: true });
    expect(await codeOf(host.calls.setDualStream({ query: { meetId, termId: 'Tnobody', open: 'true' } }))).toBe(
      'TERMINAL_ABSENT',
    );
  });
});

function sending(identity: string) {
  return { identity, name: identity, metadata: '', joinedAt: new Date(0), tracks: [] };
}

describe('captions', () => {
  test('of all and of one terminal reach the terminals with their times, and empty text clears them', async () => {
    const body = {
      text: '请保持安静\nPlease be quiet',
      position: 'TOP' as const,
      seconds: 30,
      language: 'zh' as const,
    };
    await host.calls.setConfCaptions({ params: rz, query: { meetId }, body });
    const { banner } = await room.control();
    expect(banner).toMatchObject({
      text: body.text,
      position: 'TOP',
      size: 'MEDIUM',
      scroll: 'NONE',
      since: server.clock.now().toISOString(),
    });
    expect(Date.parse(banner?.until ?? '') - Date.parse(banner?.since ?? '')).toBe(30_000);
    const one = await host.calls.setTermCaptions({
      params: rz,
      query: { meetId, termId: guest.termId },
      body: { text: 'Come closer' },
    });
    expect(one.affected).toEqual([guest.termId]);
    await host.calls.setConfCaptions({ params: rz, query: { meetId }, body: { text: ' ' } });
    expect((await room.control()).banner).toBeNull();
    expect((await room.control()).terminals[guest.termId]?.banner?.text).toBe('Come closer');
  });

  test('that have expired are cleared by the server', async () => {
    await host.calls.setConfCaptions({ params: rz, query: { meetId }, body: { text: 'Soon', seconds: 10 } });
    await host.calls.setTermCaptions({
      params: rz,
      query: { meetId, termId: guest.termId },
      body: { text: 'You too', seconds: 10 },
    });
    await server.tick();
    expect((await room.control()).banner?.text).toBe('Soon');
    server.clock.advance({ seconds: 11 });
    await server.tick();
    const control = await room.control();
    expect([control.banner, control.terminals[guest.termId]?.banner]).toEqual([null, null]);
    expect((await room.log()).at(-1)).toMatchObject({ verb: 'banner', commander: { kind: 'server' } });
  });
});
