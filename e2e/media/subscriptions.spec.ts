import { until, type CallPage } from '@rmeet/testkit';
import { differenceOf } from './differences.ts';
import { expect, meets, people, test } from './support.ts';

const { alice: red } = people;

/** Bytes of a person's video received within half a second. */
async function videoBytes(page: CallPage, from: string): Promise<number> {
  const before = (await page.stream('video', from))!.bytesReceived;
  await page.page.waitForTimeout(500);
  return (await page.stream('video', from))!.bytesReceived - before;
}

test('a participant who subscribes by hand receives what it asks for and nothing else', async ({ room }) => {
  const alice = await room.join('alice', { publish: true });
  const bob = await room.join('bob', { options: { connect: { autoSubscribe: false } } });
  expect((await bob.knows('alice'))!.tracks.map(({ subscribed }) => subscribed)).toEqual([false, false]);
  expect(await bob.received()).toEqual([]);
  await bob.run('remote', 'alice', 'microphone', 'setSubscribed', true);
  await bob.hears('alice', red.tone);
  expect(await bob.pictures()).toEqual([]);
  await bob.run('remote', 'alice', 'camera', 'setSubscribed', true);
  await bob.sees('alice', red.colour);
  await alice.run('publishPicture', '#e0c020', { width: 160, height: 120 }, { name: 'later' });
  await bob.isTold('TrackPublished camera alice');
  expect((await bob.pictures()).length).toBe(1);
});

test('an unsubscribed track disappears and returns, for that subscriber alone', async ({ room }) => {
  await room.join('alice', { publish: true });
  const [bob, carol] = [await room.join('bob'), await room.join('carol')];
  await meets(bob, 'alice');
  await bob.run('remote', 'alice', 'camera', 'setSubscribed', false);
  await bob.isTold('TrackUnsubscribed camera alice');
  await bob.hears('alice', red.tone);
  await meets(carol, 'alice');
  await bob.run('remote', 'alice', 'camera', 'setSubscribed', true);
  await meets(bob, 'alice');
});

test('a disabled track stops without disappearing, and returns at once', async ({ room }) => {
  await room.join('alice', { publish: true });
  const bob = await room.join('bob');
  await meets(bob, 'alice');
  await bob.run('remote', 'alice', 'camera', 'setEnabled', false);
  await until('no video comes', async () => (await videoBytes(bob, 'alice')) === 0);
  await bob.hears('alice', red.tone);
  await bob.run('remote', 'alice', 'microphone', 'setEnabled', false);
  await until('there is silence', async () => (await bob.sounds()).length === 0);
  expect((await bob.state()).events).not.toContain('TrackUnsubscribed');
  await bob.run('remote', 'alice', 'camera', 'setEnabled', true);
  await bob.run('remote', 'alice', 'microphone', 'setEnabled', true);
  await meets(bob, 'alice');
});

test('the size of a video on the page selects its layer (adaptive stream)', async ({ room }) => {
  const alice = await room.join('alice');
  const bob = await room.join('bob', { options: { adaptiveStream: { pixelDensity: 1 } } });
  await alice.run('publishPicture', red.colour, { width: 640, height: 360 });
  await until('bob has the track', async () => (await bob.received()).length === 1);
  await bob.run('showAt', 'alice', 600, 340);
  await bob.sees('alice', red.colour, { width: 640 });
  await bob.run('showAt', 'alice', 200, 112);
  await bob.sees('alice', red.colour, { width: 320 });
  await bob.run('showAt', 'alice', 600, 340);
  await bob.sees('alice', red.colour, { width: 640 });
});

test('a video that no one can see is not sent (adaptive stream)', async ({ room }) => {
  await room.join('alice', { publish: true });
  const bob = await room.join('bob', { options: { adaptiveStream: true } });
  await until('bob has the track', async () => (await bob.received()).length === 2);
  await bob.run('showAt', 'alice', 320, 180);
  await meets(bob, 'alice');
  await bob.run('showAt', 'alice', 0, 0);
  await until('no video comes', async () => (await videoBytes(bob, 'alice')) === 0);
  await bob.hears('alice', red.tone);
  await bob.run('showAt', 'alice', 320, 180);
  await meets(bob, 'alice');
});

test('without enough bandwidth, video is paused and sound continues', async ({ room, engine }, { title }) => {
  const alice = await room.join('alice');
  const bob = await room.join('bob', { options: { connect: { subscriberAllowPause: true } } });
  await alice.run('publishTone', red.tone);
  await alice.run('publishPicture', red.colour, { width: 640, height: 360, frameRate: 20 }, { simulcast: false });
  await meets(bob, 'alice');
  // an engine must first learn the bitrate of the video
  await bob.seesFrames('alice', 45);
  const isTold = differenceOf(title, engine)
    ? () => undefined
    : (state: string) => bob.isTold(`TrackStreamStateChanged camera ${state} alice`);
  await bob.run('simulate', 'subscriber-bandwidth', 5_000);
  await isTold('paused');
  await until('no video comes', async () => (await videoBytes(bob, 'alice')) === 0);
  await bob.hears('alice', red.tone);
  await bob.run('simulate', 'subscriber-bandwidth', 0);
  await isTold('active');
  await meets(bob, 'alice');
});
