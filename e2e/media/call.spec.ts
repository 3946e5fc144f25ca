import { hearsTone, until, type CallPage } from '@rmeet/testkit';
import { expect, meets, people, screen, test } from './support.ts';

const { alice: red } = people;

/** Packets and bytes of a person's audio received within a second. */
async function soundInASecond(page: CallPage, from: string): Promise<{ packets: number; bytes: number }> {
  const before = await page.stream('audio', from);
  await page.page.waitForTimeout(1_000);
  const after = await page.stream('audio', from);
  return {
    packets: after!.packetsReceived - before!.packetsReceived,
    bytes: after!.bytesReceived - before!.bytesReceived,
  };
}

/** Waits until no more audio of a person arrives. */
async function hearsNothing(page: CallPage): Promise<void> {
  await until('there is silence', async () => (await page.sounds()).length === 0);
}

async function seesNothing(page: CallPage): Promise<void> {
  await until('nothing is seen', async () => (await page.pictures()).length === 0);
}

test('two people see and hear each other', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob', { publish: true });
  await meets(alice, 'bob');
  await meets(bob, 'alice');
  expect((await bob.pictures()).map(({ width, height }) => [width, height])).toEqual([[320, 180]]);
});

test('a late joiner gets all media that exist, and the others get the media of the late joiner', async ({ room }) => {
  const [dora, erik] = [await room.joinHeadless('dora'), await room.joinHeadless('erik', { name: 'Erik E.' })];
  await dora.publishAudio({ tone: 500 });
  await dora.publishVideo({ colour: 'yellow', height: 180 });
  await erik.publishAudio({ tone: 900 });
  await erik.publishVideo({ colour: 'magenta', height: 180 });
  const alice = await room.join('alice', { publish: true });
  expect((await alice.state()).remotes).toEqual({ dora: 'dora', erik: 'Erik E.' });
  await alice.sees('dora', '#e0c020');
  await alice.sees('erik', '#c030b0');
  await alice.hears('dora', 500);
  await alice.hears('erik', 900);
  const bob = await room.join('bob');
  await meets(bob, 'alice');
  await bob.sees('erik', '#c030b0');
  await alice.isTold('ParticipantConnected bob');
});

test('a muted microphone sends nothing and shows as muted; unmuted, it is heard again', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob');
  await meets(bob, 'alice');
  await alice.run('mute', 'microphone', true);
  await bob.isTold('TrackMuted microphone alice');
  await hearsNothing(bob);
  // an engine may send some silence first, so that decoders end cleanly
  await until('nothing comes any more', async () => (await soundInASecond(bob, 'alice')).packets <= 2);
  expect(
    (await room.api.getParticipant(room.name, 'alice')).tracks.map(({ source, muted }) => ({ source, muted })),
  ).toContainEqual({ source: 2, muted: true });
  await alice.run('mute', 'microphone', false);
  await bob.isTold('TrackUnmuted microphone alice');
  await bob.hears('alice', red.tone);
});

test('a camera that is switched off and on again is visible again, as the same track', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob');
  await bob.sees('alice', red.colour);
  const { tracks: before } = (await bob.knows('alice'))!;
  await alice.run('setCamera', false);
  await bob.isTold('TrackMuted camera alice');
  const frozen = (await bob.stream('video', 'alice'))!.framesDecoded;
  await bob.page.waitForTimeout(700);
  expect((await bob.stream('video', 'alice'))!.framesDecoded - frozen).toBeLessThanOrEqual(2);
  await alice.run('setCamera', true);
  await bob.sees('alice', red.colour);
  expect((await bob.knows('alice'))!.tracks.map(({ sid }) => sid)).toEqual(before.map(({ sid }) => sid));
});

test('an unpublished track disappears, and one published again is a new track', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob');
  await meets(bob, 'alice');
  for (const source of ['camera', 'microphone']) {
    await alice.run('unpublish', source);
    await bob.isTold(`TrackUnpublished ${source} alice`);
    await bob.isTold(`TrackUnsubscribed ${source} alice`);
  }
  expect(await bob.pictures()).toEqual([]);
  expect((await bob.knows('alice'))!.tracks).toEqual([]);
  await alice.run('publishPicture', '#e0c020');
  await alice.run('publishTone', 500);
  await bob.sees('alice', '#e0c020');
  await bob.hears('alice', 500);
});

test('two cameras and two microphones of one person are separate tracks', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  await alice.run('publishPicture', '#e0c020', { width: 160, height: 120 }, { name: 'second' });
  await alice.run('publishTone', 500, { name: 'second' });
  const bob = await room.join('bob');
  await bob.sees('alice', red.colour, { width: 320 });
  await bob.sees('alice', '#e0c020', { width: 160 });
  await bob.hears('alice', red.tone);
  await bob.hears('alice', 500);
  await alice.run('unpublish', 'second');
  await until('one of the cameras is gone', async () => (await bob.pictures()).length === 1);
  await bob.sees('alice', red.colour);
});

test('a screen is shared with its sound beside camera and microphone, and ends', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob');
  await alice.run('setScreen', true, { audio: true });
  await bob.sees('alice', screen.colour, { source: 'screen_share', width: 1280 });
  await bob.hears('alice', screen.tone, 'screen_share_audio');
  await meets(bob, 'alice');
  await alice.run('setScreen', false);
  await bob.isTold('TrackUnsubscribed screen_share alice');
  await bob.isTold('TrackUnsubscribed screen_share_audio alice');
  expect((await bob.pictures()).map(({ source }) => source)).toEqual(['camera']);
});

test('stereo keeps its channels apart', async ({ room }) => {
  const alice = await room.join('alice');
  const bob = await room.join('bob');
  await alice.run('publishTone', 500, { right: 1700, forceStereo: true });
  await until('each side has its tone', async () => {
    const [sound] = await bob.sounds();
    return sound && hearsTone([sound.left], 500) && hearsTone([sound.right], 1700);
  });
});

test('with discontinuous transmission, silence sends almost no packets, and sound is heard at once', async ({
  room,
}) => {
  const alice = await room.join('alice');
  const bob = await room.join('bob');
  await alice.run('publishTone', red.tone, { dtx: true, red: false });
  await bob.hears('alice', red.tone);
  expect((await soundInASecond(bob, 'alice')).packets).toBeGreaterThan(35);
  await alice.run('setLoudness', 0);
  await hearsNothing(bob);
  await until('hardly a packet comes', async () => (await soundInASecond(bob, 'alice')).packets < 12);
  await alice.run('setLoudness', 0.4);
  await bob.hears('alice', red.tone);
});

test('names, metadata and attributes come with participants, and changes reach all', async ({ room }) => {
  const alice = await room.join('alice', {
    name: 'Alice A.',
    metadata: '{"seat":1}',
    attributes: { hand: 'down', lang: 'de' },
    grant: { canUpdateOwnMetadata: true },
  });
  const bob = await room.join('bob');
  expect(await bob.knows('alice')).toMatchObject({
    name: 'Alice A.',
    metadata: '{"seat":1}',
    attributes: { hand: 'down', lang: 'de' },
  });
  await alice.run('local', 'setName', 'Dr. A.');
  await alice.run('local', 'setMetadata', '{"seat":2}');
  await alice.run('local', 'setAttributes', { hand: 'up', lang: '' });
  await until('bob has all of it', async () => {
    const known = await bob.knows('alice');
    return (
      known?.name === 'Dr. A.' &&
      known.metadata === '{"seat":2}' &&
      known.attributes['hand'] === 'up' &&
      !known.attributes['lang']
    );
  });
  const carol = await room.join('carol');
  expect(await carol.knows('alice')).toMatchObject({
    name: 'Dr. A.',
    metadata: '{"seat":2}',
    attributes: { hand: 'up' },
  });
});

test('a participant who leaves disappears for the others, with their tracks', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob', { publish: true });
  await meets(bob, 'alice');
  await alice.run('leave');
  await bob.isTold('ParticipantDisconnected alice');
  await seesNothing(bob);
  await hearsNothing(bob);
  expect((await bob.state()).remotes).toEqual({});
  const again = await room.join('alice', { publish: true });
  await meets(again, 'bob');
  await meets(bob, 'alice');
});
