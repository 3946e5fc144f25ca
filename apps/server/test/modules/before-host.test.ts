import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { NO_CONTROL, withChanges, type ConferenceControl } from '@rmeet/conference';
import type { MeetingBody } from '@rmeet/contract';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { signIn, type Person } from './support/client.ts';
import { openConference, rz, type TestConference } from './support/conference.ts';
import { invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let room: TestConference;
beforeAll(async () => {
  server = await startTestServer({ capacity: 3 });
});
afterAll(() => server.close());
beforeEach(async () => {
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
});
afterEach(() => room.close());

const open = async (body: Partial<MeetingBody> = {}) => {
  room = await openConference(server, alice, { joinBeforeHost: false, participants: invite(server, 'bob'), ...body });
  return room;
};
const idOf = (name: string): string => server.people.get(name)?.id ?? '';
const joinRaw = (who: Person, body: object = {}) =>
  who.conferences.join({ body: { numericId: room.meeting.numericId, ...body } });

describe('before a host is inside', () => {
  test('members and guests wait, and enter automatically with the first host', async () => {
    await open();
    const [member, guest] = [await room.join(bob), await room.guest('Guest')];
    const socket = await connect(server, { sessionToken: member.token }, `meeting:${room.meetId}`);
    const host = await room.join(alice);
    expect(host.state).toBe('admitted');
    await socket.event('admitted');
    await socket.close();
    for (const { calls } of [member, guest])
      expect(await calls.enter({ params: room.params })).toMatchObject({ state: 'admitted' });
    // Once a host has been present, no terminal waits any more, even if the host has left.
    await host.calls.leave({ params: room.params });
    await member.calls.leave({ params: room.params });
    expect((await room.join(bob)).state).toBe('admitted');
  });

  test('a stand-in or an administrator counts as a host', async () => {
    await open();
    const member = await room.join(bob);
    await room.join(await signIn(server, 'admin'));
    expect(await member.calls.enter({ params: room.params })).toMatchObject({ state: 'admitted' });
  });

  test('a stand-in admits them by joining, as the host does', async () => {
    await open();
    const member = await room.join(bob);
    await alice.conferences.grantAuth({
      query: { meetId: room.meetId },
      body: { userIds: [idOf('carol')], rights: 'control' },
    });
    await room.join(await signIn(server, 'carol'));
    expect(await member.calls.enter({ params: room.params })).toMatchObject({ state: 'admitted' });
  });

  test('a waiting person who is granted the meeting enters as host, and the others follow', async () => {
    await open();
    const [member, guest] = [await room.join(bob), await room.guest('Guest')];
    const socket = await connect(server, { sessionToken: member.token }, `meeting:${room.meetId}`);
    await alice.conferences.grantAuth({
      query: { meetId: room.meetId },
      body: { userIds: [idOf('bob')], rights: 'control' },
    });
    await socket.event('admitted');
    await socket.close();
    for (const { calls } of [member, guest])
      expect(await calls.enter({ params: room.params })).toMatchObject({ state: 'admitted' });
    expect(await room.control()).toMatchObject({
      chairId: member.termId,
      terminals: { [member.termId]: { role: 'host', present: true } },
    });
  });

  test('a waiting person who is granted the meeting enters at once, even if the meeting is full', async () => {
    await open({ waitingRoom: true, joinBeforeHost: true, participants: [] });
    const member = await room.join(bob, { password: '4821' });
    for (const name of ['One', 'Two', 'Three']) {
      const { termId } = await room.guest(name);
      const desk = await room.desk('chair', alice);
      await desk.conferences.admit({ params: room.params, body: { termIds: [termId], admit: true } });
    }
    expect(member.state).toBe('waiting');
    await alice.conferences.grantAuth({
      query: { meetId: room.meetId },
      body: { userIds: [idOf('bob')], rights: 'control' },
    });
    expect(await member.calls.enter({ params: room.params })).toMatchObject({ state: 'admitted' });
  });

  test('a grant to a participant admits those who waited for a host', async () => {
    await open();
    const member = await room.join(bob);
    const desk = await room.desk('chair', alice);
    await desk.conferences.admit({ params: room.params, body: { termIds: [member.termId], admit: true } });
    const guest = await room.guest('Guest');
    expect(guest.state).toBe('waiting');
    await alice.conferences.grantAuth({
      query: { meetId: room.meetId },
      body: { userIds: [idOf('bob')], rights: 'control' },
    });
    expect(await guest.calls.enter({ params: room.params })).toMatchObject({ state: 'admitted' });
  });

  test('people who need admission after the host has joined are notified of it', async () => {
    await open();
    const member = await room.join(bob);
    const socket = await connect(server, { sessionToken: member.token }, `meeting:${room.meetId}`);
    const desk = await room.desk('chair', alice);
    await desk.conferences.entry({ params: room.params, body: { waitingRoom: true } });
    expect(await member.calls.enter({ params: room.params })).toMatchObject({ state: 'waiting', awaitsHost: true });
    await room.join(alice);
    expect((await socket.event('waitChanged')).event).toEqual({ type: 'waitChanged', awaitsHost: false });
    await socket.close();
    expect(await member.calls.enter({ params: room.params })).toMatchObject({ state: 'waiting', awaitsHost: false });
  });

  test('no one waits if the meeting does not require it', async () => {
    await open({ joinBeforeHost: true });
    expect((await room.join(bob)).state).toBe('admitted');
    expect((await room.guest('Guest')).state).toBe('admitted');
  });

  test('guests of a meeting with a waiting room still wait for the host to admit them', async () => {
    await open({ waitingRoom: true });
    const [member, guest] = [await joinRaw(bob), await room.guest('Guest')];
    expect(member).toMatchObject({ state: 'waiting', awaitsHost: true });
    const host = await room.join(alice);
    expect(await guest.calls.enter({ params: room.params })).toMatchObject({ state: 'waiting', awaitsHost: false });
    const { state } = await room.watch(host);
    expect(state.waiting.map(({ name }) => name)).toEqual(['Guest']);
    expect(state.terminals.map(({ name }) => name).toSorted()).toEqual(['Alice', 'Bob']);
  });

  test('people above the capacity keep waiting, and the host can admit them later', async () => {
    await open();
    const guests = [await room.guest('One'), await room.guest('Two'), await room.guest('Three')];
    const host = await room.join(alice);
    const states = await Promise.all(
      guests.map(async ({ calls }) => (await calls.enter({ params: room.params })).state),
    );
    expect(states).toEqual(['admitted', 'admitted', 'waiting']);
    await guests[0]?.calls.leave({ params: room.params });
    await host.calls.admit({ params: room.params, body: { termIds: [guests[2]?.termId ?? ''], admit: true } });
    expect((await guests[2]?.calls.enter({ params: room.params }))?.state).toBe('admitted');
  });
});

describe('a conference begins', () => {
  test('muted if the meeting was booked so, also in the tokens of the media engine', async () => {
    await open({ joinBeforeHost: true, muteOnEntry: true });
    const member = await room.join(bob);
    const control = await room.control();
    expect(control).toMatchObject({ muteOnEntry: true, mode: 'AUTO' });
    expect(control.terminals[member.termId]).toMatchObject({ muted: true });
    const token = server.media.tokens.findLast(({ identity }) => identity === member.termId);
    expect(token?.canPublishSources).not.toContain('microphone');
    const host = await room.join(alice);
    expect((await room.control()).terminals[host.termId]).toMatchObject({ muted: false });
    await host.calls.entry({ params: room.params, body: { muteOnEntry: false } });
    expect((await room.guest('Guest')).state).toBe('admitted');
  });

  test('as its template says: the first host of a lecture is on air', async () => {
    await open({ joinBeforeHost: true, template: 'lecture' });
    const member = await room.join(bob);
    expect(await room.control()).toMatchObject({ mode: 'SPEAKER', speakerId: null });
    const host = await room.join(alice);
    expect(await room.control()).toMatchObject({ mode: 'SPEAKER', speakerId: host.termId });
    await room.join(await signIn(server, 'admin'));
    expect(await room.control()).toMatchObject({ speakerId: host.termId });
    await host.calls.setConfMode({
      params: rz,
      query: { meetId: room.meetId, videoSet: 'SPEAKER', termId: member.termId },
    });
    const control = await room.control();
    expect(control).toMatchObject({ speakerId: member.termId });
    expect(
      (await room.log()).reduce<ConferenceControl>(
        (state, { changes, version }) => withChanges(state, changes, version),
        { ...NO_CONTROL, mode: 'SPEAKER' },
      ),
    ).toEqual(control);
  });

  test('and tells cameras what to send, at each entry: unless it says, in the codec of the organisation', async () => {
    await open({ joinBeforeHost: true, template: 'rooms' });
    expect(await joinRaw(alice)).toMatchObject({ state: 'admitted', camera: { codec: 'h264', bitrate: 3_000 } });
    const member = await room.join(bob);
    expect(await member.calls.enter({ params: room.params })).toMatchObject({
      camera: { codec: 'h264', bitrate: 3_000 },
    });
    await room.close();
    await open({ joinBeforeHost: true, template: 'lowBandwidth' });
    expect(await joinRaw(alice)).toMatchObject({ camera: { codec: 'h264', bitrate: 500 } });
  });

  test('an organisation can choose VP8; rooms and encrypted meetings have codecs of their own', async () => {
    const { tenantId } = server.people.get('alice')!;
    const setCodec = (codec: 'h264' | 'vp8') =>
      server.db.platform((tx) => tx.update(tenant, { codec }, eq(tenant.tenantId, tenantId)));
    const codecOf = async (booked: Partial<MeetingBody>, body: object = {}) => {
      await open({ joinBeforeHost: true, ...booked });
      const admission = await joinRaw(alice, body);
      return 'camera' in admission ? admission.camera.codec : undefined;
    };
    expect(await codecOf({ e2ee: true }, { e2ee: true })).toBe('vp8');
    await room.close();
    await setCodec('vp8');
    try {
      expect(await codecOf({})).toBe('vp8');
      await room.close();
      expect(await codecOf({ template: 'rooms' })).toBe('h264');
    } finally {
      await setCodec('h264');
    }
  });
});
