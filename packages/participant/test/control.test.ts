import { once } from 'node:events';
import { TrackSource, type ParticipantPermission } from 'livekit-server-sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Participant, PublishRefused, type LocalTrack, type RemoteTrack } from '../src/index.ts';
import { startEngine, type TestEngine } from './engine.ts';

/**
 * The engine features that the product's conference control relies on, for the embedded engine and for a LiveKit server
 * (docs/engines.md). With PRINT_TIMES in the environment, it prints how long each takes.
 */
let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const WITHIN = { timeout: 10_000, interval: 5 };
const { CAMERA, MICROPHONE, SCREEN_SHARE, SCREEN_SHARE_AUDIO } = TrackSource;
const ALL = [CAMERA, MICROPHONE, SCREEN_SHARE, SCREEN_SHARE_AUDIO];
const HELD = [CAMERA, SCREEN_SHARE];

/** As set by the product: what a terminal may send; otherwise it may only receive. */
function permission(canPublishSources: TrackSource[], canPublish = true): Partial<ParticipantPermission> {
  return { canPublish, canPublishSources, canSubscribe: true };
}

function say(what: string, milliseconds: number): void {
  if (process.env['PRINT_TIMES']) process.stderr.write(`${what}: ${Math.round(milliseconds)} ms\n`);
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  say(what, performance.now() - started);
  return result;
}

const update = (identity: string, sources: TrackSource[], canPublish = true) =>
  engine.service.updateParticipant(engine.room, identity, { permission: permission(sources, canPublish) });

const soundOf = (who: Participant, identity: string): RemoteTrack | undefined =>
  [...who.tracks.values()].find((track) => track.identity === identity && track.kind === 'audio');

/** Waits until a participant's audio packets reach a listener. */
function hears(listener: Participant, identity: string): Promise<RemoteTrack> {
  const before = soundOf(listener, identity)?.counters.packets ?? 0;
  return vi.waitFor(() => {
    const track = soundOf(listener, identity);
    if (!track || track.counters.packets <= before + 2) throw new Error(`${identity} is not heard`);
    return track;
  }, WITHIN);
}

/** Audio packets of any participant that reach a listener within a second. */
async function packetsInASecond(listener: Participant): Promise<number> {
  const count = (): number =>
    [...listener.tracks.values()]
      .filter(({ kind }) => kind === 'audio')
      .reduce((sum, { counters }) => sum + counters.packets, listener.raw.unknownPackets());
  const before = count();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return count() - before;
}

async function publishedTo(listener: Participant, alice: Participant): Promise<LocalTrack> {
  const microphone = await alice.publishAudio({ tone: 700 });
  await hears(listener, alice.identity);
  return microphone;
}

test('a revoked permission stops the microphone, not the camera, even if the client ignores it', async () => {
  const bob = await engine.join('bob');
  const alice = await engine.join('alice', { obeys: false });
  const microphone = await publishedTo(bob, alice);
  await alice.publishVideo({ colour: 'red' });
  await vi.waitFor(() => expect(bob.tracks.size).toBe(2), WITHIN);

  const withdrawn = once(alice, 'withdrawn');
  const gone = once(bob, 'trackGone');
  let heardAt = 0;
  soundOf(bob, 'alice')!.onPacket = () => (heardAt = performance.now());
  const started = performance.now();
  await timed('UpdateParticipant that withdraws a track', () => update('alice', HELD));
  await gone;
  say('a held microphone, until its last packet', heardAt - started);
  expect(((await withdrawn) as [LocalTrack])[0].sid).toBe(microphone.sid);
  expect(await packetsInASecond(bob)).toBe(0);
  expect([...bob.tracks.values()].map(({ kind }) => kind)).toEqual(['video']);
  await vi.waitFor(() => expect(alice.self.permission?.canPublishSources).toEqual(HELD), WITHIN);

  // "Unmuted" has no effect: the track does not exist any more.
  alice.mute(microphone, true);
  alice.mute(microphone, false);
  expect(await packetsInASecond(bob)).toBe(0);
  for (const source of ['microphone', 'screenAudio', 'unknown'] as const) {
    await expect(alice.publishAudio({ tone: 700, source })).rejects.toThrow(PublishRefused);
  }
  expect(await packetsInASecond(bob)).toBe(0);
});

test('a source counts as announced: sound as a camera passes, and nothing does without canPublish', async () => {
  const bob = await engine.join('bob');
  const alice = await engine.join('alice', { obeys: false });
  await update('alice', HELD);
  await alice.publishAudio({ tone: 700, source: 'camera' });
  expect((await hears(bob, 'alice')).source).toBe('camera');
  const info = (await engine.service.listParticipants(engine.room)).find(({ identity }) => identity === 'alice');
  expect(info?.tracks.map(({ type, source }) => ({ type, source }))).toEqual([{ type: 0, source: CAMERA }]);

  await update('alice', [], false);
  await vi.waitFor(() => expect(bob.tracks.size).toBe(0), WITHIN);
  expect(await packetsInASecond(bob)).toBe(0);
  for (const source of ['camera', 'microphone', 'unknown'] as const)
    await expect(alice.publishAudio({ source })).rejects.toThrow(PublishRefused);
});

test('an empty list of sources allows all of them', async () => {
  const bob = await engine.join('bob');
  const alice = await engine.join('alice');
  await update('alice', []);
  await publishedTo(bob, alice);
});

test('after a permission is granted again the same client can publish again', async () => {
  const bob = await engine.join('bob');
  const alice = await engine.join('alice');
  await publishedTo(bob, alice);
  await update('alice', HELD);
  await vi.waitFor(() => expect(bob.tracks.size).toBe(0), WITHIN);
  await timed('given back, until heard again', async () => {
    await update('alice', ALL);
    await vi.waitFor(() => expect(alice.self.permission?.canPublishSources).toEqual(ALL), WITHIN);
    await publishedTo(bob, alice);
  });
});

test('a malicious client can unmute a track that the server muted', async () => {
  const bob = await engine.join('bob');
  const alice = await engine.join('alice', { obeys: false });
  const microphone = await publishedTo(bob, alice);
  await engine.service.mutePublishedTrack(engine.room, 'alice', microphone.sid, true);
  await vi.waitFor(() => expect(soundOf(bob, 'alice')?.muted).toBe(true), WITHIN);
  alice.mute(microphone, false);
  await hears(bob, 'alice');
});

test('a new connection gets the permissions of its token; a resumed one keeps the revoked ones', async () => {
  const bob = await engine.join('bob');
  const first = await engine.token('alice', { canPublishSources: [CAMERA, MICROPHONE] });
  const alice = await Participant.connect({ url: engine.url, token: first, reconnect: true });
  await update('alice', HELD);
  await vi.waitFor(() => expect(alice.self.permission?.canPublishSources).toEqual(HELD), WITHIN);
  const resumed = once(alice, 'reconnected');
  alice.raw.dropSignal();
  expect(await resumed).toEqual(['resumed']);
  await expect(alice.publishAudio({})).rejects.toThrow(PublishRefused);

  const again = await Participant.connect({ url: engine.url, token: first, obeys: false });
  await publishedTo(bob, again);
  await timed('an old token, until not heard after the update', async () => {
    await update('alice', HELD);
    await vi.waitFor(() => expect(soundOf(bob, 'alice')).toBeUndefined(), WITHIN);
  });
  expect(await packetsInASecond(bob)).toBe(0);
  again.leave();
});

test('a removed participant disconnects at once, and its token opens the room again', async () => {
  const bob = await engine.join('bob');
  const token = await engine.token('alice');
  const alice = await Participant.connect({ url: engine.url, token, reconnect: true });
  await publishedTo(bob, alice);
  const left = once(alice, 'left');
  const gone = once(bob, 'participantGone');
  await timed('removal, until the others know', async () => {
    await engine.remove('alice');
    await gone;
  });
  expect(await left).toMatchObject([{ reason: 'PARTICIPANT_REMOVED', action: 'DISCONNECT' }]);
  const again = await timed('coming in again', () => Participant.connect({ url: engine.url, token }));
  expect(again.identity).toBe('alice');
  again.leave();
});

test('metadata of the room and a new name reach all participants', async () => {
  const [alice, bob] = [await engine.join('alice'), await engine.join('bob')];
  await timed('metadata', async () => {
    await engine.service.updateRoomMetadata(engine.room, '{"mode":"EQUAL"}');
    await vi.waitFor(
      () => expect([alice.metadata, bob.metadata]).toEqual(['{"mode":"EQUAL"}', '{"mode":"EQUAL"}']),
      WITHIN,
    );
  });
  expect((await engine.join('carol')).metadata).toBe('{"mode":"EQUAL"}');
  expect((await engine.service.listRooms([engine.room]))[0]?.metadata).toBe('{"mode":"EQUAL"}');
  await timed('a new name', async () => {
    await engine.service.updateParticipant(engine.room, 'alice', { name: 'Alice B.' });
    await vi.waitFor(() => expect(bob.participants.get('alice')?.name).toBe('Alice B.'), WITHIN);
  });
  expect(alice.self.name).toBe('Alice B.');
});

test('a hidden participant hears, is listed by the server API, and is invisible to others', async () => {
  const bob = await engine.join('bob');
  const watcher = await Participant.connect({
    url: engine.url,
    token: await engine.token('W1', { hidden: true, canPublish: false, canPublishData: false }),
  });
  const alice = await engine.join('alice');
  await publishedTo(watcher, alice);
  expect([...bob.participants.keys()]).toEqual(['alice']);
  expect([...alice.participants.keys()]).toEqual(['bob']);
  const listed = await engine.service.listParticipants(engine.room);
  expect(listed.map(({ identity }) => identity).toSorted()).toEqual(['W1', 'alice', 'bob']);
  expect(listed.find(({ identity }) => identity === 'W1')?.permission?.hidden).toBe(true);
  await expect(watcher.publishAudio({})).rejects.toThrow(PublishRefused);
  await engine.remove('W1');
  await vi.waitFor(() => expect(watcher.ended).toBe(true), WITHIN);
});

test('a new token with fewer rights takes effect when it is used', async () => {
  const bob = await engine.join('bob');
  const alice = await engine.join('alice');
  await publishedTo(bob, alice);
  const held = await engine.token('alice', { canPublishSources: HELD });
  const again = await timed('coming in anew in place of the old connection', () =>
    Participant.connect({ url: engine.url, token: held }),
  );
  await expect(again.publishAudio({})).rejects.toThrow(PublishRefused);
  await vi.waitFor(() => expect(soundOf(bob, 'alice')).toBeUndefined(), WITHIN);
  expect(alice.ended).toBe(true);
  again.leave();
});

test('the server API sees at once what it changed', async () => {
  await engine.join('alice');
  await update('alice', HELD);
  const listed = await timed('ListParticipants', () => engine.service.listParticipants(engine.room));
  expect(listed[0]?.permission?.canPublishSources).toEqual(HELD);
});
