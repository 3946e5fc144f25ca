import { until, type CallPage } from '@rmeet/testkit';
import { expect, people, test } from './support.ts';

const { alice: red } = people;
const LOW = 0;
const MEDIUM = 1;
const HIGH = 2;
/** Both codecs are sent; each receiver gets the one it supports (livekit.BackupCodecPolicy). */
const SIMULCAST = 1;

/** Large enough for three layers of simulcast or SVC. */
const large = { width: 960, height: 540, frameRate: 10 };
const layer = (width: number, height: number, maxBitrate: number) => ({
  width,
  height,
  resolution: { width, height },
  encoding: { maxBitrate, maxFramerate: 10 },
});
/** A bitrate low enough for an engine's bandwidth estimate on a busy machine. */
const cheap = {
  videoEncoding: { maxBitrate: 100_000, maxFramerate: 10 },
  videoSimulcastLayers: [layer(320, 180, 40_000), layer(640, 360, 60_000)],
};

/** Requests a quality of alice's camera and waits for a picture of that width. */
async function asksFor(page: CallPage, quality: number, width: number): Promise<void> {
  await page.run('remote', 'alice', 'camera', 'setVideoQuality', quality);
  await page.sees('alice', red.colour, { width });
}

/** Widths of the layers that a person's camera currently sends. */
async function sends(page: CallPage): Promise<number[]> {
  const layers = (): Promise<{ rid: string; frames: number; width: number; source: string }[]> => page.sent();
  const before = await layers();
  await page.page.waitForTimeout(500);
  const flowing = (await layers()).filter(
    ({ rid, frames }) => frames > (before.find((one) => one.rid === rid)?.frames ?? 0),
  );
  return flowing
    .filter(({ source }) => source === 'camera')
    .map(({ width }) => width)
    .toSorted((a, b) => a - b);
}

for (const codec of ['vp8', 'h264', 'vp9', 'av1'] as const) {
  test(`${codec} is received as it is sent`, async ({ room }) => {
    const [alice, bob] = [await room.join('alice'), await room.join('bob')];
    await alice.run('publishPicture', red.colour, {}, { videoCodec: codec, simulcast: false, backupCodec: false });
    await bob.sees('alice', red.colour, { width: 320 });
    expect((await bob.stream('video', 'alice'))!.codec.toLowerCase()).toBe(`video/${codec}`);
    expect((await bob.knows('alice'))!.tracks[0]!.mimeType.toLowerCase()).toBe(`video/${codec}`);
  });
}

test('vp8 in three layers: each subscriber receives the size it asks for', async ({ room }) => {
  const [alice, bob, carol] = [await room.join('alice'), await room.join('bob'), await room.join('carol')];
  await alice.run('publishPicture', red.colour, large, { videoCodec: 'vp8', ...cheap });
  await asksFor(bob, HIGH, 960);
  await asksFor(carol, LOW, 320);
  // from here on one of them always receives the top layer, so that no engine considers it gone
  await asksFor(carol, HIGH, 960);
  await asksFor(bob, MEDIUM, 640);
  await asksFor(bob, LOW, 320);
  await bob.run('remote', 'alice', 'camera', 'setVideoDimensions', { width: 600, height: 338 });
  await bob.sees('alice', red.colour, { width: 640 });
  await bob.run('remote', 'alice', 'camera', 'setVideoDimensions', { width: 200, height: 112 });
  await bob.sees('alice', red.colour, { width: 320 });
});

test('h264 in two layers: either one is received', async ({ room }) => {
  const [alice, bob] = [await room.join('alice'), await room.join('bob')];
  await alice.run(
    'publishPicture',
    red.colour,
    { width: 640, height: 360 },
    { videoCodec: 'h264', backupCodec: false },
  );
  await asksFor(bob, HIGH, 640);
  await asksFor(bob, LOW, 320);
  await asksFor(bob, HIGH, 640);
});

for (const codec of ['vp9', 'av1'] as const) {
  test(`${codec} in spatial layers: each subscriber receives the size it asks for`, async ({ room }) => {
    const [alice, bob] = [await room.join('alice'), await room.join('bob')];
    await alice.run('publishPicture', red.colour, large, {
      videoCodec: codec,
      backupCodec: false,
      scalabilityMode: 'L3T3_KEY',
    });
    await asksFor(bob, HIGH, 960);
    await asksFor(bob, LOW, 240);
    await asksFor(bob, MEDIUM, 480);
    await asksFor(bob, HIGH, 960);
    expect((await alice.sent()).map(({ scalability }) => scalability)).toContain('L3T3_KEY');
  });
}

test('layers without a viewer are not sent (dynacast)', async ({ room }) => {
  const alice = await room.join('alice', { options: { dynacast: true } });
  const bob = await room.join('bob');
  await alice.run('publishPicture', red.colour, { width: 640, height: 360 }, { videoCodec: 'vp8' });
  await asksFor(bob, HIGH, 640);
  await until('both layers are sent', async () => (await sends(alice)).length === 2);
  await asksFor(bob, LOW, 320);
  await until('only the low layer is sent', async () => (await sends(alice)).join() === '320');
  await bob.run('setSubscribed', false);
  await until('nothing is sent', async () => (await sends(alice)).length === 0);
  await bob.run('setSubscribed', true);
  await asksFor(bob, HIGH, 640);
});

test('a receiver that cannot decode the codec gets the backup codec', async ({ room }) => {
  const alice = await room.join('alice', { options: { dynacast: true } });
  const [bob, carol] = [await room.join('bob'), await room.join('carol', { options: { refuses: ['video/VP9'] } })];
  await alice.run(
    'publishPicture',
    red.colour,
    {},
    { videoCodec: 'vp9', backupCodec: { codec: 'vp8' }, backupCodecPolicy: SIMULCAST },
  );
  await bob.sees('alice', red.colour);
  await carol.sees('alice', red.colour);
  expect((await bob.stream('video', 'alice'))!.codec).toBe('video/VP9');
  expect((await carol.stream('video', 'alice'))!.codec).toBe('video/VP8');
});

test('redundant audio is heard, and clients without support receive its plain part', async ({ room }) => {
  const [alice, bob] = [await room.join('alice'), await room.join('bob')];
  const dora = await room.joinHeadless('dora');
  await alice.run('publishTone', red.tone, { red: true, dtx: false });
  await bob.hears('alice', red.tone);
  expect((await bob.knows('alice'))!.tracks[0]!.mimeType).toBe('audio/red');
  const { bytesReceived, packetsReceived } = (await bob.stream('audio', 'alice'))!;
  const plain = await until('dora gets packets', () =>
    [...dora.tracks.values()].find(({ counters }) => counters.packets > 50),
  );
  expect(plain.mimeType).toBe('audio/OPUS');
  // Chromium does not report it: each packet also contains the audio of the previous one, so it is about twice as long
  expect(bytesReceived / packetsReceived).toBeGreaterThan(1.5 * (plain.counters.bytes / plain.counters.packets - 20));
  expect(bytesReceived / packetsReceived).toBeGreaterThan(100);
});

test('only clients with the key can decode end-to-end encrypted media', async ({ room }) => {
  const encryption = 'a passphrase of these three';
  const alice = await room.join('alice', { options: { encryption }, publish: true });
  const bob = await room.join('bob', { options: { encryption } });
  const carol = await room.join('carol', { options: { encryption: 'another one' } });
  await bob.sees('alice', red.colour);
  await bob.hears('alice', red.tone);
  expect((await bob.knows('alice'))!.tracks.map(({ encrypted }) => encrypted)).toEqual([true, true]);
  await until(
    'packets reach carol too',
    async () => ((await carol.stream('video', 'alice'))?.packetsReceived ?? 0) > 20,
  );
  expect(await carol.pictures()).toEqual([]);
  expect(await carol.sounds()).toEqual([]);
  expect((await alice.state()).connection).toBe('connected');
});
