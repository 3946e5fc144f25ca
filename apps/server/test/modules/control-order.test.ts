import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { applyCommand, NO_CONTROL } from '@rmeet/conference';
import type { DeskEvent } from '@rmeet/contract';
import { conferenceCommand, type CommandRow } from '../../src/modules/conferences/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { openConference, replayed, rz, type Inside, type TestConference } from './support/conference.ts';
import { connect, type TestSocket } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
beforeAll(async () => {
  server = await startTestServer();
  alice = await signIn(server, 'alice');
});
afterAll(() => server.close());
let rooms: TestConference[] = [];
afterEach(async () => {
  for (const room of rooms) {
    await room.close();
    await alice.conferences.end(room);
  }
  rooms = [];
});

async function withGuests(count: number): Promise<{ room: TestConference; host: Inside; guests: Inside[] }> {
  const room = await openConference(server, alice);
  rooms.push(room);
  const host = await room.join(alice);
  const guests: Inside[] = [];
  for (let i = 0; i < count; i += 1) guests.push(await room.guest(`Guest ${i}`));
  return { room, host, guests };
}

test('concurrent commands, with joins and departures among them, have one order without a gap', async () => {
  const { room, host, guests } = await withGuests(6);
  const { meetId } = room;
  const desk = (await room.desk('chair', alice)).conferences;
  const { socket } = await room.watch(host);
  const give = (i: number): Promise<unknown> => {
    const calls = i % 2 === 0 ? host.calls : desk;
    const { termId } = guests[i % 4] as Inside;
    switch (i % 7) {
      case 0:
        return calls.termMute({ params: rz, body: { meetId, termId, mute: i % 4 < 2 } });
      case 1:
        return calls.muteAll({ params: rz, body: { meetId } });
      case 2:
        return calls.setConfSpeaker({ params: rz, query: { meetId, termId } });
      case 3:
        return calls.coChairs({ params: room.params, body: { termIds: [termId], appoint: i % 3 === 0 } });
      case 4:
        return calls.setVolumeTerminal({ params: rz, body: { conferId: meetId, termId, volume: i } });
      case 5:
        return calls.setConfLock({ params: rz, query: { meetId, conflock: '0' } });
      default:
        return calls.setConfChairman({ params: rz, query: { meetId, termId } });
    }
  };
  const comings = [guests[4]?.calls.leave(room), guests[5]?.calls.leave(room), room.guest('Late')].filter(
    (one) => one !== undefined,
  );
  const commands = Array.from({ length: 50 }, (_, i) => give(i));
  expect(await Promise.all(commands.map(codeOf))).toEqual(commands.map(() => 'OK'));
  await Promise.all(comings);

  const log = await room.log();
  expect(log.map(({ version }) => version)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  expect(log.map(({ pushVersion }) => pushVersion)).toEqual(
    log.map(({ pushVersion }) => pushVersion).toSorted((a, b) => a - b),
  );
  const control = await room.control();
  expect(replayed(log)).toEqual(control);
  expect(log.reduce((state, { command }) => applyCommand(state, command), NO_CONTROL)).toEqual(control);

  // Clients that followed by push have the same state.
  const { id } = log.at(-1) ?? { id: '' };
  await socket.message(
    (message) => 'event' in message && 'step' in message.event && message.event.step.commandId === id,
  );
  const told = socket.messages.flatMap((message) =>
    'event' in message && 'step' in message.event ? [message.event.step.version] : [],
  );
  expect(told).toEqual(told.toSorted((a, b) => a - b));
});

test('one command that two callers undo at once is undone once', async () => {
  const { room, host } = await withGuests(0);
  const { commandId } = await host.calls.setConfLock({ params: rz, query: { meetId: room.meetId, conflock: '1' } });
  const undo = () => codeOf(alice.conferences.undo({ params: room.params, body: { commandId } }));
  expect((await Promise.all([undo(), undo()])).toSorted()).toEqual(['OK', 'UNDO_IMPOSSIBLE']);
});

type Acknowledged = Extract<DeskEvent, { type: 'acknowledged' }>['acks'];
/** The acknowledgements of terminals that a desk has received. */
const acksOf = (desk: TestSocket): Acknowledged =>
  desk.messages.flatMap((message) =>
    'event' in message && message.event.type === 'acknowledged'
      ? message.event.acks.filter(({ termId }) => termId !== '@engine')
      : [],
  );
const batchesOf = (desk: TestSocket): number => desk.eventTypes.filter((type) => type === 'acknowledged').length;

test('acknowledgements are collected, stored with their latency, and sent to desks only', async () => {
  const { room, host, guests } = await withGuests(8);
  const topic = `meeting:${room.meetId}`;
  const desk = await connect(server, { token: alice.token }, topic);
  const sockets: TestSocket[] = [];
  for (const guest of guests) sockets.push((await room.watch(guest)).socket);
  const { commandId, affected } = await host.calls.muteAll({ params: rz, body: { meetId: room.meetId } });
  expect(affected).toHaveLength(8);
  const { pushVersion } = (await room.log()).at(-1) ?? { pushVersion: 0 };
  server.clock.advance({ seconds: 0.12 });
  await Promise.all(
    sockets.map(async (socket, i) => {
      await socket.message((message) => 'event' in message && message.event.type === 'control');
      socket.send({ ack: { topic, version: pushVersion, ...(i === 3 ? { failed: 'deviceRefused' } : {}) } });
    }),
  );
  await desk.message(() => acksOf(desk).length === 8);
  expect(new Set(acksOf(desk).map(({ termId }) => termId))).toEqual(new Set(affected));
  expect(acksOf(desk).find(({ termId }) => termId === guests[3]?.termId)).toEqual({
    commandId,
    termId: guests[3]?.termId,
    latency: 120,
    failed: 'deviceRefused',
  });
  expect(batchesOf(desk)).toBeLessThanOrEqual(8);
  expect(
    sockets.every(
      (socket) => !socket.eventTypes.includes('acknowledged') && !socket.eventTypes.includes('commandInput'),
    ),
  ).toBe(true);

  // A repeated acknowledgement, and one for other commands, add nothing.
  sockets[0]?.send({ ack: { topic, version: pushVersion } });
  const camera = await host.calls.screenVideo({
    params: rz,
    body: { meetId: room.meetId, termId: guests[1]?.termId, open: false },
  });
  const later = (await room.log()).at(-1)?.pushVersion ?? 0;
  for (const socket of sockets.slice(0, 2)) socket.send({ ack: { topic, version: later } });
  await desk.message(() => acksOf(desk).length === 9);
  expect(acksOf(desk).at(-1)).toMatchObject({ commandId: camera.commandId, termId: guests[1]?.termId, failed: null });
  const log = await alice.conferences.events({ params: room.params, query: { after: '9' } });
  expect(
    log.map(({ verb, acknowledgements }) => [
      verb,
      acknowledgements.filter(({ termId }) => termId !== '@engine').length,
    ]),
  ).toEqual([
    ['muteAll', 8],
    ['camera', 1],
  ]);
  await desk.close();
});

test('a terminal that missed 8,300 commands acknowledges them all at once, each stored once', async () => {
  const { room, host, guests } = await withGuests(1);
  const desk = await connect(server, { token: alice.token }, `meeting:${room.meetId}`);
  const { socket } = await room.watch(guests[0] as Inside);
  const topic = `meeting:${room.meetId}`;
  await host.calls.muteAll({ params: rz, body: { meetId: room.meetId } });
  const { conferenceId, tenantId, pushVersion, ...command } = (await room.log()).at(-1) as CommandRow;
  const copies = Array.from({ length: 8_300 }, (_, i) => ({
    ...command,
    conferenceId,
    id: newId(),
    version: command.version + 100_000 + i,
    pushVersion: pushVersion + 1 + i,
  }));
  for (let i = 0; i < copies.length; i += 3_000)
    await server.db.tenant(tenantId, (tx) => tx.insert(conferenceCommand, copies.slice(i, i + 3_000)));
  // Three acknowledged versions of the terminal arrive together.
  for (const version of [pushVersion + 4_000, pushVersion + 8_000, pushVersion + 8_300])
    socket.send({ ack: { topic, version } });
  await desk.message(() => acksOf(desk).length >= 8_301);
  expect(acksOf(desk)).toHaveLength(8_301);
  expect(new Set(acksOf(desk).map(({ commandId }) => commandId)).size).toBe(8_301);
  await desk.close();
});

test('the engine acknowledges, too, reports its failures, and later success', async () => {
  const { room, host, guests } = await withGuests(1);
  const desk = await connect(server, { token: alice.token }, `meeting:${room.meetId}`);
  const termId = guests[0]?.termId ?? '';
  const params = { params: rz, body: { meetId: room.meetId, termId, mute: true } };
  const told = ({ commandId }: { commandId: string }, failed: string | null) =>
    desk.message(
      (message) =>
        'event' in message &&
        message.event.type === 'acknowledged' &&
        message.event.acks.some(
          (ack) => ack.commandId === commandId && ack.termId === '@engine' && ack.failed === failed,
        ),
    );
  await told(await host.calls.termMute(params), null);

  for (const one of [host.termId, termId]) server.media.connect(one);
  server.media.failFor.add(termId);
  const failing = await host.calls.screenVideo({ params: rz, body: { meetId: room.meetId, termId, open: false } });
  await told(failing, 'engineFailed');
  server.media.failFor.clear();
  await server.tick();
  await told(failing, null);
  await desk.close();
});
