import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Polling } from '@rmeet/conference';
import { DEVICE_TYPES } from '@rmeet/contract';
import { codeOf, signIn, type Person } from './support/client.ts';
import { openConference, replayed, rz, type Inside, type TestConference } from './support/conference.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let room: TestConference;
/** Alice is the host and in the chair, bob is invited, carol is a guest at a room's device. */
let host: Inside;
let member: Inside;
let guest: Inside;
let meetId: string;
const WITHIN = { timeout: 5_000, interval: 10 };

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
  guest = await room.guest('Carol', 'carols', DEVICE_TYPES.roomsWindows);
  for (const { termId } of [host, member, guest]) camera(termId, true);
});
afterEach(async () => {
  await room.close();
  await host.calls.end(room).catch(() => undefined);
});

/** A terminal is on the engine, with the camera on or off. */
function camera(termId: string, on: boolean): void {
  const mine = server.media.theRooms().at(-1);
  const tracks = [{ sid: `TR_${termId}`, kind: 'video' as const, source: 'camera' as const, muted: !on }];
  mine?.set(termId, {
    identity: termId,
    name: termId,
    metadata: '',
    joinedAt: new Date(0),
    permission: { canPublish: true, canPublishSources: [] },
    tracks,
  });
}
const start = (body: object = {}, query: object = {}) =>
  host.calls.setPollingState({ params: rz, query: { meetId, polling: '1', ...query }, body });
const polling = async (): Promise<Polling | null> => (await room.control()).polling;
const turnId = async () => (await polling())?.turn?.termId;
/** The server checks, and assigns the turns that are due. */
async function later(seconds: number): Promise<void> {
  server.clock.advance({ seconds });
  await server.tick();
}

describe('a round', () => {
  test('begins with the first turn at once, on air, and names who follows and when', async () => {
    await start({ seconds: 5 });
    const control = await room.control();
    expect(control.mode).toBe('POLLING');
    expect(control.polling).toMatchObject({ turn: { termId: host.termId }, next: member.termId, seconds: 5 });
    expect(Date.parse(control.polling?.switchAt ?? '') - server.clock.now().getTime()).toBe(5_000);
    expect((await room.log()).slice(-2).map(({ verb, commander }) => [verb, commander.kind])).toEqual([
      ['polling', 'terminal'],
      ['pollingTurn', 'server'],
    ]);
    expect(replayed(await room.log())).toEqual(control);
  });

  test('goes on when a turn is over, skips terminals without camera, and starts over', async () => {
    await start({ seconds: 5 });
    await later(5);
    await expect.poll(turnId, WITHIN).toBe(member.termId);
    camera(guest.termId, false);
    await later(1);
    await expect.poll(async () => (await polling())?.next, WITHIN).toBe(host.termId);
    await later(4);
    await expect.poll(turnId, WITHIN).toBe(host.termId);
  });

  test('continues at once if the terminal on air leaves or turns the camera off', async () => {
    await start({ seconds: 60 });
    camera(host.termId, false);
    await later(1);
    await expect.poll(turnId, WITHIN).toBe(member.termId);
    await member.calls.leave(room);
    await later(1);
    await expect.poll(turnId, WITHIN).toBe(guest.termId);
  });

  test('continues with the announced terminal if the one before it has left', async () => {
    await start({ seconds: 5 });
    await host.calls.turnPolling({ params: { meetId }, body: { step: 'next' } });
    expect(await polling()).toMatchObject({ turn: { termId: member.termId }, next: guest.termId });
    await member.calls.leave(room);
    await later(1);
    await expect.poll(turnId, WITHIN).toBe(guest.termId);
  });

  test('polls terminals without video if the chair says so, only room devices, or a list in its order', async () => {
    camera(host.termId, false);
    await start({ onlyVideo: false });
    expect(await turnId()).toBe(host.termId);
    await host.calls.setPollingState({ params: rz, query: { meetId, polling: '0' }, body: {} });
    await start({}, { meetingRoom: '1' });
    expect(await turnId()).toBe(guest.termId);
    expect((await polling())?.next).toBeNull();
    await host.calls.setPollingState({ params: rz, query: { meetId, polling: '0' }, body: {} });
    await start({ termIds: [guest.termId, member.termId] }, { meetingRoom: '0' });
    expect(await polling()).toMatchObject({ turn: { termId: guest.termId }, next: member.termId });
  });

  test('is refused if no terminal can have a turn, and then changes nothing', async () => {
    for (const { termId } of [host, member, guest]) camera(termId, false);
    const before = (await room.log()).length;
    expect(await codeOf(start())).toBe('POLLING_NOBODY');
    expect(await codeOf(host.calls.startBroadcastPolling({ params: rz, body: { meetId, pollingEnable: true } }))).toBe(
      'POLLING_NOBODY',
    );
    expect([(await room.log()).length, await polling()]).toEqual([before, null]);
  });

  test('returns the air to the earlier speaker when it ends', async () => {
    await host.calls.setConfSpeaker({ params: rz, query: { meetId, termId: member.termId } });
    await start();
    expect((await room.control()).mode).toBe('POLLING');
    await host.calls.setPollingState({ params: rz, query: { meetId, polling: '0' }, body: {} });
    expect(await room.control()).toMatchObject({ mode: 'SPEAKER', speakerId: member.termId, polling: null });
  });
});

describe('the chair', () => {
  test('pauses, steps, jumps and changes the time', async () => {
    await start({ seconds: 5 });
    await start({ isPaused: true });
    expect(await polling()).toMatchObject({ isPaused: true, switchAt: null, turn: { termId: host.termId } });
    await later(60);
    expect(await turnId()).toBe(host.termId);
    await host.calls.turnPolling({ params: { meetId }, body: { step: 'next' } });
    expect(await polling()).toMatchObject({ isPaused: true, switchAt: null, turn: { termId: member.termId } });
    await later(60);
    expect(await turnId()).toBe(member.termId);
    await host.calls.turnPolling({ params: { meetId }, body: { step: 'previous' } });
    expect(await turnId()).toBe(host.termId);
    await host.calls.turnPolling({ params: { meetId }, body: { termId: guest.termId } });
    expect(await turnId()).toBe(guest.termId);
    await start({ isPaused: false });
    expect(Date.parse((await polling())?.switchAt ?? '') - server.clock.now().getTime()).toBe(5_000);
    await host.calls.setPollingTimeSpan({ params: rz, query: { meetId, timespan: '30' } });
    expect(Date.parse((await polling())?.switchAt ?? '') - Date.parse((await polling())?.turn?.since ?? '')).toBe(
      30_000,
    );
  });

  test('gets an error for calls without a round, with too short a time or with an absent terminal', async () => {
    expect(await codeOf(host.calls.setPollingTimeSpan({ params: rz, query: { meetId, timespan: '30' } }))).toBe(
      'POLLING_OFF',
    );
    expect(await codeOf(host.calls.turnPolling({ params: { meetId }, body: { step: 'next' } }))).toBe('POLLING_OFF');
    expect(await codeOf(host.calls.setPollingTimeSpan({ params: rz, query: { meetId, timespan: '2' } }))).toBe(
      'INVALID_INPUT',
    );
    expect(await codeOf(start({ seconds: 3_601 }))).toBe('INVALID_INPUT');
    expect(await codeOf(start({}, { lectureId: 'Tnobody' }))).toBe('TERMINAL_ABSENT');
    await start();
    expect(await codeOf(start({}, { lectureId: 'Tnobody' }))).toBe('TERMINAL_ABSENT');
    expect((await room.control()).mode).toBe('POLLING');
    expect(await codeOf(host.calls.turnPolling({ params: { meetId }, body: { termId: 'Tnobody' } }))).toBe(
      'TERMINAL_ABSENT',
    );
    expect(await codeOf(member.calls.setPollingState({ params: rz, query: { meetId, polling: '0' }, body: {} }))).toBe(
      'FORBIDDEN',
    );
  });

  test('runs it in a seat, puts it on air and takes it off again', async () => {
    await host.calls.setLayout({ params: rz, body: { meetId, screenModel: '4', polling: 2 } });
    await start();
    expect((await room.control()).mode).toBe('AUTO');
    await host.calls.startBroadcastPolling({ params: rz, body: { meetId, pollingEnable: true } });
    expect((await room.control()).mode).toBe('POLLING');
    await host.calls.startBroadcastPolling({ params: rz, body: { meetId, pollingEnable: false } });
    expect(await room.control()).toMatchObject({ mode: 'AUTO', polling: { turn: { termId: host.termId } } });
    await host.calls.setLayout({ params: rz, body: { meetId, screenModel: 'AUTO' } });
    expect(await polling()).toBeNull();
  });

  test('shows the round to a lecturer and the lecturer to all others, until the lecturer leaves', async () => {
    await start({}, { lectureId: member.termId });
    expect(await room.control()).toMatchObject({
      mode: 'LECTURE',
      speakerId: member.termId,
      polling: { turn: { termId: host.termId }, next: guest.termId },
    });
    await member.calls.leave(room);
    expect(await room.control()).toMatchObject({ mode: 'AUTO', speakerId: null, polling: null });
    await host.calls.setConfMode({ params: rz, query: { meetId, videoSet: 'LECTURE', termId: guest.termId } });
    expect((await room.control()).speakerId).toBe(guest.termId);
    expect(await codeOf(host.calls.setConfMode({ params: rz, query: { meetId, videoSet: 'LECTURE' } }))).toBe(
      'INVALID_INPUT',
    );
  });
});
