import { PublishRefused, type Participant } from '@rmeet/participant';
import { until } from '@rmeet/testkit';
import { TrackSource, type ParticipantPermission } from 'livekit-server-sdk';
import { expect, meets, people, test, type TestRoom } from './support.ts';

const { alice: red } = people;
const all = { canPublish: true, canSubscribe: true, canPublishData: true };

const permit = (room: TestRoom, identity: string, permission: Partial<ParticipantPermission>) =>
  room.api.updateParticipant(room.name, identity, { permission: { ...all, ...permission } });

/** Packets that a headless participant receives from all others within a second. */
async function packetsInASecond(who: Participant): Promise<number> {
  const count = (): number =>
    [...who.tracks.values()].reduce((sum, { counters }) => sum + counters.packets, who.raw.unknownPackets());
  const before = count();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return count() - before;
}

test('a participant without permission to publish sees and hears, and publishing is refused', async ({ room }) => {
  const alice = await room.join('alice', { grant: { canPublish: false } });
  const bob = await room.join('bob', { publish: true });
  await meets(alice, 'bob');
  await expect(alice.run('publish')).rejects.toThrow(/permission/i);
  // livekit-client itself refuses; a client that does not is rejected as well
  const dora = await room.joinHeadless('dora', { grant: { canPublish: false } });
  await expect(dora.publishAudio()).rejects.toThrow(PublishRefused);
  const known = await until('bob knows dora', () => bob.knows('dora'));
  expect(known.tracks).toEqual([]);
});

test('sources that are not allowed are refused, the others are received', async ({ room }) => {
  const alice = await room.join('alice', {
    grant: { canPublishSources: [TrackSource.MICROPHONE, TrackSource.SCREEN_SHARE] },
  });
  const bob = await room.join('bob');
  await expect(alice.run('setCamera', true)).rejects.toThrow(/permission/i);
  await alice.run('publishTone', red.tone);
  await alice.run('share');
  await bob.hears('alice', red.tone);
  expect((await bob.knows('alice'))!.tracks.map(({ source }) => source).toSorted()).toEqual([
    'microphone',
    'screen_share',
  ]);
  const dora = await room.joinHeadless('dora', { grant: { canPublishSources: [TrackSource.MICROPHONE] } });
  await expect(dora.publishVideo()).rejects.toThrow(PublishRefused);
});

test('a participant without permission to subscribe receives nothing, and is seen', async ({ room }) => {
  const alice = await room.join('alice', { grant: { canSubscribe: false }, publish: true });
  const bob = await room.join('bob', { publish: true });
  const dora = await room.joinHeadless('dora', { grant: { canSubscribe: false } });
  await meets(bob, 'alice');
  expect((await alice.knows('bob'))!.tracks.map(({ subscribed }) => subscribed)).toEqual([false, false]);
  expect(await alice.received()).toEqual([]);
  expect(await packetsInASecond(dora)).toBe(0);
});

test('a hidden participant sees and hears all others, and none of them knows', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob', { grant: { hidden: true } });
  await meets(bob, 'alice');
  expect((await alice.state()).remotes).toEqual({});
  const carol = await room.join('carol');
  expect(Object.keys((await carol.state()).remotes)).toEqual(['alice']);
  await bob.run('leave');
  await carol.run('send', 'marker', { reliable: true });
  await until('the marker comes', async () => (await alice.state()).messages.length === 1);
  expect((await alice.state()).events).not.toContain('ParticipantDisconnected');
});

test('all participants see when a recorder comes and goes', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  expect((await alice.state()).recording).toBe(false);
  const recorder = await room.joinHeadless('recorder', { grant: { recorder: true, hidden: true, canPublish: false } });
  await alice.isTold('RecordingStatusChanged true');
  const bob = await room.join('bob');
  expect((await bob.state()).recording).toBe(true);
  expect((await bob.state()).remotes).toEqual({ alice: 'alice' });
  recorder.leave();
  await bob.isTold('RecordingStatusChanged false');
});

test('a publisher decides who receives which track', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const [bob, carol] = [await room.join('bob'), await room.join('carol')];
  await meets(bob, 'alice');
  await meets(carol, 'alice');
  const microphone = (await bob.knows('alice'))!.tracks.find(({ source }) => source === 'microphone')!;
  await alice.run('allowSubscribers', false, [
    { participantIdentity: 'bob', allowAll: true },
    { participantIdentity: 'carol', allowedTrackSids: [microphone.sid] },
  ]);
  await carol.isTold('TrackSubscriptionPermissionChanged camera not_allowed alice');
  await until('carol sees nothing', async () => (await carol.pictures()).length === 0);
  await carol.hears('alice', red.tone);
  await meets(bob, 'alice');
  await alice.run('allowSubscribers', true);
  await meets(carol, 'alice');
});

test('revoking the right to publish removes the tracks; granted again, they can be published again', async ({
  room,
}) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob');
  await meets(bob, 'alice');
  await permit(room, 'alice', { canPublishSources: [TrackSource.CAMERA] });
  await bob.isTold('TrackUnpublished microphone alice');
  await alice.isTold('LocalTrackUnpublished microphone alice');
  await bob.sees('alice', red.colour);
  await permit(room, 'alice', { canPublish: false });
  await bob.isTold('TrackUnpublished camera alice');
  expect((await alice.state()).me.canPublish).toBe(false);
  await permit(room, 'alice', {});
  await until('alice knows', async () => (await alice.state()).me.canPublish);
  await alice.run('publish');
  await meets(bob, 'alice');
});

test('revoking the right to subscribe removes all tracks; granted again, all return', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob', { publish: true });
  await meets(bob, 'alice');
  await permit(room, 'bob', { canSubscribe: false });
  await until('bob gets nothing', async () => (await bob.received()).length === 0);
  await meets(alice, 'bob');
  await permit(room, 'bob', {});
  await meets(bob, 'alice');
});

test('a removed participant is disconnected with the reason, and the others see the departure', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob');
  await meets(bob, 'alice');
  await room.api.removeParticipant(room.name, 'alice');
  await alice.isTold('Disconnected 4');
  await bob.isTold('ParticipantDisconnected alice');
  expect(await bob.pictures()).toEqual([]);
  expect((await room.api.listParticipants(room.name)).map(({ identity }) => identity)).toEqual(['bob']);
  expect((await alice.state()).connection).toBe('disconnected');
});

test('the server mutes a track and may not unmute it; its owner may', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob');
  await meets(bob, 'alice');
  const { tracks } = await room.api.getParticipant(room.name, 'alice');
  const { sid } = tracks.find(({ source }) => source === TrackSource.MICROPHONE)!;
  expect((await room.api.mutePublishedTrack(room.name, 'alice', sid, true)).muted).toBe(true);
  await alice.isTold('TrackMuted microphone alice');
  await bob.isTold('TrackMuted microphone alice');
  await until('there is silence', async () => (await bob.sounds()).length === 0);
  await bob.sees('alice', red.colour);
  await expect(room.api.mutePublishedTrack(room.name, 'alice', sid, false)).rejects.toThrow(
    'remote unmute not enabled',
  );
  await alice.run('mute', 'microphone', false);
  await bob.hears('alice', red.tone);
});

test('a participant without permission to change their own name is refused', async ({ room }) => {
  const [alice, bob] = [await room.join('alice', { grant: { canUpdateOwnMetadata: false } }), await room.join('bob')];
  await expect(alice.run('local', 'setName', 'Queen')).rejects.toThrow(/allow|permission/i);
  await expect(alice.run('local', 'setAttributes', { crown: 'yes' })).rejects.toThrow(/allow|permission/i);
  expect(await bob.knows('alice')).toMatchObject({ name: 'alice', attributes: {} });
});
