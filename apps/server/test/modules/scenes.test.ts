import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeOf, signIn, type Person } from './support/client.ts';
import { openConference, replayed, rz, type Inside, type TestConference } from './support/conference.ts';
import { invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
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
let params: { meetId: string };

beforeAll(async () => {
  server = await startTestServer();
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
});
afterAll(() => server.close());
beforeEach(async () => {
  room = await openConference(server, alice, { participants: invite(server, 'bob') });
  ({ meetId, params } = room);
  host = await room.join(alice);
  member = await room.join(bob);
  guest = await room.guest('Carol', 'carols');
});
afterEach(async () => {
  await room.close();
  await host.calls.end(room).catch(() => undefined);
});

const settled = async () => ({ ...(await room.control()), version: 0 });
const sceneIn = (sceneId: string) => ({ params: { meetId, sceneId } });

/** Sets everything that a scene stores. */
async function arrange(): Promise<void> {
  await host.calls.setLayout({ params: rz, body: { meetId, screenModel: '9' } });
  await host.calls.setScreen({
    params: rz,
    body: {
      meetId,
      seats: [
        { seat: 1, source: member.termId },
        { seat: 2, source: guest.termId },
        { seat: 3, source: 'SPEAKER' },
      ],
    },
  });
  await host.calls.setConfSpeaker({ params: rz, query: { meetId, termId: member.termId } });
  await host.calls.termMute({ params: rz, body: { meetId, termId: guest.termId, mute: true } });
  await host.calls.setConfLock({ params: rz, query: { meetId, conflock: '1' } });
  await host.calls.lockConfContent({ params: rz, query: { meetId, termId: member.termId, action: 'LOCK' } });
  await host.calls.setConfCaptions({ params: rz, query: { meetId }, body: { text: 'Opening', seconds: 60 } });
  await host.calls.setChatLayout({ params: rz, body: { meetId, position: 'LEFT' } });
}

async function clear(): Promise<void> {
  await host.calls.setLayout({ params: rz, body: { meetId, screenModel: 'AUTO' } });
  await host.calls.setConfMode({ params: rz, query: { meetId, videoSet: 'EQUAL' } });
  await host.calls.unMuteAll({ params: rz, body: { meetId } });
  await host.calls.setConfLock({ params: rz, query: { meetId, conflock: '0' } });
  await host.calls.lockConfContent({ params: rz, query: { meetId, action: 'UNLOCK' } });
  await host.calls.setConfCaptions({ params: rz, query: { meetId }, body: { text: '' } });
  await host.calls.setChatLayout({ params: rz, body: { meetId, position: null } });
}

describe('a scene', () => {
  test('restores all its settings in one command, which all terminals confirm and undo reverts exactly', async () => {
    await arrange();
    const arranged = await settled();
    const { id } = await host.calls.saveScene({ params, body: { name: 'Opening' } });
    await clear();
    const cleared = await settled();
    const applied = await host.calls.applyScene(sceneIn(id));
    expect(applied.affected).toHaveLength(3);
    expect(await settled()).toEqual(arranged);
    await host.calls.undo({ params, body: { commandId: applied.commandId } });
    expect(await settled()).toEqual(cleared);
    expect(replayed(await room.log())).toEqual(await room.control());
  });

  test('finds the same people in the next conference, and keeps the seats of absent people', async () => {
    await arrange();
    const { id } = await host.calls.saveScene({ params, body: { name: 'Opening' } });
    const former = guest.termId;
    await guest.calls.leave(room);
    await member.calls.leave(room);
    await host.calls.setConfLock({ params: rz, query: { meetId, conflock: '0' } });
    member = await room.join(bob);
    await host.calls.applyScene(sceneIn(id));
    const control = await room.control();
    expect(control.speakerId).toBe(member.termId);
    expect(control.layout.seats).toEqual([
      { seat: 1, source: member.termId },
      { seat: 2, source: former },
      { seat: 3, source: 'SPEAKER' },
    ]);
    expect(control.contentLockId).toBe(member.termId);
  });

  test('has a unique name, can be renamed, saved again and deleted, and is visible to desks', async () => {
    const desk = await connect(server, { token: alice.token }, `meeting:${meetId}`);
    const scenesTold = async (): Promise<string[]> => {
      const message = await desk.message(
        (one) => 'event' in one && (one.event as { type: string }).type === 'scenesChanged',
      );
      desk.messages.splice(0, desk.messages.indexOf(message) + 1);
      return (message as unknown as { event: { scenes: { name: string }[] } }).event.scenes.map(({ name }) => name);
    };
    const { id } = await host.calls.saveScene({ params, body: { name: 'Opening' } });
    expect(await scenesTold()).toEqual(['Opening']);
    expect(await codeOf(host.calls.saveScene({ params, body: { name: ' Opening ' } }))).toBe('SCENE_NAME_TAKEN');
    await host.calls.setLayout({ params: rz, body: { meetId, screenModel: '16' } });
    const changed = await host.calls.changeScene({ ...sceneIn(id), body: { name: 'Debate', again: true } });
    expect([changed.name, changed.settings.layout.model]).toEqual(['Debate', '16']);
    expect((await alice.conferences.state({ params })).scenes.map(({ name }) => name)).toEqual(['Debate']);
    await host.calls.deleteScene(sceneIn(id));
    expect(await host.calls.scenes({ params })).toEqual([]);
    expect(await codeOf(host.calls.applyScene(sceneIn(id)))).toBe('NOT_FOUND');
    expect(await codeOf(member.calls.scenes({ params }))).toBe('FORBIDDEN');
    await desk.close();
  });

  test('is one of fifty at most', async () => {
    for (let at = 0; at < 50; at += 1) await host.calls.saveScene({ params, body: { name: `Scene ${at}` } });
    expect(await codeOf(host.calls.saveScene({ params, body: { name: 'One more' } }))).toBe('SCENES_FULL');
  });

  test('with a time is applied by the server at that time, once, and not long after', async () => {
    await host.calls.setLayout({ params: rz, body: { meetId, screenModel: '9' } });
    const { id } = await host.calls.saveScene({ params, body: { name: 'At noon', at: server.clock.in(5) } });
    await host.calls.setLayout({ params: rz, body: { meetId, screenModel: 'AUTO' } });
    await server.tick();
    expect((await room.control()).layout.model).toBe('AUTO');
    server.clock.advance({ minutes: 5, seconds: 1 });
    await server.tick();
    expect((await room.control()).layout.model).toBe('9');
    expect((await room.log()).at(-1)).toMatchObject({ verb: 'scene', commander: { kind: 'server' } });
    expect((await host.calls.scenes({ params }))[0]?.appliedAt).not.toBeNull();
    await host.calls.setLayout({ params: rz, body: { meetId, screenModel: 'AUTO' } });
    await server.tick();
    expect((await room.control()).layout.model).toBe('AUTO');
    await host.calls.changeScene({ ...sceneIn(id), body: { at: server.clock.in(-2) } });
    await server.tick();
    expect((await room.control()).layout.model).toBe('AUTO');
  });
});
